"""The page of promotions: how far one has come, what is next, and points for cash."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_POST

from accounts.errors import Refused
from accounts.selectors import money_refusal
from wallet import tokens
from wallet.money import Currency, format_amount
from wallet.promotions import awarding, progress
from wallet.views import player_of

MOST_DIGITS = 9


@login_required
@require_GET
def page(request: HttpRequest) -> HttpResponse:
    """Every campaign that runs."""
    user = player_of(request)
    context = {
        "campaigns": progress.progress_of(user.pk),
        "awards": progress.awards_of(user.pk),
        "token": tokens.issue(user.pk),
        "refusal": money_refusal(user),
    }
    return render(request, "wallet/promotions.html", context)


@login_required
@require_POST
def exchange(request: HttpRequest) -> HttpResponse:
    """Points for cash; sending the same form again exchanges nothing more."""
    try:
        award = awarding.exchange(
            player_of(request),
            _number(request, "campaign"),
            _number(request, "needed"),
            request.POST.get("token", ""),
        )
    except Refused as refusal:
        messages.warning(request, _(refusal.text) % refusal.params)
    else:
        amount = format_amount(award.reward, Currency.USD)
        messages.success(request, _("%(amount)s is in your wallet.") % {"amount": amount})
    return redirect("wallet:promotions")


def _number(request: HttpRequest, name: str) -> int:
    """0, which nothing has, for what is no number."""
    written = request.POST.get(name, "")
    is_number = written.isascii() and written.isdecimal() and len(written) <= MOST_DIGITS
    return int(written) if is_number else 0
