"""What is agreed before a match and never changes in it. Knows no money: a limit is counted in stakes."""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final, Literal

Kind = Literal["single", "series"]

SINGLE_GAME_POINTS: Final = 3
"""A single game has as much reserve as a series to so many points."""

MS: Final = 1000


WINDOW_MS: Final = 180_000
"""Three minutes in all to come back (Table 5); a tariff may give more."""


LAG_MS: Final = 2_000
"""What a player's connection may cost in all without being taken from the reserve (docs/clock.md)."""


@dataclass(frozen=True, slots=True)
class ClockTerms:
    """A delay that starts anew each turn, a reserve for the whole match, and a small allowance for lag."""

    move_ms: int
    reserve_ms: int
    lag_ms: int = LAG_MS


PRESETS: Final[Mapping[str, tuple[int, int]]] = MappingProxyType(
    {"blitz": (8, 20), "normal": (12, 60), "slow": (20, 180)}
)
"""By name: seconds a move, seconds of reserve a point."""


def clock_terms(preset: str, kind: str, length: int) -> ClockTerms:
    """The clock of a match by the name of its preset.

    >>> clock_terms("normal", "single", 1)
    ClockTerms(move_ms=12000, reserve_ms=180000, lag_ms=2000)
    >>> clock_terms("blitz", "series", 5)
    ClockTerms(move_ms=8000, reserve_ms=100000, lag_ms=2000)
    """
    move, reserve = PRESETS[preset]
    points = SINGLE_GAME_POINTS if kind == "single" else length
    return ClockTerms(move_ms=move * MS, reserve_ms=reserve * points * MS)


@dataclass(frozen=True, slots=True)
class Terms:
    """`length`: points to win a series, 1 for a single game. `cap_points`: a single game never counts more.

    `window_ms`: how long a player may be away in all, before the match is adjudicated.
    """

    variant: str
    kind: Kind
    length: int
    jacoby: bool
    beavers: bool
    crawford: bool
    clock: ClockTerms
    blitz: bool
    cap_points: int | None
    window_ms: int = WINDOW_MS

    @property
    def is_single(self) -> bool:
        """Whether the match is one game, played by the point (Backgammon 9)."""
        return self.kind == "single"

    @property
    def has_jacoby(self) -> bool:
        """Backgammon 6: an option of single games only."""
        return self.jacoby and self.is_single

    @property
    def has_beavers(self) -> bool:
        """Backgammon 6: an option of single games only, never in a series."""
        return self.beavers and self.is_single

    @property
    def has_crawford(self) -> bool:
        """Backgammon 6: a rule of series. To one point the cube is dead anyway."""
        return self.crawford and not self.is_single and self.length > 1
