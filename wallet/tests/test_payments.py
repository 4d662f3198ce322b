"""Paying in and out: forms, limits, Stripe's events in any order, staff, and many hands at once (Money 6)."""

import itertools
import json
import random
import re
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import date, timedelta
from threading import Barrier
from uuid import uuid4

import pytest
from allauth.mfa.models import Authenticator
from django.db import connection, transaction
from django.test import Client
from django.utils import timezone

from accounts import limits, switches
from accounts.errors import Refused
from accounts.limits import LimitKind
from accounts.models import StaffAction, User
from wallet import (
    chart,
    deposits,
    ledger,
    payment_tasks,
    provider_events,
    providers,
    reconcile,
    selectors,
    services,
    tokens,
    withdrawals,
)
from wallet.chart import Purpose
from wallet.errors import (
    DepositLimitReached,
    EmailUnverified,
    FormExpired,
    IdentityUnverified,
    InsufficientFunds,
    KeyReused,
    OwnWithdrawal,
    PayoutsFrozen,
    ReasonNeeded,
    SecondFactorMissing,
    SecondPersonNeeded,
    TaskClosed,
    TooManyOpenDeposits,
    WithdrawalDecided,
    WithdrawalsHeld,
)
from wallet.models import Account, Deposit, PaymentTask, ProviderEvent, Transfer, Withdrawal
from wallet.money import Currency
from wallet.providers.base import ProviderAway
from wallet.providers.stripe import Stripe
from wallet.selectors import balance_of
from wallet.tests.stripe_desk import DECLINED, KEY, SECRET, Line, deliver, post, recorded, signature

pytestmark = pytest.mark.django_db
USD = Currency.USD
State = Withdrawal.State


def person(name: str, **fields: object) -> User:
    known = {"birth_date": date(1990, 1, 1), "country": "FI"} | fields
    user = User.objects.create_user(f"{name}@example.org", screen_name=name, **known)
    user.confirm_email()
    return user


def player(name: str = "Anna", cents: int = 0) -> User:
    user = person(name, identity_verified_at=timezone.now())
    Authenticator.objects.create(user=user, type=Authenticator.Type.TOTP, data={"secret": "test"})
    if cents:
        services.deposit_sandbox(user.pk, cents, "1")
    return user


def staff(name: str = "Sofia") -> User:
    return person(name, is_staff=True, is_superuser=True)


@pytest.fixture
def line(settings, monkeypatch: pytest.MonkeyPatch) -> Line:
    settings.PAYMENTS = "stripe"
    settings.STRIPE_SECRET_KEY, settings.STRIPE_WEBHOOK_SECRET = KEY, SECRET
    line = Line()
    monkeypatch.setitem(providers.PROVIDERS, "stripe", Stripe(line))
    return line


def begin(user: User, amount: int, token: str = "") -> deposits.Begun:
    token = token or tokens.issue(user.pk)
    return deposits.begin(user, amount, token, back_paid="http://s/p", back_left="http://s/l")


def ask(user: User, amount: int, token: str = "") -> Withdrawal:
    return withdrawals.ask(user, amount, token or tokens.issue(user.pk))


def nothing_found() -> bool:
    return not any(outcome.findings for outcome in reconcile.run())


def at_once(*deeds: Callable[[], object]) -> list[str]:
    """Starts all at the same moment; "ok" or the refusal's code for each."""
    start = Barrier(len(deeds))

    def run(deed: Callable[[], object]) -> str:
        try:
            start.wait()
            deed()
        except Refused as refusal:
            return refusal.code
        finally:
            connection.close()
        return "ok"

    with ThreadPoolExecutor(len(deeds)) as pool:
        return list(pool.map(run, deeds))


# --- paying in ------------------------------------------------------------------------------------


def test_the_sandbox_credits_at_once_and_a_form_once() -> None:
    anna = player()
    token = tokens.issue(anna.pk)
    assert begin(anna, 2_000, token).url == ""
    assert begin(anna, 2_000, token).deposit.state == Deposit.State.PAID
    with pytest.raises(KeyReused):
        begin(anna, 3_000, token)
    assert balance_of(anna.pk, USD) == 2_000
    assert nothing_found()


def test_who_may_pay_in() -> None:
    """Money 6: a verified e-mail and a permitted residence."""
    stranger = User.objects.create_user(
        "x@example.org", screen_name="Xenia", birth_date=date(1990, 1, 1), country="FI"
    )
    with pytest.raises(EmailUnverified):
        begin(stranger, 2_000)
    arizona = person("Vera", country="US", us_state="AZ")
    with pytest.raises(Refused) as refused:
        begin(arizona, 2_000)
    assert refused.value.code == "residence_restricted"
    anna = player()
    limits.take_break(anna.pk, limits.BreakKind.TIME_OUT, "day")
    with pytest.raises(limits.OnTimeOut):
        begin(anna, 2_000)
    assert not Deposit.objects.exists()


def test_a_deposit_limit_holds_in_eight_tabs_at_once(transactional_db: None) -> None:
    anna = player()
    limits.set_limit(anna.pk, LimitKind.DEPOSIT_DAY, 10_000)
    said = at_once(*(lambda: begin(anna, 4_000) for _ in range(8)))
    assert Counter(said) == {"ok": 2, "deposit_limit": 6}
    assert balance_of(anna.pk, USD) == 8_000
    assert nothing_found()


def test_what_is_still_to_be_paid_counts_against_the_limit(line: Line) -> None:
    anna = player()
    limits.set_limit(anna.pk, LimitKind.DEPOSIT_WEEK, 10_000)
    begun = begin(anna, 6_000)
    with pytest.raises(DepositLimitReached):
        begin(anna, 4_001)
    deposits.give_up(begun.deposit.id)
    begin(anna, 10_000)


def test_nobody_begins_payments_without_end(line: Line) -> None:
    anna = player()
    for _ in range(deposits.MOST_OPEN):
        begin(anna, 100)
    with pytest.raises(TooManyOpenDeposits):
        begin(anna, 100)
    deposits.credit(Deposit.objects.latest("created_at").id, reference="", payment="pi")
    assert begin(anna, 100).url


def test_one_form_in_eight_tabs_is_one_deposit(transactional_db: None) -> None:
    anna = player()
    token = tokens.issue(anna.pk)
    assert at_once(*(lambda: begin(anna, 4_000, token) for _ in range(8))) == ["ok"] * 8
    assert balance_of(anna.pk, USD) == 4_000


# --- Stripe ---------------------------------------------------------------------------------------


def test_stripe_is_asked_once_and_credits_nothing_by_itself(line: Line) -> None:
    anna = player()
    token = tokens.issue(anna.pk)
    first, again = begin(anna, 5_000, token), begin(anna, 5_000, token)
    assert first.url == again.url == "https://checkout.stripe.com/c/pay/cs_test_1"
    assert balance_of(anna.pk, USD) == 0
    path, words = line.asked[0]
    assert len(line.asked) == 1
    assert path == "/v1/checkout/sessions"
    assert words["client_reference_id"] == str(first.deposit.id)
    assert words["line_items[0][price_data][unit_amount]"] == "5000"
    assert words["line_items[0][price_data][currency]"] == "usd"


def test_stripe_away_is_said_and_the_form_can_be_sent_again(line: Line) -> None:
    anna = player()
    token = tokens.issue(anna.pk)
    line.dead = True
    with pytest.raises(ProviderAway):
        begin(anna, 5_000, token)
    line.dead = False
    assert begin(anna, 5_000, token).url
    assert Deposit.objects.count() == 1


def test_a_lost_answer_of_stripe_is_asked_for_again_in_the_same_words(
    line: Line, monkeypatch: pytest.MonkeyPatch
) -> None:
    anna = player()
    token, now = tokens.issue(anna.pk), timezone.now()
    for minutes in (0, 10, 24):
        monkeypatch.setattr(timezone, "now", lambda m=minutes: now + timedelta(minutes=m))
        assert begin(anna, 5_000, token).url
        Deposit.objects.update(url="", reference="")
    assert len(line.asked) == 3
    monkeypatch.setattr(timezone, "now", lambda: now + timedelta(minutes=26))
    with pytest.raises(FormExpired):
        begin(anna, 5_000, token)


def test_the_form_leads_to_stripe_and_the_policy_allows_it(client: Client, line: Line) -> None:
    anna = player()
    client.force_login(anna)
    page = client.get("/wallet/")
    assert "form-action 'self' https://checkout.stripe.com" in page["Content-Security-Policy"]
    words = {"amount": "50", "token": tokens.issue(anna.pk)}
    answer = client.post("/wallet/deposit/", words)
    assert answer["Location"] == "https://checkout.stripe.com/c/pay/cs_test_1"
    assert "$50.00 is being paid in" in " ".join(client.get("/wallet/").content.decode().split())


def test_a_payment_is_credited_once_however_often_it_is_told(line: Line) -> None:
    """Quality 2: each event x 5, and the same payment under two events."""
    anna = player()
    paid = begin(anna, 5_000).deposit
    for _ in range(5):
        assert deliver(recorded("checkout_completed", deposit=paid.id)) == 200
    assert deliver(recorded("checkout_async_succeeded", deposit=paid.id)) == 200
    assert balance_of(anna.pk, USD) == 5_000
    assert ProviderEvent.objects.count() == 2
    assert nothing_found()


def test_twenty_deliveries_at_once_credit_once(line: Line, transactional_db: None) -> None:
    anna = player()
    paid = begin(anna, 5_000).deposit
    event = recorded("checkout_completed", deposit=paid.id)
    said: list[int] = []
    at_once(*(lambda: said.append(deliver(event)) for _ in range(20)))
    assert said == [200] * 20
    assert balance_of(anna.pk, USD) == 5_000


def test_forged_and_old_events_are_refused(line: Line) -> None:
    anna = player()
    paid = begin(anna, 5_000).deposit
    event = recorded("checkout_completed", deposit=paid.id)
    body = json.dumps(event)
    good = signature(body)
    forged = [
        ("", body),
        ("t=1,v1=00", body),
        (good.replace("v1=", "v0="), body),
        (signature(body, secret="whsec_another"), body),
        (signature(body, age_s=301), body),
        (good, body.replace("5000", "500000")),
        (good, body + " "),
        (good[:-1], body),
        ("nonsense", "nonsense"),
        (signature("{}"), "{}"),
        (signature("[]"), "[]"),
        (signature("null"), "null"),
        (signature("not json"), "not json"),
    ]
    assert [post(text, signed) for signed, text in forged] == [400] * len(forged)
    assert post(b"\xff\xfe", signature("x")) == 400
    live = event | {"livemode": True}
    assert deliver(live) == 400
    assert balance_of(anna.pk, USD) == 0
    assert not ProviderEvent.objects.exists()
    assert deliver(event) == 200


def test_an_event_needs_a_known_provider_with_its_keys(client: Client, settings) -> None:
    event = recorded("checkout_completed")
    assert deliver(event) == 400  # no keys are set
    for name in ("sandbox", "nobody"):
        answer = client.post(f"/wallet/events/{name}/", event, content_type="application/json")
        assert answer.status_code in (400, 404)
    assert client.get("/wallet/events/stripe/").status_code == 405


EVENTS = ("checkout_completed", "charge_refunded", "dispute_created", "dispute_lost")


@pytest.mark.parametrize("order", list(itertools.permutations(EVENTS)), ids="-".join)
def test_events_in_any_order_end_alike(line: Line, order: tuple[str, ...]) -> None:
    anna = player()
    paid = begin(anna, 5_000).deposit
    for name in order:
        about = {"deposit": paid.id} if name == "checkout_completed" else {}
        for _ in range(2):
            assert deliver(recorded(name, **about)) == 200
    assert balance_of(anna.pk, USD) == 5_000
    paid.refresh_from_db()
    assert paid.returned == 5_000
    tasks = PaymentTask.objects.order_by("kind")
    assert [(task.kind, task.amount, task.user_id) for task in tasks] == [
        ("dispute", 5_000, anna.pk),
        ("refund", 5_000, anna.pk),
    ]
    assert tasks[0].says == "fraudulent: lost"
    assert not ProviderEvent.objects.filter(outcome="waiting").exists()
    with pytest.raises(WithdrawalsHeld):
        ask(anna, 100)


def test_events_that_crossed_their_payment_are_caught_up(line: Line) -> None:
    anna = player()
    paid = begin(anna, 5_000).deposit
    deliver(recorded("charge_refunded"))
    deposits.credit(paid.id, reference="cs_test_1", payment="pi_3AbCdEf")
    assert provider_events.catch_up() == 1
    assert provider_events.catch_up() == 0
    assert PaymentTask.objects.get().kind == "refund"


def test_a_storm_of_events_credits_each_deposit_once(line: Line, transactional_db: None) -> None:
    """Quality 2: each event x 5, shuffled, 20 at once, forged and old ones among them."""
    anna = player()
    events: list[dict[str, object]] = []
    for n in range(4):
        paid = begin(anna, 5_000).deposit
        names = {"id": f"cs_{n}", "payment_intent": f"pi_{n}"}
        known = {"deposit": paid.id, "event_id": f"evt_paid_{n}"}
        events.append(recorded("checkout_completed", **known, **names))
        back = {
            "event_id": f"evt_back_{n}",
            "payment_intent": f"pi_{n}",
            "amount_refunded": 100 * n,
        }
        events.append(recorded("charge_refunded", **back))
    storm = events * 5
    random.shuffle(storm)
    said: list[int] = []

    def send(part: list[dict[str, object]]) -> None:
        for event in part:
            said.append(deliver(event))
            said.append(deliver(event, secret="whsec_forged") + deliver(event, age_s=400))

    at_once(*(lambda part=storm[n::20]: send(part) for n in range(20)))
    provider_events.catch_up()
    assert Counter(said) == {200: 40, 800: 40}
    assert balance_of(anna.pk, USD) == 20_000
    assert Transfer.objects.filter(purpose=Purpose.DEPOSIT).count() == 4
    tasks = PaymentTask.objects.order_by("amount").values_list("amount", flat=True)
    assert list(tasks) == [100, 200, 300]
    assert nothing_found()


def test_unpaid_expired_and_failed_credit_nothing_and_paid_wins(line: Line) -> None:
    anna = player()
    paid = begin(anna, 5_000).deposit
    for name in ("checkout_completed_unpaid", "checkout_async_failed", "checkout_expired"):
        assert deliver(recorded(name, deposit=paid.id)) == 200
    paid.refresh_from_db()
    assert paid.state == Deposit.State.FAILED
    assert deliver(recorded("checkout_async_succeeded", deposit=paid.id)) == 200
    assert deliver(recorded("checkout_expired", event_id="evt_9", deposit=paid.id)) == 200
    paid.refresh_from_db()
    assert paid.state == Deposit.State.PAID
    assert balance_of(anna.pk, USD) == 5_000


@pytest.mark.parametrize(
    "changes", [{"amount_total": 4_999}, {"amount_total": 500_000}, {"currency": "eur"}]
)
def test_another_amount_or_currency_is_a_task_and_no_credit(line: Line, changes) -> None:
    anna = player()
    paid = begin(anna, 5_000).deposit
    assert deliver(recorded("checkout_completed", deposit=paid.id, **changes)) == 200
    assert balance_of(anna.pk, USD) == 0
    assert PaymentTask.objects.get().kind == "mismatch"


def test_a_payment_that_nobody_began_is_a_task(line: Line) -> None:
    assert deliver(recorded("checkout_completed", deposit=uuid4())) == 200
    assert deliver(recorded("payment_intent_succeeded")) == 200
    assert PaymentTask.objects.get().kind == "unknown"
    assert not Transfer.objects.filter(currency="USD").exists()


def test_refunds_in_parts_are_each_a_task(line: Line) -> None:
    anna = player()
    paid = begin(anna, 5_000).deposit
    deliver(recorded("checkout_completed", deposit=paid.id))
    deliver(recorded("charge_refunded", event_id="evt_r2", amount_refunded=3_000))
    deliver(recorded("charge_refunded", event_id="evt_r1", amount_refunded=1_000))  # came late
    deliver(recorded("charge_refunded", event_id="evt_r3", amount_refunded=5_000))
    assert [task.amount for task in PaymentTask.objects.order_by("id")] == [3_000, 2_000]


# --- tasks ----------------------------------------------------------------------------------------


def refunded(anna: User, line: Line) -> PaymentTask:
    paid = begin(anna, 5_000).deposit
    deliver(recorded("checkout_completed", deposit=paid.id))
    deliver(recorded("charge_refunded"))
    return PaymentTask.objects.get()


def lost_to_the_house(anna: User, amount: int) -> None:
    pool = chart.tournament(uuid4())
    steps = [
        (chart.player(anna.pk), pool, Purpose.ENTRY),
        (pool, chart.commission(), Purpose.COMMISSION),
    ]
    with transaction.atomic():
        for source, target, purpose in steps:
            ledger.move(
                key=f"{purpose}", source=source, target=target, amount=amount, purpose=purpose,
                currency=USD,
            )  # fmt: skip


def test_closing_a_task_takes_back_what_is_there_and_the_house_bears_the_rest(line: Line) -> None:
    anna, sofia = player(), staff()
    task = refunded(anna, line)
    lost_to_the_house(anna, 4_000)
    with pytest.raises(ReasonNeeded):
        payment_tasks.close(task.pk, by=sofia, note=" ", take_back=True)
    done = payment_tasks.close(task.pk, by=sofia, note="refunded by mistake", take_back=True)
    assert (done.taken_back, done.borne) == (1_000, 4_000)
    assert balance_of(anna.pk, USD) == 0
    assert Account.objects.get(code="provider:stripe").balance == 0
    with pytest.raises(TaskClosed):
        payment_tasks.close(task.pk, by=sofia, note="again", take_back=True)
    assert StaffAction.objects.get(action="close_payment_task").whom == anna
    assert nothing_found()


def test_a_large_amount_is_taken_back_by_two_people(line: Line, settings) -> None:
    settings.STAFF_ALONE_CENTS = 1_000
    anna, sofia, tom = player(), staff("Sofia"), staff("Tom")
    task = refunded(anna, line)
    payment_tasks.close(task.pk, by=sofia, note="refunded", take_back=True)
    assert balance_of(anna.pk, USD) == 5_000
    with pytest.raises(SecondPersonNeeded):
        payment_tasks.close(task.pk, by=sofia, note="refunded", take_back=True)
    payment_tasks.close(task.pk, by=tom, note="I agree", take_back=True)
    assert balance_of(anna.pk, USD) == 0
    assert not payment_tasks.are_open(anna.pk)


# --- paying out -----------------------------------------------------------------------------------


def test_a_withdrawal_is_held_approved_and_paid() -> None:
    anna, sofia = player(cents=10_000), staff()
    asked = ask(anna, 6_000)
    assert (asked.state, balance_of(anna.pk, USD)) == (State.ASKED, 4_000)
    with pytest.raises(InsufficientFunds):
        ask(anna, 4_001)
    assert withdrawals.pay(asked.id).state == State.ASKED
    withdrawals.approve(asked.id, by=sofia, why="known customer")
    assert withdrawals.pay_all() == 1
    asked.refresh_from_db()
    assert (asked.state, asked.decided_by) == (State.PAID, sofia)
    assert balance_of(anna.pk, USD) == 4_000
    assert selectors.net_deposits(anna.pk) == 4_000
    row = StaffAction.objects.get()
    assert (row.action, row.whom, row.why) == ("approve_withdrawal", anna, "known customer")
    assert withdrawals.pay_all() == 0
    assert nothing_found()


def test_rejected_and_cancelled_money_is_the_players_again() -> None:
    anna, sofia = player(cents=10_000), staff()
    first, second = ask(anna, 6_000), ask(anna, 3_000)
    with pytest.raises(ReasonNeeded):
        withdrawals.reject(first.id, by=sofia, why="")
    withdrawals.reject(first.id, by=sofia, why="papers are missing")
    with pytest.raises(WithdrawalDecided):
        withdrawals.cancel(second.id, by=sofia)
    withdrawals.cancel(second.id, by=anna)
    for deed in (
        lambda: withdrawals.cancel(first.id, by=anna),
        lambda: withdrawals.approve(second.id, by=sofia),
        lambda: withdrawals.reject(second.id, by=sofia, why="x"),
        lambda: withdrawals.mark_paid(second.id, by=sofia, reference="x"),
        lambda: withdrawals.cancel(uuid4(), by=anna),
    ):
        with pytest.raises(WithdrawalDecided):
            deed()
    assert balance_of(anna.pk, USD) == 10_000
    assert selectors.net_deposits(anna.pk) == 10_000
    assert nothing_found()


def test_small_withdrawals_need_nobody_but_parts_count_as_the_whole(settings) -> None:
    settings.WITHDRAWAL_AUTOMATIC_BELOW = 2_000
    anna = player(cents=10_000)
    assert [ask(anna, 900).state for _ in range(3)] == [State.APPROVED, State.APPROVED, State.ASKED]
    settings.WITHDRAWAL_AUTOMATIC_BELOW = 0
    assert ask(anna, 100).state == State.ASKED


def test_a_large_withdrawal_needs_two_people_and_parts_count_as_the_whole(settings) -> None:
    settings.STAFF_ALONE_CENTS = 5_000
    anna, sofia, tom = player(cents=20_000), staff("Sofia"), staff("Tom")
    first, second = ask(anna, 4_000), ask(anna, 4_000)
    assert withdrawals.approve(first.id, by=sofia).state == State.ASKED
    with pytest.raises(SecondPersonNeeded):
        withdrawals.approve(first.id, by=sofia)
    assert withdrawals.approve(first.id, by=tom).state == State.APPROVED
    assert withdrawals.approve(second.id, by=tom).state == State.ASKED
    withdrawals.reject(second.id, by=tom, why="thought again")


def test_nobody_decides_about_their_own_money() -> None:
    anna = player(cents=10_000)
    asked = ask(anna, 6_000)
    with pytest.raises(OwnWithdrawal):
        withdrawals.approve(asked.id, by=anna)
    with pytest.raises(OwnWithdrawal):
        withdrawals.reject(asked.id, by=anna, why="x")


def test_who_may_withdraw() -> None:
    """Money 6: verified identity, set by staff. A time-out does not hold money back."""
    stranger = person("Vera")
    services.deposit_sandbox(stranger.pk, 5_000, "1")
    with pytest.raises(IdentityUnverified):
        ask(stranger, 1_000)
    User.objects.filter(pk=stranger.pk).update(identity_verified_at=timezone.now())
    stranger.refresh_from_db()
    with pytest.raises(SecondFactorMissing):
        ask(stranger, 1_000)
    anna = player(cents=5_000)
    limits.take_break(anna.pk, limits.BreakKind.SELF_EXCLUSION, "year")
    assert ask(anna, 5_000).amount == 5_000


def test_frozen_payouts_wait() -> None:
    anna, sofia = player(cents=10_000), staff()
    asked = ask(anna, 6_000)
    withdrawals.approve(asked.id, by=sofia)
    switches.turn(switches.Name.PAYOUTS_FROZEN, on=True, why="test")
    assert withdrawals.pay_all() == 0
    with pytest.raises(PayoutsFrozen):
        withdrawals.approve(ask(anna, 3_000).id, by=sofia)
    switches.turn(switches.Name.PAYOUTS_FROZEN, on=False, why="understood", by=sofia)
    assert withdrawals.pay_all() == 1


def test_a_form_asks_once() -> None:
    anna = player(cents=10_000)
    token = tokens.issue(anna.pk)
    assert ask(anna, 3_000, token).id == ask(anna, 3_000, token).id
    with pytest.raises(KeyReused):
        ask(anna, 4_000, token)
    with pytest.raises(FormExpired):
        ask(anna, 3_000, "mine")
    assert balance_of(anna.pk, USD) == 7_000


def test_fifty_at_once_withdraw_stake_and_settle_to_the_cent(transactional_db: None) -> None:
    """Quality 2: exactly what the balance covers."""
    anna = player(cents=10_000)

    def stake() -> None:
        match_id = uuid4()
        with transaction.atomic():
            ledger.move(
                key=f"match:{match_id}:stake", source=chart.player(anna.pk),
                target=chart.escrow(match_id), amount=1_000, purpose=Purpose.STAKE, currency=USD,
            )  # fmt: skip

    said = at_once(*([stake, lambda: ask(anna, 1_000)] * 10))
    assert Counter(said) == {"ok": 10, "insufficient_funds": 10}
    assert balance_of(anna.pk, USD) == 0
    assert nothing_found()


def test_approve_reject_cancel_and_pay_at_once_take_one_course(transactional_db: None) -> None:
    sofia, tom = staff("Sofia"), staff("Tom")
    anna = player(cents=10_000)
    for _ in range(3):
        asked = ask(anna, 3_000)
        at_once(
            lambda: withdrawals.approve(asked.id, by=sofia),  # noqa: B023
            lambda: withdrawals.reject(asked.id, by=tom, why="no"),  # noqa: B023
            lambda: withdrawals.cancel(asked.id, by=anna),  # noqa: B023
            *(lambda: withdrawals.pay(asked.id) for _ in range(3)),  # noqa: B023
        )
        withdrawals.pay_all()
        asked.refresh_from_db()
        assert asked.state in (State.PAID, State.REJECTED, State.CANCELLED)
        moved = Transfer.objects.filter(source__code=f"withdrawal:{asked.id}")
        assert moved.count() == 1
    assert nothing_found()


def test_the_whole_balance_of_a_closed_account_goes_out_once() -> None:
    anna, sofia = player(cents=10_000), staff()
    for _ in range(3):
        sent = withdrawals.send_whole(anna.pk, key="closure:1", by=sofia, why="closed account")
        assert sent == 10_000
    assert withdrawals.pay_all() == 1
    assert balance_of(anna.pk, USD) == 0
    assert withdrawals.send_whole(anna.pk, key="closure:2", by=sofia, why="closed") == 0
    switches.turn(switches.Name.PAYOUTS_FROZEN, on=True, why="test")
    with pytest.raises(PayoutsFrozen):
        withdrawals.send_whole(anna.pk, key="closure:3", by=sofia, why="closed account")
    assert nothing_found()


# --- paying out through Stripe --------------------------------------------------------------------


def paid_in(anna: User, amount: int, payment: str) -> Deposit:
    return deposits.credit(begin(anna, amount).deposit.id, reference="", payment=payment)


def test_money_goes_back_the_way_it_came(line: Line, settings) -> None:
    settings.STAFF_ALONE_CENTS = 100_000
    anna, sofia = player(), staff()
    first, second = paid_in(anna, 5_000, "pi_1"), paid_in(anna, 3_000, "pi_2")
    asked = ask(anna, 7_000)
    withdrawals.approve(asked.id, by=sofia)
    assert withdrawals.pay_all() == 1
    refunds = [words for path, words in line.asked if path == "/v1/refunds"]
    assert [(one["payment_intent"], one["amount"]) for one in refunds] == [
        ("pi_2", "3000"),
        ("pi_1", "4000"),
    ]
    for paid, returned in ((first, 4_000), (second, 3_000)):
        paid.refresh_from_db()
        assert paid.returned == returned
    # Stripe tells of our own refunds, too: no task.
    deliver(recorded("charge_refunded", payment_intent="pi_1", amount_refunded=4_000))
    assert not PaymentTask.objects.exists()
    assert nothing_found()


def test_a_lost_answer_is_asked_again_and_pays_once(line: Line, settings) -> None:
    settings.STAFF_ALONE_CENTS = 100_000
    anna, sofia = player(), staff()
    paid_in(anna, 5_000, "pi_1")
    asked = ask(anna, 5_000)
    withdrawals.approve(asked.id, by=sofia)
    line.dead = True
    assert withdrawals.pay_all() == 0
    asked.refresh_from_db()
    assert asked.state == State.PAYING
    with pytest.raises(WithdrawalDecided):
        withdrawals.reject(asked.id, by=sofia, why="too late")
    line.dead = False
    assert withdrawals.pay_all() == 1
    assert nothing_found()


def test_what_was_won_is_paid_by_hand(line: Line, settings) -> None:
    settings.STAFF_ALONE_CENTS = 100_000
    anna, sofia = player(cents=9_000), staff()
    paid_in(anna, 1_000, "pi_1")
    asked = ask(anna, 5_000)
    withdrawals.approve(asked.id, by=sofia)
    withdrawals.pay_all()
    asked.refresh_from_db()
    assert asked.state == State.BY_HAND
    with pytest.raises(ReasonNeeded):
        withdrawals.mark_paid(asked.id, by=sofia, reference="")
    withdrawals.mark_paid(asked.id, by=sofia, reference="bank transfer 17")
    asked.refresh_from_db()
    assert (asked.state, asked.reference) == (State.PAID, "bank transfer 17")
    assert nothing_found()


def test_a_refusal_of_the_provider_returns_the_money(line: Line, settings) -> None:
    settings.STAFF_ALONE_CENTS = 100_000
    anna, sofia = player(), staff()
    paid = paid_in(anna, 5_000, "pi_1")
    asked = ask(anna, 5_000)
    withdrawals.approve(asked.id, by=sofia)
    line.refuses["pi_1"] = DECLINED
    withdrawals.pay_all()
    asked.refresh_from_db()
    paid.refresh_from_db()
    assert (asked.state, asked.why) == (State.FAILED, "Charge has been disputed.")
    assert paid.returned == 0
    assert balance_of(anna.pk, USD) == 5_000
    assert nothing_found()


def test_a_refusal_in_the_middle_is_for_a_person(line: Line, settings) -> None:
    settings.STAFF_ALONE_CENTS = 100_000
    anna, sofia = player(), staff()
    paid_in(anna, 5_000, "pi_1"), paid_in(anna, 3_000, "pi_2")
    asked = ask(anna, 7_000)
    withdrawals.approve(asked.id, by=sofia)
    line.refuses["pi_1"] = DECLINED
    withdrawals.pay_all()
    asked.refresh_from_db()
    assert (asked.state, asked.reference) == (State.BY_HAND, "pi_2")
    assert balance_of(anna.pk, USD) == 1_000
    assert nothing_found()


# --- the pages ------------------------------------------------------------------------------------


def body(response) -> str:
    return " ".join(re.sub(r"<[^>]+>", " ", response.content.decode()).split())


BAD = [
    "",
    "1.005",
    "-1",
    "1e9",
    "\N{ARABIC-INDIC DIGIT FIVE}",
    "1 0",
    "0",
    "0.99",
    "1,5,0",
    "$5",
    "NaN",
]


@pytest.mark.parametrize("path", ["/wallet/withdraw/", "/wallet/deposit/"])
@pytest.mark.parametrize("amount", [*BAD, "9" * 40, "5.00 EUR"])
def test_a_bad_amount_is_refused_with_a_reason(client: Client, path: str, amount: str) -> None:
    anna = player(cents=5_000)
    client.force_login(anna)
    answer = client.post(path, {"amount": amount, "token": tokens.issue(anna.pk)})
    assert answer.status_code == 422
    assert 'class="error"' in answer.content.decode()
    assert balance_of(anna.pk, USD) == 5_000
    assert not Withdrawal.objects.exists()


def test_the_page_asks_shows_and_takes_back(client: Client) -> None:
    anna = player(cents=5_000)
    client.force_login(anna)
    said = body(client.get("/wallet/"))
    assert "Up to $50.00" in said
    words = {"amount": "30,5", "token": tokens.issue(anna.pk)}
    for _ in range(2):
        said = body(client.post("/wallet/withdraw/", words, follow=True))
        assert "$30.50 is held until the withdrawal has been approved" in said
    assert "Available $19.50" in said
    assert "$30.50 " in said
    assert "waits for approval" in said
    asked = Withdrawal.objects.get()
    boris = player("Boris")
    other = Client()
    other.force_login(boris)
    at = f"/wallet/withdraw/{asked.id}/cancel/"
    assert "decided already" in body(other.post(at, follow=True))
    assert "$30.50 is yours again" in body(client.post(at, follow=True))
    assert balance_of(anna.pk, USD) == 5_000


def test_the_admin_approves_rejects_and_asks_for_a_reason(client: Client) -> None:
    anna, sofia = player(cents=9_000), staff()
    first, second = ask(anna, 3_000), ask(anna, 3_000)
    client.force_login(sofia)
    at = "/admin/wallet/withdrawal/{}/change/"
    assert "Approve" in client.get(at.format(first.id)).content.decode()
    client.post(at.format(first.id), {"deed": "approve", "text": ""})
    said = client.post(at.format(second.id), {"deed": "reject", "text": " "}, follow=True)
    assert "Write the reason." in body(said)
    client.post(at.format(second.id), {"deed": "reject", "text": "no papers"})
    client.post(at.format(second.id), {"deed": "paid", "text": "edited form"})
    states = [Withdrawal.objects.get(id=one.id).state for one in (first, second)]
    assert states == [State.APPROVED, State.REJECTED]
    for model in ("withdrawal", "deposit", "paymenttask", "providerevent"):
        assert client.get(f"/admin/wallet/{model}/").status_code == 200
        assert client.get(f"/admin/wallet/{model}/add/").status_code == 403


def test_staff_without_the_permission_look_only(client: Client) -> None:
    from django.contrib.auth.models import Permission

    anna = player(cents=9_000)
    asked = ask(anna, 3_000)
    helper = person("Helper", is_staff=True)
    helper.user_permissions.add(Permission.objects.get(codename="view_withdrawal"))
    client.force_login(helper)
    at = f"/admin/wallet/withdrawal/{asked.id}/change/"
    assert "Reject and return" not in client.get(at).content.decode()
    assert client.post(at, {"deed": "approve"}).status_code == 403
    asked.refresh_from_db()
    assert asked.state == State.ASKED
