"""The ledger under many hands: every thread has its own connection and its own transactions."""

import random
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
from uuid import UUID, uuid4

import pytest
from django.db import connection, transaction

from accounts.models import User
from wallet import chart, ledger, reconcile, selectors, services
from wallet.chart import Purpose
from wallet.errors import ChipsNotLow, InsufficientFunds, KeyReused
from wallet.ledger import Move
from wallet.models import Account, Transfer
from wallet.money import Currency

pytestmark = pytest.mark.django_db(transaction=True)

USD = Currency.USD


def person(name: str) -> User:
    return User.objects.create_user(f"{name}@example.org", screen_name=name)


def at_once(*tasks: Callable[[], object]) -> list[str]:
    """Starts all tasks at the same moment; gives "ok" or the refusal's code for each."""
    start = Barrier(len(tasks))

    def run(task: Callable[[], object]) -> str:
        try:
            start.wait()
            task()
        except (InsufficientFunds, KeyReused, ChipsNotLow) as refusal:
            return refusal.code
        finally:
            connection.close()
        return "ok"

    with ThreadPoolExecutor(len(tasks)) as pool:
        return list(pool.map(run, tasks))


def pay_in(user: User, amount: int, key: str) -> None:
    with transaction.atomic():
        ledger.move(
            key=key,
            source=chart.provider("sandbox"),
            target=chart.player(user.pk),
            amount=amount,
            purpose=Purpose.DEPOSIT,
            currency=USD,
        )


def stake(user: User, match_id: UUID, amount: int) -> Move:
    return Move(
        key=f"match:{match_id}:stake:{user.pk}",
        source=chart.player(user.pk),
        target=chart.escrow(match_id),
        amount=amount,
        purpose=Purpose.STAKE,
        currency=USD,
    )


def hold(*moves: Move) -> None:
    with transaction.atomic():
        ledger.move_many(moves)


def nothing_found() -> bool:
    return not any(outcome.findings for outcome in reconcile.run())


def test_eight_withdrawals_of_a_hundred_from_a_hundred() -> None:
    """Bug L03: exactly one goes through."""
    anna = person("Anna")
    pay_in(anna, 100, "in")
    said = at_once(*(lambda: hold(stake(anna, uuid4(), 100)) for _ in range(8)))
    assert Counter(said) == {"ok": 1, "insufficient_funds": 7}
    assert selectors.balance_of(anna.pk, USD) == 0
    assert nothing_found()


def test_two_withdrawals_of_sixty_from_a_hundred() -> None:
    """Bug L01: the balance is judged under the row's lock."""
    anna = person("Anna")
    pay_in(anna, 100, "in")
    said = at_once(*(lambda: hold(stake(anna, uuid4(), 60)) for _ in range(2)))
    assert sorted(said) == ["insufficient_funds", "ok"]
    assert selectors.balance_of(anna.pk, USD) == 40


def test_no_update_is_lost() -> None:
    """Bug L05: +10 and +20 at the same time, also on an account that has no row yet."""
    anna = person("Anna")
    assert at_once(lambda: pay_in(anna, 10, "ten"), lambda: pay_in(anna, 20, "twenty")) == [
        "ok",
        "ok",
    ]
    assert selectors.balance_of(anna.pk, USD) == 30
    assert nothing_found()


def test_one_key_delivered_eight_times_at_once() -> None:
    """Bug L07: applied once, and nobody is told otherwise."""
    anna = person("Anna")
    assert at_once(*(lambda: pay_in(anna, 10, "once") for _ in range(8))) == ["ok"] * 8
    assert selectors.balance_of(anna.pk, USD) == 10
    assert Transfer.objects.count() == 1


def test_one_key_with_eight_contents_at_once() -> None:
    people = [person(f"Player{n}") for n in range(8)]
    said = at_once(*(lambda one=one: pay_in(one, 10, "once") for one in people))
    assert Counter(said) == {"ok": 1, "key_reused": 7}
    assert sum(selectors.balance_of(one.pk, USD) for one in people) == 10


def test_starting_chips_are_given_once_and_one_refill_is_won() -> None:
    anna = person("Anna")
    assert at_once(*(lambda: services.open_wallet(anna.pk) for _ in range(6))) == ["ok"] * 6
    assert selectors.balance_of(anna.pk, Currency.PLAY) == 1_000
    spend = Move(
        key="spend",
        source=chart.player(anna.pk),
        target=chart.tournament(uuid4()),
        amount=950,
        purpose=Purpose.ENTRY,
        currency=Currency.PLAY,
    )
    hold(spend)
    said = at_once(*(lambda: services.refill_chips(anna.pk) for _ in range(6)))
    assert Counter(said) == {"ok": 1, "chips_not_low": 5}
    assert selectors.balance_of(anna.pk, Currency.PLAY) == 1_000
    assert nothing_found()


def play(people: list[User], seed: int, rounds: int) -> Counter[str]:
    """One worker: stakes and settlements between random players, some sent twice."""
    chance = random.Random(seed)
    said: Counter[str] = Counter()
    for _ in range(rounds):
        winner, loser = chance.sample(people, 2)
        match_id, amount = uuid4(), chance.randint(10, 400)
        try:
            hold(stake(winner, match_id, amount), stake(loser, match_id, amount))
        except InsufficientFunds:
            said["refused"] += 1
            continue
        for _ in range(chance.randint(1, 2)):
            hold(*settlement(winner, loser, match_id, amount))
        said["played"] += 1
    return said


def settlement(winner: User, loser: User, match_id: UUID, amount: int) -> list[Move]:
    escrow, fee, win = chart.escrow(match_id), amount // 20, amount - amount // 3
    parts = [
        ("prize", chart.player(winner.pk), amount + win - 2 * fee, Purpose.PRIZE),
        ("commission", chart.commission(), 2 * fee, Purpose.COMMISSION),
        ("back", chart.player(loser.pk), amount - win, Purpose.STAKE_BACK),
    ]
    return [
        Move(
            key=f"match:{match_id}:{word}",
            source=escrow,
            target=target,
            amount=sum_,
            purpose=purpose,
            currency=USD,
        )
        for word, target, sum_, purpose in parts
        if sum_
    ]


def test_jackhammer() -> None:
    """Eight workers on five accounts: no deadlock, no lost cent, and the checks find nothing."""
    people = [person(f"Player{n}") for n in range(5)]
    for one in people:
        pay_in(one, 1_000, f"in:{one.pk}")
    done: list[Counter[str]] = []
    said = at_once(*(lambda n=n: done.append(play(people, n, 15)) for n in range(8)))
    assert said == ["ok"] * 8
    total = sum(done, Counter())
    assert sum(total.values()) == 8 * 15
    assert total["played"] > 20
    assert not Account.objects.filter(kind=chart.Kind.ESCROW).exclude(balance=0).exists()
    assert nothing_found()
