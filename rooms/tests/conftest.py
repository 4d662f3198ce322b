"""Fixtures of the lobby's tests."""

import pytest

from rooms import shipped
from rooms.models import Room


@pytest.fixture
def lobby(db: None) -> None:
    """The shipped rooms."""
    shipped.lay_down(Room)


@pytest.fixture
def committed_lobby(transactional_db: None) -> None:
    """The shipped rooms in tests that commit; whoever emptied the tables before took them along."""
    shipped.lay_down(Room)
