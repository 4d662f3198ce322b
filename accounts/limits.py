"""Limits that players set on themselves, time-outs and self-exclusion (People 2). Knows no sums of money moved.

Stricter at once, looser after a day. What is in force is worked out when it is asked, so no job has to run.
"""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import ClassVar, Final

from django.conf import settings
from django.db import models, transaction
from django.db.models import Q
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext_lazy as _

from accounts.errors import Refused, gettext_noop

COOLING_OFF: Final = timedelta(hours=24)
"""How long a looser limit waits."""

MOST_CENTS: Final = 100_000_000
REMINDER_MINUTES: Final = (15, 30, 60, 120)

DAY: Final = timedelta(days=1)
WEEK: Final = timedelta(days=7)
MONTH: Final = timedelta(days=30)
YEAR: Final = timedelta(days=365)


class LimitKind(models.TextChoices):
    """What a player can limit; amounts in cents, the reminder in minutes."""

    DEPOSIT_DAY = "deposit_day", _("Deposits in 24 hours")
    DEPOSIT_WEEK = "deposit_week", _("Deposits in 7 days")
    DEPOSIT_MONTH = "deposit_month", _("Deposits in 30 days")
    LOSS_DAY = "loss_day", _("Losses in 24 hours")
    LOSS_WEEK = "loss_week", _("Losses in 7 days")
    LOSS_MONTH = "loss_month", _("Losses in 30 days")
    REMINDER = "reminder", _("Reminder of time and result")


DEPOSIT_KINDS: Final[Mapping[LimitKind, timedelta]] = {
    LimitKind.DEPOSIT_DAY: DAY,
    LimitKind.DEPOSIT_WEEK: WEEK,
    LimitKind.DEPOSIT_MONTH: MONTH,
}
LOSS_KINDS: Final[Mapping[LimitKind, timedelta]] = {
    LimitKind.LOSS_DAY: DAY,
    LimitKind.LOSS_WEEK: WEEK,
    LimitKind.LOSS_MONTH: MONTH,
}


class BreakKind(models.TextChoices):
    """Why somebody does not play for money for a while."""

    TIME_OUT = "time_out", _("time-out")
    SELF_EXCLUSION = "self_exclusion", _("self-exclusion")


TIME_OUTS: Final[Mapping[str, timedelta]] = {
    "day": DAY,
    "week": WEEK,
    "month": MONTH,
    "six_weeks": 6 * WEEK,
}
EXCLUSIONS: Final[Mapping[str, timedelta]] = {
    "half_year": timedelta(days=183),
    "year": YEAR,
    "five_years": 5 * YEAR,
}


class BadLimit(Refused):
    """Not an amount or a time that a limit can have."""

    code: ClassVar[str] = "bad_limit"
    text: ClassVar[str] = gettext_noop("This cannot be a limit. Choose another amount.")


class BadBreak(Refused):
    """Not a length that is offered."""

    code: ClassVar[str] = "bad_break"
    text: ClassVar[str] = gettext_noop("Choose how long it shall last.")


class OnTimeOut(Refused):
    """The player has asked not to play for money until then."""

    code: ClassVar[str] = "on_time_out"
    text: ClassVar[str] = gettext_noop(
        "You are taking a time-out from playing for money until %(until)s."
    )


class SelfExcluded(Refused):
    """The player has excluded themselves from playing for money until then."""

    code: ClassVar[str] = "self_excluded"
    text: ClassVar[str] = gettext_noop(
        "You have excluded yourself from playing for money until %(until)s."
    )


class PlayerLimit(models.Model):
    """What a player has set. `next_amount` takes over at `next_from`; an amount of None is no limit."""

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+", verbose_name=_("who")
    )
    kind = models.CharField(_("what"), max_length=16, choices=LimitKind)
    amount = models.BigIntegerField(_("limit"), null=True, blank=True)
    next_amount = models.BigIntegerField(_("later"), null=True, blank=True)
    next_from = models.DateTimeField(_("later from"), null=True, blank=True)
    set_at = models.DateTimeField(_("set"), auto_now=True)

    class Meta:
        verbose_name = _("limit of a player")
        verbose_name_plural = _("limits of players")
        constraints = [
            models.UniqueConstraint(fields=["user", "kind"], name="accounts_limit_once"),
            models.CheckConstraint(
                condition=(Q(amount__isnull=True) | Q(amount__gte=0))
                & (Q(next_amount__isnull=True) | Q(next_amount__gte=0)),
                name="accounts_limit_not_negative",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.user_id} {self.kind}"


class PlayBreak(models.Model):
    """A time-out or self-exclusion. Never shortened: there is no way back before its end."""

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+", verbose_name=_("who")
    )
    kind = models.CharField(_("what"), max_length=16, choices=BreakKind)
    began_at = models.DateTimeField(_("from"))
    ends_at = models.DateTimeField(_("until"))

    class Meta:
        verbose_name = _("time-out or self-exclusion")
        verbose_name_plural = _("time-outs and self-exclusions")
        indexes = [models.Index(fields=["user", "ends_at"], name="accounts_break_of_user")]
        constraints = [
            models.CheckConstraint(
                condition=Q(ends_at__gt=models.F("began_at")), name="accounts_break_has_length"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.user_id} {self.kind} until {self.ends_at:%Y-%m-%d}"


@dataclass(frozen=True, slots=True)
class Limit:
    """What is in force now, and what takes over later if `later_from` is set. None: no limit."""

    amount: int | None
    later: int | None = None
    later_from: datetime | None = None


NO_LIMIT: Final = Limit(None)


def limits_of(user_id: int) -> dict[LimitKind, Limit]:
    """Every kind, with what is in force now."""
    now = timezone.now()
    rows = {row.kind: row for row in PlayerLimit.objects.filter(user_id=user_id)}
    return {kind: _in_force(rows[kind], now) if kind in rows else NO_LIMIT for kind in LimitKind}


def amounts_of(
    user_ids: Collection[int], kinds: Collection[LimitKind]
) -> dict[int, dict[LimitKind, int]]:
    """The limits in force of several players, by player; players and kinds without a limit are left out."""
    now = timezone.now()
    found: dict[int, dict[LimitKind, int]] = {}
    for row in PlayerLimit.objects.filter(user_id__in=user_ids, kind__in=kinds):
        amount = _in_force(row, now).amount
        if amount is not None:
            found.setdefault(row.user_id, {})[LimitKind(row.kind)] = amount
    return found


def set_limit(user_id: int, kind: LimitKind, amount: int | None) -> Limit:
    """Sets a limit, in cents or minutes, or takes it away (None): stricter at once, looser after a day.

    What was still to come is replaced. Raises BadLimit.
    """
    _require_sound(kind, amount)
    now = timezone.now()
    with transaction.atomic():
        row, _made = PlayerLimit.objects.select_for_update().get_or_create(
            user_id=user_id, kind=kind
        )
        row.amount = _in_force(row, now).amount
        if _is_looser(amount, row.amount) and kind is not LimitKind.REMINDER:
            row.next_amount, row.next_from = amount, now + COOLING_OFF
        else:
            row.amount, row.next_amount, row.next_from = amount, None, None
        row.save()
    return _in_force(row, now)


def take_break(user_id: int, kind: BreakKind, length: str) -> PlayBreak:
    """No money play from now on, for one of TIME_OUTS or EXCLUSIONS. Raises BadBreak."""
    lengths = TIME_OUTS if kind is BreakKind.TIME_OUT else EXCLUSIONS
    if length not in lengths:
        raise BadBreak
    now = timezone.now()
    return PlayBreak.objects.create(
        user_id=user_id, kind=kind, began_at=now, ends_at=now + lengths[length]
    )


def break_of(user_id: int) -> PlayBreak | None:
    """The break that lasts longest, if there is one now."""
    running = PlayBreak.objects.filter(user_id=user_id, ends_at__gt=timezone.now())
    return running.order_by("-ends_at").first()


def require_no_break(user_id: int) -> None:
    """Raises OnTimeOut or SelfExcluded."""
    running = break_of(user_id)
    if running is None:
        return
    refusal = SelfExcluded if running.kind == BreakKind.SELF_EXCLUSION else OnTimeOut
    raise refusal(until=date_format(running.ends_at, "j F Y H:i") + " UTC")


def _require_sound(kind: LimitKind, amount: object) -> None:
    if amount is None:
        return
    if type(amount) is not int or not 0 <= amount <= MOST_CENTS:
        raise BadLimit
    if kind is LimitKind.REMINDER and amount not in REMINDER_MINUTES:
        raise BadLimit


def _is_looser(wanted: int | None, present: int | None) -> bool:
    if present is None:
        return False
    return wanted is None or wanted > present


def _in_force(row: PlayerLimit, now: datetime) -> Limit:
    if row.next_from is None:
        return Limit(row.amount)
    if row.next_from <= now:
        return Limit(row.next_amount)
    return Limit(row.amount, row.next_amount, row.next_from)
