"""Fixtures of the live tables' tests."""

from collections.abc import AsyncIterator

import pytest_asyncio

from games.tests import players


@pytest_asyncio.fixture
async def hall(transactional_db: None) -> AsyncIterator[None]:
    """The floor of this test's event loop, ended afterwards."""
    yield
    await players.close_floor()
