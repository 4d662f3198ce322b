"""`manage.py turns` for long nardy, as it is called."""

import json
from typing import Any

import pytest

from games.management.commands.turns import answer

START = [15] + [0] * 24
GOOD = {
    "variant": "long-nardy",
    "mine": START,
    "theirs": START,
    "dice": [6, 6],
    "first_turn": True,
    "second_player": False,
}
FNR = {"ruleset": "long-nardy-fnr"}


def side(**points: int) -> list[int]:
    """Counts by progress: p0=14, p24=1."""
    return [points.get(f"p{progress}", 0) for progress in range(25)]


def asked(**changed: object) -> dict[str, Any]:
    return answer(json.dumps(GOOD | changed).encode())


def test_the_first_players_66_takes_two_from_the_head() -> None:
    assert asked() == {"dice_used": 2, "finals": [side(p0=13, p6=2)]}


def test_on_a_later_turn_it_takes_one() -> None:
    """Nardy 4: the flag is believed; without it the position tells."""
    assert asked(first_turn=False) == {"dice_used": 1, "finals": [side(p0=14, p6=1)]}
    assert (
        answer(json.dumps({k: GOOD[k] for k in ("variant", "mine", "theirs", "dice")}).encode())
        == asked()
    )


def test_finals_are_sorted_and_the_mover_s() -> None:
    found = asked(mine=side(p0=14, p3=1), first_turn=False, dice=[1, 2])
    assert found["dice_used"] == 2
    assert found["finals"] == sorted(found["finals"])
    assert side(p0=13, p3=2) in found["finals"]
    assert all(sum(final) == 15 for final in found["finals"])


@pytest.mark.parametrize("names", [FNR, {"variant": "long-nardy-fnr"}])
def test_the_second_ruleset_is_named_in_either_way(names: dict[str, str]) -> None:
    """Nardy 8: two from the head for the second player only."""
    assert asked(**names)["finals"] == [side(p0=14, p6=1)]
    second = asked(**names, second_player=True, theirs=side(p0=14, p11=1))
    assert second["finals"] == [side(p0=13, p6=2)]


def test_a_roll_that_cannot_be_played_has_no_finals() -> None:
    blocked = asked(mine=START, theirs=side(p0=14, p17=1), dice=[5, 5])
    assert blocked == {"dice_used": 0, "finals": []}


def test_a_finished_game_has_no_turns() -> None:
    over = asked(mine=side(p24=15), theirs=START, first_turn=False)
    assert over == {"dice_used": 0, "finals": []}


@pytest.mark.parametrize(
    "changed",
    [
        {"mine": None},
        {"mine": [15]},
        {"mine": [15] + [0] * 25},
        {"mine": [14] + [0] * 24},
        {"mine": [16, -1] + [0] * 23},
        {"mine": [15.0] + [0] * 24},
        {"mine": [True] * 15 + [0] * 10},
        {"mine": "15"},
        {"theirs": [15]},
        {"theirs": {"0": 15}},
        {"theirs": side(p0=14, p12=1)},
        {"mine": side(p0=14, p12=1), "first_turn": False},
        {"mine": side(p24=15), "theirs": side(p24=15), "first_turn": False},
        {"mine": side(p0=14, p3=1)},
        {"first_turn": 1},
        {"second_player": "no"},
        {"ruleset": "short"},
        {"ruleset": ["long-nardy"]},
        {"ruleset": "backgammon"},
        {"dice": None},
        {"dice": [0, 1]},
        {"dice": [7, 7]},
    ],
    ids=str,
)
def test_what_is_impossible_is_an_error(changed: dict[str, object]) -> None:
    assert list(asked(**changed)) == ["error"]


def test_the_refusal_says_why() -> None:
    assert "15" in asked(mine=[14] + [0] * 24)["error"]
    assert (
        "12" in asked(theirs=side(p0=14, p12=1))["error"]
        or "24" in asked(theirs=side(p0=14, p12=1))["error"]
    )
