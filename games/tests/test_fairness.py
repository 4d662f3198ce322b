"""Nobody may know or choose a roll (live table 3), and a record shows it."""

import hashlib
import hmac
import json
import logging
import pickle
from dataclasses import replace
from typing import Any
from uuid import UUID

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games import fairness
from games.fairness import (
    BadRecord,
    DiceRecord,
    Finding,
    Problem,
    RecordedRoll,
    Seed,
    Thrown,
    ThrownBy,
    commitment,
    dice_for,
    dice_of,
    new_seed,
    roll,
    verify,
)
from games.tests.dice_records import (
    MATCH,
    honest,
    honest_records,
    record_of,
    running,
    seeds,
    some,
    spoiled_records,
)

SERVER, LIGHT, DARK = bytes(range(32)), bytes([5] * 32), bytes([9] * 32)
KNOWN_NUMBERS = (1, 2, 3, 57, 2**32 - 1)
KNOWN = [(3, 5), (4, 5), (4, 5), (1, 3), (1, 6)]
"""Found with openssl, as docs/fairness.md shows."""


# --- one roll ---------------------------------------------------------------------------------


@some
@given(seeds, seeds, seeds, st.uuids(), st.integers(1, 2**32 - 1))
def test_a_roll_is_the_hmac_of_the_players_seeds_the_match_and_the_number(
    server: bytes, light: bytes, dark: bytes, match_id: UUID, n: int
) -> None:
    """Live table 3, written out again."""
    message = light + dark + bytes.fromhex(match_id.hex) + bytes.fromhex(f"{n:08x}")
    digest = hmac.new(server, message, hashlib.sha256).digest()
    first, second, *_ = [byte % 6 + 1 for byte in digest if byte < 252]
    assert roll(server, light, dark, match_id, n) == (first, second)


def test_known_rolls_never_change() -> None:
    """Records of years ago must still verify."""
    dice = dice_for(MATCH, SERVER, LIGHT, DARK)
    assert [dice(n) for n in KNOWN_NUMBERS] == KNOWN


def test_the_same_number_gives_the_same_dice_and_another_gives_others() -> None:
    """A drawn roll cannot be drawn again; bug F02: two rolls of one moment are not alike."""
    dice = dice_for(MATCH, SERVER, LIGHT, DARK)
    assert [dice(n) for n in range(1, 101)] == [dice(n) for n in range(1, 101)]
    assert len({tuple(dice(n) for n in range(k, k + 12)) for k in range(1, 100, 12)}) == 9


@pytest.mark.parametrize(
    "changed",
    [
        {"server_seed": bytes([1] * 32)},
        {"light_seed": bytes([1] * 32)},
        {"dark_seed": bytes([1] * 32)},
        {"match_id": UUID(int=MATCH.int ^ 1)},
    ],
    ids=str,
)
def test_every_ingredient_decides(changed: dict[str, Any]) -> None:
    ingredients: dict[str, Any] = {
        "server_seed": SERVER,
        "light_seed": LIGHT,
        "dark_seed": DARK,
        "match_id": MATCH,
    }
    before, after = dice_for(**ingredients), dice_for(**ingredients | changed)
    assert [before(n) for n in range(1, 30)] != [after(n) for n in range(1, 30)]


def test_light_and_dark_are_not_interchangeable() -> None:
    assert [roll(SERVER, LIGHT, DARK, MATCH, n) for n in range(1, 9)] != [
        roll(SERVER, DARK, LIGHT, MATCH, n) for n in range(1, 9)
    ]


def test_bytes_of_252_and_above_are_passed_over() -> None:
    assert dice_of(iter([bytes([252, 255, 251, 253, 0])])) == Thrown(first=6, second=1)


@pytest.mark.parametrize("good", [b"", bytes([3])])
def test_a_digest_without_two_good_bytes_is_followed_by_the_next(good: bytes) -> None:
    short = good + bytes([254] * (32 - len(good)))
    assert dice_of(iter([short, bytes([8, 10])])) == (Thrown(4, 3) if good else Thrown(3, 5))


def test_further_digests_carry_a_block_number() -> None:
    stream = fairness._digests(SERVER, b"message")
    expected = [b"message", b"message\0\0\0\1", b"message\0\0\0\2"]
    assert [next(stream) for _ in expected] == [
        hmac.new(SERVER, message, hashlib.sha256).digest() for message in expected
    ]


@pytest.mark.parametrize("n", [0, -1, 2**32])
def test_rolls_are_numbered_from_one(n: int) -> None:
    with pytest.raises(ValueError, match="numbered"):
        roll(SERVER, LIGHT, DARK, MATCH, n)


@pytest.mark.parametrize("place", range(3))
@pytest.mark.parametrize("wrong", [b"", bytes(31), bytes(33)])
def test_a_seed_of_another_length_is_refused(place: int, wrong: bytes) -> None:
    """Otherwise a byte could wander from one player's seed to the other's."""
    three = [SERVER, LIGHT, DARK]
    three[place] = wrong
    with pytest.raises(ValueError, match="32 bytes"):
        roll(three[0], three[1], three[2], MATCH, 1)
    with pytest.raises(ValueError, match="32 bytes"):
        dice_for(MATCH, *three)


# --- seeds ------------------------------------------------------------------------------------


def test_new_seeds_are_32_bytes_and_all_different() -> None:
    made = {new_seed() for _ in range(1000)}
    assert len(made) == 1000
    assert {len(seed) for seed in made} == {32}


def test_a_commitment_is_the_sha256_of_the_seeds_bytes() -> None:
    assert commitment(b"abc") == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"


def test_a_seed_shows_itself_to_no_log_or_traceback(caplog: pytest.LogCaptureFixture) -> None:
    seed = Seed(SERVER)
    logging.getLogger("games").warning("%s %r %s", seed, seed, [seed])
    shown = [repr(seed), str(seed), f"{seed}", f"{seed!r:>3}", f"{(seed,)}", caplog.text]
    shown += [repr(dice_for(MATCH, SERVER, LIGHT, DARK)), repr(honest())]
    for text in shown:
        assert "hidden" in text or "DiceRecord" in text
        assert "\\x01\\x02" not in text
        assert SERVER.hex() not in text


def test_a_hidden_seed_is_still_its_bytes() -> None:
    assert Seed(SERVER) == SERVER
    assert pickle.loads(pickle.dumps(Seed(SERVER))) == SERVER  # noqa: S301 - our own bytes
    assert roll(Seed(SERVER), LIGHT, DARK, MATCH, 1) == roll(SERVER, LIGHT, DARK, MATCH, 1)


# --- the record -------------------------------------------------------------------------------


@some
@given(honest_records)
def test_a_record_survives_its_json(record: DiceRecord) -> None:
    assert DiceRecord.from_json(record.to_json()) == record


def test_a_running_matchs_record_survives_its_json_and_holds_no_seed() -> None:
    record = running()
    assert DiceRecord.from_json(record.to_json()) == record
    assert not record.is_open
    assert SERVER.hex() not in record.to_json()


def test_the_json_is_as_documented() -> None:
    assert json.loads(replace(honest(), drawn=1, rolls=honest().rolls[:1]).to_json()) == {
        "format": "nardy-dice-1",
        "match_id": str(MATCH),
        "server_commit": commitment(SERVER),
        "light_commit": commitment(LIGHT),
        "dark_commit": commitment(DARK),
        "server_seed": SERVER.hex(),
        "light_seed": LIGHT.hex(),
        "dark_seed": DARK.hex(),
        "drawn": 1,
        "rolls": [{"n": 1, "by": "both", "dice": list(KNOWN[0])}],
    }


@pytest.mark.parametrize(
    "spoil",
    [
        {"format": "nardy-dice-2"},
        {"match_id": str(MATCH).upper()},
        {"match_id": MATCH.hex},
        {"match_id": 5},
        {"server_commit": None},
        {"server_seed": SERVER.hex().upper()},
        {"light_seed": LIGHT.hex()[2:]},
        {"light_seed": LIGHT.hex() + "00"},
        {"dark_seed": " " + DARK.hex()[1:]},
        {"dark_commit": "g" * 64},
        {"drawn": -1},
        {"drawn": "40"},
        {"drawn": True},
        {"rolls": None},
        {"rolls": {"n": 1}},
        {"rolls": [{"n": 0, "by": "light", "dice": [1, 2]}]},
        {"rolls": [{"n": 2**32, "by": "light", "dice": [1, 2]}]},
        {"rolls": [{"n": 1, "by": "nobody", "dice": [1, 2]}]},
        {"rolls": [{"n": 1, "by": "light", "dice": [1]}]},
        {"rolls": [{"n": 1, "by": "light", "dice": [1, 7]}]},
        {"rolls": [{"n": 1, "by": "light", "dice": "12"}]},
        {"rolls": [{"n": 1, "by": "light"}]},
        {"rolls": [{"n": 1, "by": "light", "dice": [1, 2], "more": 1}]},
        {"more": 1},
    ],
    ids=str,
)
def test_a_text_that_is_no_record_is_refused(spoil: dict[str, object]) -> None:
    with pytest.raises(BadRecord):
        DiceRecord.from_json(json.dumps(honest().as_dict() | spoil))


@pytest.mark.parametrize("text", ["", "[]", "null", "1", '"text"', "{", "{}", "[" * 100_000])
def test_a_text_that_is_something_else_is_refused(text: str) -> None:
    with pytest.raises(BadRecord):
        DiceRecord.from_json(text)


def test_a_missing_field_is_named() -> None:
    fields = honest().as_dict()
    del fields["dark_commit"]
    with pytest.raises(BadRecord, match="dark_commit"):
        DiceRecord.from_json(json.dumps(fields))


# --- checking ---------------------------------------------------------------------------------


@some
@given(honest_records)
def test_an_honest_record_is_proven(record: DiceRecord) -> None:
    assert verify(record) == []


@some
@given(spoiled_records())
def test_any_one_change_is_found(record: DiceRecord) -> None:
    assert verify(record)


def test_a_foreign_seed_is_named_and_the_rolls_with_it() -> None:
    findings = verify(replace(honest(), light_seed=bytes(32)))
    assert findings[0] == Finding(Problem.BAD_LIGHT_COMMIT)
    assert {one.problem for one in findings[1:]} == {Problem.WRONG_ROLL}


@pytest.mark.parametrize(
    ("name", "problem"),
    [
        ("server_commit", Problem.BAD_SERVER_COMMIT),
        ("light_commit", Problem.BAD_LIGHT_COMMIT),
        ("dark_commit", Problem.BAD_DARK_COMMIT),
    ],
)
def test_a_foreign_seal_is_named(name: str, problem: Problem) -> None:
    assert verify(replace(honest(), **{name: "0" * 64})) == [Finding(problem)]


def test_a_wrong_roll_is_named_with_its_true_dice() -> None:
    record = honest()
    true = record.rolls[6]
    lie = true._replace(first=7 - true.first)
    (finding,) = verify(replace(record, rolls=(*record.rolls[:6], lie, *record.rolls[7:])))
    assert (finding.problem, finding.n) == (Problem.WRONG_ROLL, 7)
    assert sorted(finding.thrown or ()) == sorted(true.thrown)
    assert str(finding).startswith("wrong_roll 7: the seeds give ")


def test_an_opening_throw_the_wrong_way_round_is_wrong() -> None:
    """Rules 2: the higher die starts, so it matters whose it is."""
    record = honest()
    opening = record.rolls[0]
    assert opening.first != opening.second
    swapped = opening._replace(first=opening.second, second=opening.first)
    (finding,) = verify(replace(record, rolls=(swapped, *record.rolls[1:])))
    assert finding == Finding(Problem.WRONG_ROLL, 1, thrown=opening.thrown)


def test_any_other_roll_may_be_told_in_either_order() -> None:
    record = honest()
    turned = tuple(
        one if one.by is ThrownBy.BOTH else one._replace(first=one.second, second=one.first)
        for one in record.rolls
    )
    assert verify(replace(record, rolls=turned)) == []


@pytest.mark.parametrize(
    ("kept", "expected"),
    [
        ([2, 3, 4, 5], [Finding(Problem.MISSING_NUMBER, 1)]),
        ([1, 2, 4, 5], [Finding(Problem.MISSING_NUMBER, 3)]),
        ([1, 2, 3, 4], [Finding(Problem.MISSING_NUMBER, 5)]),
        ([1, 5], [Finding(Problem.GAP, 2, until=4)]),
        ([], [Finding(Problem.GAP, 1, until=5)]),
        ([1, 2, 2, 3, 4, 5], [Finding(Problem.DUPLICATED_NUMBER, 2)]),
        ([1, 3, 2, 4, 5], [Finding(Problem.OUT_OF_ORDER, 2)]),
        ([1, 2, 3, 4, 5, 6], [Finding(Problem.UNEXPECTED_NUMBER, 6)]),
        ([1, 2, 4], [Finding(Problem.MISSING_NUMBER, 3), Finding(Problem.MISSING_NUMBER, 5)]),
        ([1, 2, 3, 4, 5], []),
    ],
)
def test_each_number_must_come_once_and_in_order(kept: list[int], expected: list[Finding]) -> None:
    record = honest()
    rolls = tuple(record.rolls[n - 1] for n in kept)
    assert verify(replace(record, drawn=5, rolls=rolls)) == expected


def test_a_match_that_is_not_over_proves_nothing() -> None:
    assert verify(running()) == [Finding(Problem.SEED_MISSING)]


def test_a_match_without_a_roll_is_proven() -> None:
    assert verify(record_of(server=SERVER, light=LIGHT, dark=DARK, drawn=0)) == []


def test_findings_read_as_lines() -> None:
    assert str(Finding(Problem.GAP, 2, until=4)) == "gap 2-4"
    assert str(Finding(Problem.SEED_MISSING)) == "seed_missing"


def test_a_recorded_roll_knows_its_dice() -> None:
    assert RecordedRoll(1, 3, 5, ThrownBy.BOTH).thrown == Thrown(3, 5)
