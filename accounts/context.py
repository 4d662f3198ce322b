"""What every page knows of its reader's own choices: colours and the board's material, from cookies."""

from django.conf import settings
from django.http import HttpRequest
from django.utils.functional import SimpleLazyObject

from accounts import switches

THEMES = ("light", "dark")
BOARDS = ("wood", "slate", "contrast")


def preferences(request: HttpRequest) -> dict[str, object]:
    """Context `preferences` (see chosen); `embedded` and `real_money` for what may be promised; `maintenance`."""
    return {
        "preferences": chosen(request),
        "embedded": settings.EMBEDDED,
        "real_money": settings.REAL_MONEY,
        "maintenance": SimpleLazyObject(lambda: switches.is_on(switches.Name.MAINTENANCE)),
    }


def chosen(request: HttpRequest) -> dict[str, str]:
    """`theme` ("" follows the device) and `board`; anything else in the cookies is ignored."""
    return {
        "theme": _one_of(THEMES, request.COOKIES.get("theme"), otherwise=""),
        "board": _one_of(BOARDS, request.COOKIES.get("board"), otherwise=BOARDS[0]),
    }


def _one_of(choices: tuple[str, ...], chosen: str | None, *, otherwise: str) -> str:
    return chosen if chosen in choices else otherwise
