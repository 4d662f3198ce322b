"""A simple-delay clock with a reserve for each side. Knows the time only as an argument, in milliseconds."""

from dataclasses import dataclass, replace
from typing import Final

from games.match.sides import BySide, Side
from games.match.terms import ClockTerms

NOTHING_USED: Final = BySide.both(0)
LAG_AT_ONCE_MS: Final = 200
"""The most of one decision's time that counts as its way to the server."""


def forgiven_ms(over_ms: int, quota_ms: int) -> int:
    """How much of `over_ms` beyond the delay is not charged, out of what is left of the allowance for lag.

    >>> forgiven_ms(5_000, 2_000), forgiven_ms(120, 2_000), forgiven_ms(5_000, 50)
    (200, 120, 50)
    """
    return min(over_ms, quota_ms, LAG_AT_ONCE_MS)


@dataclass(frozen=True, slots=True)
class Clock:
    """At most one side's time runs, since `since_ms`: first the delay of `move_ms`, then the reserve.

    `used_ms` is how much of the delay each side has used up in this turn, so that an offer in the
    middle of a turn does not start the delay anew for the one who made it. `lag_ms` is what is left of
    each side's allowance for lag: it makes a decision cheaper, and puts no deadline off.
    """

    move_ms: int
    reserve_ms: BySide[int]
    used_ms: BySide[int]
    running: Side | None
    since_ms: int
    lag_ms: BySide[int] = NOTHING_USED

    @classmethod
    def of(cls, terms: ClockTerms) -> "Clock":
        """A full clock that stands still."""
        return cls(
            move_ms=terms.move_ms,
            reserve_ms=BySide.both(terms.reserve_ms),
            used_ms=NOTHING_USED,
            running=None,
            since_ms=0,
            lag_ms=BySide.both(terms.lag_ms),
        )

    @property
    def due_ms(self) -> int | None:
        """When the running side has nothing left; None while the clock stands still."""
        if self.running is None:
            return None
        return self.since_ms + self.move_ms + self.reserve_ms[self.running]

    def stopped(self, now_ms: int) -> "Clock":
        """Stands still; what went beyond the delay is taken from the reserve, less an allowance for lag."""
        side = self.running
        if side is None:
            return self
        spent = max(0, now_ms - self.since_ms)
        over = max(0, spent - self.move_ms)
        used = max(self.used_ms[side], min(spent, self.move_ms))
        lag = forgiven_ms(over, self.lag_ms[side])
        left = max(0, self.reserve_ms[side] - over + lag)
        return replace(
            self,
            reserve_ms=self.reserve_ms.changed(side, left),
            used_ms=self.used_ms.changed(side, used),
            running=None,
            lag_ms=self.lag_ms.changed(side, self.lag_ms[side] - lag),
        )

    def turn_of(self, side: Side, now_ms: int) -> "Clock":
        """A new turn: the delay starts anew."""
        return replace(self.stopped(now_ms), used_ms=NOTHING_USED, running=side, since_ms=now_ms)

    def answer_of(self, side: Side, now_ms: int) -> "Clock":
        """An answer is due from `side`, with a whole delay for it."""
        return replace(self.stopped(now_ms), running=side, since_ms=now_ms)

    def back_to(self, side: Side, now_ms: int) -> "Clock":
        """The turn of `side` goes on with what was left of its delay."""
        clock = self.stopped(now_ms)
        return replace(clock, running=side, since_ms=now_ms - clock.used_ms[side])

    def flagged(self, side: Side, now_ms: int) -> "Clock":
        """Stands still with nothing left for `side`."""
        clock = self.stopped(now_ms)
        return replace(clock, reserve_ms=clock.reserve_ms.changed(side, 0))

    def credited(self, ms: int, now_ms: int) -> "Clock":
        """So much does not count for the running side; never more than it has spent."""
        if self.running is None:
            return self
        return replace(self, since_ms=max(self.since_ms, min(self.since_ms + ms, now_ms)))
