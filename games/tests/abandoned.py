"""Matches that somebody has left, made straight by the machine: no sockets, no waiting."""

import hashlib
import json
from typing import Any
from uuid import UUID

from games import course, house
from games.dbclock import read_ms
from games.info import info_of
from games.match import commands
from games.match.sides import Side
from games.match.state import Phase
from games.terms import TableTerms
from games.tests.conftest import Later
from games.tests.players import make_user, open_table, usd_terms

WINDOW_MS = 180_000
SEEDS = {Side.LIGHT: "1a" * 32, Side.DARK: "2b" * 32}
ENGINE = {
    "verdict": {
        "measure": "points",
        "value": -0.42,
        "low": -0.47,
        "high": -0.37,
        "engine": "bgsage",
        "version": "0.3",
        "settings": {"method": "rollout", "trials": 1296, "ply": 2, "seed": 7},
    }
}


def running(terms: TableTerms | None = None) -> UUID:
    """A match whose game has begun."""
    match_id = open_table(make_user(cents=10_000), make_user(cents=10_000), terms or usd_terms())
    begin(match_id)
    return match_id


def begin(match_id: UUID) -> None:
    """Both accept and reveal their seeds."""
    for side, seed in SEEDS.items():
        commit = hashlib.sha256(bytes.fromhex(seed)).hexdigest()
        house.advance(match_id, commands.Accept(by=side, commit=commit))
    for side, seed in SEEDS.items():
        house.advance(match_id, commands.RevealSeed(by=side, seed=seed))


def left(later: Later, *sides: Side, terms: TableTerms | None = None) -> UUID:
    """A match that these sides have left: an engine is asked now."""
    match_id = running(terms)
    for side in sides or (Side.DARK,):
        house.advance(match_id, commands.MarkLost(side=side, since_ms=read_ms() - 20_000))
    later.skip(WINDOW_MS)
    assert house.expire(match_id)
    assert course.load(match_id)[1].phase is Phase.ADJUDICATING
    return match_id


def with_moderators(later: Later, *sides: Side, terms: TableTerms | None = None) -> UUID:
    """The same after two minutes without an answer."""
    match_id = left(later, *sides, terms=terms)
    later.skip(121_000)
    assert house.expire(match_id)
    return match_id


def judged(match_id: UUID, **detail: Any) -> None:
    """An engine has answered: dark loses 0.42 stakes."""
    house.advance(
        match_id,
        commands.Adjudicate(
            side=Side.DARK,
            estimate=-420_000,
            low=-470_000,
            high=-370_000,
            engine="bgsage 0.3",
            detail=json.dumps(ENGINE | detail),
        ),
    )


def user_of(match_id: UUID, side: Side) -> int:
    """The account on a side."""
    return info_of(match_id).people[side].user_id
