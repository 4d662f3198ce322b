"""Tasks about payments for staff: opened by events of providers, closed by people. An open one holds withdrawals."""

from django.db import transaction
from django.utils import timezone

from accounts import audit
from accounts.models import User
from wallet import chart, ledger, second_person
from wallet.chart import Purpose
from wallet.errors import ReasonNeeded, TaskClosed
from wallet.ledger import Move
from wallet.models import Deposit, PaymentTask
from wallet.money import Currency

LONGEST_SAID = 300


def are_open(user_id: int) -> bool:
    """Whether something about this player's payments waits for a person."""
    return PaymentTask.objects.filter(user_id=user_id, closed_at__isnull=True).exists()


def open_task(
    kind: PaymentTask.Kind, *, key: str, amount: int, says: str, deposit: Deposit | None = None
) -> None:
    """Once for each key; `amount` in cents is what the player may owe."""
    PaymentTask.objects.get_or_create(
        key=key,
        defaults={
            "kind": kind,
            "amount": amount,
            "says": says[:LONGEST_SAID],
            "deposit": deposit,
            "user_id": None if deposit is None else deposit.user_id,
        },
    )


def close(task_id: int, *, by: User, note: str, take_back: bool) -> PaymentTask:
    """Somebody has looked. `take_back`: the amount leaves the player as far as they have it, then the house.

    Above the set sum the first person's agreement is kept, and another one closes.
    Raises ReasonNeeded, TaskClosed, SecondPersonNeeded, PayoutsFrozen.
    """
    if not note.strip():
        raise ReasonNeeded
    with transaction.atomic():
        task = PaymentTask.objects.select_for_update(no_key=True).get(pk=task_id)
        if task.closed_at is not None:
            raise TaskClosed
        moved = task.amount if take_back else 0
        if not second_person.decides(by, first_id=task.first_by_id, amount=moved):
            task.first_by = by
            task.save(update_fields=["first_by"])
            _record(task, by, "agree_payment_task", note)
            return task
        if moved and task.deposit is not None:
            _take_back(task, task.deposit)
        task.closed_at, task.closed_by, task.note = timezone.now(), by, note
        task.save()
        _record(task, by, "close_payment_task", note)
    return task


def _take_back(task: PaymentTask, deposit: Deposit) -> None:
    """What has gone back to the payer is no longer here: the player's first, the rest the house's."""
    player, house = chart.player(deposit.user_id), chart.commission()
    world = chart.provider(deposit.provider)
    have = ledger.locked_balances(Currency.USD, [player, house, world])
    task.taken_back = min(task.amount, have[player])
    task.borne = min(task.amount - task.taken_back, have[house])
    parts = (("player", player, task.taken_back), ("house", house, task.borne))
    ledger.move_many(
        [
            Move(
                key=f"payment_task:{task.pk}:{name}",
                source=source,
                target=world,
                amount=amount,
                purpose=Purpose.DEPOSIT_BACK,
                currency=Currency.USD,
                reason=task.says,
            )
            for name, source, amount in parts
            if amount
        ]
    )


def _record(task: PaymentTask, by: User, action: str, note: str) -> None:
    audit.record(
        by=by,
        action=action,
        why=note,
        whom=task.user,
        about=f"payment_task:{task.pk}",
        change=audit.Change(after={"taken_back": task.taken_back, "borne": task.borne}),
    )
