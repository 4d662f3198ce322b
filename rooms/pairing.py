"""Who may be paired with whom: blocked people never meet, linked ones not for money; in an anonymous room chance decides.

In an anonymous room nobody chooses an opponent: whoever asks for a table is paired at random with somebody who
waits for the same, and no two people more than so many times a day.
"""

import secrets
from collections.abc import Collection, Sequence
from typing import Final, TypeVar

from accounts import acquaintances
from games.selectors import meetings
from rooms.errors import MetOften, NotTogether
from rooms.models import Room

MOST_A_DAY: Final = 5
"""Matches of one pair in 24 hours, those that were never begun included: nobody asks for another draw by leaving."""

Some = TypeVar("Some")


def require_may_meet(user_id: int, other_id: int, room: Room) -> None:
    """Raises NotTogether, in an anonymous room MetOften."""
    if other_id in acquaintances.kept_apart(user_id, [other_id], for_money=room.is_money):
        raise NotTogether
    if room.anonymous and meetings(user_id, [other_id], column=room.column)[other_id] >= MOST_A_DAY:
        raise MetOften


def suitable(user_id: int, others: Collection[int], room: Room) -> set[int]:
    """Those of `others` with whom this player may be paired in this room now."""
    apart = acquaintances.kept_apart(user_id, others, for_money=room.is_money)
    free = set(others) - apart
    if not room.anonymous:
        return free
    met = meetings(user_id, free, column=room.column)
    return {other for other in free if met[other] < MOST_A_DAY}


def drawn(waiting: Sequence[Some]) -> Some:
    """One of them, each as likely as any other."""
    return secrets.choice(waiting)


def shuffled(waiting: Sequence[Some]) -> list[Some]:
    """All of them, in an order that nobody can know."""
    order = list(waiting)
    secrets.SystemRandom().shuffle(order)
    return order
