"""The device: an id in a signed cookie that lives long, and what the browser says of itself."""

import re
import secrets
from typing import Final

from django.conf import settings
from django.http import HttpRequest, HttpResponseBase

COOKIE: Final = "device"
BROWSER_COOKIE: Final = "browser"
SALT: Final = "accounts.device"
TWO_YEARS_S: Final = 2 * 365 * 24 * 60 * 60
ID_BYTES: Final = 16
_FINGERPRINT: Final = re.compile(r"[0-9a-f]{64}")


def of(request: HttpRequest) -> str:
    """The device's id; empty for one that has none yet, or a forged one."""
    found = request.get_signed_cookie(COOKIE, default="", salt=SALT)
    return found or ""


def fingerprint_of(request: HttpRequest) -> str:
    """What static/js/device.js made of the browser: 64 hex digits, or nothing."""
    given = request.COOKIES.get(BROWSER_COOKIE, "")
    return given if _FINGERPRINT.fullmatch(given) else ""


def ensure(request: HttpRequest) -> str:
    """The device's id; a new one, kept by `keep`, where it has none."""
    known: str | None = getattr(request, "new_device", None) or of(request)
    if not known:
        known = secrets.token_urlsafe(ID_BYTES)
        request.new_device = known  # type: ignore[attr-defined]
    return known


def keep(request: HttpRequest, response: HttpResponseBase) -> None:
    """Gives the browser the id that was made for it while it was answered."""
    made: str | None = getattr(request, "new_device", None)
    if made:
        response.set_signed_cookie(
            COOKIE,
            made,
            salt=SALT,
            max_age=TWO_YEARS_S,
            httponly=True,
            samesite="Lax",
            secure=settings.SESSION_COOKIE_SECURE,
        )
