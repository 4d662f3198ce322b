"""What players have set for themselves, held against the sums in the ledger (People 2).

Sums are taken under the lock of the player's account, so that two tabs, or a stake and a deposit, take turns.
"""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import timedelta

from django.utils import timezone

from accounts import limits
from accounts.errors import Refused
from accounts.limits import DEPOSIT_KINDS, LOSS_KINDS, Limit, LimitKind
from wallet import chart, ledger, selectors
from wallet.chart import AccountRef, Purpose
from wallet.errors import CannotStake, DepositLimitReached, LossLimitReached
from wallet.money import Currency, format_amount


@dataclass(frozen=True, slots=True)
class Allowance:
    """A limit and how much of it is used, in cents."""

    kind: LimitKind
    limit: Limit
    used: int


def allowances(user_id: int) -> list[Allowance]:
    """Every limit of sums, whether or not it is set."""
    known = limits.limits_of(user_id)
    deposits = [
        Allowance(kind, known[kind], deposited(user_id, span))
        for kind, span in DEPOSIT_KINDS.items()
    ]
    losses = [
        Allowance(kind, known[kind], max(0, lost(user_id, span)))
        for kind, span in LOSS_KINDS.items()
    ]
    return deposits + losses


def deposited(user_id: int, span: timedelta) -> int:
    """What the player has paid in within this time, or has begun to, in cents."""
    paid = selectors.moved_since(user_id, Purpose.DEPOSIT, timezone.now() - span)
    return paid + selectors.deposits_under_way(user_id)


def lost(user_id: int, span: timedelta) -> int:
    """What the player has lost, and could still lose in running matches, in cents; negative: won."""
    held = selectors.held_of(user_id, Currency.USD)
    return held - selectors.result_since(user_id, timezone.now() - span)


def require_may_pay_in(user_id: int, amount: int) -> None:
    """Raises DepositLimitReached. The caller holds the lock of the player's account."""
    for kind, limit in limits.amounts_of([user_id], DEPOSIT_KINDS).get(user_id, {}).items():
        left = limit - deposited(user_id, DEPOSIT_KINDS[kind])
        if amount > left:
            raise DepositLimitReached(
                limit=_usd(limit), days=DEPOSIT_KINDS[kind].days, left=_usd(max(0, left))
            )


def require_may_lose(user_id: int, amount: int) -> None:
    """Raises LossLimitReached if losing so much, in cents, would break one of the player's limits."""
    for kind, limit in limits.amounts_of([user_id], LOSS_KINDS).get(user_id, {}).items():
        left = limit - lost(user_id, LOSS_KINDS[kind])
        if amount > left:
            raise LossLimitReached(
                limit=_usd(limit),
                days=LOSS_KINDS[kind].days,
                left=_usd(max(0, left)),
                needed=_usd(amount),
            )


def require_may_stake(user_ids: Collection[int], amount: int, *, escrow: AccountRef) -> None:
    """Judges at the last moment, when stakes are held: breaks and limits of losses of all these players.

    Raises CannotStake, which says neither who nor why: both players read it. Locks the accounts, `escrow`
    too, when anybody has a limit.
    """
    try:
        for user_id in user_ids:
            limits.require_no_break(user_id)
        limited = limits.amounts_of(user_ids, LOSS_KINDS)
        if limited:
            players = [chart.player(user_id) for user_id in user_ids]
            ledger.locked_balances(Currency.USD, [*players, escrow])
        for user_id in limited:
            require_may_lose(user_id, amount)
    except Refused as refusal:
        raise CannotStake from refusal


def _usd(amount: int) -> str:
    return format_amount(amount, Currency.USD)
