"""The page on which players limit themselves: amounts, a reminder, time-outs, self-exclusion."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from accounts import limits
from accounts.errors import Refused
from accounts.limits import DEPOSIT_KINDS, REMINDER_MINUTES, BreakKind, Limit, LimitKind
from accounts.models import User
from wallet import reminder, safeguards
from wallet.forms import AmountField
from wallet.money import Currency, format_amount, plain_amount

NOT_ACCEPTED = 422
TIME_OUT_NAMES = {
    "day": gettext_lazy("24 hours"),
    "week": gettext_lazy("a week"),
    "month": gettext_lazy("a month (30 days)"),
    "six_weeks": gettext_lazy("six weeks"),
}
EXCLUSION_NAMES = {
    "half_year": gettext_lazy("six months"),
    "year": gettext_lazy("a year"),
    "five_years": gettext_lazy("five years"),
}


class AmountForm(forms.Form):
    """One limit of a sum; an empty field takes it away."""

    kind = forms.ChoiceField(
        choices=[(kind, kind) for kind in LimitKind if kind is not LimitKind.REMINDER]
    )
    amount = AmountField(label=gettext_lazy("Limit"), required=False)


class ReminderForm(forms.Form):
    """How often to be reminded; 0 is never."""

    minutes = forms.TypedChoiceField(
        label=gettext_lazy("Remind me every"),
        coerce=int,
        choices=[(0, gettext_lazy("never"))]
        + [(n, gettext_lazy("%(n)d minutes") % {"n": n}) for n in REMINDER_MINUTES],
        widget=forms.Select(attrs={"class": "select"}),
    )


class BreakForm(forms.Form):
    """A break cannot be taken back, so it is asked for twice."""

    kind = forms.ChoiceField(choices=BreakKind)
    length = forms.ChoiceField(
        choices=[(name, name) for name in (*TIME_OUT_NAMES, *EXCLUSION_NAMES)],
        error_messages={"required": gettext_lazy("Choose how long it shall last.")},
    )
    sure = forms.BooleanField(
        error_messages={
            "required": gettext_lazy("Tick the box: a break cannot be ended before its time.")
        }
    )


@dataclass(frozen=True, slots=True)
class Row:
    """One limit as the page shows it, with what was wrong with the last try."""

    kind: LimitKind
    name: str
    is_deposit: bool
    written: str
    used: int
    limit: Limit
    error: str = ""


@login_required
@require_http_methods(["GET", "POST"])
def page(request: HttpRequest) -> HttpResponse:
    """Shows everything; a POST sets one limit."""
    if request.method != "POST":
        return _page(request)
    user = _user(request)
    form = AmountForm(request.POST)
    if not form.is_valid():
        return _page(request, wrong=form)
    kind = LimitKind(form.cleaned_data["kind"])
    before = limits.limits_of(user.pk)[kind]
    try:
        after = limits.set_limit(user.pk, kind, form.cleaned_data["amount"])
    except Refused as refusal:
        form.add_error("amount", _(refusal.text) % refusal.params)
        return _page(request, wrong=form)
    messages.success(request, _said(kind, before, after))
    return redirect("wallet:limits")


@login_required
@require_POST
def remind(request: HttpRequest) -> HttpResponse:
    """Sets how often the player is reminded."""
    form = ReminderForm(request.POST)
    if not form.is_valid():
        return _page(request, status=NOT_ACCEPTED)
    minutes = form.cleaned_data["minutes"]
    limits.set_limit(_user(request).pk, LimitKind.REMINDER, minutes or None)
    messages.success(request, _("Kept."))
    return redirect("wallet:limits")


@login_required
@require_POST
def take_break(request: HttpRequest) -> HttpResponse:
    """Starts a time-out or a self-exclusion."""
    form = BreakForm(request.POST)
    if not form.is_valid():
        return _page(request, wrong_break=form)
    kind = BreakKind(form.cleaned_data["kind"])
    try:
        limits.take_break(_user(request).pk, kind, form.cleaned_data["length"])
    except Refused as refusal:
        form.add_error("length", _(refusal.text) % refusal.params)
        return _page(request, wrong_break=form)
    messages.success(request, _("Your break has begun. Matches that run go on to their end."))
    return redirect("wallet:limits")


@login_required
@require_GET
def reminder_due(request: HttpRequest) -> JsonResponse:
    """For the script that reminds: seconds of this sitting and its net result in words."""
    sitting = reminder.sitting_of(request)
    result = reminder.result_of(_user(request).pk, sitting.began)
    return JsonResponse({"minutes": sitting.minutes, "result": result})


def _page(
    request: HttpRequest,
    *,
    wrong: AmountForm | None = None,
    wrong_break: BreakForm | None = None,
    status: int = 200,
) -> HttpResponse:
    user = _user(request)
    rows = [_row(allowance, wrong) for allowance in safeguards.allowances(user.pk)]
    every = limits.limits_of(user.pk)[LimitKind.REMINDER].amount
    context: dict[str, Any] = {
        "deposits": [row for row in rows if row.is_deposit],
        "losses": [row for row in rows if not row.is_deposit],
        "reminder": ReminderForm(initial={"minutes": every or 0}),
        "break": limits.break_of(user.pk),
        "time_outs": TIME_OUT_NAMES,
        "exclusions": EXCLUSION_NAMES,
        "wrong_break": wrong_break,
    }
    if wrong is not None or wrong_break is not None:
        status = NOT_ACCEPTED
    return render(request, "wallet/limits.html", context, status=status)


def _row(allowance: safeguards.Allowance, wrong: AmountForm | None) -> Row:
    amount = allowance.limit.amount
    row = Row(
        kind=allowance.kind,
        name=str(allowance.kind.label),
        is_deposit=allowance.kind in DEPOSIT_KINDS,
        written="" if amount is None else plain_amount(amount, Currency.USD),
        used=allowance.used,
        limit=allowance.limit,
    )
    if wrong is None or wrong.data.get("kind") != allowance.kind:
        return row
    said = " ".join(str(text) for text in wrong.errors.get("amount", []))
    return Row(
        row.kind,
        row.name,
        row.is_deposit,
        str(wrong.data.get("amount", "")),
        row.used,
        row.limit,
        said,
    )


def _said(kind: LimitKind, before: Limit, after: Limit) -> str:
    name = str(kind.label)
    if after.later_from is not None:
        return _("%(limit)s: %(amount)s from %(date)s. Until then the present limit stays.") % {
            "limit": name, "amount": _amount(after.later), "date": _date(after.later_from),
        }  # fmt: skip
    if before == after:
        return _("%(limit)s: nothing has changed.") % {"limit": name}
    return _("%(limit)s: %(amount)s from now on.") % {
        "limit": name,
        "amount": _amount(after.amount),
    }


def _amount(amount: int | None) -> str:
    return _("no limit") if amount is None else format_amount(amount, Currency.USD)


def _date(at: datetime) -> str:
    return f"{at:%Y-%m-%d %H:%M} UTC"


def _user(request: HttpRequest) -> User:
    assert isinstance(request.user, User)
    return request.user
