"""A finding of the checker freezes payouts until a person has looked (quality.md 2)."""

import logging

import pytest
from django.core.cache import cache
from django.db import transaction
from django.db.models import F

from accounts import switches
from accounts.models import User
from accounts.switches import Name
from wallet import chart, ledger, rounds, services
from wallet.chart import AccountRef, Purpose
from wallet.errors import PayoutsFrozen
from wallet.models import Account
from wallet.money import Currency
from wallet.selectors import balance_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def anna() -> User:
    user = User.objects.create_user("anna@example.org", screen_name="Anna")
    services.open_wallet(user.pk)
    services.deposit_sandbox(user.pk, 5_000, "1")
    return user


def move(key: str, source: AccountRef, target: AccountRef, by: User) -> None:
    with transaction.atomic():
        ledger.move(
            key=key, source=source, target=target, amount=100, purpose=Purpose.CORRECTION,
            currency=Currency.USD, reason="paid out", by=by,
        )  # fmt: skip


def check() -> bool:
    cache.delete(rounds.TURN)
    return rounds.check()


def test_money_leaves_the_site_while_nothing_is_found(anna: User) -> None:
    assert check()
    move("out", chart.player(anna.pk), chart.provider("sandbox"), anna)
    assert balance_of(anna.pk, Currency.USD) == 4_900


def test_a_finding_freezes_payouts_at_once_and_says_so(
    anna: User, caplog: pytest.LogCaptureFixture
) -> None:
    Account.objects.filter(user=anna, currency="USD").update(balance=F("balance") + 1)
    with caplog.at_level(logging.ERROR):
        assert not check()
    assert "payouts are frozen" in caplog.text
    with pytest.raises(PayoutsFrozen):
        move("out", chart.player(anna.pk), chart.provider("sandbox"), anna)
    assert balance_of(anna.pk, Currency.USD) == 5_001


def test_play_and_deposits_go_on_meanwhile(anna: User) -> None:
    switches.turn(Name.PAYOUTS_FROZEN, on=True, why="test")
    services.deposit_sandbox(anna.pk, 500, "2")
    move("stake", chart.player(anna.pk), chart.promotions(), anna)
    assert balance_of(anna.pk, Currency.USD) == 5_400


def test_a_sound_round_does_not_let_them_go_but_a_person_does(anna: User) -> None:
    switches.turn(Name.PAYOUTS_FROZEN, on=True, why="test")
    assert check()
    with pytest.raises(PayoutsFrozen):
        move("out", chart.player(anna.pk), chart.provider("sandbox"), anna)
    switches.turn(Name.PAYOUTS_FROZEN, on=False, why="understood", by=anna)
    move("out", chart.player(anna.pk), chart.provider("sandbox"), anna)
