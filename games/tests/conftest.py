"""Fixtures of the live tables' tests."""

from collections.abc import AsyncIterator

import pytest
import pytest_asyncio

from games import floor, house, seating, services
from games.dbclock import DatabaseClock, read_ms
from games.tests import players


@pytest_asyncio.fixture
async def hall(transactional_db: None, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[None]:
    """The floor of this test's event loop, ended afterwards. Tabs here send no heartbeats."""
    monkeypatch.setattr(floor, "SILENT_AFTER_S", 3_600)
    yield
    await players.close_floor()


class Later:
    """Moves the database's clock ahead for this process."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.ahead_ms = 0
        true_now, true_read = DatabaseClock.now_ms, read_ms
        monkeypatch.setattr(DatabaseClock, "now_ms", lambda clock: true_now(clock) + self.ahead_ms)
        for module in (services, house, seating):
            monkeypatch.setattr(
                module, "read_ms", lambda: true_read() + self.ahead_ms, raising=False
            )

    def skip(self, ms: int) -> None:
        """So much time passes."""
        self.ahead_ms += ms


@pytest.fixture
def later(monkeypatch: pytest.MonkeyPatch) -> Later:
    return Later(monkeypatch)
