"""A list of small checks, each named for its law, that the money is where the ledger says.

Apps above register their own (matches settled once, escrow covers) from their AppConfig.ready.
A check reads, never mends, and yields one line for each thing it finds.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from time import perf_counter
from typing import Final, TypeAlias

from django.db import connection, transaction
from django.db.models import Count, Exists, F, OuterRef, Subquery, Sum
from django.db.models.functions import Coalesce

from wallet.chart import UNBOUNDED, Purpose
from wallet.models import Account, Transfer

Check: TypeAlias = Callable[[], Iterable[str]]

MOST_LINES: Final = 50
"""Findings of one check that are listed; the rest is counted."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What one check found. `law` is the first line of its docstring."""

    name: str
    law: str
    findings: tuple[str, ...]
    took_ms: int


_checks: dict[str, Check] = {}


def register(check: Check) -> Check:
    """Adds a check under its function's name; usable as a decorator. The same name replaces."""
    _checks[check.__name__] = check
    return check


def run() -> list[Outcome]:
    """All checks, on one snapshot of the database where it can keep one."""
    with transaction.atomic():
        if connection.vendor == "postgresql" and not _inside_another():
            with connection.cursor() as cursor:
                cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
        return [_outcome(check) for check in tuple(_checks.values())]


def _inside_another() -> bool:
    """A snapshot can only be chosen before a transaction's first statement."""
    return bool(connection.savepoint_ids)


def _outcome(check: Check) -> Outcome:
    start = perf_counter()
    findings = tuple(check())
    took_ms = round((perf_counter() - start) * 1_000)
    law = (check.__doc__ or check.__name__).strip().splitlines()[0]
    return Outcome(check.__name__, law, findings, took_ms)


# --- the ledger's own laws ------------------------------------------------------------------------


@register
def accounts_sum_to_zero() -> Iterator[str]:
    """The sum of all accounts of a currency is 0."""
    sums = Account.objects.values("currency").annotate(total=Sum("balance")).exclude(total=0)
    for row in sums:
        yield f"{row['currency']}: the accounts sum to {row['total']}"


@register
def balances_equal_their_transfers() -> Iterator[str]:
    """Every balance is what came in less what went out."""
    received = _sums_by("target")
    paid = _sums_by("source")
    posted = Coalesce(received, 0) - Coalesce(paid, 0)
    wrong = Account.objects.annotate(posted=posted).exclude(balance=F("posted"))
    for account in wrong.order_by("id"):
        yield f"{account}: the balance is {account.balance}, the transfers give {account.posted}"


@register
def no_account_is_overdrawn() -> Iterator[str]:
    """Only the world outside and the issuer of chips are below zero."""
    below = Account.objects.filter(balance__lt=0).exclude(kind__in=UNBOUNDED)
    for account in below.order_by("id"):
        yield f"{account}: the balance is {account.balance}"


@register
def transfers_stay_in_their_currency() -> Iterator[str]:
    """Both ends of a transfer are accounts of its currency."""
    crossed = Transfer.objects.exclude(
        source__currency=F("currency"), target__currency=F("currency")
    )
    for transfer in crossed.order_by("id"):
        yield f"{transfer}: {transfer.currency} between accounts of another currency"


@register
def prizes_are_paid_once() -> Iterator[str]:
    """An escrow pays at most one prize."""
    paid = Transfer.objects.filter(purpose=Purpose.PRIZE).values("source__code")
    for row in paid.annotate(prizes=Count("id")).filter(prizes__gt=1).order_by("source__code"):
        yield f"{row['source__code']}: {row['prizes']} prizes"


@register
def escrows_pay_only_who_staked() -> Iterator[str]:
    """Prize and returned stakes go to players who paid into that escrow."""
    staked = Transfer.objects.filter(
        purpose=Purpose.STAKE, target=OuterRef("source"), source=OuterRef("target")
    )
    back = Transfer.objects.filter(purpose__in=[Purpose.PRIZE, Purpose.STAKE_BACK])
    strangers = back.filter(~Exists(staked))
    for transfer in strangers.select_related("target").order_by("id"):
        yield f"{transfer}: paid to {transfer.target.code}, who has no stake there"


def _sums_by(end: str) -> Subquery:
    sums = Transfer.objects.filter(**{end: OuterRef("pk")}).order_by().values(end)
    return Subquery(sums.annotate(total=Sum("amount")).values("total"))
