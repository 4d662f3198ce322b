"""Turns of long nardy as people write them: `1-6 1-4`, `13-19(2)`, `22-off`; the head is 1, then along the route.

The words are those of notation.py, but with dashes, and points counted the other way.
"""

import re
from collections.abc import Sequence
from typing import Final

from games.rules.board import Position
from games.rules.long_nardy import HEAD, POINTS
from games.rules.notation import BadNotation, format_turn, parse_moves
from games.rules.turns import Move, Step, Turn, TurnGraph

_NUMBER: Final = re.compile(r"(?<![(\d])\d+")
_FOREIGN: Final = re.compile(r"[/*]|bar", re.IGNORECASE)


def format_nardy_turn(turn: Sequence[Step]) -> str:
    """The shortest usual way to write a turn, the checker farthest back first.

    >>> format_nardy_turn((Step(24, 19, 5, False), Step(24, 21, 3, False)))
    '1-4 1-6'
    >>> format_nardy_turn((Step(8, 5, 3, False), Step(3, 0, 4, False)))
    '17-20 22-off'
    """
    words = sorted(format_turn(turn).split(), key=_stops)
    return " ".join(_NUMBER.sub(_turned, word).replace("/", "-") for word in words)


def parse_nardy_moves(text: str) -> list[Move]:
    """The moves of a turn in the order written. Raises BadNotation.

    >>> parse_nardy_moves("1-6(2) 22-off") == [Move(24, 19), Move(24, 19), Move(3, 0)]
    True
    """
    if _FOREIGN.search(text):
        raise BadNotation
    return parse_moves(_NUMBER.sub(_turned, text.replace("-", "/")))


def read_nardy_turn(graph: TurnGraph, text: str) -> tuple[Turn, Position]:
    """The legal turn written in `text`, and where it leads. Raises BadNotation or IllegalTurn."""
    return graph.resolve(parse_nardy_moves(text))


def _turned(number: re.Match[str]) -> str:
    """From a point to the number it has along the route, and back."""
    point = int(number[0])
    if not 1 <= point <= POINTS:
        raise BadNotation
    return str(HEAD + 1 - point)


def _stops(word: str) -> list[int]:
    """Farthest back first, and of one point the shorter way first."""
    return [-int(number) for number in _NUMBER.findall(word)]
