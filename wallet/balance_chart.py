"""A player's money over time as an SVG path: steps, because money changes in steps. Pure."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import count
from typing import Final

DAYS: Final = 90
SPAN: Final = timedelta(days=DAYS)
WIDTH, HEIGHT = 720, 160
GRID: Final = (1, 2)
"""Lines above zero, in steps of the scale; the top is half a step above the last."""
TOP: Final = 2.5


@dataclass(frozen=True, slots=True)
class BalanceChart:
    """Paths in a box of 720 x 160; amounts in minor units, `scale` from the top line down to 0."""

    line: str
    area: str
    scale: tuple[int, ...]
    days: tuple[datetime, ...]
    first: int
    lowest: int
    highest: int
    now: int


def drawn(changes: Sequence[tuple[datetime, int]], balance: int, now: datetime) -> BalanceChart:
    """`changes` of the last 90 days, oldest first, that led to `balance`."""
    since = now - SPAN
    opening = balance - sum(change for _, change in changes)
    heights = [opening]
    for _, change in changes:
        heights.append(heights[-1] + change)
    step = _step(max(heights))
    # One step for each unit of width, however many changes there were.
    at_x = {_x(at, since): height for (at, _), height in zip(changes, heights[1:], strict=True)}
    path = f"M0 {_y(opening, step)}"
    for x, height in at_x.items():
        path += f"H{x}V{_y(height, step)}"
    path += f"H{WIDTH}"
    return BalanceChart(
        line=path,
        area=f"{path}V{HEIGHT}H0Z",
        scale=(*(step * n for n in reversed(GRID)), 0),
        days=tuple(since + timedelta(days=day) for day in range(0, DAYS + 1, DAYS // 3)),
        first=opening,
        lowest=min(heights),
        highest=max(heights),
        now=balance,
    )


def _step(highest: int) -> int:
    """The smallest of 1, 2, 5 times a power of ten that keeps the highest amount in the box."""
    steps = (factor * int(10**power) for power in count(2) for factor in (1, 2, 5))
    return next(step for step in steps if step * TOP >= highest)


def _x(at: datetime, since: datetime) -> int:
    return int(WIDTH * ((at - since) / SPAN))


def _y(amount: int, step: int) -> str:
    return f"{HEIGHT - HEIGHT * amount / (step * TOP):.1f}"
