"""Pages of the lobby: read a request, ask one service, show the answer."""

from collections.abc import Callable
from dataclasses import asdict
from functools import wraps
from typing import Any
from uuid import UUID

from django.contrib import messages
from django.contrib.auth.views import redirect_to_login
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from accounts import acquaintances, guests
from accounts.errors import Refused
from accounts.models import User
from games.errors import BadTerms
from games.ratings import game_of
from games.services import purse, require_can_sit
from rooms import draws, filters, paces, presence, selectors, services, words
from rooms.errors import UnknownOffer, UnknownRoom
from rooms.filters import COOKIE, FilterForm, Filters
from rooms.forms import FRIEND, BotForm, NewTableForm
from rooms.models import Room

A_YEAR = 365 * 24 * 60 * 60
View = Callable[[HttpRequest, str], HttpResponse]


@require_GET
def lobby(request: HttpRequest, room: str | None = None) -> HttpResponse:
    """A room: what is open, what is running, and the form for a new table."""
    here = _room(room)
    if isinstance(request.user, User):
        presence.renew({request.user.pk: here.pk})
    form = NewTableForm(here, friends=_friends(request))
    if "friend" in request.GET:
        form.initial["guests"] = f"{FRIEND}{request.GET['friend']}"
    response = _page(request, here, form, form_is_open="new" in request.GET)
    if "filter" in request.GET:
        chosen = FilterForm(here, request.GET).chosen()
        response.set_cookie(COOKIE, chosen.text(), A_YEAR, samesite="Lax")
    return response


@require_GET
def quote(request: HttpRequest, room: str) -> JsonResponse:
    """What a table with these terms would bring and cost, or what is wrong with them, by field."""
    here = _room(room)
    asked = {"token": "0" * 32, **request.GET.dict()}
    form = NewTableForm(here, asked, friends=_friends(request))
    shown = _quoted(request, form)
    return JsonResponse(
        {
            "errors": {problem["field"]: problem["text"] for problem in form.problems},
            "rows": [words.as_json(row) for row in shown.rows] if shown else None,
            "most": shown.most if shown else "",
            "note": shown.note if shown else "",
        }
    )


def signed_in(view: View) -> View:
    """Leads a visitor to sign in, and from there back to the room."""

    @wraps(view)
    def leading(request: HttpRequest, room: str) -> HttpResponse:
        if request.user.is_authenticated:
            return view(request, room)
        return redirect_to_login(reverse("rooms:lobby", args=[_room(room).slug]))

    return leading


@require_http_methods(["GET", "POST"])
@signed_in
def create(request: HttpRequest, room: str) -> HttpResponse:
    """Opens a table; a form with errors is shown again with them."""
    here = _room(room)
    if request.method == "GET":
        return redirect(_new_table(here))
    form = NewTableForm(here, request.POST, friends=_friends(request))
    if "preview" not in request.POST and form.is_valid():
        where = _created(request, form)
        if where:
            return redirect(where)
    status = 200 if form.is_valid() else 422
    return _page(request, here, form, form_is_open=True, status=status)


@require_http_methods(["GET", "POST"])
@signed_in
def join(request: HttpRequest, room: str) -> HttpResponse:
    """Sits down at an open table."""
    here = _room(room)
    if request.method == "GET":
        return redirect("rooms:lobby", room=here.slug)
    user = _player(request)
    try:
        paces.require_pace(user.pk)
        offer_id = _offer_id(request)
        if here.anonymous:
            match_id = draws.ask_like(user=user, offer_id=offer_id)
        else:
            match_id = services.accept_offer(user=user, offer_id=offer_id)
    except Refused as refusal:
        messages.warning(request, words.refusal_text(refusal))
        return redirect("rooms:lobby", room=here.slug)
    if match_id is None:
        messages.info(request, _("You wait for these terms now, and chance decides whom you play."))
        return redirect("rooms:lobby", room=here.slug)
    return redirect("games:table", match_id)


@require_POST
def play_bot(request: HttpRequest, room: str) -> HttpResponse:
    """Sits down with a house bot at once; a visitor becomes a guest. Only in rooms for chips."""
    here = _room(room)
    if here.is_money:
        raise Http404
    form = BotForm(request.POST)
    try:
        if not form.is_valid():
            raise BadTerms
        user = request.user if isinstance(request.user, User) else guests.enter(request)
        match_id = services.play_bot(user=user, room=here, wish=form.wish())
    except Refused as refusal:
        messages.warning(request, words.refusal_text(refusal))
        return redirect("rooms:lobby", room=here.slug)
    return redirect("games:table", match_id)


@require_POST
@signed_in
def withdraw(request: HttpRequest, room: str) -> HttpResponse:
    """Takes back an own open table."""
    here = _room(room)
    try:
        services.withdraw_offer(user=_player(request), offer_id=_offer_id(request))
    except Refused as refusal:
        messages.warning(request, words.refusal_text(refusal))
    else:
        messages.info(request, _("Your table is closed."))
    if request.POST.get("from") == "mine":
        return redirect("rooms:mine")
    return redirect("rooms:lobby", room=here.slug)


def _created(request: HttpRequest, form: NewTableForm) -> str:
    """Where the reader goes now; empty if the form says what is wrong."""
    assert form.terms is not None, "a valid form has terms"
    asked = {
        "user": _player(request),
        "room": form.room,
        "terms": form.terms,
        "token": form.cleaned_data["token"],
    }
    try:
        paces.require_pace(asked["user"].pk)
        if form.room.anonymous:
            match_id = draws.ask(**asked)
            return (
                reverse("games:table", args=[match_id])
                if match_id
                else reverse("rooms:lobby", args=[form.room.slug])
            )
        offer = services.create_offer(**asked, guests=form.invited())
    except Refused as refusal:
        form.refuse(refusal)
        return ""
    if offer.key:
        return reverse("rooms:private", args=[offer.key])
    return reverse("rooms:lobby", args=[form.room.slug])


def _page(
    request: HttpRequest,
    room: Room,
    form: NewTableForm,
    *,
    form_is_open: bool,
    status: int = 200,
) -> HttpResponse:
    listing = selectors.listing(room)
    filter_form = _filters(request, room)
    wanted = filter_form.chosen()
    heads = presence.heads()
    ratings = selectors.own_ratings(request.user, room)
    mine = {key for key, owner in listing.owners.items() if owner == request.user.pk}
    met = [
        row
        for row in listing.offers
        if request.user.pk not in listing.apart.get(listing.owners[row.id], ())
    ]
    context: dict[str, Any] = {
        "page_section": "board",
        "in_lobby": True,
        "room": room,
        "rooms": [(each, heads.get(each.slug, 0)) for each in selectors.open_rooms()],
        "players": words.heads_text(heads),
        "tables": words.tables_text(listing.tables),
        "offers": [
            row
            for row in met
            if row.id in mine
            or (
                _is_wanted(row, wanted)
                and wanted.is_near(row.points, ratings[game_of(row.variant)])
            )
        ],
        "own_ratings": ratings,
        "stakes": ", ".join(
            words.amount_text(stake, room.currency) for stake in sorted(room.stakes)
        ),
        "invitations": _invitations(request),
        "prospects": selectors.prospects_of(request.user, room),
        "are_there_offers": bool(met),
        "mine": mine,
        "running": [row for row in listing.running if _is_wanted(row, wanted)],
        "purse": _purse(request, room),
        "form": form,
        "bot_form": None if room.is_money else BotForm(),
        "form_is_open": form_is_open,
        "quote": _quoted(request, form),
        "filters": filter_form,
        "sign_in": f"{reverse('account_login')}?next={reverse('rooms:lobby', args=[room.slug])}",
    }
    return render(request, "rooms/lobby.html", context, status=status)


def _quoted(request: HttpRequest, form: NewTableForm) -> words.Quote | None:
    """The quote for a form's terms. For a form that was sent also says beside its field if they cannot be covered."""
    asked = form
    if not form.is_bound:
        asked = NewTableForm(form.room, {**form.initial, "guests": ""})
    asked.is_valid()
    if asked.terms is None:
        return None
    if form.is_bound and isinstance(request.user, User) and not form.errors:
        try:
            require_can_sit(request.user, asked.terms, form.room.column)
        except Refused as refusal:
            form.refuse(refusal)
    return selectors.quote(form.room, asked.terms, request.user)


def _filters(request: HttpRequest, room: Room) -> FilterForm:
    if "filter" in request.GET:
        return FilterForm(room, request.GET)
    here = request.COOKIES.get(COOKIE, "")
    kept = filters.kept(request.user, here) if isinstance(request.user, User) else here
    return FilterForm(room, asdict(Filters.parse(kept)))


def _friends(request: HttpRequest) -> list[User]:
    return acquaintances.friends_of(request.user) if isinstance(request.user, User) else []


def _invitations(request: HttpRequest) -> list[words.InvitationRow]:
    return selectors.invitations_of(request.user.pk) if request.user.pk else []


def _is_wanted(row: words.OfferRow | words.RunningRow, wanted: Filters) -> bool:
    return wanted.allows(variant=row.variant, kind=row.kind, stake=row.stake_minor)


def _purse(request: HttpRequest, room: Room) -> str:
    if not isinstance(request.user, User):
        return ""
    return words.amount_text(purse(request.user.pk, room.currency), room.currency)


def _room(slug: str | None) -> Room:
    try:
        if slug is not None:
            return selectors.room_named(slug)
        first = selectors.open_rooms().first()
        if first is None:
            raise UnknownRoom
    except UnknownRoom as refusal:
        raise Http404(words.refusal_text(refusal)) from refusal
    return first


def _player(request: HttpRequest) -> User:
    assert isinstance(request.user, User), "only those signed in come here"
    return request.user


def _offer_id(request: HttpRequest) -> UUID:
    try:
        return UUID(request.POST.get("offer", ""))
    except ValueError:
        raise UnknownOffer from None


def _new_table(room: Room) -> str:
    return f"{reverse('rooms:lobby', args=[room.slug])}?new=1#new"
