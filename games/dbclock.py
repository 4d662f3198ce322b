"""Time by the database's clock: the only clock that decides anything.

A process asks the database and, between two answers, adds what its monotonic clock says has passed.
"""

import time

from django.db import connection

MS = 1000
STALE_AFTER_S = 5.0
SAMPLES = 3
_SQL = {
    "postgresql": "SELECT (extract(epoch FROM clock_timestamp()) * 1000)::bigint",
    "sqlite": "SELECT CAST((julianday('now') - 2440587.5) * 86400000.0 AS INTEGER)",
}


def read_ms() -> int:
    """Milliseconds since the epoch, asked of the database now."""
    with connection.cursor() as cursor:
        cursor.execute(_SQL[connection.vendor])
        return int(cursor.fetchone()[0])


class DatabaseClock:
    """The database's time in this process. Every commit teaches it anew."""

    def __init__(self) -> None:
        self._offset_ms: float | None = None
        self._learnt_at = 0.0

    def ask(self) -> None:
        """Reads the database's clock a few times and believes the quickest answer.

        Half of the way there and back is the bound of its error.
        """
        samples = []
        for _ in range(SAMPLES):
            before = time.monotonic()
            stamp = read_ms()
            after = time.monotonic()
            samples.append((after - before, stamp - (before + after) / 2 * MS))
        _, self._offset_ms = min(samples)
        self._learnt_at = time.monotonic()

    @property
    def is_stale(self) -> bool:
        """Whether it is time to ask again."""
        return self._offset_ms is None or time.monotonic() - self._learnt_at > STALE_AFTER_S

    def now_ms(self) -> int:
        """Milliseconds since the epoch by the database's clock."""
        assert self._offset_ms is not None, "the clock was never set by the database"
        return round(time.monotonic() * MS + self._offset_ms)
