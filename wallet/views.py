"""The wallet's pages: balances and statement, chips, the fees."""

import csv
from collections.abc import Callable
from datetime import date
from functools import wraps
from typing import Any

from csp.decorators import csp_update
from django.conf import settings
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_POST

from accounts.errors import Refused
from accounts.models import User
from wallet import (
    balance_chart,
    deposits,
    editions,
    fees,
    providers,
    selectors,
    services,
    tokens,
    words,
)
from wallet.balance_chart import BalanceChart
from wallet.forms import CalculatorForm, DepositForm, WithdrawalForm
from wallet.money import Currency, plain_amount
from wallet.permissions import require_may_pay_in, require_may_withdraw

NOT_ACCEPTED = 422
SHOWN = balance_chart.SPAN
"""How far back a statement goes, unless all is asked for."""
LAST_PAGE = 1_000_000
FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r")


def leads_to_checkout(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """For pages with the form for paying in: browsers follow it to the provider's page only if the policy says so."""

    @wraps(view)
    def shown(request: HttpRequest, *args: Any, **words: Any) -> HttpResponse:
        origin = providers.current().checkout_origin
        allowing: Any = csp_update({"form-action": [origin]})(view) if origin else view
        answer: HttpResponse = allowing(request, *args, **words)
        return answer

    return shown


@login_required
@require_GET
@leads_to_checkout
def home(request: HttpRequest) -> HttpResponse:
    """The wallet; `?currency=PLAY` shows the chips' statement, `?page=2` older lines, `?kind=play` only matches.

    Lines of three months, all with `?all=1`.
    """
    return wallet_page(request)


@login_required
@require_POST
def refill(request: HttpRequest) -> HttpResponse:
    """Fills the chips up."""
    user = player_of(request)
    services.open_wallet(user.pk)
    try:
        given = services.refill_chips(user.pk)
    except Refused as refusal:
        messages.warning(request, _(refusal.text) % refusal.params)
    else:
        messages.success(request, _("%(number)d chips added.") % {"number": given})
    return redirect("wallet:home")


@login_required
@require_GET
def statement_file(request: HttpRequest) -> HttpResponse:
    """The whole statement of a currency as CSV, newest line first, times in UTC; `?kind=play` only matches."""
    user, currency = player_of(request), _currency(request)
    wanted = selectors.Wanted(words.PURPOSES_OF[_filter(request)])
    lines = selectors.statement(user.pk, currency, per_page=None, only=wanted).lines
    response = HttpResponse(content_type="text/csv; charset=utf-8")
    name = f"statement-{currency.lower()}.csv"
    response["Content-Disposition"] = f'attachment; filename="{name}"'
    response.write("\N{ZERO WIDTH NO-BREAK SPACE}")  # so that spreadsheets read it as UTF-8
    table = csv.writer(response)
    table.writerow(["time", "cause", "details", "change", "held", "balance", "currency", "match"])
    for one in words.written(user.pk, currency, lines):
        line = one.line
        table.writerow(
            [
                line.at.isoformat(timespec="seconds"),
                _cell(one.cause),
                _cell(one.details),
                plain_amount(0 if line.held else line.change, currency),
                plain_amount(line.staked if line.held else 0, currency),
                plain_amount(line.balance, currency),
                currency.value,
                line.match_id or "",
            ]
        )
    return response


@require_GET
def fees_page(request: HttpRequest) -> HttpResponse:
    """What the house takes, made from the tariff that the site uses; `?stake=…` asks the calculator."""
    tariff = editions.current(settings.TARIFF)
    asked = request.GET if "stake" in request.GET else None
    form = CalculatorForm(asked, smallest=tariff.smallest_stake)
    answers = fees.answers(tariff, form.question()) if form.is_valid() else []
    return render(
        request,
        "wallet/fees.html",
        {
            "sections": fees.sections(tariff),
            "examples": fees.examples(tariff),
            "length": fees.EXAMPLE_LENGTH,
            "smallest": tariff.smallest_stake,
            "since": date.fromisoformat(tariff.since),
            "edition": tariff.edition,
            "form": form,
            "answers": answers,
        },
        status=NOT_ACCEPTED if form.errors else 200,
    )


def wallet_page(
    request: HttpRequest,
    *,
    deposit: DepositForm | None = None,
    withdrawal: WithdrawalForm | None = None,
) -> HttpResponse:
    """The wallet's page, with the form that was not accepted and why."""
    user, currency = player_of(request), _currency(request)
    services.open_wallet(user.pk)
    kind, whole = _filter(request), "all" in request.GET
    since = None if whole else timezone.now() - SHOWN
    wanted = selectors.Wanted(words.PURPOSES_OF[kind], since)
    found = selectors.statement(user.pk, currency, page=_page(request), only=wanted)
    money, held = selectors.balance_of(user.pk, Currency.USD), selectors.held_of(user.pk)
    chips = selectors.balance_of(user.pk, Currency.PLAY)
    chips_held = selectors.held_of(user.pk, Currency.PLAY)
    context = {
        "deposit_form": deposit or DepositForm(),
        "withdrawal_form": withdrawal or WithdrawalForm(),
        "token": tokens.issue(user.pk),
        "refusal": refusal_of(require_may_pay_in, user),
        "out_refusal": refusal_of(require_may_withdraw, user),
        "test_money": not settings.REAL_MONEY,
        "closed": refusal_of(lambda _: providers.current().require_open(), user),
        "by_stripe": bool(providers.current().checkout_origin),
        "under_way": selectors.deposits_under_way(user.pk),
        "withdrawals": selectors.withdrawals_of(user.pk),
        "net_deposits": selectors.net_deposits(user.pk),
        "net_deposits_shown": selectors.net_deposits(user.pk, timezone.now() - SHOWN),
        "filters": words.FILTER_NAMES.items(),
        "kind": kind.value,
        "whole": whole,
        "query": f"currency={currency}&kind={kind}" + ("&all=1" if whole else ""),
        "back": request.GET.get("back", ""),
        "money": money,
        "held": held,
        "together": money + held,
        "chips": chips,
        "chips_held": chips_held,
        "can_refill": chips + chips_held < services.REFILL_BELOW,
        "below": services.REFILL_BELOW,
        "full": services.STARTING_CHIPS,
        "least": deposits.LEAST,
        "most": deposits.MOST,
        "currency": currency.value,
        "statement": found,
        "lines": words.written(user.pk, currency, found.lines),
        "chart": _chart(user.pk, currency),
    }
    status = 200 if deposit is None and withdrawal is None else NOT_ACCEPTED
    return render(request, "wallet/wallet.html", context, status=status)


def player_of(request: HttpRequest) -> User:
    """Who is signed in."""
    assert isinstance(request.user, User)
    return request.user


def refusal_of(require: Callable[[User], None], user: User) -> Refused | None:
    """Why this person may not, or None if they may."""
    try:
        require(user)
    except Refused as refusal:
        return refusal
    return None


def _chart(user_id: int, currency: Currency) -> BalanceChart:
    now = timezone.now()
    since = now - balance_chart.SPAN
    changes = selectors.changes_since(user_id, currency, since)
    have = selectors.balance_of(user_id, currency) + selectors.held_of(user_id, currency)
    return balance_chart.drawn(changes, have, now)


def _currency(request: HttpRequest) -> Currency:
    try:
        return Currency(request.GET.get("currency", Currency.USD))
    except ValueError as error:
        raise Http404 from error


def _filter(request: HttpRequest) -> words.Filter:
    try:
        return words.Filter(request.GET.get("kind", words.Filter.ALL))
    except ValueError as error:
        raise Http404 from error


def _page(request: HttpRequest) -> int:
    written = request.GET.get("page", "1")
    if not (written.isascii() and written.isdecimal() and 1 <= len(written) <= len(str(LAST_PAGE))):
        raise Http404
    return max(1, int(written))


def _cell(text: str) -> str:
    """A spreadsheet must not take another person's words for a formula."""
    return f"'{text}" if text.startswith(FORMULA_STARTS) else text
