"""Frames made by hand in the browser's console: refused, and nothing changes."""

from collections.abc import Callable
from typing import Any

import pytest

from tests.journeys.conftest import Arrive
from tests.journeys.console import console, frame
from tests.journeys.desk import Desk
from tests.journeys.lines import RUN, dice_of
from tests.journeys.table import Table, start
from tests.run.site import Site

pytestmark = pytest.mark.journey
Seated = Callable[..., tuple[Table, Table]]


@pytest.fixture
def game(arrive: Arrive, seated: Seated, live_processes: Site) -> tuple[Table, Table]:
    """Light has the dice."""
    live_processes.set_dice(dice_of(*RUN))
    anna, boris = arrive("Anna", cents=50_00), arrive("Boris", cents=50_00)
    light, dark = seated(anna, boris, currency="USD", stake=100)
    start(light, dark)
    light.expect_turn("light", "to_move")
    dark.expect_turn("light", "to_move")
    return light, dark


def test_nothing_forged_at_the_table_changes_anything(
    game: tuple[Table, Table], desk: Desk
) -> None:
    light, dark = game
    before, events, now = light.position(), desk.events(light.match_id), light.version

    out_of_turn = [
        frame("play", now, text="24/13"),
        frame("roll", now),
        frame("double", now),
        frame("take", now),
        frame("resign", now, level=3),
        frame("answer", now, accept=True),
        frame("claim", now),
    ]
    codes = console(dark, out_of_turn)
    assert len(codes) == len(out_of_turn)
    assert not {"ack", "bad_frame"} & set(codes)

    decided_by_the_server = [
        frame("play", now, text="24/13", dice=[6, 6]),
        frame("play", now, text="24/13", board={"light": [15] + [0] * 25}),
        frame("play", now, text="24/13", by="dark"),
        frame("play", now, text="24/13", clock={"reserve_ms": 10**9}, winner="light"),
        frame("settle", now, winner="light"),
        frame("game_ended", now, winner="light", points=3),
        frame("roll", now, high=6, low=6),
        '{"cmd": "roll"}',
        "[]",
        "not json",
    ]
    assert console(light, decided_by_the_server) == ["bad_frame"] * len(decided_by_the_server)

    against_the_rules = [
        frame("play", now, text="24/1"),
        frame("play", now, text="8/2 8/2"),
        frame("play", now + 1, text="24/13"),
    ]
    assert console(light, against_the_rules) == ["illegal_turn", "illegal_turn", "version_ahead"]
    unchanged(light, before, desk, events)


def test_nobody_else_can_act(game: tuple[Table, Table], arrive: Arrive, desk: Desk) -> None:
    light, _ = game
    before, events = light.position(), desk.events(light.match_id)
    for watcher in (arrive(), arrive("Mallory")):
        codes = console(
            watcher.sit(light.match_id),
            [
                frame("play", light.version, text="24/13"),
                frame("resign", light.version, level=3),
                frame("accept", commit="0" * 64),
                frame("leave"),
            ],
        )
        assert codes == ["not_seated"] * 4
    unchanged(light, before, desk, events)


def unchanged(light: Table, before: list[str], desk: Desk, events: list[dict[str, Any]]) -> None:
    """Nothing was written, and the game goes on from where it was."""
    assert desk.events(light.match_id) == events
    assert light.position() == before
    light.play("24/13").expect_turn("dark", "to_roll")
