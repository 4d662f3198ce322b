"""Laws between the ledger and what stands around it: deposits, withdrawals, awards, corrections.

Keys are compared here and not in the database: the two databases write a uuid differently.
"""

from collections.abc import Collection, Iterator
from typing import Any, Final, TypeVar

from django.db.models import F, Model, Q, QuerySet, Subquery, Sum
from django.db.models.expressions import OuterRef
from django.db.models.functions import Coalesce

from wallet import chart, reconcile
from wallet.chart import Purpose
from wallet.models import (
    Account,
    Award,
    Campaign,
    Correction,
    Deposit,
    PaymentTask,
    Transfer,
    Withdrawal,
)

State = Withdrawal.State
HELD: Final = (State.ASKED, State.APPROVED, State.PAYING, State.BY_HAND)
AT_ONCE: Final = 1_000
OF_A_CLOSURE: Final = "closure:"
Row = TypeVar("Row", bound=Model)


def deposits_are_paid_once() -> Iterator[str]:
    """A deposit that is paid has moved its amount, once; any other has moved nothing."""
    for rows in _chunks(Deposit.objects.order_by("pk")):
        moved = _moved({f"deposit:{row.pk}" for row in rows})
        for row in rows:
            due = row.amount if row.state == Deposit.State.PAID else 0
            found = moved.get(f"deposit:{row.pk}", 0)
            if found != due:
                yield f"{row}: {row.state}, {due} due, {found} credited"


def withdrawals_hold_what_they_say() -> Iterator[str]:
    """A withdrawal holds its amount until it is paid or returned, then nothing."""
    for rows in _chunks(Withdrawal.objects.order_by("pk")):
        codes = {row.pk: chart.withdrawal(row.pk).code for row in rows}
        held = dict(Account.objects.filter(code__in=codes.values()).values_list("code", "balance"))
        for row in rows:
            due = row.amount if row.state in HELD else 0
            found = held.get(codes[row.pk], 0)
            if found != due:
                yield f"{row}: {row.state}, {due} due, {found} held"


def what_is_paid_out_was_approved() -> Iterator[str]:
    """Money that has left for a player was approved, and says so."""
    for rows in _chunks(Withdrawal.objects.order_by("pk")):
        moved = _moved({f"{Purpose.WITHDRAWAL_PAID}:{row.pk}" for row in rows})
        for row in rows:
            is_paid = f"{Purpose.WITHDRAWAL_PAID}:{row.pk}" in moved
            if is_paid != (row.state == State.PAID) or (is_paid and row.decided_at is None):
                yield f"{row}: {row.state}, paid: {is_paid}"


def awards_stay_within_their_budgets() -> Iterator[str]:
    """A campaign has spent what its paid awards come to, and no more than its budget."""
    paid = Award.objects.filter(campaign=OuterRef("pk"), paid_at__isnull=False)
    sums = paid.order_by().values("campaign").annotate(total=Sum("reward")).values("total")
    rows = Campaign.objects.annotate(paid=Coalesce(Subquery(sums), 0))
    for row in rows.exclude(Q(spent=F("paid")) & Q(spent__lte=F("budget"))):
        yield f"{row}: {row.spent} spent of {row.budget}, {row.paid} awarded"


def awards_are_paid_once() -> Iterator[str]:
    """An award that is paid has moved its reward, once; any other has moved nothing."""
    for rows in _chunks(Award.objects.order_by("pk")):
        moved = _moved({f"award:{row.pk}" for row in rows})
        for row in rows:
            due = row.reward if row.paid_at is not None else 0
            found = moved.get(f"award:{row.pk}", 0)
            if found != due:
                yield f"{row}: {due} due, {found} moved"


def corrections_are_made_by_two_people() -> Iterator[str]:
    """Every correction in the ledger was proposed by one person of the staff and made by another.

    What closing an account moves is agreed upon there (accounts.moderation.closing).
    """
    made = Correction.objects.filter(state=Correction.State.MADE)
    agreed = {f"{row.what}:{row.pk}": row.amount for row in made}
    rows = Transfer.objects.filter(purpose=Purpose.CORRECTION).exclude(key__startswith=OF_A_CLOSURE)
    for transfer in rows.order_by("id"):
        if agreed.get(transfer.key) != transfer.amount:
            yield f"{transfer}: nobody has agreed to it"


def what_went_back_is_accounted_for() -> Iterator[str]:
    """What tasks took back has left the player and the house."""
    for row in PaymentTask.objects.filter(Q(taken_back__gt=0) | Q(borne__gt=0)).order_by("pk"):
        moved = _moved({f"payment_task:{row.pk}:player", f"payment_task:{row.pk}:house"})
        if sum(moved.values()) != row.taken_back + row.borne:
            yield f"{row}: {row.taken_back + row.borne} taken back, {sum(moved.values())} moved"


def register() -> None:
    """Adds these laws to the checker."""
    for law in (
        deposits_are_paid_once,
        withdrawals_hold_what_they_say,
        what_is_paid_out_was_approved,
        awards_stay_within_their_budgets,
        awards_are_paid_once,
        corrections_are_made_by_two_people,
        what_went_back_is_accounted_for,
    ):
        reconcile.register(law)


def _chunks(rows: QuerySet[Row, Any]) -> Iterator[list[Row]]:
    last = None
    while found := list((rows if last is None else rows.filter(pk__gt=last))[:AT_ONCE]):
        yield found
        last = found[-1].pk


def _moved(keys: Collection[str]) -> dict[str, int]:
    return dict(Transfer.objects.filter(key__in=keys).values_list("key", "amount"))
