"""The wallet's pages: balances and statement, paying in test money, chips, the fees."""

import csv
from datetime import date

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
from accounts.selectors import money_refusal
from wallet import balance_chart, editions, fees, selectors, services, tokens, words
from wallet.balance_chart import BalanceChart
from wallet.forms import CalculatorForm, DepositForm
from wallet.money import Currency, format_amount, plain_amount

NOT_ACCEPTED = 422
LAST_PAGE = 1_000_000
FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r")


@login_required
@require_GET
def home(request: HttpRequest) -> HttpResponse:
    """The wallet; `?currency=PLAY` shows the chips' statement, `?page=2` older lines."""
    return _wallet(request, DepositForm())


@login_required
@require_POST
def deposit(request: HttpRequest) -> HttpResponse:
    """Pays in test money; sending the same form again pays nothing more in."""
    user = _player(request)
    form = DepositForm(request.POST)
    if form.is_valid():
        amount = form.cleaned_data["amount"]
        try:
            services.pay_in_test_money(user, amount, form.cleaned_data["token"])
        except Refused as refusal:
            form.add_error(None, _(refusal.text) % refusal.params)
        else:
            paid = format_amount(amount, Currency.USD)
            messages.success(request, _("%(amount)s of test money paid in.") % {"amount": paid})
            return redirect("wallet:home")
    return _wallet(request, form, status=NOT_ACCEPTED)


@login_required
@require_POST
def refill(request: HttpRequest) -> HttpResponse:
    """Fills the chips up."""
    user = _player(request)
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
    """The whole statement of a currency as CSV, newest line first, times in UTC."""
    user, currency = _player(request), _currency(request)
    lines = selectors.statement(user.pk, currency, per_page=None).lines
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


def _wallet(request: HttpRequest, form: DepositForm, status: int = 200) -> HttpResponse:
    user, currency = _player(request), _currency(request)
    services.open_wallet(user.pk)
    found = selectors.statement(user.pk, currency, page=_page(request))
    money, held = selectors.balance_of(user.pk, Currency.USD), selectors.held_of(user.pk)
    chips = selectors.balance_of(user.pk, Currency.PLAY)
    chips_held = selectors.held_of(user.pk, Currency.PLAY)
    context = {
        "form": form,
        "token": tokens.issue(user.pk),
        "refusal": money_refusal(user),
        "test_money": not settings.REAL_MONEY,
        "money": money,
        "held": held,
        "together": money + held,
        "chips": chips,
        "chips_held": chips_held,
        "can_refill": chips + chips_held < services.REFILL_BELOW,
        "below": services.REFILL_BELOW,
        "full": services.STARTING_CHIPS,
        "least": services.LEAST_DEPOSIT,
        "most": services.MOST_DEPOSIT,
        "currency": currency.value,
        "statement": found,
        "lines": words.written(user.pk, currency, found.lines),
        "chart": _chart(user.pk, currency),
    }
    return render(request, "wallet/wallet.html", context, status=status)


def _chart(user_id: int, currency: Currency) -> BalanceChart:
    now = timezone.now()
    since = now - balance_chart.SPAN
    changes = selectors.changes_since(user_id, currency, since)
    have = selectors.balance_of(user_id, currency) + selectors.held_of(user_id, currency)
    return balance_chart.drawn(changes, have, now)


def _player(request: HttpRequest) -> User:
    assert isinstance(request.user, User)
    return request.user


def _currency(request: HttpRequest) -> Currency:
    try:
        return Currency(request.GET.get("currency", Currency.USD))
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
