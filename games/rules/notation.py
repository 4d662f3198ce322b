"""Turns as people write them: `13/8 6/5*`, `bar/22`, `6/off`, `8/4*/2`, `6/5(2)`.

Points are the mover's own. A star marks a hit, joined points one checker's way. Which of the moves
are legal is for turns.py to say.
"""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import ClassVar, Final, TypeAlias

from accounts.errors import Refused, gettext_noop
from games.rules.board import BAR, OFF, Position
from games.rules.dice import TIMES_OF_DOUBLE
from games.rules.turns import AmbiguousTurn, Move, Step, Turn, TurnGraph

LONGEST_TEXT: Final = 200
_PLACE: Final = r"(?:bar|off|[0-9]{1,2})"
_WAY: Final = re.compile(
    rf"({_PLACE}(?:/{_PLACE}\*?)+)(?:\(([1-{TIMES_OF_DOUBLE}])\))?", re.IGNORECASE
)
_NAMES: Final = {BAR: "bar", OFF: "off"}
_NUMBERS: Final = {name: place for place, name in _NAMES.items()}

_Way: TypeAlias = list[tuple[int, bool]]
"""The places at which one checker stops, each with whether it hits there."""


class BadNotation(Refused):
    """Text that is not a turn."""

    code: ClassVar[str] = "bad_notation"
    text: ClassVar[str] = gettext_noop("Write a turn like this: 13/8 6/5* or bar/22 6/off.")


def parse_moves(text: str) -> list[Move]:
    """The moves of a turn in the order written; an empty text has none. Raises BadNotation.

    A move without a star says nothing about hits: many score sheets leave the stars out.

    >>> parse_moves("bar/20*/14 6/5(2)") == [
    ...     Move(25, 20, True), Move(20, 14), Move(6, 5), Move(6, 5)
    ... ]
    True
    """
    if len(text) > LONGEST_TEXT:
        raise BadNotation
    return [move for word in text.replace(",", " ").split() for move in _moves_of(word)]


def read_turn(graph: TurnGraph, text: str) -> tuple[Turn, Position]:
    """The legal turn written in `text`, and where it leads.

    Where joined moves can be played with and without a hit, a move without a star does not hit,
    as is the custom. Raises BadNotation, IllegalTurn or AmbiguousTurn.
    """
    try:
        return graph.resolve(parse_moves(text))
    except AmbiguousTurn as refusal:
        stars = text.count("*")
        exact = [
            (turn, end)
            for end, turn in refusal.readings.items()
            if sum(step.hit for step in turn) == stars
        ]
        if len(exact) != 1:
            raise
        return exact[0]


def format_turn(turn: Sequence[Step]) -> str:
    """The shortest usual way to write a turn, the checker farthest back first.

    >>> format_turn((Step(24, 18, 6, True), Step(18, 13, 5, False)))
    '24/18*/13'
    >>> format_turn((Step(8, 2, 6, True), Step(13, 7, 6, False), Step(8, 2, 6, False)))
    '13/7 8/2*(2)'
    """
    starred: dict[tuple[int, ...], str] = {}
    times: Counter[tuple[int, ...]] = Counter()
    for way in _joined(turn):
        places = tuple(place for place, _ in way)
        times[places] += 1
        # Of several checkers that go the same way one may hit; its star stands for all.
        starred[places] = max(starred.get(places, ""), _written(way), key=len)
    return " ".join(
        starred[places] + (f"({times[places]})" if times[places] > 1 else "")
        for places in sorted(times, reverse=True)
    )


def _moves_of(word: str) -> Iterator[Move]:
    written = _WAY.fullmatch(word)
    if written is None:
        raise BadNotation
    stops = [_stop(place) for place in written[1].split("/")]
    for copy in range(int(written[2] or 1)):
        for (src, _), (dst, has_star) in pairwise(stops):
            # Of several checkers that go the same way only the first finds the blot.
            yield Move(src, dst, True if has_star and copy == 0 else None)


def _stop(text: str) -> tuple[int, bool]:
    place = text.rstrip("*").lower()
    number = _NUMBERS[place] if place in _NUMBERS else int(place)
    if not OFF <= number <= BAR:
        raise BadNotation
    return number, text.endswith("*")


def _joined(turn: Sequence[Step]) -> list[_Way]:
    """One way a checker, with its start, the points where it hits and its end."""
    ways: list[_Way] = []
    for step in turn:
        way = next((way for way in ways if way[-1][0] == step.src), None)
        if way is None:
            way = [(step.src, False)]
            ways.append(way)
        way.append((step.dst, step.hit))
    return [[way[0], *(stop for stop in way[1:-1] if stop[1]), way[-1]] for way in ways]


def _written(way: _Way) -> str:
    return "/".join(_NAMES.get(place, str(place)) + "*" * hit for place, hit in way)
