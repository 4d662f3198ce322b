"""The decisions of a match, one after the other, as an analysis is asked about them. Knows no engine.

A decision is seen by the player who takes it: `seat` 0 is light's, or the left column of a file.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final, TypeAlias

from games.match import events as e
from games.match.sides import Side
from games.match.situations import situation_of
from games.match.state import MatchState, Phase
from games.rules.board import START
from games.rules.dice import Roll
from games.rules.matfile import Match
from games.rules.replay import Game, Ply, PlyKind
from games.rules.scoresheet import LEFT, RIGHT, Seat
from games.rules.situation import Owner, Situation
from games.rules.turns import Turn


@dataclass(frozen=True, slots=True)
class Rolled:
    """A turn: not doubling, where that was possible, then the play of the roll.

    `situation` is before the roll. `turn` is None if the dice were never played. `n` is the moment of
    the roll, `played_at` that of the play. `is_opening`: one die each, so no double.
    """

    n: int
    seat: Seat
    situation: Situation
    roll: Roll
    turn: Turn | None
    played_at: int
    is_opening: bool = False


@dataclass(frozen=True, slots=True)
class Doubled:
    """An offered cube. `situation` is before the offer."""

    n: int
    seat: Seat
    situation: Situation


@dataclass(frozen=True, slots=True)
class Answered:
    """A cube taken (or beavered) or dropped. `situation` is that of the doubler, before the offer."""

    n: int
    seat: Seat
    situation: Situation
    taken: bool


Decision: TypeAlias = Rolled | Doubled | Answered


def decisions_of(match: Match) -> list[Decision]:
    """Those of a file; a moment is the number of the entry, counted through the whole file from 1."""
    found: list[Decision] = []
    first = 1
    length = match.length or 0
    was_crawford = False
    has_crawford = (match.header("Crawford") or "").lower() == "on"
    rules = Situation(
        position=START,
        length=length,
        has_jacoby=not length and (match.header("Jacoby") or "").lower() == "on",
        has_beavers=not length and (match.header("Beaver") or "").lower() == "on",
    )
    for game in match.games:
        is_crawford = has_crawford and not was_crawford and bool(length) and _is_near(game, length)
        was_crawford |= is_crawford
        found += _OfGame(game, replace(rules, is_crawford=is_crawford), first).decisions()
        first += len(game.plies)
    return found


def _is_near(game: Game, length: int) -> bool:
    return length - 1 in game.score


def decisions_in(steps: Iterable[tuple[int, e.Event, MatchState]]) -> list[Decision]:
    """Those of a match that was played here: each event with its number and the state after it."""
    found: list[Decision] = []
    rolled: Rolled | None = None
    before: MatchState | None = None
    for n, event, state in steps:
        if isinstance(event, e.TurnPlayed) and rolled is not None:
            rolled = replace(rolled, turn=event.steps, played_at=n)
        if rolled is not None and isinstance(event, e.TurnPlayed | e.GameEnded):
            found.append(rolled)
            rolled = None
        if isinstance(event, e.OpeningRolled) and event.light != event.dark:
            rolled = _opening(n, event, state)
        elif isinstance(event, e.Rolled):
            rolled = _rolled(n, event, state)
        elif before is not None and (choice := _cube_choice(n, event, before)) is not None:
            found.append(choice)
        before = state
    return found


SEATS: Final = {Side.LIGHT: LEFT, Side.DARK: RIGHT}


def _opening(n: int, event: e.OpeningRolled, state: MatchState) -> Rolled:
    side = Side.LIGHT if event.light > event.dark else Side.DARK
    roll = Roll.of(event.light, event.dark)
    return Rolled(n, SEATS[side], _situation(state), roll, None, n, is_opening=True)


def _rolled(n: int, event: e.Rolled, state: MatchState) -> Rolled:
    roll = Roll.of(event.high, event.low)
    return Rolled(n, SEATS[event.side], _situation(state), roll, None, n)


def _cube_choice(n: int, event: e.Event, before: MatchState) -> Decision | None:
    match event:
        case e.DoubleOffered(side=side):
            return Doubled(n, SEATS[side], _situation(before))
        case e.DoubleTaken(side=side) | e.Beavered(side=side):
            return Answered(n, SEATS[side], _situation(before), taken=True)
        case e.DoubleDropped(side=side) if before.phase is Phase.CUBE_ANSWER:
            return Answered(n, SEATS[side], _situation(before), taken=False)
        case _:
            return None


def _situation(state: MatchState) -> Situation:
    """Before the roll, or before the offer. A cube at the limit of the table plays for one thing only."""
    found = situation_of(state)
    assert found is not None, "a decision is somebody's"
    found = replace(found, roll=None, is_doubled=False)
    cap = state.terms.cap_points
    if cap is not None and cap <= found.cube:
        return Situation(position=found.position, length=1)
    return found


class _OfGame:
    """The cube while the entries of a game go by."""

    def __init__(self, game: Game, rules: Situation, first: int) -> None:
        self._game = game
        self._rules = rules
        self._first = first
        self._cube = 1
        self._owner: Seat | None = None
        self._offer: Situation | None = None
        self._doubler: Seat | None = None
        self._has_rolled = False

    def decisions(self) -> Iterator[Decision]:
        for n, ply in enumerate(self._game.plies, start=self._first):
            yield from self._decision(n, ply)

    def _decision(self, n: int, ply: Ply) -> Iterator[Decision]:
        seat = ply.cell.seat
        if ply.roll is not None:
            yield Rolled(
                n,
                seat,
                self._seen(ply, seat),
                ply.roll,
                ply.turn,
                n,
                is_opening=not self._has_rolled,
            )
            self._has_rolled = True
        elif ply.kind is PlyKind.DOUBLE:
            self._offer, self._doubler = self._seen(ply, seat), seat
            yield Doubled(n, seat, self._offer)
        elif ply.kind in _ANSWERS and self._offer is not None and seat != self._doubler:
            yield Answered(n, seat, self._offer, taken=ply.kind is not PlyKind.DROP)
            self._take(ply.kind, seat)

    def _take(self, kind: PlyKind, seat: Seat) -> None:
        self._offer = None
        self._owner = seat
        self._cube *= 4 if kind is PlyKind.BEAVER else 2

    def _seen(self, ply: Ply, seat: Seat) -> Situation:
        """The situation of the player on roll, before the roll."""
        owners = {None: Owner.NOBODY, seat: Owner.MINE, 1 - seat: Owner.THEIRS}
        return replace(
            self._rules,
            position=ply.position,
            cube=self._cube,
            cube_owner=owners[self._owner],
            score=_seen_by(self._game.score, seat) if self._rules.length else (0, 0),
        )


_ANSWERS = frozenset({PlyKind.TAKE, PlyKind.DROP, PlyKind.BEAVER})


def _seen_by(score: Sequence[int], seat: Seat) -> tuple[int, int]:
    return (score[LEFT], score[RIGHT]) if seat == LEFT else (score[RIGHT], score[LEFT])
