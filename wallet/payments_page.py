"""Paying in and out on the wallet's page, and the address at which providers tell what happened."""

from uuid import UUID

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_POST

from accounts.errors import Refused
from wallet import deposits, provider_events, providers, withdrawals
from wallet.forms import DepositForm, WithdrawalForm
from wallet.models import Withdrawal
from wallet.money import Currency, format_amount
from wallet.providers import UnknownProvider
from wallet.providers.base import BadEvent
from wallet.views import leads_to_checkout, player_of, wallet_page

LARGEST_EVENT = 256 * 1024
NO, TOO_LARGE, NOT_FOUND = 400, 413, 404


@login_required
@require_POST
@leads_to_checkout
def deposit(request: HttpRequest) -> HttpResponse:
    """Pays in; sending the same form again pays nothing more in."""
    user, form = player_of(request), DepositForm(request.POST)
    if form.is_valid():
        amount, token = form.cleaned_data["amount"], form.cleaned_data["token"]
        home = request.build_absolute_uri(reverse("wallet:home"))
        try:
            begun = deposits.begin(
                user, amount, token, back_paid=f"{home}?back=paid", back_left=f"{home}?back=left"
            )
        except Refused as refusal:
            form.add_error(None, _(refusal.text) % refusal.params)
        else:
            if begun.url:
                return HttpResponseRedirect(begun.url)
            paid = format_amount(amount, Currency.USD)
            is_test = providers.current().is_test_money
            said = _("%(amount)s of test money paid in.") if is_test else _("%(amount)s paid in.")
            messages.success(request, said % {"amount": paid})
            return redirect("wallet:home")
    return wallet_page(request, deposit=form)


@login_required
@require_POST
def withdraw(request: HttpRequest) -> HttpResponse:
    """Asks for money to be paid out; sending the same form again asks for nothing more."""
    user, form = player_of(request), WithdrawalForm(request.POST)
    if form.is_valid():
        try:
            asked = withdrawals.ask(user, form.cleaned_data["amount"], form.cleaned_data["token"])
        except Refused as refusal:
            form.add_error(None, _(refusal.text) % refusal.params)
        else:
            amount = format_amount(asked.amount, Currency.USD)
            if asked.state == Withdrawal.State.ASKED:
                said = _("%(amount)s is held until the withdrawal has been approved.")
            else:
                said = _("%(amount)s is on its way.")
            messages.success(request, said % {"amount": amount})
            return redirect("wallet:home")
    return wallet_page(request, withdrawal=form)


@login_required
@require_POST
def cancel_withdrawal(request: HttpRequest, withdrawal_id: UUID) -> HttpResponse:
    """Takes a withdrawal back while it waits for approval."""
    try:
        row = withdrawals.cancel(withdrawal_id, by=player_of(request))
    except Refused as refusal:
        messages.warning(request, _(refusal.text) % refusal.params)
    else:
        amount = format_amount(row.amount, Currency.USD)
        messages.success(request, _("%(amount)s is yours again.") % {"amount": amount})
    return redirect("wallet:home")


@csrf_exempt
@require_POST
def event(request: HttpRequest, provider: str) -> HttpResponse:
    """For providers: 200 once an event is kept, also when it was here before; 400 for what they did not sign."""
    if len(request.body) > LARGEST_EVENT:
        return HttpResponse(status=TOO_LARGE)
    signature = request.headers.get("Stripe-Signature", "")
    try:
        provider_events.receive(provider, request.body, signature)
    except UnknownProvider:
        return HttpResponse(status=NOT_FOUND)
    except (BadEvent, Refused):
        return HttpResponse(status=NO)
    return HttpResponse(status=200)
