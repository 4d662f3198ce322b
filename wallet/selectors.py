"""Questions about money: what a player has, what is held, what a statement shows. Writes nothing."""

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Final, TypeAlias
from uuid import UUID

from django.db.models import (
    BigIntegerField,
    Case,
    CharField,
    Count,
    DateTimeField,
    F,
    Field,
    Func,
    Max,
    Q,
    QuerySet,
    Sum,
    Value,
    When,
    Window,
)
from django.db.models.functions import Cast
from django.utils import timezone

from wallet import chart
from wallet.chart import BORDER_PURPOSES, MATCH_PURPOSES, PLAY_PURPOSES, Kind, Purpose
from wallet.models import Account, Deposit, Transfer, Withdrawal
from wallet.money import Currency

PAGE: Final = 25
LONGEST_MATCH: Final = timedelta(days=31)
"""No match holds its stakes longer; so far back a line's first transfer may lie."""

_Rows: TypeAlias = QuerySet[Any, Any]


@dataclass(frozen=True, slots=True)
class Line:
    """One line of a statement, amounts in minor units: a transfer, or all that a match moved.

    `change` is what it did to the money; a stake that is still `held` did nothing yet.
    `balance` is all the player's money after it, held stakes included.
    """

    at: datetime
    purpose: Purpose
    change: int
    balance: int
    held: bool
    staked: int
    prize: int
    fees: int
    reason: str
    match_id: UUID | None


@dataclass(frozen=True, slots=True)
class Statement:
    """A page of lines, newest first."""

    lines: tuple[Line, ...]
    page: int
    has_older: bool


@dataclass(frozen=True, slots=True)
class Wanted:
    """Which lines: none of the purposes left out, and none before `since`."""

    purposes: tuple[Purpose, ...] = tuple(Purpose)
    since: datetime | None = None


ALL_LINES: Final = Wanted()


def balance_of(user_id: int, currency: Currency) -> int:
    """What the player can spend now, in minor units; stakes in running matches are not in it."""
    row = Account.objects.filter(code=chart.player(user_id).code, currency=currency)
    return row.values_list("balance", flat=True).first() or 0


def held_of(user_id: int, currency: Currency = Currency.USD) -> int:
    """What the player has at stake in running matches, in minor units."""
    stakes = Transfer.objects.filter(
        source__code=chart.player(user_id).code,
        source__currency=currency,
        purpose=Purpose.STAKE,
        target__kind=Kind.ESCROW,
        target__balance__gt=0,
    )
    return stakes.aggregate(held=Sum("amount"))["held"] or 0


def escrows_of(match_ids: Iterable[UUID]) -> dict[UUID, int]:
    """What each of these matches holds in escrow, in minor units; 0 where there is no account yet."""
    codes = {chart.escrow(match_id).code: match_id for match_id in match_ids}
    rows = Account.objects.filter(code__in=codes).values_list("code", "balance")
    held = dict.fromkeys(codes.values(), 0)
    for code, balance in rows:
        held[codes[code]] += balance
    return held


def statement(
    user_id: int,
    currency: Currency,
    *,
    page: int = 1,
    per_page: int | None = PAGE,
    only: Wanted | None = None,
) -> Statement:
    """A page of the player's statement, newest line first; all of it with `per_page=None`.

    A match is one line: held while it runs, then with its result and its fee. `only` leaves lines out; the
    balances of the others stay what they are.
    """
    rows = _lines(user_id, currency, only or ALL_LINES)
    if per_page is None:
        return Statement(_with_words(list(rows)), page=1, has_older=False)
    start = (page - 1) * per_page
    found = list(rows[start : start + per_page + 1])
    return Statement(_with_words(found[:per_page]), page=page, has_older=len(found) > per_page)


def changes_since(user_id: int, currency: Currency, since: datetime) -> list[tuple[datetime, int]]:
    """When the player's money changed and by how much, in minor units, oldest first."""
    recent = Q(created_at__gte=since - LONGEST_MATCH)
    rows = _grouped(user_id, currency, recent).filter(at__gte=since).order_by("last")
    return [(row["at"], row["counted"]) for row in rows if row["counted"]]


def result_since(user_id: int, since: datetime) -> int:
    """What playing for money has brought since then, in cents, fees taken off; what is still held counts nothing."""
    recent = Q(created_at__gte=since - LONGEST_MATCH, purpose__in=PLAY_PURPOSES)
    rows = _grouped(user_id, Currency.USD, recent).filter(at__gte=since)
    return sum(row["counted"] for row in rows)


def moved_since(user_id: int, purpose: Purpose, since: datetime | None = None) -> int:
    """What has come into the player's account for this purpose, in cents."""
    account = chart.player(user_id).code
    rows = Transfer.objects.filter(target__code=account, currency=Currency.USD, purpose=purpose)
    if since is not None:
        rows = rows.filter(created_at__gte=since)
    return rows.aggregate(total=Sum("amount"))["total"] or 0


def deposits_under_way(user_id: int) -> int:
    """What the player has begun to pay in and may still pay, in cents."""
    rows = Deposit.objects.filter(
        user_id=user_id, state=Deposit.State.OPEN, ends_at__gt=timezone.now()
    )
    return rows.aggregate(total=Sum("amount"))["total"] or 0


def net_deposits(user_id: int, since: datetime | None = None) -> int:
    """What the player has paid in less what was paid out or is on its way, in cents."""
    account = chart.player(user_id).code
    rows = Transfer.objects.filter(
        Q(source__code=account) | Q(target__code=account),
        currency=Currency.USD,
        purpose__in=BORDER_PURPOSES,
    )
    if since is not None:
        rows = rows.filter(created_at__gte=since)
    signed = Case(When(target__code=account, then=F("amount")), default=-F("amount"))
    return rows.aggregate(total=Sum(signed))["total"] or 0


def withdrawals_of(user_id: int, at_most: int = 10) -> list[Withdrawal]:
    """The player's latest withdrawals, the newest first."""
    return list(Withdrawal.objects.filter(user_id=user_id).order_by("-created_at")[:at_most])


class _Running(Func):
    """A sum over the lines so far; Django's own Sum refuses to add up aggregates."""

    function = "SUM"
    window_compatible = True
    output_field = BigIntegerField()


class _Same(Func):
    """What a line is anyway, but said by a window: so that a filter comes after the running balance."""

    function = "MAX"
    window_compatible = True


def _lines(user_id: int, currency: Currency, wanted: Wanted) -> _Rows:
    """Lines with their running balance, computed in one statement and so from one snapshot."""
    running = Window(_Running(F("counted")), order_by=F("last").asc())
    rows: _Rows = _grouped(user_id, currency).annotate(balance=running)
    if wanted != ALL_LINES:
        rows = rows.annotate(
            shown_purpose=_said(F("any_purpose"), CharField()),
            shown_at=_said(F("at"), DateTimeField()),
        ).filter(shown_purpose__in=wanted.purposes)
        if wanted.since is not None:
            rows = rows.filter(shown_at__gte=wanted.since)
    return rows.order_by("-last")


def _said(expression: F, field: Field[Any, Any]) -> Window:
    return Window(_Same(expression, output_field=field), partition_by=[F("line")])


def _grouped(user_id: int, currency: Currency, among: Q | None = None) -> _Rows:
    """The transfers of an account; those of one match are added up into one row."""
    code = chart.player(user_id).code
    of_match = Q(purpose__in=MATCH_PURPOSES, match_id__isnull=False)
    own = Transfer.objects.filter(
        Q(source__code=code) | Q(target__code=code), among or Q(), currency=currency
    ).annotate(
        line=Case(
            When(of_match, then=Cast("match_id", CharField())), default=Cast("id", CharField())
        )
    )
    signed = Case(When(target__code=code, then=F("amount")), default=-F("amount"))
    open_stakes = Count("id", filter=Q(purpose=Purpose.STAKE, target__balance__gt=0))
    return (
        own.values("line")
        .annotate(
            last=Max("id"),
            at=Max("created_at"),
            any_purpose=Max("purpose"),
            change=Sum(signed),
            staked=Sum("amount", filter=Q(purpose=Purpose.STAKE), default=0),
            prize=Sum("amount", filter=Q(purpose=Purpose.PRIZE), default=0),
            open=open_stakes,
        )
        .annotate(
            counted=Case(
                When(open__gt=0, then=Value(0)),
                default=F("change"),
                output_field=BigIntegerField(),
            )
        )
    )


def _with_words(rows: Collection[dict[str, Any]]) -> tuple[Line, ...]:
    """Adds what the last transfer of a line says, and the fees of the matches."""
    last = Transfer.objects.in_bulk([row["last"] for row in rows])
    fees = _fees([transfer.match_id for transfer in last.values() if transfer.match_id])
    return tuple(_line(row, last[row["last"]], fees) for row in rows)


def _fees(matches: Collection[UUID]) -> dict[UUID | None, int]:
    paid = Transfer.objects.filter(match_id__in=matches, purpose=Purpose.COMMISSION)
    sums = paid.values("match_id").annotate(total=Sum("amount"))
    return {row["match_id"]: row["total"] for row in sums}


def _line(row: dict[str, Any], last: Transfer, fees: dict[UUID | None, int]) -> Line:
    won = row["prize"] > 0
    return Line(
        at=row["at"],
        purpose=Purpose(last.purpose),
        change=row["change"],
        balance=int(row["balance"]),  # PostgreSQL adds up to a numeric
        held=row["open"] > 0,
        staked=row["staked"],
        prize=row["prize"],
        fees=fees.get(last.match_id, 0) if won else 0,
        reason=last.reason,
        match_id=last.match_id,
    )
