"""The chance to win a series at a score, from the table of Neil Kazaross (data/kazaross-xg2.txt)."""

from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from typing import Final

from games.engine.questions import Series

LONGEST: Final = 25
_FILE: Final = "kazaross-xg2.txt"
_COMMENT: Final = "#"


@dataclass(frozen=True, slots=True)
class MatchEquity:
    """`before[m][t]`: I need m + 1 points and they t + 1, the Crawford game not yet played.

    `after[n]`: I need n + 1 points, they one, and the Crawford game is over.
    """

    before: tuple[tuple[float, ...], ...]
    after: tuple[float, ...]


def chance(i_need: int, they_need: int, *, crawford_is_over: bool) -> float:
    """My chance to win a series before a game begins; at 0 or fewer points it is won.

    >>> chance(2, 2, crawford_is_over=False)
    0.5
    """
    if i_need <= 0:
        return 1.0
    if they_need <= 0:
        return 0.0
    if crawford_is_over and they_need == 1:
        return _table().after[i_need - 1]
    if crawford_is_over and i_need == 1:
        return 1.0 - _table().after[they_need - 1]
    return _table().before[i_need - 1][they_need - 1]


def chance_after(series: Series, points: int) -> float:
    """My chance once I have won so many points in the game that is being played."""
    is_over = series.crawford or not series.has_crawford or 1 in (series.i_need, series.they_need)
    return chance(series.i_need - points, series.they_need, crawford_is_over=is_over)


@lru_cache(maxsize=1)
def _table() -> MatchEquity:
    text = files("games.engine").joinpath("data", _FILE).read_text(encoding="utf-8")
    rows = [
        tuple(map(float, line.split()))
        for line in text.splitlines()
        if line.strip() and not line.startswith(_COMMENT)
    ]
    assert [len(row) for row in rows] == [LONGEST] * (LONGEST + 1), "the table is not whole"
    return MatchEquity(before=tuple(rows[:LONGEST]), after=rows[LONGEST])
