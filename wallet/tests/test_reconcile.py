"""The checker finds what is wrong, names it, and can be extended from above."""

from collections.abc import Iterator

import pytest
from django.core.management import call_command
from django.db.models import F

from accounts.models import User
from wallet import chart, ledger, reconcile, services
from wallet.chart import Purpose
from wallet.models import Account, Transfer
from wallet.money import Currency

pytestmark = pytest.mark.django_db


@pytest.fixture
def anna() -> User:
    user = User.objects.create_user("anna@example.org", screen_name="Anna")
    services.open_wallet(user.pk)
    services.deposit_sandbox(user.pk, 5_000, "1")
    return user


def findings() -> dict[str, tuple[str, ...]]:
    return {outcome.name: outcome.findings for outcome in reconcile.run() if outcome.findings}


def test_a_sound_ledger_passes(anna: User, capsys) -> None:
    call_command("check_ledger")
    printed = capsys.readouterr().out
    assert "accounts_sum_to_zero" in printed
    assert "nothing found" in printed


def test_a_changed_balance_is_found_twice(anna: User, capsys) -> None:
    Account.objects.filter(user=anna, currency="USD").update(balance=F("balance") + 1)
    assert findings() == {
        "accounts_sum_to_zero": ("USD: the accounts sum to 1",),
        "balances_equal_their_transfers": (
            f"player:{anna.pk} USD: the balance is 5001, the transfers give 5000",
        ),
    }
    with pytest.raises(SystemExit) as end:
        call_command("check_ledger")
    assert end.value.code == 1
    printed = capsys.readouterr().err
    assert f"player:{anna.pk} USD: the balance is 5001" in printed


def test_a_transfer_without_its_balances_is_found(anna: User) -> None:
    provider, player = Account.objects.filter(currency="USD").order_by("-kind")
    Transfer.objects.create(
        key="by hand",
        source=provider,
        target=player,
        currency="USD",
        amount=7,
        purpose=Purpose.DEPOSIT,
    )
    assert set(findings()) == {"balances_equal_their_transfers"}


def test_a_second_prize_and_a_stranger_are_found(anna: User) -> None:
    from uuid import uuid4

    match_id = uuid4()
    boris = User.objects.create_user("boris@example.org", screen_name="Boris")
    words = {"currency": Currency.USD}
    ledger.move(
        key="stake",
        source=chart.player(anna.pk),
        target=chart.escrow(match_id),
        amount=100,
        purpose=Purpose.STAKE,
        **words,
    )
    for n, winner in enumerate((anna, boris)):
        ledger.move(
            key=f"prize:{n}",
            source=chart.escrow(match_id),
            target=chart.player(winner.pk),
            amount=50,
            purpose=Purpose.PRIZE,
            **words,
        )
    assert findings() == {
        "prizes_are_paid_once": (f"escrow:{match_id}: 2 prizes",),
        "escrows_pay_only_who_staked": (
            f"prize:1: paid to player:{boris.pk}, who has no stake there",
        ),
    }


def test_an_app_above_registers_its_own_check(monkeypatch) -> None:
    monkeypatch.setattr(reconcile, "_checks", dict(reconcile._checks))

    @reconcile.register
    def matches_are_settled_once() -> Iterator[str]:
        """A match is settled at most once."""
        yield "match 7: settled twice"

    assert findings() == {"matches_are_settled_once": ("match 7: settled twice",)}
    laws = {outcome.name: outcome.law for outcome in reconcile.run()}
    assert laws["matches_are_settled_once"] == "A match is settled at most once."
