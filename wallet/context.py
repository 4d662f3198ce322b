"""What every page's head knows of its reader's money."""

from django.http import HttpRequest
from django.utils.functional import SimpleLazyObject

from accounts.models import User
from wallet import selectors
from wallet.money import Currency, format_amount


def purse(request: HttpRequest) -> dict[str, object]:
    """Context `purse`: the money a signed-in player can spend. Asked only where it is shown."""
    user = request.user
    if not isinstance(user, User):
        return {}
    return {"purse": SimpleLazyObject(lambda: _available(user.pk))}


def _available(user_id: int) -> str:
    return format_amount(selectors.balance_of(user_id, Currency.USD), Currency.USD)
