"""Pages of finished matches: the replay with its analysis, its link for others, the match file."""

from typing import Any
from uuid import UUID

from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext, ngettext
from django.views.decorators.http import require_GET, require_POST

from accounts.errors import Refused
from accounts.models import User
from games import analyses, replays, scoresheets, selectors
from games.errors import MatchStillRunning, NotYourMatch, UnknownMatch
from games.finished import Finished, finished
from games.match.sides import SIDES, Side
from games.protocol import sentence

CONFLICT = 409


@require_GET
def replay(request: HttpRequest, match_id: UUID) -> HttpResponse:
    """The replay for the two players, with their chat, and for moderators."""
    _require_insider(request, match_id)
    try:
        match = finished(match_id)
    except MatchStillRunning as refusal:
        return _not_yet(request, match_id, refusal)
    share_url = ""
    if not match.is_anonymous:
        path = reverse("games:shared_replay", args=[replays.token_of(match)])
        share_url = request.build_absolute_uri(path)
    context = {
        "table_url": reverse("games:table", args=[match_id]),
        "file_url": reverse("games:match_file", args=[match_id]),
        "share_url": share_url,
        "analyse_url": reverse("games:analyse", args=[match_id]),
        "analysis_url": reverse("games:analysis_json", args=[match_id]),
    }
    return _page(request, match, _side_of(request, match_id), context)


@require_GET
def shared_replay(request: HttpRequest, token: str) -> HttpResponse:
    """The replay for whoever has its link, without the chat."""
    try:
        match = finished(replays.match_of(token))
    except (UnknownMatch, MatchStillRunning) as error:
        raise Http404 from error
    if match.is_anonymous:
        raise Http404
    return _page(request, match, None, {})


@require_GET
def match_file(request: HttpRequest, match_id: UUID) -> HttpResponse:
    """The .mat file, for the two players and for moderators."""
    _require_insider(request, match_id)
    try:
        text = scoresheets.match_file(match_id)
    except Refused as refusal:
        return _not_yet(request, match_id, refusal)
    answer = HttpResponse(text, content_type="text/plain; charset=utf-8")
    answer["Content-Disposition"] = f'attachment; filename="match-{match_id}.mat"'
    return answer


@require_POST
def analyse(request: HttpRequest, match_id: UUID) -> HttpResponse:
    """A player asks for an analysis; the replay then shows how far it is."""
    _require_insider(request, match_id)
    assert isinstance(request.user, User), "insiders have signed in"
    try:
        analyses.request(match_id, user=request.user)
    except NotYourMatch as refusal:
        raise Http404 from refusal
    except Refused as refusal:
        return _not_yet(request, match_id, refusal)
    return redirect("games:replay", match_id)


@require_GET
def analysis_json(request: HttpRequest, match_id: UUID) -> JsonResponse:
    """How far the analysis is, and all of it once it is done."""
    _require_insider(request, match_id)
    return JsonResponse({"analysis": analyses.of_match(match_id)})


def _page(
    request: HttpRequest, match: Finished, viewer: Side | None, context: dict[str, Any]
) -> HttpResponse:
    told = replays.replay(match, viewer)
    shown = {
        "replay": told,
        "names": {side.value: match.name(side) for side in SIDES},
        "what": _what(match),
        "ended": match.ended_at,
    }
    return render(request, "games/replay.html", {**shown, **context})


def _what(match: Finished) -> str:
    terms = match.info.machine_terms
    if terms.is_single:
        return gettext("Single game")
    points = terms.length
    return ngettext("Match to %(points)s point", "Match to %(points)s points", points) % {
        "points": points
    }


def _not_yet(request: HttpRequest, match_id: UUID, refusal: Refused) -> HttpResponse:
    context = {
        "sentence": sentence(refusal),
        "table_url": reverse("games:table", args=[match_id]),
    }
    return render(request, "games/not_yet.html", context, status=CONFLICT)


def _require_insider(request: HttpRequest, match_id: UUID) -> None:
    """Strangers are told nothing, not even that there is such a match. Raises Http404."""
    user = request.user
    if user.pk is not None and selectors.is_seated(user.pk, match_id):
        return
    if user.is_staff and user.has_perm("games.view_match") and selectors.exists(match_id):
        return
    raise Http404


def _side_of(request: HttpRequest, match_id: UUID) -> Side | None:
    assert request.user.pk is not None, "insiders have signed in"
    side = selectors.side_of(request.user.pk, match_id)
    return Side(side) if side else None
