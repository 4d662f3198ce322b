"""Closing an account, by support or by its owner, and opening it again.

The account is shut in one transaction; then its sessions, tables and matches end, and its money goes where it was
said. What is interrupted in between is taken up again by a task: every step can be done twice.
"""

import logging
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Final

from allauth.usersessions.models import UserSession
from django.conf import settings
from django.contrib.sessions.models import Session
from django.db import transaction
from django.utils import timezone

from accounts import audit
from accounts.errors import Refused
from accounts.models import Case, Closure, User
from accounts.moderation import cases, estates, letters, shares
from accounts.moderation.errors import (
    AlreadyClosed,
    BalanceLeft,
    ClosingChanged,
    MatchRunning,
    NotAllowed,
    NotClosed,
    NothingWaits,
    NoVictims,
    SecondPersonNeeded,
    StaffAccount,
)
from accounts.moderation.estates import Loss, Running

log = logging.getLogger(__name__)
CLOSE: Final = "accounts.close_account"
SECOND: Final = "accounts.second_person"
ADMINISTER: Final = "accounts.manage_staff"
Matches, Money, State = Closure.Matches, Closure.Money, Closure.State


@dataclass(frozen=True, slots=True)
class Order:
    """How an account is to be closed. `victims`: whose losses are refunded, with Money.REFUND only."""

    reason: str
    note: str
    matches: str
    money: str
    victims: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Preview:
    """What an order would do now, in cents. `held` is what stays on the account."""

    balance: int
    refunds: tuple[Loss, ...]
    paid_out: int
    held: int
    running: tuple[Running, ...]
    needs_second: bool

    @property
    def moved(self) -> int:
        """What would leave the account."""
        return self.paid_out + sum(one.amount for one in self.refunds)


def preview(whom: User, order: Order) -> Preview:
    """The same figures as `close` moves if nothing changes in between. Raises NoVictims."""
    balance = estates.money().balance(whom.pk)
    refunds = _refunds(whom, order, balance)
    paid_out = balance if order.money == Money.PAY_OUT else 0
    moved = paid_out + sum(one.amount for one in refunds)
    return Preview(
        balance=balance,
        refunds=tuple(refunds),
        paid_out=paid_out,
        held=balance - moved,
        running=tuple(estates.matches().running(whom.pk)),
        needs_second=moved > settings.STAFF_ALONE_CENTS,
    )


def require_may_close(whom: User, by: User) -> None:
    """Raises NotAllowed, OwnAccount, StaffAccount."""
    if not by.has_perm(CLOSE):
        raise NotAllowed
    cases.require_deed(by=by, whom=whom, why="-")
    if whom.is_staff and not by.has_perm(ADMINISTER):
        raise StaffAccount


def close(whom: User, order: Order, *, by: User, seen: Preview) -> Closure:
    """Shuts the account now. `seen` is the preview that was agreed to.

    Raises what require_may_close and preview raise, ReasonMissing, AlreadyClosed, ClosingChanged.
    """
    require_may_close(whom, by)
    cases.require_reason(order.note)
    with transaction.atomic():
        _lock(whom)
        found = preview(whom, order)
        if (found.balance, found.refunds) != (seen.balance, seen.refunds):
            raise ClosingChanged
        closure = _shut(whom, order, by=by, refunds=found.refunds)
        change = audit.Change(
            before={"balance": found.balance, "running": [str(m.match_id) for m in found.running]},
            after={
                "reason": order.reason,
                "matches": order.matches,
                "money": order.money,
                "refunds": [asdict(one) for one in found.refunds],
                "paid_out": found.paid_out,
                "held": found.held,
            },
        )
        audit.record(by=by, action="close_account", why=order.note, whom=whom, change=change)
        cases.close(whom, Case.Kind.CONDUCT, by=by, confirmed=True, decision=order.note)
        cases.close(whom, Case.Kind.LINK, by=by, confirmed=True, decision=order.note)
    enforce(closure)
    return closure


def close_own(whom: User) -> Closure:
    """The owner's wish. Raises MatchRunning, BalanceLeft, AlreadyClosed."""
    order = Order(Closure.OWN_WISH, "", Matches.FINISH, Money.HOLD)
    with transaction.atomic():
        _lock(whom)
        if estates.playing([whom.pk]):
            raise MatchRunning
        if estates.money().balance(whom.pk) > 0:
            raise BalanceLeft
        closure = _shut(whom, order, by=whom)
    enforce(closure)
    return closure


def enforce(closure: Closure) -> None:
    """Ends sessions, open tables and matches, moves the money, writes to the owner. Doing it again changes nothing."""
    user = closure.user
    end_sessions(user)
    estates.tables().withdraw_all(user.pk)
    estates.matches().end(user.pk, closure.matches, reason="closed account")
    with transaction.atomic():
        locked = Closure.objects.select_for_update().get(pk=closure.pk)
        if locked.enforced_at is not None:
            return
        locked.enforced_at = timezone.now()
        locked.save(update_fields=["enforced_at"])
        transaction.on_commit(lambda: letters.closed(closure))
    closure.refresh_from_db()
    settle(closure)


def settle(closure: Closure) -> None:
    """Moves the money, once no match of theirs runs any more and, above the set sum, once a second person agreed."""
    with transaction.atomic():
        locked = Closure.objects.select_for_update().select_related("user", "by").get(pk=closure.pk)
        if locked.money_state != State.WAITS or estates.playing([locked.user_id]):
            return
        is_much = _sum_of(locked) > settings.STAFF_ALONE_CENTS
        locked.money_state = State.SECOND if is_much else _moved(locked)
        locked.save(update_fields=["money_state"])


def finish_all() -> int:
    """Whatever was interrupted, and money that waited for matches to end. Answers how many were looked at."""
    unfinished = Closure.objects.filter(enforced_at=None).select_related("user", "by")
    waiting = Closure.objects.filter(money_state=State.WAITS, enforced_at__isnull=False)
    looked_at = 0
    for closure, act in [*((c, enforce) for c in unfinished), *((c, settle) for c in waiting)]:
        looked_at += 1
        try:
            act(closure)
        except Refused as refused:
            log.warning("a closed account waits: %s", refused.code, extra={"closure": closure.pk})
    return looked_at


def approve(closure_id: int, *, by: User, why: str) -> None:
    """The second person agrees: the money moves as it was previewed.

    Raises NotAllowed, SecondPersonNeeded, OwnAccount, ReasonMissing; NothingWaits if somebody was faster.
    """
    with transaction.atomic():
        closure = _waiting_for_second(closure_id, by, why)
        sum_moved = _sum_of(closure)
        closure.second, closure.money_state = by, _moved(closure)
        closure.save(update_fields=["second", "money_state"])
        change = audit.Change(before={"state": State.SECOND}, after={"moved": sum_moved})
        _note_second(closure, by, "approve_money", why, change)


def decline(closure_id: int, *, by: User, why: str) -> None:
    """The second person does not agree: the money is held. Raises what approve raises."""
    with transaction.atomic():
        closure = _waiting_for_second(closure_id, by, why)
        closure.second, closure.money_state = by, State.DECLINED
        closure.save(update_fields=["second", "money_state"])
        change = audit.Change(before={"state": State.SECOND}, after={"state": State.DECLINED})
        _note_second(closure, by, "decline_money", why, change)


def reopen(whom: User, *, by: User, why: str) -> None:
    """Opens a closed account; money that has moved does not come back. Raises what require_may_close raises, NotClosed."""
    require_may_close(whom, by)
    cases.require_reason(why)
    with transaction.atomic():
        closure = Closure.objects.select_for_update().filter(user=whom, reopened_at=None).first()
        if closure is None:
            raise NotClosed
        before = {"reason": closure.reason, "money": closure.money_state}
        closure.reopened_at, closure.reopened_by = timezone.now(), by
        closure.enforced_at = closure.enforced_at or timezone.now()
        if closure.money_state in (State.WAITS, State.SECOND):
            closure.money_state = State.DECLINED
        closure.save()
        User.objects.filter(pk=whom.pk).update(is_active=True)
        audit.record(
            by=by,
            action="reopen_account",
            why=why,
            whom=whom,
            change=audit.Change(before=before, after={"open": True}),
        )
        cases.close(whom, Case.Kind.APPEAL, by=by, confirmed=True, decision=why)
        transaction.on_commit(lambda: letters.reopened(closure))


def of(user: User) -> Closure | None:
    """How an account is closed now; None if it is open."""
    return (
        Closure.objects.filter(user=user, reopened_at=None).select_related("by", "second").first()
    )


def has_money_business(user: User) -> bool:
    """Whether they play for money now, or have some."""
    return bool(estates.playing([user.pk])) or estates.money().balance(user.pk) > 0


def end_sessions(user: User) -> int:
    """Signs the account out everywhere; sockets end with their sessions."""
    keys = list(UserSession.objects.filter(user=user).values_list("session_key", flat=True))
    ended, _ = Session.objects.filter(session_key__in=keys).delete()
    UserSession.objects.filter(user=user).delete()
    return ended


def _lock(whom: User) -> None:
    """Who signs in, sits down or moves money of this account at the moment is waited for. Raises AlreadyClosed."""
    User.objects.select_for_update().get(pk=whom.pk)
    first = Closure.objects.select_related("by").filter(user=whom, reopened_at=None).first()
    if first is not None:
        raise AlreadyClosed(who=first.by.screen_name)


def _shut(whom: User, order: Order, *, by: User, refunds: Sequence[Loss] = ()) -> Closure:
    """From here on nobody signs in, sits down or opens a table under this account, which the caller has locked."""
    closure = Closure.objects.create(
        user=whom,
        reason=order.reason,
        note=order.note,
        by=by,
        matches=order.matches,
        money=order.money,
        money_state=State.DONE if order.money == Money.HOLD else State.WAITS,
        refunds=[{"user": one.user_id, "amount": one.amount} for one in refunds],
    )
    User.objects.filter(pk=whom.pk).update(is_active=False)
    whom.is_active = False
    return closure


def _refunds(whom: User, order: Order, balance: int) -> list[Loss]:
    if order.money != Money.REFUND:
        return []
    losses = [one for one in estates.money().losses_to(whom.pk) if one.user_id in order.victims]
    if not losses or len(losses) != len(set(order.victims)):
        raise NoVictims
    return shares.refunds(balance, losses)


def _losses(closure: Closure) -> Sequence[Loss]:
    return [Loss(one["user"], one["amount"]) for one in closure.refunds]


def _sum_of(closure: Closure) -> int:
    """What would leave the account now, in cents."""
    if closure.money == Money.PAY_OUT:
        return estates.money().balance(closure.user_id)
    return sum(one.amount for one in _losses(closure))


def _moved(closure: Closure) -> str:
    """Moves the money; answers the state it is in then."""
    key, why = f"closure:{closure.pk}", f"closed account: {closure.reason}"
    if closure.money == Money.PAY_OUT:
        estates.money().pay_out(closure.user_id, key=key, by=closure.by, why=why)
    elif refunds := _losses(closure):
        estates.money().refund(closure.user_id, refunds, key=key, by=closure.by, why=why)
    return State.DONE


def _waiting_for_second(closure_id: int, by: User, why: str) -> Closure:
    if not by.has_perm(SECOND):
        raise NotAllowed
    closure = (
        Closure.objects.select_for_update(of=("self",))
        .select_related("user", "by")
        .get(pk=closure_id)
    )
    if closure.by_id == by.pk:
        raise SecondPersonNeeded
    cases.require_deed(by=by, whom=closure.user, why=why)
    if any(one.user_id == by.pk for one in _losses(closure)):
        raise SecondPersonNeeded
    if closure.money_state != State.SECOND:
        raise NothingWaits
    return closure


def _note_second(closure: Closure, by: User, action: str, why: str, change: audit.Change) -> None:
    audit.record(
        by=by,
        action=action,
        why=why,
        whom=closure.user,
        about=f"closure:{closure.pk}",
        change=change,
    )
