"""Questions about people."""

from accounts import permissions
from accounts.errors import Refused
from accounts.models import User


def money_refusal(user: User) -> Refused | None:
    """Why this person may not play for money, or None if they may."""
    try:
        permissions.require_money_play(user)
    except Refused as refused:
        return refused
    return None
