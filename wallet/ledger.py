"""The only writer of money: one positive amount from here to there, once, by key.

Refuses to know why. Must run inside the caller's transaction, so that money and its cause are
committed together; a refusal undoes only the ledger's own part of it.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from django.db import IntegrityError, connection, transaction
from django.db.models import BigIntegerField, Case, F, Q, Value, When

from accounts.models import User
from wallet import chart, payouts
from wallet.chart import AccountRef, Purpose
from wallet.errors import (
    AmountTooLarge,
    AmountTooSmall,
    BadAmount,
    BalanceOutOfRange,
    InsufficientFunds,
    KeyReused,
)
from wallet.models import (
    ACCOUNT_ONCE,
    BALANCE_IN_RANGE,
    KEY_ONCE,
    NO_OVERDRAFT,
    Account,
    Transfer,
)
from wallet.money import MAX_AMOUNT, Currency, format_amount

Row: TypeAlias = tuple[AccountRef, Currency]


@dataclass(frozen=True, slots=True, kw_only=True)
class Move:
    """One transfer to make. `amount` is in minor units; `key` is chosen by the cause."""

    key: str
    source: AccountRef
    target: AccountRef
    amount: int
    purpose: Purpose
    currency: Currency
    reason: str = ""
    by: User | None = None


def move(  # noqa: PLR0913 - the one door to money: each word is named at every call
    *,
    key: str,
    source: AccountRef,
    target: AccountRef,
    amount: int,
    purpose: Purpose,
    currency: Currency,
    reason: str = "",
    by: User | None = None,
) -> Transfer:
    """One transfer; see `move_many`. The same key with the same content moves nothing again."""
    wanted = Move(
        key=key,
        source=source,
        target=target,
        amount=amount,
        purpose=purpose,
        currency=currency,
        reason=reason,
        by=by,
    )
    return move_many([wanted])[0]


def move_many(moves: Sequence[Move]) -> list[Transfer]:
    """All of the transfers or none, in the order given; they count as made at one moment.

    A key that was written before with the same content is a no-op that returns the first transfer.
    Raises BadAmount, PayoutsFrozen, KeyReused (same key, other content) and InsufficientFunds (names the players
    that fall short); the caller's transaction is usable after each of them. Locks the accounts in
    the order of their ids: a transaction that moves twice should do it in one call.
    """
    assert connection.in_atomic_block, "Money moves inside the transaction of its cause."
    assert len({wanted.key for wanted in moves}) == len(moves), "A key names one transfer."
    for wanted in moves:
        _require_sound(wanted)
    if any(payouts.is_payout(wanted.source, wanted.target) for wanted in moves):
        payouts.require_open()
    written: dict[str, Transfer] = {}
    while missing := [wanted for wanted in moves if wanted.key not in written]:
        try:
            with transaction.atomic():
                written |= {transfer.key: transfer for transfer in _write(missing)}
        except IntegrityError as error:
            if _broke(error, KEY_ONCE):
                written |= _written_before(missing, error)
            elif not _broke(error, ACCOUNT_ONCE):
                raise
            # Else another transaction made one of the accounts at this moment: look again.
    return [written[wanted.key] for wanted in moves]


def locked_balances(currency: Currency, refs: Iterable[AccountRef]) -> dict[AccountRef, int]:
    """Balances in minor units that nobody can change until the caller's transaction ends.

    Name every account that the transaction is going to move money between, so that all are
    locked in one order. Accounts without a row are made.
    """
    assert connection.in_atomic_block, "A lock lasts as long as the transaction."
    wanted = {(ref, currency): None for ref in refs}
    while True:
        try:
            with transaction.atomic():
                accounts = _locked(wanted)
        except IntegrityError as error:
            if not _broke(error, ACCOUNT_ONCE):
                raise
        else:
            return {ref: account.balance for (ref, _), account in accounts.items()}


def _require_sound(wanted: Move) -> None:
    if type(wanted.amount) is not int:
        raise BadAmount
    if wanted.amount < 1:
        raise AmountTooSmall(least=format_amount(1, wanted.currency))
    if wanted.amount > MAX_AMOUNT:
        raise AmountTooLarge(most=format_amount(MAX_AMOUNT, wanted.currency))
    chart.require_payable(wanted.purpose, wanted.source, wanted.target, wanted.currency)


def _write(moves: Sequence[Move]) -> list[Transfer]:
    """Locks, records, then lets the database judge the balances."""
    rows = {(ref, m.currency): None for m in moves for ref in (m.source, m.target)}
    accounts = _locked(rows)
    transfers = Transfer.objects.bulk_create(_transfer(m, accounts) for m in moves)
    changes = dict.fromkeys(accounts, 0)
    for m in moves:
        changes[m.source, m.currency] -= m.amount
        changes[m.target, m.currency] += m.amount
    try:
        _add({accounts[row].pk: change for row, change in changes.items()})
    except IntegrityError as error:
        _refuse(error, changes, accounts)
    return transfers


def _locked(rows: Iterable[Row]) -> dict[Row, Account]:
    """The accounts' rows, locked by ascending id; missing ones are made and so are ours alone."""
    rows = list(rows)
    wanted = Q()
    for currency in {currency for _, currency in rows}:
        codes = {ref.code for ref, other in rows if other is currency}
        wanted |= Q(code__in=codes, currency=currency)
    found = Account.objects.filter(wanted).order_by("id").select_for_update(no_key=True)
    accounts = {(account.code, account.currency): account for account in found}
    new = [_account(*row) for row in rows if (row[0].code, row[1]) not in accounts]
    new.sort(key=lambda account: (account.code, account.currency))
    for account in Account.objects.bulk_create(new):
        accounts[account.code, account.currency] = account
    return {row: accounts[row[0].code, row[1]] for row in rows}


def _account(ref: AccountRef, currency: Currency) -> Account:
    return Account(
        code=ref.code,
        kind=ref.kind,
        currency=currency,
        user_id=ref.user_id,
        may_go_negative=ref.kind in chart.UNBOUNDED,
    )


def _transfer(m: Move, accounts: dict[Row, Account]) -> Transfer:
    return Transfer(
        key=m.key,
        source=accounts[m.source, m.currency],
        target=accounts[m.target, m.currency],
        currency=m.currency,
        amount=m.amount,
        purpose=m.purpose,
        reason=m.reason,
        by=m.by,
        match_id=m.source.match_id or m.target.match_id,
    )


def _add(changes: dict[int, int]) -> None:
    """One statement for all balances; the constraints decide."""
    if connection.vendor == "postgresql":
        rows = ",".join(["(%s::bigint,%s::bigint)"] * len(changes))
        with connection.cursor() as cursor:
            cursor.execute(
                "UPDATE wallet_account AS a SET balance = a.balance + v.change"  # noqa: S608  only placeholders are joined
                f" FROM (VALUES {rows}) AS v(id, change) WHERE a.id = v.id",
                [value for pair in changes.items() for value in pair],
            )
            assert cursor.rowcount == len(changes)
        return
    amount = Case(
        *(When(pk=pk, then=Value(change)) for pk, change in changes.items()),
        output_field=BigIntegerField(),
    )
    changed = Account.objects.filter(pk__in=changes).update(balance=F("balance") + amount)
    assert changed == len(changes)


def _refuse(
    error: IntegrityError,
    changes: dict[Row, int],
    accounts: dict[Row, Account],
) -> None:
    """Says in the ledger's words which law the database kept."""
    if _broke(error, BALANCE_IN_RANGE):
        raise BalanceOutOfRange from error
    if _broke(error, NO_OVERDRAFT):
        short = [row[0] for row, change in changes.items() if accounts[row].balance + change < 0]
        players = tuple(ref.user_id for ref in short if ref.user_id is not None)
        raise InsufficientFunds(user_ids=players) from error
    raise error


def _written_before(moves: Sequence[Move], error: IntegrityError) -> dict[str, Transfer]:
    """The transfers that exist under these keys already; raises KeyReused if one says otherwise."""
    asked = {m.key: m for m in moves}
    known = Transfer.objects.select_related("source", "target").filter(key__in=asked)
    before = {transfer.key: transfer for transfer in known}
    if not before:
        raise error
    for key, transfer in before.items():
        if not _same(asked[key], transfer):
            raise KeyReused(key=key) from error
    return before


def _same(m: Move, transfer: Transfer) -> bool:
    return (
        transfer.source.code,
        transfer.target.code,
        transfer.currency,
        transfer.amount,
        transfer.purpose,
        transfer.reason,
        transfer.by_id,
    ) == (
        m.source.code,
        m.target.code,
        m.currency,
        m.amount,
        m.purpose,
        m.reason,
        m.by.pk if m.by else None,
    )


def _broke(error: IntegrityError, law: str) -> bool:
    """Whether the database named this constraint; SQLite names a unique one by its columns."""
    columns = {KEY_ONCE: "wallet_transfer.key", ACCOUNT_ONCE: "wallet_account.code"}
    said = str(error)
    return law in said or columns.get(law, law) in said
