"""What every page's head knows of its reader's money."""

from django.http import HttpRequest
from django.utils.functional import SimpleLazyObject

from accounts.models import User
from wallet import reminder, selectors
from wallet.money import Currency, format_amount


def purse(request: HttpRequest) -> dict[str, object]:
    """Context `purse`: the money a signed-in player can spend. Asked only where it is shown."""
    user = request.user
    if not isinstance(user, User):
        return {}
    return {"purse": SimpleLazyObject(lambda: _available(user.pk))}


def remind(request: HttpRequest) -> dict[str, object]:
    """Context `remind`: how often, in minutes, and since when, for players who asked to be reminded."""
    every = reminder.every_minutes(request)
    if every is None:
        return {}
    began = int(reminder.sitting_of(request).began.timestamp())
    return {"remind": {"every": every, "began": began}}


def _available(user_id: int) -> str:
    return format_amount(selectors.balance_of(user_id, Currency.USD), Currency.USD)
