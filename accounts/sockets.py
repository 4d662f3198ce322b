"""Sockets come from somewhere too: a change of address between a page and its socket is noticed here."""

from collections.abc import Awaitable, Callable
from typing import Any, TypeAlias

from channels.db import database_sync_to_async

from accounts import whereabouts
from accounts.guests import is_guest
from accounts.identity import client_ip
from accounts.models import User, Whereabouts

App: TypeAlias = Callable[[Any, Any, Any], Awaitable[Any]]


class KnownAddresses:
    """Wraps the sockets, inside the part that knows whose session it is."""

    def __init__(self, inner: App) -> None:
        self._inner = inner

    async def __call__(self, scope: dict[str, Any], receive: Any, send: Any) -> Any:
        """Notes the address once for each connection, before the socket is served."""
        user = scope.get("user")
        if user is not None and user.is_authenticated:
            await database_sync_to_async(_note)(user.pk, client_ip(scope))
        return await self._inner(scope, receive, send)


def _note(user_id: int, ip: str) -> None:
    """One question where nothing changed."""
    if Whereabouts.objects.filter(user_id=user_id, ip=ip).exists():
        return
    user = User.objects.filter(pk=user_id).first()
    if user is not None and not is_guest(user):
        whereabouts.seen(user, ip)
