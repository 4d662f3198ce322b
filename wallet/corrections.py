"""Moves of the staff: one person proposes, another one makes or refuses. The ledger gets a new transfer, never an edit."""

from django.db import transaction
from django.utils import timezone

from accounts import audit
from accounts.models import User
from wallet import chart, ledger
from wallet.chart import AccountRef, Kind, Purpose, WrongAccounts
from wallet.errors import (
    AccountsDoNotFit,
    CorrectionDecided,
    OwnMove,
    ReasonNeeded,
    SecondPersonNeeded,
)
from wallet.models import Account, Correction
from wallet.money import Currency

What, State = Correction.What, Correction.State


def propose(
    *, what: Correction.What, source: Account, target: Account, amount: int, reason: str, by: User
) -> Correction:
    """Nothing moves yet. Raises ReasonNeeded, AccountsDoNotFit, OwnMove."""
    if not reason.strip():
        raise ReasonNeeded
    _require_fitting(what, source, target)
    _require_anothers(source, target, by)
    with transaction.atomic():
        row = Correction.objects.create(
            what=what, source=source, target=target, amount=amount, reason=reason, proposed_by=by
        )
        _record(row, by, "propose_correction", reason)
    return row


def make(correction_id: int, *, by: User, note: str = "") -> Correction:
    """The second person agrees, and the money moves, once.

    Raises CorrectionDecided, SecondPersonNeeded, OwnMove, InsufficientFunds, PayoutsFrozen.
    """
    with transaction.atomic():
        row = _decided(correction_id, by, State.MADE, note)
        ledger.move(
            key=f"{row.what}:{row.pk}",
            source=_ref(row.source),
            target=_ref(row.target),
            amount=row.amount,
            purpose=_PURPOSES[What(row.what)],
            currency=Currency(row.source.currency),
            reason=row.reason,
            by=row.proposed_by,
        )
        _record(row, by, "make_correction", note or row.reason)
    return row


def refuse(correction_id: int, *, by: User, note: str) -> Correction:
    """The second person does not agree. Raises ReasonNeeded, CorrectionDecided, SecondPersonNeeded, OwnMove."""
    if not note.strip():
        raise ReasonNeeded
    with transaction.atomic():
        row = _decided(correction_id, by, State.REFUSED, note)
        _record(row, by, "refuse_correction", note)
    return row


_PURPOSES = {What.CORRECTION: Purpose.CORRECTION, What.FUNDING: Purpose.FUNDING}


def _decided(correction_id: int, by: User, state: Correction.State, note: str) -> Correction:
    row = (
        Correction.objects.select_for_update(of=("self",))
        .select_related("source", "target", "proposed_by")
        .get(pk=correction_id)
    )
    if row.state != State.PROPOSED:
        raise CorrectionDecided
    if row.proposed_by_id == by.pk:
        raise SecondPersonNeeded
    _require_anothers(row.source, row.target, by)
    row.state, row.decided_by, row.decided_at, row.note = state, by, timezone.now(), note
    row.save()
    return row


def _require_fitting(what: Correction.What, source: Account, target: Account) -> None:
    if source.currency != target.currency or source.pk == target.pk:
        raise AccountsDoNotFit
    try:
        chart.require_payable(
            _PURPOSES[what], _ref(source), _ref(target), Currency(source.currency)
        )
    except WrongAccounts as error:
        raise AccountsDoNotFit from error


def _require_anothers(source: Account, target: Account, by: User) -> None:
    if by.pk in (source.user_id, target.user_id):
        raise OwnMove


def _ref(account: Account) -> AccountRef:
    """The account by its name; an escrow's transfers carry the match."""
    kind = Kind(account.kind)
    if kind is Kind.ESCROW:
        return chart.escrow_of_code(account.code)
    return AccountRef(kind, account.code, user_id=account.user_id)


def _record(row: Correction, by: User, action: str, why: str) -> None:
    facts = {
        "source": row.source.code,
        "target": row.target.code,
        "currency": row.source.currency,
        "amount": row.amount,
        "state": row.state,
    }
    change = audit.Change(after=facts)
    audit.record(by=by, action=action, why=why, about=f"correction:{row.pk}", change=change)
