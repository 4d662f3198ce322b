"""The checker's runs and laws, and corrections that two people make (Quality 2, Money 1)."""

from datetime import timedelta

import pytest
from django.core import mail
from django.core.cache import cache
from django.db import IntegrityError, transaction
from django.db.models import F
from django.test import Client
from django.utils import timezone

from accounts import switches
from accounts.models import StaffAction, User
from wallet import chart, corrections, ledger, reconcile, rounds, services
from wallet.chart import Purpose
from wallet.errors import (
    AccountsDoNotFit,
    CorrectionDecided,
    InsufficientFunds,
    OwnMove,
    PayoutsFrozen,
    ReasonNeeded,
    SecondPersonNeeded,
)
from wallet.models import (
    Account,
    Award,
    Campaign,
    CheckRun,
    Correction,
    Deposit,
    PaymentTask,
    Transfer,
    Withdrawal,
)
from wallet.money import Currency
from wallet.selectors import balance_of
from wallet.tests.test_payments import ask, at_once, begin, body, player, staff

pytestmark = pytest.mark.django_db
USD = Currency.USD
What = Correction.What


@pytest.fixture(autouse=True)
def _nothing_remembered() -> None:
    cache.delete_many([rounds.TURN, rounds.LATEST])


def account(code: str, currency: Currency = USD) -> Account:
    return Account.objects.get(code=code, currency=currency)


def purse(user: User) -> Account:
    return account(chart.player(user.pk).code)


def proposed(source: Account, target: Account, amount: int = 500, **words) -> Correction:
    known = {"what": What.CORRECTION, "reason": "paid twice"} | words
    return corrections.propose(source=source, target=target, amount=amount, **known)


def findings(name: str) -> tuple[str, ...]:
    return next(one.findings for one in reconcile.run() if one.name == name)


# --- corrections ----------------------------------------------------------------------------------


def test_one_person_proposes_and_another_makes() -> None:
    anna, boris, sofia, tom = (
        player(cents=5_000),
        player("Boris", 100),
        staff("Sofia"),
        staff("Tom"),
    )
    row = proposed(purse(anna), purse(boris), by=sofia)
    assert balance_of(boris.pk, USD) == 100
    with pytest.raises(SecondPersonNeeded):
        corrections.make(row.pk, by=sofia)
    corrections.make(row.pk, by=tom)
    assert (balance_of(anna.pk, USD), balance_of(boris.pk, USD)) == (4_500, 600)
    with pytest.raises(CorrectionDecided):
        corrections.make(row.pk, by=tom)
    with pytest.raises(CorrectionDecided):
        corrections.refuse(row.pk, by=tom, note="too late")
    transfer = Transfer.objects.get(purpose=Purpose.CORRECTION)
    assert (transfer.reason, transfer.by, transfer.key) == (
        "paid twice",
        sofia,
        f"correction:{row.pk}",
    )
    kept = StaffAction.objects.order_by("id").values_list("action", "by__screen_name")
    assert list(kept) == [("propose_correction", "Sofia"), ("make_correction", "Tom")]
    assert findings("corrections_are_made_by_two_people") == ()


def test_a_refused_correction_moves_nothing() -> None:
    anna, boris, sofia, tom = (
        player(cents=5_000),
        player("Boris", 100),
        staff("Sofia"),
        staff("Tom"),
    )
    row = proposed(purse(anna), purse(boris), by=sofia)
    with pytest.raises(ReasonNeeded):
        corrections.refuse(row.pk, by=tom, note="")
    corrections.refuse(row.pk, by=tom, note="it was right")
    assert balance_of(anna.pk, USD) == 5_000


def test_what_cannot_be_a_correction() -> None:
    anna, boris, sofia, tom = (
        player(cents=5_000),
        player("Boris", 100),
        staff("Sofia"),
        staff("Tom"),
    )
    services.open_wallet(anna.pk)
    chips = account(chart.player(anna.pk).code, Currency.PLAY)
    for source, target in ((purse(anna), purse(anna)), (purse(anna), chips)):
        with pytest.raises(AccountsDoNotFit):
            proposed(source, target, by=sofia)
    with pytest.raises(AccountsDoNotFit):
        proposed(purse(anna), purse(boris), what=What.FUNDING, by=sofia)
    with pytest.raises(ReasonNeeded):
        proposed(purse(anna), purse(boris), reason=" ", by=sofia)
    services.deposit_sandbox(tom.pk, 100, "1")
    with pytest.raises(OwnMove):
        proposed(purse(anna), purse(tom), by=tom)
    row = proposed(purse(anna), purse(tom), by=sofia)
    with pytest.raises(OwnMove):
        corrections.make(row.pk, by=tom)
    too_much = proposed(purse(anna), purse(boris), amount=5_001, by=sofia)
    with pytest.raises(InsufficientFunds):
        corrections.make(too_much.pk, by=tom)
    too_much.refresh_from_db()
    assert too_much.state == Correction.State.PROPOSED
    assert not Transfer.objects.filter(purpose=Purpose.CORRECTION).exists()


def test_the_database_wants_two_people() -> None:
    anna, boris, sofia = player(cents=5_000), player("Boris", 100), staff()
    row = proposed(purse(anna), purse(boris), by=sofia)
    with pytest.raises(IntegrityError), transaction.atomic():
        Correction.objects.filter(pk=row.pk).update(state="made", decided_by=sofia)


def test_five_people_at_once_make_it_once(transactional_db: None) -> None:
    anna, boris, sofia = player(cents=5_000), player("Boris", 100), staff()
    row = proposed(purse(anna), purse(boris), by=sofia)
    others = [staff(f"Helper{n}") for n in range(5)]
    said = at_once(*(lambda one=one: corrections.make(row.pk, by=one) for one in others))
    assert sorted(said) == ["correction_decided"] * 4 + ["ok"]
    assert balance_of(boris.pk, USD) == 600


def test_a_correction_to_the_outside_is_frozen_with_the_payouts() -> None:
    anna, sofia, tom = player(cents=5_000), staff("Sofia"), staff("Tom")
    row = proposed(purse(anna), account("provider:sandbox"), by=sofia)
    switches.turn(switches.Name.PAYOUTS_FROZEN, on=True, why="test")
    with pytest.raises(PayoutsFrozen):
        corrections.make(row.pk, by=tom)


def test_promotions_are_funded_by_two_people() -> None:
    player(cents=5_000)
    sofia, tom = staff("Sofia"), staff("Tom")
    with transaction.atomic():
        ledger.locked_balances(USD, [chart.promotions()])
    row = proposed(account("provider:sandbox"), account("promotions"), what=What.FUNDING, by=sofia)
    corrections.make(row.pk, by=tom)
    assert account("promotions").balance == 500


def test_the_admin_proposes_and_makes(client: Client) -> None:
    anna, boris, sofia, tom = (
        player(cents=5_000),
        player("Boris", 100),
        staff("Sofia"),
        staff("Tom"),
    )
    at = "/admin/wallet/correction/"
    words = {
        "what": "correction", "source": purse(anna).pk, "target": purse(boris).pk, "written": "5,00",
        "reason": "paid twice",
    }  # fmt: skip
    client.force_login(sofia)
    assert client.get(f"{at}add/").status_code == 200
    for wrong in ("1.005", "-1", "1e9", "0", "x", "\N{ARABIC-INDIC DIGIT FIVE}"):
        assert client.post(f"{at}add/", words | {"written": wrong}).status_code == 200
    client.post(f"{at}add/", words | {"target": purse(anna).pk})
    assert not Correction.objects.exists()
    assert client.post(f"{at}add/", words).status_code == 302
    row = Correction.objects.get()
    said = client.post(f"{at}{row.pk}/change/", {"deed": "make"}, follow=True)
    assert "needs a second person" in body(said)
    client.force_login(tom)
    assert "Make the move" in client.get(f"{at}{row.pk}/change/").content.decode()
    client.post(f"{at}{row.pk}/change/", {"deed": "make", "text": ""})
    assert balance_of(boris.pk, USD) == 600
    assert client.get(at).status_code == 200


# --- the checker ----------------------------------------------------------------------------------


def test_a_round_is_kept_and_shown(client: Client) -> None:
    player(cents=5_000)
    assert rounds.check()
    run = CheckRun.objects.get()
    assert run.found == 0
    assert {one["name"] for one in run.outcomes} >= {
        "accounts_sum_to_zero", "balances_equal_their_transfers", "matches_are_settled_once",
        "running_escrows_cover_the_most", "events_are_contiguous", "replay_equals_the_stored_position",
        "dice_of_recent_matches_verify", "deposits_are_paid_once", "withdrawals_hold_what_they_say",
    }  # fmt: skip
    client.force_login(staff())
    assert client.get("/admin/wallet/checkrun/").status_code == 200
    said = body(client.get(f"/admin/wallet/checkrun/{run.pk}/change/"))
    assert "The sum of all accounts of a currency is 0.: holds" in said
    assert (
        client.post(f"/admin/wallet/checkrun/{run.pk}/delete/", {"post": "yes"}).status_code == 403
    )


def test_old_rounds_without_a_finding_are_let_go() -> None:
    old = timezone.now() - timedelta(days=30)
    for found in (0, 1):
        CheckRun.objects.create(at=old, took_ms=1, found=found, outcomes=[])
    rounds.check()
    assert sorted(CheckRun.objects.values_list("found", flat=True)) == [0, 1]


def test_a_finding_freezes_alerts_once_and_shows_where(client: Client, settings) -> None:
    settings.ALERT_EMAILS = ["night@example.org"]
    anna = player(cents=5_000)
    Account.objects.filter(user=anna).update(balance=F("balance") + 1)
    for _ in range(2):
        cache.delete(rounds.TURN)
        assert not rounds.check()
    (letter,) = mail.outbox
    assert letter.to == ["night@example.org"]
    assert "balances_equal_their_transfers" in letter.body
    client.force_login(staff())
    run = CheckRun.objects.first()
    assert run is not None
    said = body(client.get(f"/admin/wallet/checkrun/{run.pk}/change/"))
    assert "the balance is 5001, the transfers give 5000" in said


def test_mail_that_cannot_be_sent_does_not_stop_the_checker(settings, monkeypatch) -> None:
    settings.ALERT_EMAILS = ["night@example.org"]
    settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
    settings.EMAIL_HOST, settings.EMAIL_PORT = "127.0.0.1", 1
    anna = player(cents=5_000)
    Account.objects.filter(user=anna).update(balance=F("balance") + 1)
    assert not rounds.check()
    assert switches.is_on(switches.Name.PAYOUTS_FROZEN)


def test_each_law_around_the_ledger_finds_what_breaks_it() -> None:
    anna, sofia = player(cents=9_000), staff()
    begin(anna, 2_000)
    first = ask(anna, 3_000)
    laws = (
        "deposits_are_paid_once", "withdrawals_hold_what_they_say", "what_is_paid_out_was_approved",
        "awards_stay_within_their_budgets", "awards_are_paid_once",
        "corrections_are_made_by_two_people", "what_went_back_is_accounted_for",
    )  # fmt: skip
    assert [findings(name) for name in laws] == [()] * len(laws)
    Deposit.objects.update(state="open", paid_at=None)
    Withdrawal.objects.filter(pk=first.pk).update(state="paid")
    campaign = Campaign.objects.create(
        kind="stars", name="x", starts_at=timezone.now(), budget=100, spent=50
    )
    Award.objects.create(
        campaign=campaign, user=anna, key="k", needed=1, reward=10, paid_at=timezone.now()
    )
    with transaction.atomic():
        ledger.move(
            key="by hand", source=chart.player(anna.pk), target=chart.commission(), amount=1,
            purpose=Purpose.CORRECTION, currency=USD, reason="alone", by=sofia,
        )  # fmt: skip
    PaymentTask.objects.create(kind="refund", key="t", amount=5, user=anna, taken_back=5)
    assert [len(findings(name)) for name in laws] == [1] * len(laws)
