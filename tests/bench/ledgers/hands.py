"""The same work for each ledger: one dollar cent from a player to a pool, committed before it counts.

A hand makes its accounts once (`prepare`) and then moves as it is told (`move`). Every one of them must refuse to
take a cent twice or to lose one; `total` proves it afterwards.
"""

from typing import Protocol

from django.db import connection, transaction

ACCOUNTS = 1_000
"""Players, and as many pools."""

RICH = 10_000_000
"""Cents that each player begins with."""


class Hand(Protocol):
    """A ledger as the bench drives it."""

    def prepare(self) -> None:
        """Accounts and their first money."""

    def move(self, key: str, player: int, pool: int) -> None:
        """One cent, in a transaction of its own."""

    def total(self) -> int:
        """Cents that have reached the pools."""


class Ours:
    """wallet.ledger: keys, chart of accounts, constraints, locks in one order."""

    def prepare(self) -> None:
        from uuid import UUID

        from accounts.models import User
        from wallet import chart, ledger
        from wallet.chart import Purpose
        from wallet.money import Currency

        users = User.objects.bulk_create(
            User(
                email=f"{n}@example.com",
                screen_name=f"bench{n}",
                look_shown=f"b{n}",
                look_small=f"b{n}",
                look_large=f"b{n}",
                password="!",
            )
            for n in range(ACCOUNTS)
        )
        pools = [chart.tournament(UUID(int=n)) for n in range(ACCOUNTS)]
        with transaction.atomic():
            ledger.locked_balances(Currency.USD, pools)
            ledger.move_many(
                [
                    ledger.Move(
                        key=f"rich:{user.pk}",
                        source=chart.provider("sandbox"),
                        target=chart.player(user.pk),
                        amount=RICH,
                        purpose=Purpose.DEPOSIT,
                        currency=Currency.USD,
                    )
                    for user in users
                ]
            )

    def move(self, key: str, player: int, pool: int) -> None:
        from uuid import UUID

        from wallet import chart, ledger
        from wallet.chart import Purpose
        from wallet.money import Currency

        with transaction.atomic():
            ledger.move(
                key=key,
                source=chart.player(player + 1),
                target=chart.tournament(UUID(int=pool)),
                amount=1,
                purpose=Purpose.ENTRY,
                currency=Currency.USD,
            )

    def total(self) -> int:
        from wallet.models import Account

        pools = Account.objects.filter(kind="tournament").values_list("balance", flat=True)
        return sum(pools)


class Plain:
    """SELECT … FOR UPDATE on both rows in one order, a look at the balance, one row written, two changed; plain SQL."""

    def prepare(self) -> None:
        with connection.cursor() as cursor:
            cursor.execute(
                "CREATE TABLE IF NOT EXISTS plain_account (id bigint PRIMARY KEY, balance bigint NOT NULL);"
                "CREATE TABLE IF NOT EXISTS plain_transfer (id bigserial PRIMARY KEY, key text NOT NULL UNIQUE,"
                " source bigint NOT NULL REFERENCES plain_account, target bigint NOT NULL REFERENCES plain_account,"
                " amount bigint NOT NULL, at timestamptz NOT NULL DEFAULT now());"
                "CREATE INDEX ON plain_transfer (source, id); CREATE INDEX ON plain_transfer (target, id)"
            )
            cursor.execute(
                "INSERT INTO plain_account SELECT n, CASE WHEN n < %s THEN %s ELSE 0 END"
                " FROM generate_series(0, 2 * %s - 1) AS n",
                [ACCOUNTS, RICH, ACCOUNTS],
            )

    def move(self, key: str, player: int, pool: int) -> None:
        with transaction.atomic(), connection.cursor() as cursor:
            cursor.execute(
                "SELECT id, balance FROM plain_account WHERE id IN (%s, %s) ORDER BY id FOR UPDATE",
                [player, ACCOUNTS + pool],
            )
            balances = dict(cursor.fetchall())
            assert balances[player] >= 1
            cursor.execute(
                "INSERT INTO plain_transfer (key, source, target, amount) VALUES (%s, %s, %s, 1)",
                [key, player, ACCOUNTS + pool],
            )
            for account, change in ((player, -1), (ACCOUNTS + pool, 1)):
                cursor.execute(
                    "UPDATE plain_account SET balance = balance + %s WHERE id = %s",
                    [change, account],
                )

    def total(self) -> int:
        with connection.cursor() as cursor:
            cursor.execute("SELECT sum(balance) FROM plain_account WHERE id >= %s", [ACCOUNTS])
            (found,) = cursor.fetchone()
        return int(found)


class Hordak:
    """django-hordak: a transaction with two legs; its own trigger proves that they sum to zero. It has no keys and
    lets a balance go below zero, so it does less than the others."""

    def __init__(self) -> None:
        self._accounts: dict[str, object] = {}

    def prepare(self) -> None:
        from hordak.models import Account, AccountType

        for n in range(ACCOUNTS):
            for kind in ("player", "pool"):
                Account.objects.create(
                    name=f"{kind}:{n}", type=AccountType.liability, currencies=["USD"]
                )

    def move(self, key: str, player: int, pool: int) -> None:
        from moneyed import Money

        with transaction.atomic():
            source, target = self._account(f"player:{player}"), self._account(f"pool:{pool}")
            source.transfer_to(target, Money("0.01", "USD"), description=key)  # type: ignore[attr-defined]

    def total(self) -> int:
        from hordak.models import Leg

        pools = Leg.objects.filter(account__name__startswith="pool:")
        return int(pools.count())

    def _account(self, name: str) -> object:
        from hordak.models import Account

        if name not in self._accounts:
            self._accounts[name] = Account.objects.get(name=name)
        return self._accounts[name]


HANDS: dict[str, tuple[type[Hand], str]] = {
    "ours": (Ours, "nardysite.settings.test"),
    "plain": (Plain, "nardysite.settings.test"),
    "hordak": (Hordak, "tests.bench.ledgers.hordak_settings"),
}
