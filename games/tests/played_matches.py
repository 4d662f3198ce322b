"""Matches in the database that are played to their end in one go, without sockets."""

from collections.abc import Callable
from random import Random
from uuid import UUID

from accounts.models import User
from games import course, services
from games.dbclock import read_ms
from games.match import commands as c
from games.match.sides import Side
from games.match.state import BEFORE_PLAY, FINISHED, MatchState
from games.terms import TableTerms, table_terms
from games.tests.match_table import COMMITS, SEEDS
from games.tests.whole_matches import command

Chooser = Callable[[MatchState, Random], c.PlayerCommand]
MOVE_MS = 3_000
MOST_COMMANDS = 20_000


def chips(**more: object) -> TableTerms:
    """Terms of a table for chips."""
    return table_terms(**{"currency": "PLAY", "stake": 10} | more)


def opened(light: User, dark: User, terms: TableTerms | None = None, column: str = "") -> UUID:
    """A match at its ready check."""
    terms = terms or chips()
    room = column or ("main" if terms.is_money else "practice")
    return services.open_match(light=light, dark=dark, terms=terms, room=room, column=room)


def begin(match_id: UUID) -> None:
    """Both accept and reveal: the first game begins."""
    for make in (
        lambda side: c.Accept(side, COMMITS[side]),
        lambda side: c.RevealSeed(side, SEEDS[side]),
    ):
        for side in Side:
            services.advance(match_id, make(side))


def play_out(match_id: UUID, chance: Random, choose: Chooser = command) -> MatchState:
    """From the ready check to the end, a few seconds a move by the events' own time."""
    begin(match_id)
    info, state, seed, _records = course.load(match_id)
    now_ms = read_ms()
    assert state.phase not in BEFORE_PLAY
    for _ in range(MOST_COMMANDS):
        if state.phase in FINISHED:
            return state
        now_ms += MOVE_MS
        step = course.advance(info, state, seed, course.Order(choose(state, chance), now_ms))
        course.write(info, step)
        state = step.state
    raise AssertionError("the match did not end")
