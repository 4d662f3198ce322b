"""The laws of the ledger, on one connection."""

from uuid import uuid4

import pytest
from django.db import IntegrityError, connection, transaction
from django.db.models import F, Sum

from accounts.models import User
from wallet import chart, ledger, selectors
from wallet.chart import Kind, Purpose, WrongAccounts
from wallet.errors import (
    AmountTooLarge,
    AmountTooSmall,
    BadAmount,
    BalanceOutOfRange,
    InsufficientFunds,
    KeyReused,
)
from wallet.ledger import Move
from wallet.models import Account, Transfer
from wallet.money import MAX_AMOUNT, Currency

pytestmark = pytest.mark.django_db

USD = Currency.USD


def person(name: str) -> User:
    return User.objects.create_user(f"{name}@example.org", screen_name=name)


@pytest.fixture
def anna() -> User:
    return person("Anna")


@pytest.fixture
def boris() -> User:
    return person("Boris")


def pay_in(user: User, amount: int, key: str = "in") -> Transfer:
    return ledger.move(
        key=f"{key}:{user.pk}",
        source=chart.provider("sandbox"),
        target=chart.player(user.pk),
        amount=amount,
        purpose=Purpose.DEPOSIT,
        currency=USD,
    )


def stake(user: User, match_id, amount: int, key: str = "") -> Move:
    return Move(
        key=key or f"match:{match_id}:stake:{user.pk}",
        source=chart.player(user.pk),
        target=chart.escrow(match_id),
        amount=amount,
        purpose=Purpose.STAKE,
        currency=USD,
    )


def settlement(winner: User, match_id, prize: int, fees: int) -> list[Move]:
    return [
        Move(
            key=f"match:{match_id}:prize",
            source=chart.escrow(match_id),
            target=chart.player(winner.pk),
            amount=prize,
            purpose=Purpose.PRIZE,
            currency=USD,
        ),
        Move(
            key=f"match:{match_id}:commission",
            source=chart.escrow(match_id),
            target=chart.commission(),
            amount=fees,
            purpose=Purpose.COMMISSION,
            currency=USD,
        ),
    ]


def test_a_match_from_stakes_to_prize(anna: User, boris: User) -> None:
    """Money 2, worked: series to 3 at $10, fee 0.59 each: +8.82 and -10.00."""
    match_id = uuid4()
    pay_in(anna, 2_000)
    pay_in(boris, 2_000)
    ledger.move_many([stake(anna, match_id, 1_000), stake(boris, match_id, 1_000)])
    assert selectors.balance_of(anna.pk, USD) == 1_000
    assert selectors.held_of(anna.pk) == 1_000
    ledger.move_many(settlement(anna, match_id, prize=1_882, fees=118))
    assert selectors.balance_of(anna.pk, USD) == 2_882
    assert selectors.balance_of(boris.pk, USD) == 1_000
    assert selectors.held_of(anna.pk) == selectors.held_of(boris.pk) == 0
    assert Account.objects.get(kind=Kind.COMMISSION).balance == 118
    assert Account.objects.get(kind=Kind.ESCROW).balance == 0
    assert Account.objects.aggregate(all=Sum("balance"))["all"] == 0
    assert set(Transfer.objects.filter(match_id=match_id).values_list("purpose", flat=True)) == {
        "stake",
        "prize",
        "commission",
    }


def test_both_stakes_are_held_or_neither(anna: User, boris: User) -> None:
    """Money 2. The refusal says who falls short."""
    match_id = uuid4()
    pay_in(anna, 1_000)
    pay_in(boris, 999)
    with pytest.raises(InsufficientFunds) as refusal:
        ledger.move_many([stake(anna, match_id, 1_000), stake(boris, match_id, 1_000)])
    assert refusal.value.user_ids == (boris.pk,)
    assert selectors.balance_of(anna.pk, USD) == 1_000
    assert not Account.objects.filter(kind=Kind.ESCROW).exists()


def test_the_transaction_survives_an_overdraft(anna: User) -> None:
    pay_in(anna, 100)
    with pytest.raises(InsufficientFunds):
        ledger.move_many([stake(anna, uuid4(), 101)])
    ledger.move_many([stake(anna, uuid4(), 100)])
    assert selectors.balance_of(anna.pk, USD) == 0


def test_a_retry_moves_nothing_and_returns_the_first(anna: User) -> None:
    """Money 1. Also when the money has gone in the meantime."""
    match_id = uuid4()
    pay_in(anna, 100)
    first = ledger.move_many([stake(anna, match_id, 100)])
    again = ledger.move_many([stake(anna, match_id, 100)])
    assert [t.pk for t in first] == [t.pk for t in again]
    assert selectors.balance_of(anna.pk, USD) == 0
    assert pay_in(anna, 100).pk == Transfer.objects.earliest("pk").pk
    assert selectors.balance_of(anna.pk, USD) == 0


def test_a_batch_half_known_moves_the_other_half(anna: User, boris: User) -> None:
    match_id = uuid4()
    pay_in(anna, 100)
    pay_in(boris, 100)
    ledger.move_many([stake(anna, match_id, 100)])
    both = ledger.move_many([stake(anna, match_id, 100), stake(boris, match_id, 100)])
    assert [t.source.user_id for t in both] == [anna.pk, boris.pk]
    assert Account.objects.get(kind=Kind.ESCROW).balance == 200


def test_a_key_with_other_content_is_refused(anna: User, boris: User) -> None:
    """Bug L03: no other field gets round the key."""
    pay_in(anna, 100)
    for other in (
        {"amount": 99},
        {"target": chart.player(boris.pk)},
        {"source": chart.provider("other")},
        {"reason": "again"},
        {"by": boris},
    ):
        content = {
            "key": f"in:{anna.pk}",
            "source": chart.provider("sandbox"),
            "target": chart.player(anna.pk),
            "amount": 100,
            "purpose": Purpose.DEPOSIT,
            "currency": USD,
        } | other
        with pytest.raises(KeyReused):
            ledger.move(**content)
    assert selectors.balance_of(anna.pk, USD) == 100
    assert Transfer.objects.count() == 1


@pytest.mark.parametrize("amount", [True, 1.0, "1", None])
def test_an_amount_is_an_integer(anna: User, amount: object) -> None:
    with pytest.raises(BadAmount):
        pay_in(anna, amount)


def test_amounts_end_far_below_a_bigint(anna: User) -> None:
    with pytest.raises(AmountTooSmall):
        pay_in(anna, 0)
    with pytest.raises(AmountTooSmall):
        pay_in(anna, -5)
    with pytest.raises(AmountTooLarge):
        pay_in(anna, MAX_AMOUNT + 1)
    with pytest.raises(AmountTooLarge):
        pay_in(anna, 2**80)
    full = [
        Move(
            key=f"big:{n}",
            source=chart.provider("sandbox"),
            target=chart.player(anna.pk),
            amount=MAX_AMOUNT,
            purpose=Purpose.DEPOSIT,
            currency=USD,
        )
        for n in range(1_001)
    ]
    with pytest.raises(BalanceOutOfRange):
        ledger.move_many(full)
    ledger.move_many(full[:1_000])
    with pytest.raises(BalanceOutOfRange):
        pay_in(anna, 1)


def test_the_chart_says_who_pays_whom(anna: User, boris: User) -> None:
    with pytest.raises(WrongAccounts):
        ledger.move(
            key="gift",
            source=chart.player(anna.pk),
            target=chart.player(boris.pk),
            amount=1,
            purpose=Purpose.PRIZE,
            currency=USD,
        )
    with pytest.raises(WrongAccounts):
        ledger.move(
            key="chips for money",
            source=chart.issuer(),
            target=chart.player(anna.pk),
            amount=1,
            purpose=Purpose.CHIPS_REFILL,
            currency=USD,
        )


def test_money_never_moves_outside_a_transaction_of_its_cause() -> None:
    """The test's own transaction hides it, so the law itself is asked."""
    connection.in_atomic_block, kept = False, connection.in_atomic_block
    try:
        with pytest.raises(AssertionError):
            ledger.move_many([])
    finally:
        connection.in_atomic_block = kept


def test_a_correction_names_its_reason_and_its_author(anna: User, boris: User) -> None:
    """Money 1."""
    pay_in(anna, 100)
    words = {
        "key": "correction:1",
        "source": chart.player(anna.pk),
        "target": chart.provider("sandbox"),
        "amount": 100,
        "purpose": Purpose.CORRECTION,
        "currency": USD,
    }
    for lacking in ({"reason": "paid twice"}, {"by": boris}):
        with pytest.raises(IntegrityError, match="wallet_correction_explained"):
            ledger.move(**words, **lacking)
    ledger.move(**words, reason="paid twice", by=boris)
    assert selectors.balance_of(anna.pk, USD) == 0


# --- what the database refuses, whoever writes ---------------------------------------------------


def refuses(law: str):
    return pytest.raises(IntegrityError, match=law)


def test_the_database_refuses_an_overdraft(anna: User) -> None:
    """Money 1: player accounts can never go below zero, in the database."""
    pay_in(anna, 100)
    account = Account.objects.filter(user=anna)
    with refuses("wallet_no_overdraft"), transaction.atomic():
        account.update(balance=-1)
    with refuses("refused"), transaction.atomic():
        account.update(may_go_negative=True)
    with refuses("wallet_only_outside_unbounded"), transaction.atomic():
        Account.objects.create(
            code="x", kind=Kind.PLAYER, user=anna, currency=USD, may_go_negative=True
        )


def test_the_database_refuses_to_change_history(anna: User) -> None:
    transfer = pay_in(anna, 100)
    with refuses("refused"), transaction.atomic():
        Transfer.objects.filter(pk=transfer.pk).update(amount=200)
    with refuses("refused"), transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("DELETE FROM wallet_transfer")
    with refuses("refused"), transaction.atomic():
        Account.objects.filter(user=anna).update(currency="PLAY")
    with refuses("Cannot delete"), transaction.atomic():
        anna.delete()


def test_the_database_refuses_a_malformed_transfer(anna: User) -> None:
    pay_in(anna, 100)
    provider, player = Account.objects.order_by("kind")[::-1]
    chips = Account.objects.create(
        code="issuer", kind=Kind.ISSUER, currency="PLAY", may_go_negative=True
    )
    sound = {
        "key": "new",
        "source": provider,
        "target": player,
        "currency": "USD",
        "amount": 1,
        "purpose": "deposit",
    }
    for other, law in (
        ({"amount": 0}, "wallet_amount_positive"),
        ({"amount": -1}, "wallet_amount_positive"),
        ({"source": player}, "wallet_two_accounts"),
        ({"key": ""}, "wallet_key_given"),
        ({"key": f"in:{anna.pk}"}, r"wallet_key_once|wallet_transfer\.key"),
        ({"purpose": "gift"}, "wallet_known_purpose"),
        ({"source": chips}, "wallet_transfer_source_currency"),
        ({"currency": "PLAY"}, "wallet_transfer_source_currency"),
    ):
        with refuses(law), transaction.atomic():
            Transfer.objects.create(**sound | other)


def test_balances_are_changed_where_they_lie(anna: User) -> None:
    """Bug L05: a balance read earlier is never written back."""
    pay_in(anna, 10, key="first")
    stale = Account.objects.get(user=anna)
    pay_in(anna, 20, key="second")
    Account.objects.filter(pk=stale.pk).update(balance=F("balance") + 0)
    assert selectors.balance_of(anna.pk, USD) == 30


def test_a_settlement_costs_five_statements(
    anna: User, boris: User, django_assert_num_queries
) -> None:
    """Savepoint, lock, record, add, release; a match's first hold also makes its escrow."""
    match_id = uuid4()
    pay_in(anna, 100)
    pay_in(boris, 100)
    with django_assert_num_queries(6):
        ledger.move_many([stake(anna, match_id, 100), stake(boris, match_id, 100)])
    ledger.move(
        key="fee",
        source=chart.escrow(match_id),
        target=chart.commission(),
        amount=1,
        purpose=Purpose.COMMISSION,
        currency=USD,
    )
    with django_assert_num_queries(5):
        ledger.move_many(settlement(anna, match_id, prize=190, fees=9))
