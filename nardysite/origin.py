"""The Origin check at the socket handshake: only pages of this site may open a socket.

Knows nothing of who is signed in; the session is read after this door.
"""

from typing import Any
from urllib.parse import urlparse

from channels.security.websocket import OriginValidator, WebsocketDenier
from django.conf import settings


class SameSiteOnly:
    """Lets a handshake through when its Origin names one of ``ALLOWED_HOSTS``.

    A missing, foreign or malformed Origin is turned away with 403 before any session is read.
    """

    def __init__(self, application: Any) -> None:
        self._validator = OriginValidator(application, settings.ALLOWED_HOSTS)
        self._denier = WebsocketDenier.as_asgi()

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        door = self._validator if _origin_is_readable(scope) else self._denier
        await door(scope, receive, send)


def _origin_is_readable(scope: Any) -> bool:
    """False for an address that ``urlparse`` itself chokes on; the validator would raise."""
    origins = [value for name, value in scope.get("headers", []) if name == b"origin"]
    try:
        for origin in origins:
            urlparse(origin.decode("latin1"))
    except ValueError:
        return False
    return True
