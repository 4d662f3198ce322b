"""Pages on which a player reports another: met at a table, heard in a chat, seen on a profile."""

from uuid import UUID

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext

from accounts.errors import Refused
from accounts.models import Reason, Report, User
from accounts.moderation import cases, estates
from accounts.moderation.cases import Scene
from accounts.moderation.estates import Seen
from accounts.own_forms import ReportForm
from accounts.validators import sentence

BAD_REQUEST = 400
TOO_MANY = 429


def conduct(request: HttpRequest) -> HttpResponse:
    """What is not allowed, what happens then, and how to object: for everybody to read."""
    return render(request, "account/conduct.html", {"reasons": Reason.choices})


@login_required
def at_table(request: HttpRequest, match_id: UUID, side: str) -> HttpResponse:
    """Whoever sits there, under the name that the table shows."""
    seen = estates.matches().person_at(match_id, side)
    if seen is None:
        raise Http404
    return _page(request, seen, Scene(Report.Place.TABLE, f"match:{match_id}", match_id))


@login_required
def in_chat(request: HttpRequest, line_id: int) -> HttpResponse:
    """Whoever said this line."""
    seen = estates.matches().said(line_id)
    if seen is None:
        raise Http404
    scene = Scene(Report.Place.CHAT, f"chat:{line_id}", seen.match_id, seen.quote)
    return _page(request, seen, scene)


@login_required
def on_profile(request: HttpRequest, screen_name: str) -> HttpResponse:
    """The person of a profile."""
    user = get_object_or_404(User, screen_name=screen_name)
    seen = Seen(user.pk, user.screen_name, UUID(int=0))
    return _page(request, seen, Scene(Report.Place.PROFILE, "profile"))


def _page(request: HttpRequest, seen: Seen, scene: Scene) -> HttpResponse:
    reporter = request.user
    assert isinstance(reporter, User), "nobody else comes past the door"
    form = ReportForm(request.POST or None)
    status = 200
    if request.method == "POST" and form.is_valid():
        try:
            cases.report(
                by=reporter,
                suspect=User.objects.get(pk=seen.user_id),
                reason=form.cleaned_data["reason"],
                scene=scene,
                text=form.cleaned_data["text"],
            )
        except Refused as refused:
            form.add_error(None, sentence(refused))
            status = TOO_MANY if refused.code == "too_many_reports" else BAD_REQUEST
        else:
            thanks = gettext(
                "Thank you. A person reads your report; you are not told what comes of it."
            )
            messages.success(request, thanks)
            return redirect("rooms:lobby")
    elif form.errors:
        status = BAD_REQUEST
    page = {"form": form, "shown_name": seen.shown_name, "quote": scene.quote}
    return render(request, "account/report.html", page, status=status)
