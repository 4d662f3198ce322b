"""Pages of tables: the table itself, the proof of its dice."""

from uuid import UUID

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_GET

from accounts.models import User
from games import profiles, rulings, selectors
from games.fairness import DiceRecord
from games.match.sides import Side
from games.models import Match
from games.ratings import game_of

MOST_DIGITS = 6


def table(request: HttpRequest, match_id: UUID) -> HttpResponse:
    """The table page. Everything that moves on it comes through the socket."""
    variant = selectors.variant_of(match_id)
    if variant is None:
        raise Http404
    return render(
        request,
        "games/table.html",
        {
            "match_id": match_id,
            "socket_path": f"/ws/table/{match_id}/",
            "verify_url": reverse("games:verify", args=[match_id]),
            "verdict_url": reverse("games:verdict", args=[match_id]),
            "lobby_url": reverse("rooms:lobby"),
            "wallet_url": reverse("wallet:home"),
            "report_url": _report_url(request, match_id),
            "rules_url": rules_url(variant),
        },
    )


def rules_url(variant: str) -> str:
    """The page with the rules of a variant's game."""
    return reverse(f"games:rules_{game_of(variant).replace('-', '_')}")


def _report_url(request: HttpRequest, match_id: UUID) -> str:
    """Where one of the two players reports the other; nothing for watchers, who report lines and profiles."""
    side = selectors.side_of(request.user.pk, match_id) if request.user.is_authenticated else None
    if side is None:
        return ""
    return reverse("accounts:report_at_table", args=[match_id, Side(side).other.value])


def verify(request: HttpRequest, match_id: UUID) -> HttpResponse:
    """The dice of a match: seals while it runs, seeds and every roll once it has ended."""
    record = _record(request, match_id)
    names = selectors.names_of(match_id)
    return render(
        request,
        "games/verify.html",
        {
            "match_id": match_id,
            "record": record.as_dict(),
            "ended": record.server_seed is not None,
            "table_url": reverse("games:table", args=[match_id]),
            "record_url": reverse("games:dice_json", args=[match_id]),
            "light_name": names[Side.LIGHT],
            "dark_name": names[Side.DARK],
        },
    )


def dice_json(request: HttpRequest, match_id: UUID) -> HttpResponse:
    """The record as a file."""
    content = _record(request, match_id).to_json()
    answer = HttpResponse(content, content_type="application/json")
    answer["Content-Disposition"] = f'attachment; filename="dice-{match_id}.json"'
    return answer


def verdict(request: HttpRequest, match_id: UUID) -> HttpResponse:
    """How an abandoned match was decided: for its two players and for moderators, nobody else."""
    user_id = request.user.pk
    if user_id is None or not _may_read_verdict(request, match_id):
        raise Http404
    found = rulings.ruling(match_id)
    if found is None:
        raise Http404
    side = selectors.side_of(user_id, match_id)
    return render(
        request,
        "games/verdict.html",
        {
            "ruling": found,
            "left_names": [found.names[left] for left in found.left],
            "board": {**found.board, "viewer": side or Side.LIGHT.value},
            "table_url": reverse("games:table", args=[match_id]),
        },
    )


@require_GET
def player(request: HttpRequest, name: str) -> HttpResponse:
    """A player: ratings and their history, record; for themself also every match. `?page=` of these."""
    found = User.objects.filter(screen_name=name, is_active=True).first()
    if found is None:
        raise Http404
    is_own = found == request.user
    page = _page_number(request)
    matches, has_more = profiles.matches_of(found, page=page) if is_own else ([], False)
    against = acquaintance = None
    if isinstance(request.user, User) and not is_own:
        against = profiles.head_to_head(request.user, found)
        acquaintance = profiles.acquaintance(request.user, found)
    return render(
        request,
        "games/player.html",
        {
            "player": found,
            "is_own": is_own,
            "cards": profiles.cards_of(found),
            "unfinished": profiles.unfinished_of(found),
            "against": against,
            "acquaintance": acquaintance,
            "achievements": profiles.achievements_of(found),
            "matches": matches,
            "page": page,
            "has_more": has_more,
        },
    )


def _page_number(request: HttpRequest) -> int:
    """What `?page=` says; anything that is no page is the first."""
    text = request.GET.get("page", "1")
    return (
        int(text)
        if text.isascii() and text.isdecimal() and 0 < len(text) <= MOST_DIGITS and int(text)
        else 1
    )


def fair_dice(request: HttpRequest) -> HttpResponse:
    """How the dice are made, in plain words."""
    return render(request, "games/fair_dice.html")


def _may_read_verdict(request: HttpRequest, match_id: UUID) -> bool:
    user = request.user
    if user.pk is None:
        return False
    if selectors.is_seated(user.pk, match_id):
        return True
    may = user.is_staff and user.has_perm("games.view_adjudication")
    return may and selectors.exists(match_id)


def _record(request: HttpRequest, match_id: UUID) -> DiceRecord:
    user_id = request.user.pk
    watches = user_id is None or not selectors.is_seated(user_id, match_id)
    try:
        return selectors.dice_record(match_id, late=watches)
    except Match.DoesNotExist as error:
        raise Http404 from error
