"""A series on the wire: all its games however long it was, and why there is no doubling."""

import json
from dataclasses import replace
from typing import Any

import pytest

from games import course
from games.match.sides import BySide
from games.protocol import MOST_EVENTS, Shown, own_view
from games.terms import table_terms
from games.tests.decided import begun, lose_game
from games.tests.match_table import DARK, LIGHT, MatchTable, series
from games.tests.players import make_user

CHIPS = table_terms(currency="PLAY", stake=1, kind="series", length=25)


@pytest.mark.django_db
def test_a_snapshot_has_every_game_that_ended_also_before_the_events_it_holds() -> None:
    match_id = begun(make_user(), make_user(), CHIPS)
    lose_game(match_id, DARK)
    info, state, _seed, records = course.load(match_id)
    long_ago = [b'{"n":1,"kind":"game_ended","winner":"light","points":2}']
    wire = long_ago + [b'{"n":2,"kind":"rolled"}'] * MOST_EVENTS
    shown = Shown(info, replace(state, version=len(wire)))
    frame: dict[str, Any] = json.loads(shown.snapshot_frame(LIGHT, wire, extra={}, now_ms=0))
    assert frame["games"] == [{"n": 1, "kind": "game_ended", "winner": "light", "points": 2}]
    assert len(frame["events"]) == MOST_EVENTS
    assert frame["events"][0]["n"] == 2
    assert any(record.kind == "game_ended" for record in records)


@pytest.mark.django_db
def test_who_sees_the_table_late_sees_no_game_that_ended_since() -> None:
    match_id = begun(make_user(), make_user(), CHIPS)
    info, state, _seed, _records = course.load(match_id)
    wire = [b'{"n":1,"kind":"rolled"}', b'{"n":2,"kind":"game_ended"}']
    shown = Shown(info, replace(state, version=1))
    assert json.loads(shown.snapshot_frame(None, wire, extra={}, now_ms=0))["games"] == []


@pytest.mark.parametrize(
    ("changes", "code"),
    [
        ({}, None),
        ({"crawford": True}, "crawford_game"),
        ({"cube_value": 2, "cube_owner": DARK}, "cube_not_yours"),
        ({"cube_value": 64, "cube_owner": LIGHT}, "cube_at_limit"),
        ({"score": BySide(4, 4)}, "dead_cube"),
    ],
)
def test_who_is_to_roll_is_told_why_there_is_no_doubling(
    changes: dict[str, Any], code: str | None
) -> None:
    table = MatchTable.started(series(5))
    table.to_roll(LIGHT)
    table.state = replace(table.state, **changes)
    assert own_view(table.state, LIGHT)["no_double"] == code
    assert own_view(table.state, DARK)["no_double"] is None
    assert own_view(table.state, None)["no_double"] is None
