"""Paying out: held at the request, approved by staff (or by itself below a set sum), then paid or returned.

Every step is taken once, under the lock of the withdrawal's row; the money waits in an account of its own, so it
can leave only once. The provider is asked between two transactions, and asking it again pays nothing twice.
"""

import logging
from datetime import timedelta
from typing import Final
from uuid import UUID

from django.conf import settings
from django.db import transaction
from django.db.models import Sum
from django.utils import timezone

from accounts import audit, links
from accounts.errors import Refused
from accounts.models import User
from wallet import chart, ledger, payment_tasks, payouts, providers, returns, second_person, tokens
from wallet.chart import AccountRef, Purpose
from wallet.errors import (
    AmountTooSmall,
    BadAmount,
    KeyReused,
    OwnWithdrawal,
    ReasonNeeded,
    WithdrawalDecided,
    WithdrawalsHeld,
)
from wallet.models import PaymentTask, Withdrawal
from wallet.money import Currency, format_amount
from wallet.permissions import require_may_withdraw
from wallet.providers.base import Payout, PayoutRefused

log = logging.getLogger(__name__)
State = Withdrawal.State

LEAST: Final = 1_00
DAY: Final = timedelta(days=1)
BACK: Final = (State.REJECTED, State.CANCELLED, State.FAILED)
"""Where the money is the player's again."""
AT_ONCE: Final = 50
LONGEST_WHY: Final = 300


def ask(user: User, amount: int, token: str) -> Withdrawal:
    """Holds so many cents and asks for them to be paid out; the same form again changes nothing.

    Raises FormExpired, KeyReused (same form, other amount), BadAmount, what `require_may_withdraw` raises,
    InsufficientFunds, SandboxClosed, PaymentsClosed.
    """
    key = tokens.read(user.pk, token)
    provider = providers.current()
    provider.require_open()
    _require_amount(amount)
    require_may_withdraw(user)
    with transaction.atomic():
        player = chart.player(user.pk)
        ledger.locked_balances(Currency.USD, [player])
        before = Withdrawal.objects.filter(user=user, key=key).first()
        if before is not None:
            if before.amount != amount:
                raise KeyReused(key=key)
            return before
        is_small = (
            _sum_of_a_day(user.pk) + amount < settings.WITHDRAWAL_AUTOMATIC_BELOW
            and links.held_because(user) is None
        )
        asked = Withdrawal.objects.create(
            user=user,
            key=key,
            provider=provider.name,
            amount=amount,
            state=State.APPROVED if is_small else State.ASKED,
            decided_at=timezone.now() if is_small else None,
        )
        _move(asked, player, chart.withdrawal(asked.id), Purpose.WITHDRAWAL)
    return asked


def send_whole(user_id: int, *, key: str, by: User, why: str) -> int:
    """Staff have decided that a player's whole balance goes out: held at once, paid like any withdrawal.

    The same key again sends nothing more. Answers the sum in cents. Raises PayoutsFrozen.
    """
    payouts.require_open()
    with transaction.atomic():
        player = chart.player(user_id)
        balance = ledger.locked_balances(Currency.USD, [player])[player]
        before = Withdrawal.objects.filter(user_id=user_id, key=key).first()
        if before is not None or balance <= 0:
            return 0 if before is None else before.amount
        row = Withdrawal.objects.create(
            user_id=user_id,
            key=key,
            provider=providers.current().name,
            amount=balance,
            state=State.APPROVED,
            decided_by=by,
            decided_at=timezone.now(),
            why=why[:LONGEST_WHY],
        )
        _move(row, player, chart.withdrawal(row.id), Purpose.WITHDRAWAL)
    return balance


def cancel(withdrawal_id: UUID, *, by: User) -> Withdrawal:
    """The player changes their mind while it waits. Raises WithdrawalDecided."""
    with transaction.atomic():
        row = _locked(withdrawal_id, State.ASKED)
        if row.user_id != by.pk:
            raise WithdrawalDecided
        return _give_back(row, State.CANCELLED)


def approve(withdrawal_id: UUID, *, by: User, why: str = "") -> Withdrawal:
    """A person of the staff lets it go; above the set sum, a day's withdrawals counted together, two of them.

    Raises WithdrawalDecided, OwnWithdrawal, WithdrawalsHeld, PayoutsFrozen, SecondPersonNeeded.
    """
    payouts.require_open()
    with transaction.atomic():
        row = _locked(withdrawal_id, State.ASKED)
        _require_anothers(row, by)
        if payment_tasks.are_open(row.user_id):
            raise WithdrawalsHeld
        if second_person.decides(by, first_id=row.first_by_id, amount=_sum_of_a_day(row.user_id)):
            row.state, row.decided_by, row.decided_at = State.APPROVED, by, timezone.now()
        else:
            row.first_by = by
        row.save()
        _record(row, by, "approve_withdrawal", why or str(State.APPROVED.label), before=State.ASKED)
    return row


def reject(withdrawal_id: UUID, *, by: User, why: str) -> Withdrawal:
    """A person of the staff gives it back to the player. Raises ReasonNeeded, WithdrawalDecided, OwnWithdrawal."""
    if not why.strip():
        raise ReasonNeeded
    with transaction.atomic():
        row = _locked(withdrawal_id, State.ASKED, State.APPROVED)
        _require_anothers(row, by)
        before = State(row.state)
        # The first who agreed may be the one to think again.
        row.first_by, row.decided_by, row.why = None, by, why
        _give_back(row, State.REJECTED)
        _record(row, by, "reject_withdrawal", why, before=before)
    return row


def pay(withdrawal_id: UUID) -> Withdrawal:
    """Pays what was approved; asked again it goes on where it stopped.

    Raises WithdrawalsHeld, PayoutsFrozen, ProviderAway; nothing is lost then, it is tried again.
    """
    row = _begun(withdrawal_id)
    if row.state != State.PAYING:
        return row
    parts = _parts(row)
    try:
        provider = providers.named(row.provider)
        reference = provider.pay_out(Payout(row.id, row.amount, parts))
    except PayoutRefused as refusal:
        return _refused(withdrawal_id, refusal)
    return _paid(withdrawal_id, State.PAYING, reference=reference)


def mark_paid(withdrawal_id: UUID, *, by: User, reference: str) -> Withdrawal:
    """Somebody has paid it by hand; `reference` says how. Raises ReasonNeeded, WithdrawalDecided, OwnWithdrawal."""
    if not reference.strip():
        raise ReasonNeeded
    with transaction.atomic():
        row = _locked(withdrawal_id, State.BY_HAND)
        _require_anothers(row, by)
        row = _paid(withdrawal_id, State.BY_HAND, reference=reference)
        _record(row, by, "pay_withdrawal", reference, before=State.BY_HAND)
    return row


def pay_all() -> int:
    """Pays whatever is approved, or was left in the middle; answers how many are paid."""
    held = PaymentTask.objects.filter(closed_at__isnull=True, user__isnull=False).values("user")
    waiting = Withdrawal.objects.filter(state__in=[State.APPROVED, State.PAYING]).exclude(
        state=State.APPROVED, user__in=held
    )
    paid = 0
    for withdrawal_id in waiting.order_by("created_at").values_list("id", flat=True)[:AT_ONCE]:
        try:
            paid += pay(withdrawal_id).state == State.PAID
        except Refused as refusal:
            log.warning("withdrawal %s waits: %s", withdrawal_id, refusal.code)
    return paid


# --- steps ------------------------------------------------------------------------------------------


def _begun(withdrawal_id: UUID) -> Withdrawal:
    """Marks that the provider is going to be asked; what goes back to earlier payments is reserved there."""
    with transaction.atomic():
        row = Withdrawal.objects.select_for_update(no_key=True).get(id=withdrawal_id)
        if row.state != State.APPROVED:
            return row
        payouts.require_open()
        if payment_tasks.are_open(row.user_id):
            raise WithdrawalsHeld
        row.state = State.PAYING
        if providers.named(row.provider).pays_back:
            row.parts = returns.reserve(row.user_id, row.provider, row.amount)
            row.state = State.PAYING if row.parts else State.BY_HAND
        row.save(update_fields=["state", "parts"])
    return row


def _paid(withdrawal_id: UUID, state: State, *, reference: str) -> Withdrawal:
    with transaction.atomic():
        row = Withdrawal.objects.select_for_update(no_key=True).get(id=withdrawal_id)
        if row.state != state:
            return row
        held, world = chart.withdrawal(row.id), chart.provider(row.provider)
        _move(row, held, world, Purpose.WITHDRAWAL_PAID)
        row.state, row.paid_at, row.reference = State.PAID, timezone.now(), reference
        row.save(update_fields=["state", "paid_at", "reference"])
    return row


def _refused(withdrawal_id: UUID, refusal: PayoutRefused) -> Withdrawal:
    """The provider has said no. What it returned before stays returned; a person sees to the rest."""
    with transaction.atomic():
        row = Withdrawal.objects.select_for_update(no_key=True).get(id=withdrawal_id)
        if row.state != State.PAYING:
            return row
        returns.release(row.provider, [part for part in _parts(row) if part[0] not in refusal.done])
        row.why = str(refusal)
        if not refusal.done:
            return _give_back(row, State.FAILED)
        row.state, row.reference = State.BY_HAND, ", ".join(refusal.done)
        row.save(update_fields=["state", "reference", "why"])
    return row


def _parts(row: Withdrawal) -> tuple[tuple[str, int], ...]:
    return tuple((str(payment), int(cents)) for payment, cents in row.parts)


def _give_back(row: Withdrawal, state: State) -> Withdrawal:
    _move(row, chart.withdrawal(row.id), chart.player(row.user_id), Purpose.WITHDRAWAL_BACK)
    row.state, row.decided_at = state, timezone.now()
    row.save()
    return row


def _move(row: Withdrawal, source: AccountRef, target: AccountRef, purpose: Purpose) -> None:
    ledger.move(
        key=f"{purpose}:{row.id}",
        source=source,
        target=target,
        amount=row.amount,
        purpose=purpose,
        currency=Currency.USD,
    )


def _locked(withdrawal_id: UUID, *states: State) -> Withdrawal:
    row = Withdrawal.objects.select_for_update(no_key=True).filter(id=withdrawal_id).first()
    if row is None or row.state not in states:
        raise WithdrawalDecided
    return row


def _require_amount(amount: int) -> None:
    if type(amount) is not int:
        raise BadAmount
    if amount < LEAST:
        raise AmountTooSmall(least=format_amount(LEAST, Currency.USD))


def _require_anothers(row: Withdrawal, by: User) -> None:
    if row.user_id == by.pk:
        raise OwnWithdrawal


def _sum_of_a_day(user_id: int) -> int:
    """What the player has asked for in 24 hours and not got back, so that parts count as the whole."""
    rows = Withdrawal.objects.filter(user_id=user_id, created_at__gte=timezone.now() - DAY)
    return rows.exclude(state__in=BACK).aggregate(total=Sum("amount"))["total"] or 0


def _record(row: Withdrawal, by: User, action: str, why: str, *, before: State) -> None:
    audit.record(
        by=by,
        action=action,
        why=why,
        whom=row.user,
        about=f"withdrawal:{row.id}",
        change=audit.Change(before={"state": before}, after={"state": row.state}),
    )
