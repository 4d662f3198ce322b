"""Who is at the other end of a socket: the session and the user of its cookie, read once at the handshake.

The stock middleware does the same and then stands between the socket and each of its frames, to save a session that
a socket never changes. This one steps aside.
"""

from importlib import import_module
from typing import Any

from channels.auth import get_user
from channels.sessions import CookieMiddleware
from django.conf import settings


class SignedIn:
    """Puts `session` and `user` into the scope, as channels.auth does; needs the cookies in it."""

    def __init__(self, application: Any) -> None:
        self._application = application
        self._sessions = import_module(settings.SESSION_ENGINE).SessionStore

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        key = scope["cookies"].get(settings.SESSION_COOKIE_NAME)
        known: Any = {**scope, "session": self._sessions(key)}
        known["user"] = await get_user(known)
        await self._application(known, receive, send)


def with_people(application: Any) -> Any:
    """The application, told who comes."""
    return CookieMiddleware(SignedIn(application))
