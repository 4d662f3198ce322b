"""Pages of private tables: what is offered, its link, sitting down; and the list of everything that is one's own."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_POST

from accounts.errors import Refused
from accounts.models import User
from games.selectors import my_running
from rooms import paces, presence, selectors, services, words
from rooms.errors import UnknownOffer
from rooms.models import Access, Offer, OfferStatus


@require_GET
def private(request: HttpRequest, key: str) -> HttpResponse:
    """What is offered, to whoever has the link or was invited; to its creator the link."""
    offer = _offer(request, key)
    if isinstance(request.user, User) and offer.creator_id == request.user.pk:
        presence.renew({request.user.pk: offer.room_id})
    context = {
        "page_section": "board",
        "offer": offer,
        "row": selectors.shown_offer(offer),
        "prospect": selectors.prospect_of(request.user, offer),
        "quote": selectors.quote_against(offer, request.user),
        "is_own": offer.creator_id == request.user.pk,
        "is_open": offer.status == OfferStatus.OPEN and offer.room.is_open,
        "has_invitations": True,
        "is_for_friend": offer.access == Access.FRIEND,
        "address": request.build_absolute_uri(reverse("rooms:private", args=[key])),
        "sign_in": f"{reverse('account_login')}?next={request.path}",
    }
    return render(request, "rooms/private.html", context)


@require_POST
@login_required
def join_private(request: HttpRequest, key: str) -> HttpResponse:
    """Sits down at a private table."""
    assert isinstance(request.user, User)
    try:
        paces.require_pace(request.user.pk)
        match_id = services.accept_private(user=request.user, key=key)
    except UnknownOffer as refusal:
        raise Http404 from refusal
    except Refused as refusal:
        messages.warning(request, words.refusal_text(refusal))
        return redirect("rooms:private", key)
    return redirect("games:table", match_id)


@require_POST
@login_required
def decline(request: HttpRequest, key: str) -> HttpResponse:
    """A friend does not want to play now."""
    assert isinstance(request.user, User)
    try:
        services.decline(user=request.user, key=key)
    except UnknownOffer as refusal:
        raise Http404 from refusal
    messages.info(request, _("You declined. The table is closed."))
    return redirect("rooms:mine")


@require_GET
@login_required
def mine(request: HttpRequest) -> HttpResponse:
    """A player's own: running matches, tables that wait, invitations."""
    assert isinstance(request.user, User)
    context = {
        "page_section": "board",
        "running": [
            (words.running_row(table), table.opponent) for table in my_running(request.user)
        ],
        "waiting": [
            (offer, selectors.shown_offer(offer))
            for offer in selectors.open_offers_of(request.user)
        ],
        "invitations": selectors.invitations_of(request.user.pk),
        "has_invitations": True,
    }
    return render(request, "rooms/mine.html", context)


def _offer(request: HttpRequest, key: str) -> Offer:
    try:
        return selectors.private_offer(key, request.user)
    except UnknownOffer as refusal:
        raise Http404 from refusal
