"""What every page knows of a reader's tables that wait for an opponent, and where it hears of news."""

from django.http import HttpRequest
from django.utils.functional import SimpleLazyObject

from accounts import acquaintances
from rooms import selectors


def waiting(request: HttpRequest) -> dict[str, object]:
    """Context `notices_room`: the room whose socket the page opens to hear of joined tables and invitations; empty for none.

    Read only when a page asks.
    """
    return {"notices_room": SimpleLazyObject(lambda: _notices_room(request))}


def _notices_room(request: HttpRequest) -> str:
    """That of a table that waits; who has friends may be invited and listens too."""
    user = request.user
    if not user.is_authenticated:
        return ""
    own = selectors.open_offers_of(user).first()
    if own is not None:
        return str(own.room.slug)
    first = selectors.open_rooms().first()
    return str(first.slug) if first is not None and acquaintances.friends_of(user) else ""
