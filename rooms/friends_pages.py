"""Pages of people who know each other: friends, requests, blocked players."""

from collections.abc import Callable

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_POST

from accounts import acquaintances
from accounts.errors import Refused
from accounts.guests import is_guest
from accounts.models import User
from games.housebots import is_house
from games.selectors import watchable
from rooms import selectors, words

Deed = Callable[[User, User], object]


@require_GET
@login_required
def friends(request: HttpRequest) -> HttpResponse:
    """Friends and whether they are here, requests, and whom one has blocked."""
    assert isinstance(request.user, User)
    people = acquaintances.friends_of(request.user)
    ids = [friend.pk for friend in people]
    here, tables = selectors.here_of(ids), watchable(ids)
    shown = sorted(people, key=lambda friend: friend.pk not in here)
    context = {
        "page_section": "friends",
        "friends": [(each, each.pk in here, tables.get(each.pk, "")) for each in shown],
        "requests": acquaintances.requests_to(request.user),
        "asked": acquaintances.requests_of(request.user),
        "blocked": acquaintances.blocked_by(request.user),
    }
    return render(request, "rooms/friends.html", context)


@require_POST
@login_required
def befriend(request: HttpRequest) -> HttpResponse:
    """Asks for a friendship, or accepts one."""
    return _deed(request, _befriend)


@require_POST
@login_required
def unfriend(request: HttpRequest) -> HttpResponse:
    """Ends a friendship, takes a request back, or declines one."""
    return _deed(request, acquaintances.unfriend)


@require_POST
@login_required
def block(request: HttpRequest) -> HttpResponse:
    """From now on the two do not meet."""
    return _deed(request, _block)


@require_POST
@login_required
def unblock(request: HttpRequest) -> HttpResponse:
    """Takes a block back."""
    return _deed(request, acquaintances.unblock)


def _deed(request: HttpRequest, deed: Deed) -> HttpResponse:
    assert isinstance(request.user, User)
    name = request.POST.get("name", "")
    other = User.objects.filter(screen_name=name, is_active=True).first()
    if other is None:
        raise Http404
    try:
        said = deed(request.user, other)
        if isinstance(said, str):
            messages.info(request, said)
    except Refused as refusal:
        messages.warning(request, words.refusal_text(refusal))
    if request.POST.get("from") == "player":
        return redirect("games:player", name)
    return redirect("rooms:friends")


def _befriend(user: User, other: User) -> str:
    if is_house(other) or is_guest(other) or is_guest(user):
        raise acquaintances.CannotBefriend
    if acquaintances.befriend(user, other):
        return _("You and %(name)s are friends now.") % {"name": other.screen_name}
    return _("%(name)s has to accept your request.") % {"name": other.screen_name}


def _block(user: User, other: User) -> str:
    acquaintances.block(user, other)
    return _("You and %(name)s will not meet any more.") % {"name": other.screen_name}
