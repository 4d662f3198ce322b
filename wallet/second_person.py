"""Above a set sum money is moved by two people: the first agrees, another one does it."""

from django.conf import settings

from accounts.models import User
from wallet.errors import SecondPersonNeeded


def is_needed(amount: int) -> bool:
    """Whether so much, in cents, is more than one person may move."""
    return amount > settings.STAFF_ALONE_CENTS


def decides(by: User, *, first_id: int | None, amount: int) -> bool:
    """Whether this person's agreement is enough; False: it is the first of two.

    Raises SecondPersonNeeded where the same person agrees twice.
    """
    if not is_needed(amount):
        return True
    if first_id is None:
        return False
    if first_id == by.pk:
        raise SecondPersonNeeded
    return True
