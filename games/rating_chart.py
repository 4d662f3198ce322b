"""A rating over its matches as an SVG path. Pure."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from games.ratings import FLOOR, UNIT, Rating

WIDTH, HEIGHT = 720, 160
STEP: Final = 50
"""The scale is in whole steps of so many points, at least two of them high."""


@dataclass(frozen=True, slots=True)
class RatingChart:
    """A path in a box of 720 x 160, one place for each match; `scale` from the top line down, in points."""

    line: str
    scale: tuple[int, int, int]
    first: str
    lowest: str
    highest: str
    now: str


def drawn(ratings: Sequence[Rating]) -> RatingChart:
    """`ratings`: as they were after each match, oldest first, the one before the first of them in front.

    What is below 1400 is drawn at 1400, as it is shown.
    """
    heights = [max(rating.billionths, FLOOR * UNIT) for rating in ratings]
    low = min(heights) // (STEP * UNIT) * STEP
    high = -(-max(heights) // (STEP * UNIT)) * STEP
    while high - low < 2 * STEP or (high - low) % (2 * STEP):
        high += STEP
    wide = max(1, len(heights) - 1)
    places = [
        f"{WIDTH * n / wide:.1f} {HEIGHT - HEIGHT * (height / UNIT - low) / (high - low):.1f}"
        for n, height in enumerate(heights)
    ]
    by_height = sorted(ratings, key=lambda rating: rating.billionths)
    return RatingChart(
        line="M" + "L".join(places),
        scale=(high, (high + low) // 2, low),
        first=ratings[0].shown,
        lowest=by_height[0].shown,
        highest=by_height[-1].shown,
        now=ratings[-1].shown,
    )
