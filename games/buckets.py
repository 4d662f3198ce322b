"""Token buckets: how many messages one socket or one account may send. Time comes in as an argument."""

from collections import OrderedDict
from collections.abc import Hashable
from dataclasses import dataclass

KEPT = 10_000


@dataclass(slots=True)
class Bucket:
    """`burst` messages at once, then `rate` a second."""

    burst: float
    rate: float
    tokens: float
    at: float

    @classmethod
    def full(cls, burst: float, rate: float, now: float) -> "Bucket":
        """A bucket nobody has drawn from."""
        return cls(burst=burst, rate=rate, tokens=burst, at=now)

    def take(self, now: float) -> float:
        """Takes a token. Answers 0, or the seconds until one is there; then nothing was taken."""
        self.tokens = min(self.burst, self.tokens + (now - self.at) * self.rate)
        self.at = now
        if self.tokens >= 1:
            self.tokens -= 1
            return 0.0
        return (1 - self.tokens) / self.rate


class Buckets:
    """One bucket for each key; those long unused are forgotten."""

    def __init__(self, *, burst: float, rate: float) -> None:
        self._burst = burst
        self._rate = rate
        self._kept: OrderedDict[Hashable, Bucket] = OrderedDict()

    def take(self, key: Hashable, now: float) -> float:
        """As Bucket.take, for this key."""
        bucket = self._kept.get(key)
        if bucket is None:
            bucket = self._kept[key] = Bucket.full(self._burst, self._rate, now)
        self._kept.move_to_end(key)
        while len(self._kept) > KEPT:
            self._kept.popitem(last=False)
        return bucket.take(now)
