"""Limits that players set on themselves (People 2): stricter at once, looser after a day, also under many hands."""

import re
from collections import Counter
from collections.abc import Callable
from datetime import UTC, date, datetime, timedelta
from uuid import UUID, uuid4

import pytest
from django.contrib.sessions.models import Session
from django.db import transaction
from django.test import Client
from django.utils import timezone
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from accounts import limits
from accounts.errors import Refused
from accounts.limits import BadBreak, BadLimit, BreakKind, LimitKind
from accounts.models import PlayerLimit, User
from accounts.permissions import require_money_play
from wallet import chart, ledger, safeguards, selectors, services
from wallet.chart import Purpose
from wallet.errors import CannotStake, LossLimitReached
from wallet.ledger import Move
from wallet.money import Currency
from wallet.tests.test_ledger_concurrency import at_once

pytestmark = pytest.mark.django_db

USD = Currency.USD
DAY = timedelta(days=1)


class Clock:
    """The time as the site sees it."""

    def __init__(self) -> None:
        self.at = timezone.now()

    def __call__(self) -> datetime:
        return self.at


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    clock = Clock()
    monkeypatch.setattr(timezone, "now", clock)
    return clock


def person(name: str) -> User:
    user = User.objects.create_user(
        f"{name}@example.org", screen_name=name, birth_date=date(1990, 1, 1), country="FI"
    )
    user.confirm_email()
    return user


@pytest.fixture
def anna() -> User:
    return person("Anna")


def stakes(match_id: UUID, *players: User, amount: int) -> None:
    with transaction.atomic():
        escrow = chart.escrow(match_id)
        safeguards.require_may_stake([one.pk for one in players], amount, escrow=escrow)
        ledger.move_many(
            [
                Move(
                    key=f"match:{match_id}:stake:{one.pk}",
                    source=chart.player(one.pk),
                    target=escrow,
                    amount=amount,
                    purpose=Purpose.STAKE,
                    currency=USD,
                )
                for one in players
            ]
        )


def won(match_id: UUID, winner: User, amount: int) -> None:
    with transaction.atomic():
        ledger.move(
            key=f"match:{match_id}:prize",
            source=chart.escrow(match_id),
            target=chart.player(winner.pk),
            amount=amount,
            purpose=Purpose.PRIZE,
            currency=USD,
        )


# --- what is in force -----------------------------------------------------------------------------


def test_stricter_at_once_and_looser_after_a_day(anna: User, clock: Clock) -> None:
    kind = LimitKind.DEPOSIT_DAY
    assert limits.limits_of(anna.pk)[kind].amount is None
    assert limits.set_limit(anna.pk, kind, 10_000).amount == 10_000
    assert limits.set_limit(anna.pk, kind, 5_000).amount == 5_000
    asked = limits.set_limit(anna.pk, kind, 20_000)
    assert (asked.amount, asked.later, asked.later_from) == (5_000, 20_000, clock.at + DAY)
    clock.at += DAY - timedelta(seconds=1)
    assert limits.amounts_of([anna.pk], [kind]) == {anna.pk: {kind: 5_000}}
    clock.at += timedelta(seconds=1)
    assert limits.amounts_of([anna.pk], [kind]) == {anna.pk: {kind: 20_000}}
    limits.set_limit(anna.pk, kind, None)
    assert limits.limits_of(anna.pk)[kind].amount == 20_000
    clock.at += DAY
    assert limits.limits_of(anna.pk)[kind] == limits.NO_LIMIT


def test_a_stricter_limit_replaces_what_was_to_come(anna: User, clock: Clock) -> None:
    kind = LimitKind.LOSS_WEEK
    limits.set_limit(anna.pk, kind, 5_000)
    limits.set_limit(anna.pk, kind, 50_000)
    limits.set_limit(anna.pk, kind, 4_000)
    clock.at += 2 * DAY
    assert limits.limits_of(anna.pk)[kind].amount == 4_000


amounts = st.none() | st.integers(0, 1_000)
steps = st.lists(st.tuples(amounts, st.integers(0, 30)), min_size=1, max_size=12)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=50)
@given(steps)
def test_no_course_of_wishes_loosens_within_a_day(
    anna: User, monkeypatch: pytest.MonkeyPatch, course: list[tuple[int | None, int]]
) -> None:
    """When a limit has become looser, it was wished for a day before, or earlier."""
    kind = LimitKind.LOSS_DAY
    PlayerLimit.objects.all().delete()
    now = datetime(2026, 1, 1, tzinfo=UTC)
    last: int | None = None
    wishes: list[tuple[datetime, int | None]] = []
    for wish, hours in course:
        monkeypatch.setattr(timezone, "now", lambda now=now: now)
        present = limits.limits_of(anna.pk)[kind].amount
        if wishes and limits._is_looser(present, last):
            assert any(amount == present and at <= now - DAY for at, amount in wishes)
        after = limits.set_limit(anna.pk, kind, wish).amount
        assert not limits._is_looser(after, present)
        last = after
        wishes.append((now, wish))
        now += timedelta(hours=hours)


@pytest.mark.parametrize("amount", [-1, 100_000_001, True, 1.5, "100"])
def test_what_cannot_be_a_limit(anna: User, amount: object) -> None:
    with pytest.raises(BadLimit):
        limits.set_limit(anna.pk, LimitKind.LOSS_DAY, amount)
    with pytest.raises(BadLimit):
        limits.set_limit(anna.pk, LimitKind.REMINDER, 7)
    assert not PlayerLimit.objects.exists()


# --- losses ---------------------------------------------------------------------------------------


def test_a_loss_limit_counts_results_and_what_is_at_stake(anna: User, clock: Clock) -> None:
    boris = person("Boris")
    for one in (anna, boris):
        services.deposit_sandbox(one.pk, 50_000, "1")
    limits.set_limit(anna.pk, LimitKind.LOSS_DAY, 10_000)
    first, second = uuid4(), uuid4()
    stakes(first, anna, boris, amount=6_000)
    with pytest.raises(LossLimitReached):
        safeguards.require_may_lose(anna.pk, 4_001)
    won(first, boris, 12_000)
    with pytest.raises(CannotStake):
        stakes(second, anna, boris, amount=4_001)
    stakes(second, anna, boris, amount=4_000)
    won(second, anna, 8_000)
    assert safeguards.lost(anna.pk, DAY) == 2_000
    safeguards.require_may_lose(anna.pk, 8_000)
    safeguards.require_may_lose(boris.pk, 40_000)


def test_two_tables_at_once_cannot_break_a_loss_limit_together(transactional_db: None) -> None:
    anna = person("Anna")
    rivals = [person(f"Rival{n}") for n in range(4)]
    for one in (anna, *rivals):
        services.deposit_sandbox(one.pk, 50_000, "1")
    limits.set_limit(anna.pk, LimitKind.LOSS_DAY, 10_000)

    def sit(rival: User) -> Callable[[], None]:
        return lambda: _told(lambda: stakes(uuid4(), anna, rival, amount=4_000))

    said = at_once(*(sit(rival) for rival in rivals))
    assert Counter(said) == {"ok": 2, "insufficient_funds": 2}
    assert selectors.held_of(anna.pk) == 8_000


def _told(deed: Callable[[], None]) -> None:
    """`at_once` knows refusals of the ledger only."""
    from wallet.errors import InsufficientFunds

    try:
        deed()
    except CannotStake as refusal:
        raise InsufficientFunds from refusal


# --- time-outs ------------------------------------------------------------------------------------


def test_a_time_out_stops_money_play_until_its_end(anna: User, clock: Clock) -> None:
    boris = person("Boris")
    for one in (anna, boris):
        services.deposit_sandbox(one.pk, 5_000, "1")
    require_money_play(anna)
    limits.take_break(anna.pk, BreakKind.TIME_OUT, "week")
    limits.take_break(anna.pk, BreakKind.TIME_OUT, "day")
    clock.at += timedelta(days=6, hours=23)
    with pytest.raises(limits.OnTimeOut):
        require_money_play(anna)
    with pytest.raises(CannotStake):
        stakes(uuid4(), boris, anna, amount=100)
    clock.at += timedelta(hours=2)
    require_money_play(anna)
    stakes(uuid4(), boris, anna, amount=100)


def test_self_exclusion_lasts_half_a_year_at_least(anna: User, clock: Clock) -> None:
    for wrong in ("day", "week", "", "for_ever"):
        with pytest.raises(BadBreak):
            limits.take_break(anna.pk, BreakKind.SELF_EXCLUSION, wrong)
    with pytest.raises(BadBreak):
        limits.take_break(anna.pk, BreakKind.TIME_OUT, "half_year")
    ended = limits.take_break(anna.pk, BreakKind.SELF_EXCLUSION, "half_year").ends_at
    assert ended - clock.at >= timedelta(days=182)
    with pytest.raises(limits.SelfExcluded):
        require_money_play(anna)


# --- the page -------------------------------------------------------------------------------------


def body(response) -> str:
    return " ".join(re.sub(r"<[^>]+>", " ", response.content.decode()).split())


@pytest.fixture
def page(client: Client, anna: User) -> Client:
    client.force_login(anna)
    return client


def test_the_page_sets_loosens_and_keeps(page: Client, anna: User) -> None:
    words = {"kind": "deposit_day"}
    assert "Deposits in 24 hours: $50.00 from now on" in body(
        page.post("/wallet/limits/", words | {"amount": "50"}, follow=True)
    )
    said = body(page.post("/wallet/limits/", words | {"amount": ""}, follow=True))
    assert "Deposits in 24 hours: no limit from" in said
    assert "Until then the present limit stays" in said
    assert "No limit from" in said
    said = body(page.post("/wallet/limits/", words | {"amount": "50.00"}, follow=True))
    assert "Keep the present one" not in said
    assert limits.limits_of(anna.pk)[LimitKind.DEPOSIT_DAY] == limits.Limit(5_000)


@pytest.mark.parametrize(
    "amount", ["1.005", "-1", "1e9", "\N{ARABIC-INDIC DIGIT FIVE}", "1 000", "x", "1000000.01"]
)
def test_a_bad_limit_is_refused_with_a_reason(page: Client, anna: User, amount: str) -> None:
    response = page.post("/wallet/limits/", {"kind": "loss_day", "amount": amount})
    assert response.status_code == 422
    assert 'role="alert"' in response.content.decode()
    assert not PlayerLimit.objects.exists()


def test_hidden_fields_that_were_edited_change_nothing(page: Client, anna: User) -> None:
    for words in (
        {"kind": "reminder", "amount": "5"},
        {"kind": "x", "amount": "5"},
        {"amount": "5"},
    ):
        assert page.post("/wallet/limits/", words).status_code == 422
    assert page.post("/wallet/limits/reminder/", {"minutes": "7"}).status_code == 422
    for words in (
        {"kind": "self_exclusion", "length": "day", "sure": "1"},
        {"kind": "time_out", "length": "half_year", "sure": "1"},
        {"kind": "time_out", "length": "day"},
        {"kind": "x", "length": "day", "sure": "1"},
    ):
        assert page.post("/wallet/limits/break/", words).status_code == 422
    assert not PlayerLimit.objects.exists()
    assert limits.break_of(anna.pk) is None


def test_a_break_begins_on_the_page_and_the_lobby_says_so(page: Client, anna: User) -> None:
    words = {"kind": "time_out", "length": "day", "sure": "1"}
    said = body(page.post("/wallet/limits/break/", words, follow=True))
    assert "Your break has begun" in said
    assert "You are on a break (time-out) until" in said
    assert "You are taking a time-out" in body(page.get("/wallet/"))


def test_the_reminder_tells_time_and_result(page: Client, anna: User, clock: Clock) -> None:
    assert "data-reminder" not in page.get("/wallet/").content.decode()
    page.post("/wallet/limits/reminder/", {"minutes": "30"})
    assert 'data-every="30"' in page.get("/wallet/").content.decode()
    clock.at += timedelta(minutes=29)
    page.get("/wallet/")
    clock.at += timedelta(minutes=2)
    assert page.get("/wallet/reminder/").json() == {"minutes": 31, "result": "$0.00"}
    clock.at += timedelta(minutes=31)
    assert page.get("/wallet/reminder/").json()["minutes"] == 0
    assert Session.objects.exists()


def test_refusals_have_codes() -> None:
    for refusal in (limits.OnTimeOut, limits.SelfExcluded, BadLimit, CannotStake, LossLimitReached):
        assert issubclass(refusal, Refused)
        assert refusal.code != "refused"
