"""Fixtures of the live tables' tests."""

from collections.abc import AsyncIterator

import pytest
import pytest_asyncio

from games import floor
from games.tests import players


@pytest_asyncio.fixture
async def hall(
    transactional_db: None, monkeypatch: pytest.MonkeyPatch
) -> AsyncIterator[None]:
    """The floor of this test's event loop, ended afterwards. Tabs here send no heartbeats."""
    monkeypatch.setattr(floor, "SILENT_AFTER_S", 3_600)
    yield
    await players.close_floor()
