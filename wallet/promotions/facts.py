"""What promotions have to know of a settled match. The wallet knows no games: the app above tells it."""

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import TypeAlias
from uuid import UUID


@dataclass(frozen=True, slots=True)
class Played:
    """A match for money that has a winner. `stars` are the winner's, `stake` in cents is of either."""

    winner_id: int
    loser_id: int
    stars: int
    stake: int
    is_dark: bool
    ended_at: datetime


Tell: TypeAlias = Callable[[Collection[UUID]], Mapping[UUID, Played]]
"""Match ids -> what is known of those that have a winner."""


def _nothing(match_ids: Collection[UUID]) -> Mapping[UUID, Played]:
    return {}


_tell: list[Tell] = [_nothing]


def register(tell: Tell) -> None:
    """Called once by the app that knows matches, from its AppConfig.ready."""
    _tell[0] = tell


def of(match_ids: Collection[UUID]) -> Mapping[UUID, Played]:
    """What is known of these matches; those without a winner are left out."""
    return _tell[0](match_ids) if match_ids else {}
