"""The money of a closed account: its balance, who lost to it, refunds and the pay-out. Registers with accounts."""

from collections import Counter
from collections.abc import Sequence
from typing import Final
from uuid import UUID

from django.db import transaction
from django.db.models import Case, F, Max, Q, Sum, When

from accounts.models import User
from accounts.moderation import estates
from accounts.moderation.estates import Flow, Loss
from wallet import chart, ledger, selectors, withdrawals
from wallet.chart import MATCH_PURPOSES, Kind, Purpose
from wallet.models import Transfer
from wallet.money import Currency

REFUND: Final = "refund"


class MoneyOfPeople:
    """What accounts may ask of the ledger. Amounts in cents."""

    def balance(self, user_id: int) -> int:
        """What they could spend now."""
        return selectors.balance_of(user_id, Currency.USD)

    def export(self, user_id: int) -> dict[str, object]:
        """Every line of their statements, as JSON has it: for themself."""
        return {currency.value: _exported(user_id, currency) for currency in Currency}

    def between(self, user_id: int, other_id: int) -> list[Flow]:
        """The ledger of a pair, above 0 towards the first: each match that is over, and corrections between them."""
        return _between(user_id, other_id)

    def losses_to(self, user_id: int) -> list[Loss]:
        """What each player has lost to them in all matches that are over, less what was refunded; the most first."""
        net: Counter[int] = Counter()
        over = Transfer.objects.filter(
            source__code=chart.player(user_id).code,
            currency=Currency.USD,
            purpose=Purpose.STAKE,
            target__balance=0,
        )
        moved = Transfer.objects.filter(
            match_id__in=over.values("match_id"), currency=Currency.USD, purpose__in=MATCH_PURPOSES
        ).order_by()
        paid = moved.filter(source__kind=Kind.PLAYER).values_list("source__user")
        for victim_id, amount in paid.annotate(sum=Sum("amount")):
            net[victim_id] += amount
        received = moved.filter(target__kind=Kind.PLAYER).values_list("target__user")
        for victim_id, amount in received.annotate(sum=Sum("amount")):
            net[victim_id] -= amount
        refunded = Transfer.objects.filter(
            source__code=chart.player(user_id).code,
            currency=Currency.USD,
            purpose=Purpose.CORRECTION,
            target__kind=Kind.PLAYER,
        ).order_by()
        for victim_id, amount in refunded.values_list("target__user").annotate(sum=Sum("amount")):
            net[victim_id] -= amount
        del net[user_id]
        return [Loss(victim_id, lost) for victim_id, lost in net.most_common() if lost > 0]

    def refund(
        self, user_id: int, refunds: Sequence[Loss], *, key: str, by: User, why: str
    ) -> None:
        """Pays the victims, all or none; the same key again pays nothing. Raises InsufficientFunds."""
        with transaction.atomic():
            ledger.move_many(
                [
                    ledger.Move(
                        key=f"{key}:{REFUND}:{one.user_id}",
                        source=chart.player(user_id),
                        target=chart.player(one.user_id),
                        amount=one.amount,
                        purpose=Purpose.CORRECTION,
                        currency=Currency.USD,
                        reason=why,
                        by=by,
                    )
                    for one in refunds
                ]
            )

    def pay_out(self, user_id: int, *, key: str, by: User, why: str) -> int:
        """Sends the whole balance out, as a withdrawal that is approved; the same key again sends nothing.

        Raises PayoutsFrozen.
        """
        return withdrawals.send_whole(user_id, key=key, by=by, why=why)


def _between(user_id: int, other_id: int) -> list[Flow]:
    mine, theirs = chart.player(user_id).code, chart.player(other_id).code
    stakes = Transfer.objects.filter(
        currency=Currency.USD, purpose=Purpose.STAKE, target__balance=0
    ).order_by()
    both = set(
        stakes.filter(source__code=mine)
        .filter(match_id__in=stakes.filter(source__code=theirs).values("match_id"))
        .values_list("match_id", flat=True)
    )
    flows = [_flow_of(match_id, mine) for match_id in both]
    direct = Transfer.objects.filter(
        Q(source__code=mine, target__code=theirs) | Q(source__code=theirs, target__code=mine),
        currency=Currency.USD,
    ).select_related("target")
    for one in direct:
        amount = one.amount if one.target.code == mine else -one.amount
        flows.append(Flow(one.created_at, amount, None, one.reason))
    return sorted(flows, key=lambda flow: flow.at, reverse=True)


def _flow_of(match_id: UUID | None, mine: str) -> Flow:
    """What a match brought to this account."""
    moved = Transfer.objects.filter(match_id=match_id, purpose__in=MATCH_PURPOSES).filter(
        Q(source__code=mine) | Q(target__code=mine)
    )
    signed = Case(When(target__code=mine, then=F("amount")), default=-F("amount"))
    found = moved.order_by().aggregate(sum=Sum(signed), at=Max("created_at"))
    return Flow(found["at"], found["sum"], match_id, "")


def _exported(user_id: int, currency: Currency) -> list[dict[str, object]]:
    lines = selectors.statement(user_id, currency, per_page=None).lines
    return [
        {
            "at": line.at.isoformat(),
            "cause": line.purpose.value,
            "change": line.change,
            "balance": line.balance,
            "match": str(line.match_id) if line.match_id else None,
        }
        for line in lines
    ]


def register() -> None:
    """Called once, from the app's start."""
    estates.register(money=MoneyOfPeople())
