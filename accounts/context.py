"""What every page knows of its reader's own choices: colours and the board's material, from cookies."""

from django.conf import settings
from django.http import HttpRequest

THEMES = ("light", "dark")
BOARDS = ("wood", "slate", "contrast")


def preferences(request: HttpRequest) -> dict[str, object]:
    """Context `preferences.theme` ("" follows the device) and `preferences.board`; `embedded` for trial notes."""
    return {
        "preferences": {
            "theme": _one_of(THEMES, request.COOKIES.get("theme"), otherwise=""),
            "board": _one_of(BOARDS, request.COOKIES.get("board"), otherwise=BOARDS[0]),
        },
        "embedded": settings.EMBEDDED,
    }


def _one_of(choices: tuple[str, ...], chosen: str | None, *, otherwise: str) -> str:
    return chosen if chosen in choices else otherwise
