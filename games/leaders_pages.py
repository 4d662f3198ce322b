"""The page of leaderboards: a game, a currency, and by what."""

from typing import Final

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET

from accounts.models import User
from games import leaderboards
from games.leaderboards import Board
from games.profiles import game_text
from games.ratings import GAMES

CURRENCIES: Final = ("USD", "PLAY")
KINDS: Final = ("rating", "month", "errors")


@require_GET
def leaders(request: HttpRequest, game: str = GAMES[0]) -> HttpResponse:
    """`?by=rating|month|errors`, `?currency=USD|PLAY`; anything else is the first of these."""
    if game not in GAMES:
        raise Http404
    by = _one_of(KINDS, request.GET.get("by"))
    currency = _one_of(CURRENCIES, request.GET.get("currency"))
    reader = request.user if isinstance(request.user, User) else None
    context = {
        "page_section": "cup",
        "game": game,
        "by": by,
        "currency": currency,
        "games": [(name, game_text(name)) for name in GAMES],
        "kinds": list(zip(KINDS, _kinds(), strict=True)),
        "currencies": [("USD", _("For money")), ("PLAY", _("For chips"))],
        "heads": _heads(by),
        "board": _board(by, game, currency, reader),
        "fewest": leaderboards.FEWEST_ANALYSED,
    }
    return render(request, "games/leaders.html", context)


def _board(by: str, game: str, currency: str, reader: User | None) -> Board:
    if by == "errors":
        return leaderboards.by_errors(game, reader)
    found = leaderboards.by_wins if by == "month" else leaderboards.by_rating
    return found(game, currency, reader)


def _kinds() -> tuple[str, str, str]:
    return _("Rating"), _("Wins of the month"), _("Error rate")


def _heads(by: str) -> tuple[str, str]:
    """What the two columns of figures are."""
    return {
        "rating": (_("Rating"), _("Experience")),
        "month": (_("Won"), _("Played")),
        "errors": (_("Error rate (PR)"), _("Analysed matches")),
    }[by]


def _one_of(choices: tuple[str, ...], asked: str | None) -> str:
    return asked if asked in choices else choices[0]
