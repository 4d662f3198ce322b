"""The page that closes an account: what for, what becomes of matches and balance, a preview to the cent, the deed."""

import json
from dataclasses import dataclass
from hashlib import sha256
from typing import Any

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext

from accounts.admin.reading import attempt, staff, text
from accounts.errors import Refused
from accounts.models import Closure, User
from accounts.moderation import cases, closing, dossiers, estates
from accounts.moderation.closing import Order, Preview
from accounts.moderation.errors import ClosingChanged
from accounts.validators import sentence

CONFLICT = 409
# By their names in the form: a field called "matches" would hide the method of that name from scripts.
FIELDS = {"reason": "reason", "matches": "fate_of_matches", "money": "fate_of_money"}
CHOICES = {
    "reason": [choice for choice in Closure.REASONS if choice[0] != Closure.OWN_WISH],
    "matches": Closure.Matches.choices,
    "money": Closure.Money.choices,
}


@dataclass(slots=True)
class _Shown:
    """What the page shows besides the form."""

    wrong: str = ""
    status: int = 200
    preview: Preview | None = None


def answer(page: Any, request: HttpRequest, pk: int) -> HttpResponse:
    """Empty form, preview, or the deed. `page` is the admin of accounts."""
    by = staff(request)
    whom = User.objects.filter(pk=pk).first()
    if not by.has_perm(closing.CLOSE):
        raise PermissionDenied
    if whom is None:
        raise Http404
    shown = _Shown()
    shown.wrong, shown.status = attempt(lambda: closing.require_may_close(whom, by))
    if request.method == "POST" and not shown.wrong:
        done = _post(request, whom, by, shown)
        if done is not None:
            return done
    preview = shown.preview
    context = {
        **page.admin_site.each_context(request),
        "opts": page.opts,
        "title": gettext("Close the account of %(name)s") % {"name": whom.screen_name},
        "whom": whom,
        "choices": CHOICES,
        "written": request.POST,
        "victims_chosen": request.POST.getlist("victims"),
        "balance": estates.money().balance(whom.pk),
        "losses": dossiers.named(estates.money().losses_to(whom.pk)),
        "running": estates.matches().running(whom.pk),
        "preview": preview,
        "preview_refunds": dossiers.named(preview.refunds) if preview else (),
        "seal": _seal(preview, _order(request)) if preview else "",
        "wrong": shown.wrong,
        "barred": bool(shown.wrong) and request.method == "GET",
    }
    return render(request, "admin/accounts/close.html", context, status=shown.status)


def _post(request: HttpRequest, whom: User, by: User, shown: _Shown) -> HttpResponse | None:
    order = _order(request)
    try:
        cases.require_reason(order.note)
        shown.preview = closing.preview(whom, order)
        if text(request, "step") != "close":
            return None
        if text(request, "seal") != _seal(shown.preview, order):
            raise ClosingChanged
        closing.close(whom, order, by=by, seen=shown.preview)
    except Refused as refused:
        shown.wrong, shown.status = sentence(refused), CONFLICT
        return None
    messages.success(request, gettext("The account is closed."))
    return redirect(reverse("admin:accounts_user_person", args=[whom.pk]))


def _order(request: HttpRequest) -> Order:
    """What the form says. Raises PermissionDenied for choices that it does not offer."""
    chosen = {name: text(request, field) for name, field in FIELDS.items()}
    for name, value in chosen.items():
        if value not in dict(CHOICES[name]):
            raise PermissionDenied
    victims = tuple(sorted({int(one) for one in request.POST.getlist("victims") if one.isdigit()}))
    is_refund = chosen["money"] == Closure.Money.REFUND
    return Order(**chosen, note=text(request, "note"), victims=victims if is_refund else ())


def _seal(preview: Preview, order: Order) -> str:
    """Tells one preview from another: what was seen is what is done."""
    seen = [
        [preview.balance, preview.paid_out],
        [[one.user_id, one.amount] for one in preview.refunds],
        [str(one.match_id) for one in preview.running],
        [order.reason, order.matches, order.money],
    ]
    return sha256(json.dumps(seen).encode()).hexdigest()[:32]
