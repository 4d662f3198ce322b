"""Paying in: a deposit is begun with a provider, and credited once when the provider says that it is paid."""

from dataclasses import dataclass
from datetime import timedelta
from typing import Final
from uuid import UUID

from django.db import transaction
from django.utils import timezone

from accounts.models import User
from wallet import chart, ledger, providers, safeguards, tokens
from wallet.chart import Purpose
from wallet.errors import (
    AmountTooLarge,
    AmountTooSmall,
    BadAmount,
    FormExpired,
    KeyReused,
    TooManyOpenDeposits,
)
from wallet.models import Deposit
from wallet.money import Currency, format_amount
from wallet.permissions import require_may_pay_in
from wallet.providers.base import Order, Started

LEAST: Final = 1_00
MOST: Final = 1_000_00
LASTS: Final = timedelta(hours=1)
"""So long it can be paid, and counts against the player's limits while it is not."""

MOST_OPEN: Final = 5

STARTS: Final = timedelta(minutes=25)
"""So long the provider can be asked again: Stripe's page must then be open for half an hour or more."""


@dataclass(frozen=True, slots=True)
class Begun:
    """A deposit, and where the player has to go to pay it; empty: it is paid."""

    deposit: Deposit
    url: str


def begin(user: User, amount: int, token: str, *, back_paid: str, back_left: str) -> Begun:
    """Begins to pay in so many cents; the same form again goes on with the same deposit.

    Raises FormExpired, KeyReused (same form, other amount), BadAmount, what `require_may_pay_in` raises,
    TooManyOpenDeposits, DepositLimitReached, SandboxClosed, PaymentsClosed, ProviderAway.
    """
    key = tokens.read(user.pk, token)
    provider = providers.current()
    provider.require_open()
    require_amount(amount)
    require_may_pay_in(user)
    deposit = _kept(user, amount, key, provider.name)
    if deposit.state == Deposit.State.PAID:
        return Begun(deposit, "")
    _require_fresh(deposit)
    if not deposit.url:
        until = deposit.ends_at
        order = Order(deposit.id, amount, user.email, until, back_paid, back_left)
        deposit = _started(deposit.id, provider.start(order))
    return Begun(deposit, deposit.url)


def require_amount(amount: int) -> None:
    """Raises BadAmount unless this many cents can be paid in at once."""
    if type(amount) is not int:
        raise BadAmount
    if amount < LEAST:
        raise AmountTooSmall(least=format_amount(LEAST, Currency.USD))
    if amount > MOST:
        raise AmountTooLarge(most=format_amount(MOST, Currency.USD))


def credit(deposit_id: UUID, *, reference: str, payment: str) -> Deposit:
    """The provider says that it is paid: the ledger moves, once, whatever was thought before."""
    with transaction.atomic():
        deposit = Deposit.objects.select_for_update(no_key=True).get(id=deposit_id)
        if deposit.state == Deposit.State.PAID:
            return deposit
        ledger.move(
            key=f"deposit:{deposit.id}",
            source=chart.provider(deposit.provider),
            target=chart.player(deposit.user_id),
            amount=deposit.amount,
            purpose=Purpose.DEPOSIT,
            currency=Currency.USD,
        )
        deposit.state, deposit.paid_at = Deposit.State.PAID, timezone.now()
        deposit.reference, deposit.payment = reference or deposit.reference, payment
        deposit.save(update_fields=["state", "paid_at", "reference", "payment"])
    return deposit


def give_up(deposit_id: UUID) -> None:
    """The provider says that it will not be paid; nothing was moved. What is paid stays paid."""
    rows = Deposit.objects.filter(id=deposit_id, state=Deposit.State.OPEN)
    rows.update(state=Deposit.State.FAILED)


def _require_fresh(deposit: Deposit) -> None:
    """Raises FormExpired for one that was given up, or is too old to be begun or paid."""
    last = deposit.ends_at if deposit.url else deposit.created_at + STARTS
    if deposit.state == Deposit.State.FAILED or last <= timezone.now():
        raise FormExpired


def _kept(user: User, amount: int, key: str, provider: str) -> Deposit:
    """The deposit of this form, made now if there is none; under the lock of the player's account."""
    with transaction.atomic():
        ledger.locked_balances(Currency.USD, [chart.player(user.pk)])
        before = Deposit.objects.filter(user=user, key=key).first()
        if before is not None:
            if (before.amount, before.provider) != (amount, provider):
                raise KeyReused(key=key)
            return before
        open_now = Deposit.objects.filter(
            user=user, state=Deposit.State.OPEN, ends_at__gt=timezone.now()
        )
        if open_now.count() >= MOST_OPEN:
            raise TooManyOpenDeposits
        safeguards.require_may_pay_in(user.pk, amount)
        return Deposit.objects.create(
            user=user, key=key, provider=provider, amount=amount, ends_at=timezone.now() + LASTS
        )


def _started(deposit_id: UUID, started: Started) -> Deposit:
    if not started.url:
        return credit(deposit_id, reference=started.reference, payment=started.payment)
    rows = Deposit.objects.filter(id=deposit_id)
    rows.filter(reference="").update(reference=started.reference, url=started.url)
    return rows.get()
