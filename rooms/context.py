"""What every page knows of a reader's tables that wait for an opponent."""

from django.http import HttpRequest
from django.utils.functional import SimpleLazyObject

from rooms import selectors


def waiting(request: HttpRequest) -> dict[str, object]:
    """Context `waiting_tables`: the reader's own open tables, read only when a page asks."""
    return {"waiting_tables": SimpleLazyObject(lambda: _waiting(request))}


def _waiting(request: HttpRequest) -> list[object]:
    if not request.user.is_authenticated:
        return []
    return list(selectors.open_offers_of(request.user))
