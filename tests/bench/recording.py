"""Writes down the frames of a game as both players get them, for a server that only sends.

python -m tests.bench.recording          prints [[frame for light, frame for dark], …] as JSON
"""

import json
import os
import sys
from hashlib import sha256
from typing import TYPE_CHECKING, Any
from uuid import UUID

import django

if TYPE_CHECKING:
    from games.info import MatchInfo
    from games.match.state import MatchState

FRAMES = 80
SEED = sha256(b"a game to be sent").digest()


def frames() -> list[list[str]]:
    """From the opening throw on, a pair for each command; the players do the plainest thing."""
    from games import course, protocol
    from games.match.commands import PlayTurn, Roll
    from games.match.sides import SIDES
    from games.match.state import Phase
    from games.rules.turns import Move
    from tests.bench.load import first_turn

    info, state = _begun()
    wire = [b"{}"] * state.version
    since = state.version - 1
    recorded: list[list[str]] = []
    while len(recorded) < FRAMES:
        shown = protocol.Shown(info, state)
        recorded.append([shown.events_frame(side, wire, since=since, now_ms=0) for side in SIDES])
        assert state.on_roll is not None, "the recording is shorter than a game"
        command: Any = Roll(state.on_roll)
        if state.phase is Phase.TO_MOVE:
            assert state.turns is not None
            command = PlayTurn(
                state.on_roll, tuple(Move(src, dst) for src, dst in first_turn(state.turns.nodes))
            )
        step = course.advance(info, state, SEED, course.Order(command=command, now_ms=0))
        since, state = state.version, step.state
        wire += [protocol.wire_event(record) for record in step.entry.records]
    return recorded


def _begun() -> "tuple[MatchInfo, MatchState]":
    from games import course
    from games.info import MatchInfo, Person
    from games.match.commands import Accept, RevealSeed
    from games.match.machine import evolve, open_match
    from games.match.sides import SIDES
    from games.match.state import MatchState
    from games.ratings import Rating
    from games.terms import match_terms, table_terms

    terms = table_terms(currency="PLAY", stake=1)
    info = MatchInfo(
        id=UUID(int=1),
        room="practice",
        column="practice",
        tariff="play65-ru",
        terms=terms,
        machine_terms=match_terms(terms),
        server_commit=sha256(SEED).hexdigest(),
        people={
            side: Person(user_id=n, seat_id=n, name=f"Player {n}", country="FI", rating=Rating())
            for n, side in enumerate(SIDES)
        },
    )
    state: MatchState | None = None
    for event in open_match(info.machine_terms, info.server_commit):
        state = evolve(state, event, 0)
    assert state is not None
    seeds = {side: sha256(side.encode()).digest() for side in SIDES}
    orders = [Accept(side, sha256(seed).hexdigest()) for side, seed in seeds.items()]
    for order in [*orders, *(RevealSeed(side, seed.hex()) for side, seed in seeds.items())]:
        state = course.advance(info, state, SEED, course.Order(command=order, now_ms=0)).state
    return info, state


if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "nardysite.settings.dev")
    django.setup()
    json.dump(frames(), sys.stdout)
