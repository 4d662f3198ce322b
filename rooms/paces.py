"""How fast one account may open and join tables: as fast as a person, not as a script."""

import time

from games.buckets import Buckets
from rooms.errors import TooManyTries

BURST = 8
RATE_PER_S = 1.0
_tries = Buckets(burst=BURST, rate=RATE_PER_S)


def require_pace(user_id: int) -> None:
    """Raises TooManyTries. Counted by this process alone: it keeps load away, it decides nothing."""
    wait = _tries.take(user_id, time.monotonic())
    if wait:
        raise TooManyTries(seconds=max(1, round(wait)))
