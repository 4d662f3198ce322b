"""Fifty orders at once on one account, round after round; prints one JSON object a round.

    python -m tests.chaos.rush ROUNDS AT_ONCE SEED

Withdrawals as players ask for them, stakes, and prizes of a pool. In every other round nothing is settled: then
whatever was refused must be more than what is left.
"""

import json
import os
import random
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from threading import Barrier
from typing import Any
from uuid import UUID

import django

if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "nardysite.settings.test")
    django.setup()

from allauth.mfa.models import Authenticator
from django.db import connection, transaction
from django.utils import timezone

from accounts.models import User
from tests.chaos.stage import people
from wallet import chart, ledger, tokens, withdrawals
from wallet.chart import AccountRef, Purpose
from wallet.errors import InsufficientFunds
from wallet.money import Currency
from wallet.selectors import balance_of

OUTSIDE = chart.provider("chaos")
KINDS = ("withdraw", "stake", "settle")
SMALL, LARGE = 100, 500


@dataclass(frozen=True, slots=True)
class Order:
    """One of the fifty."""

    kind: str
    amount: int
    match: UUID


class Rounds:
    """All rounds on a few accounts."""

    def __init__(self, at_once: int, chance: random.Random) -> None:
        self._at_once = at_once
        self._chance = chance
        ids = [one["id"] for one in people(8, cents=5_000)]
        self._player, self._rival = ids[0], ids[1]
        self._who = User.objects.get(pk=self._player)
        self._who.identity_verified_at = timezone.now()
        self._who.save()
        totp = Authenticator.Type.TOTP
        Authenticator.objects.create(user=self._who, type=totp, data={"secret": "chaos"})
        self._pool = ThreadPoolExecutor(at_once)

    def play(self, rounds: int) -> Iterator[dict[str, Any]]:
        """One round after the other."""
        for number in range(rounds):
            yield self._round(number, settles=number % 2 == 1)
        self._pool.shutdown()

    def _round(self, number: int, *, settles: bool) -> dict[str, Any]:
        self._fill()
        before = balance_of(self._player, Currency.USD)
        orders = [self._order(settles=settles) for _ in range(self._at_once)]
        for order in orders:
            if order.kind == "settle":
                self._move(
                    order,
                    "rival",
                    Purpose.ENTRY,
                    chart.player(self._rival),
                    chart.tournament(order.match),
                )
        start = Barrier(self._at_once)
        done = list(self._pool.map(lambda order: self._send(order, start), orders))
        return {
            "number": number,
            "settles": settles,
            "before": before,
            "after": balance_of(self._player, Currency.USD),
            "orders": [
                [order.kind, order.amount, ok] for order, ok in zip(orders, done, strict=True)
            ],
        }

    def _fill(self) -> None:
        """Enough for about half of what will be asked, and for the rival's stakes."""
        for user, least in (
            (self._player, self._chance.randint(1_000, 8_000)),
            (self._rival, 30_000),
        ):
            missing = least - balance_of(user, Currency.USD)
            if missing > 0:
                order = Order("fill", missing, self._match())
                self._move(order, "in", Purpose.DEPOSIT, OUTSIDE, chart.player(user))

    def _match(self) -> UUID:
        return UUID(int=self._chance.getrandbits(128), version=4)

    def _order(self, *, settles: bool) -> Order:
        kind = self._chance.choice(KINDS if settles else KINDS[:2])
        return Order(kind, self._chance.randint(SMALL, LARGE), self._match())

    def _send(self, order: Order, start: Barrier) -> bool:
        player, pool = chart.player(self._player), chart.tournament(order.match)
        start.wait()
        try:
            match order.kind:
                case "withdraw":
                    withdrawals.ask(self._who, order.amount, tokens.issue(self._player))
                case "stake":
                    self._move(order, "stake", Purpose.STAKE, player, chart.escrow(order.match))
                case _:
                    self._move(order, "prize", Purpose.TOURNAMENT_PRIZE, pool, player)
        except InsufficientFunds:
            return False
        finally:
            connection.close()
        return True

    def _move(
        self, order: Order, word: str, purpose: Purpose, source: AccountRef, target: AccountRef
    ) -> None:
        with transaction.atomic():
            ledger.move(
                key=f"match:{order.match}:{word}",
                source=source,
                target=target,
                amount=order.amount,
                purpose=purpose,
                currency=Currency.USD,
            )


def main(rounds: int, at_once: int, seed: str) -> None:
    """One line a round."""
    for told in Rounds(at_once, random.Random(seed)).play(rounds):
        sys.stdout.write(json.dumps(told) + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main(int(sys.argv[1]), int(sys.argv[2]), sys.argv[3])
