"""Promotions (Money 7): stars and points from settled matches, once, within the budget, whoever counts."""

from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, date, datetime, timedelta
from threading import Barrier
from uuid import UUID, uuid4

import pytest
from django.db import connection, transaction
from django.test import Client
from django.utils import timezone

from accounts.errors import Refused
from accounts.models import StaffAction, User
from wallet import chart, ledger, reconcile, services, tokens
from wallet.chart import Purpose
from wallet.errors import (
    BudgetUsedUp,
    CampaignOver,
    FormExpired,
    KeyReused,
    NoSuchStep,
    NotEnoughPoints,
)
from wallet.ledger import Move
from wallet.models import (
    Award,
    Campaign,
    Credit,
    PromotedMatch,
    PromotionCursor,
    Score,
    Transfer,
)
from wallet.money import Currency
from wallet.promotions import awarding, earning, facts, progress
from wallet.promotions.facts import Played
from wallet.selectors import balance_of
from wallet.tests.test_wallet_pages import body

pytestmark = pytest.mark.django_db
USD = Currency.USD
STARS, POINTS = Campaign.Kind.STARS, Campaign.Kind.POINTS


class Games:
    """What the app above would tell of its matches."""

    def __init__(self) -> None:
        self.played: dict[UUID, Played] = {}

    def __call__(self, match_ids) -> dict[UUID, Played]:
        return {one: self.played[one] for one in match_ids if one in self.played}


@pytest.fixture
def games() -> Iterator[Games]:
    games, before = Games(), facts._tell[0]
    facts.register(games)
    yield games
    facts.register(before)


@pytest.fixture(autouse=True)
def _no_campaigns_yet(db: None) -> None:
    for campaign in Campaign.objects.all():
        campaign.steps.all().delete()
        campaign.delete()


def person(name: str) -> User:
    user = User.objects.create_user(
        f"{name}@example.org", screen_name=name, birth_date=date(1990, 1, 1), country="FI"
    )
    services.deposit_sandbox(user.pk, 90_000, "1")
    return user


@pytest.fixture
def pair(games: Games) -> tuple[User, User]:
    return person("Anna"), person("Boris")


def campaign(kind: Campaign.Kind, ladder: dict[int, int], **facts: object) -> Campaign:
    known = {"name": str(kind), "starts_at": timezone.now() - timedelta(days=60), "budget": 100_000}
    made = Campaign.objects.create(kind=kind, **(known | facts))
    for needed, reward in ladder.items():
        made.steps.create(needed=needed, reward=reward)
    return made


def fund(amount: int = 50_000) -> None:
    services.fund_promotions_sandbox(amount, key=str(uuid4()))


def settle(games: Games, winner: User, loser: User, *, stake: int = 500, **words) -> UUID:
    """A match for money that has just been won."""
    match_id = uuid4()
    known = {"stars": 1, "is_dark": False, "ended_at": timezone.now()} | words
    games.played[match_id] = Played(winner_id=winner.pk, loser_id=loser.pk, stake=stake, **known)
    escrow = chart.escrow(match_id)

    def move(name: str, source, target, amount: int, purpose: Purpose) -> Move:
        return Move(
            key=f"match:{match_id}:{name}", source=source, target=target, amount=amount,
            purpose=purpose, currency=USD,
        )  # fmt: skip

    with transaction.atomic():
        ledger.move_many(
            [
                move(str(one.pk), chart.player(one.pk), escrow, stake, Purpose.STAKE)
                for one in (winner, loser)
            ]
        )
        ledger.move_many([move("prize", escrow, chart.player(winner.pk), 2 * stake, Purpose.PRIZE)])
    return match_id


def earned(of: Campaign, user: User) -> int:
    return sum(Score.objects.filter(campaign=of, user=user).values_list("earned", flat=True))


def at_once(*deeds: Callable[[], object]) -> list[str]:
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


# --- stars ----------------------------------------------------------------------------------------


def test_stars_are_earned_and_each_step_is_paid_once(games: Games, pair) -> None:
    anna, boris = pair
    stars = campaign(STARS, {3: 100, 6: 600})
    fund()
    for won in (1, 2, 3):
        settle(games, anna, boris, stars=won)
    before = balance_of(anna.pk, USD)
    for _ in range(3):
        earning.count_settled()
        awarding.pay_due()
    assert (earned(stars, anna), earned(stars, boris)) == (6, 0)
    assert balance_of(anna.pk, USD) == before + 700
    assert Counter(Award.objects.values_list("needed", flat=True)) == {3: 1, 6: 1}
    stars.refresh_from_db()
    assert stars.spent == 700
    assert not any(outcome.findings for outcome in reconcile.run())


def test_a_month_begins_with_no_stars(games: Games, pair) -> None:
    anna, boris = pair
    stars = campaign(STARS, {2: 100}, starts_at=datetime(2026, 1, 1, tzinfo=UTC))
    last, first = datetime(2026, 1, 31, 23, 59, tzinfo=UTC), datetime(2026, 2, 1, tzinfo=UTC)
    settle(games, anna, boris, ended_at=last)
    settle(games, anna, boris, ended_at=first)
    earning.count_settled()
    assert not Award.objects.exists()
    settle(games, anna, boris, ended_at=first, stars=3)
    settle(games, anna, boris, ended_at=last)
    earning.count_settled()
    assert sorted(Award.objects.values_list("key", flat=True)) == ["2026-01:2", "2026-02:2"]
    assert earned(stars, anna) == 6


def test_matches_outside_the_campaign_and_without_a_winner_earn_nothing(games, pair) -> None:
    anna, boris = pair
    now = timezone.now()
    over = campaign(STARS, {1: 100}, ends_at=now - timedelta(days=1))
    later = campaign(STARS, {1: 100}, starts_at=now + timedelta(days=1))
    settle(games, anna, boris)
    unknown = settle(games, anna, boris)
    del games.played[unknown]
    earning.count_settled()
    assert earned(over, anna) == earned(later, anna) == 0
    assert PromotedMatch.objects.count() == 1


def test_the_same_pair_in_the_dark_counts_five_times_a_day(games: Games, pair) -> None:
    anna, boris = pair
    points = campaign(POINTS, {5: 100})
    for n in range(8):
        winner, loser = (anna, boris) if n % 2 else (boris, anna)
        settle(games, winner, loser, stake=100, stars=0, is_dark=True)
    settle(games, anna, boris, stake=100)
    earning.count_settled()
    assert earned(points, anna) == earned(points, boris) == 600


def test_a_player_earns_at_most_so_much_a_day(games: Games, pair) -> None:
    anna, boris = pair
    stars, points = campaign(STARS, {9: 1}, most_a_day=4), campaign(POINTS, {9: 1}, most_a_day=7)
    for _ in range(3):
        settle(games, anna, boris, stars=3, stake=350)
    earning.count_settled()
    assert earned(stars, anna) == 4
    assert earned(points, boris) == 700


def test_counters_at_once_count_each_match_once(games: Games, pair, transactional_db) -> None:
    anna, boris = pair
    stars = campaign(STARS, {4: 100, 8: 600})
    fund()
    for _ in range(8):
        settle(games, anna, boris)
    before = balance_of(anna.pk, USD)
    PromotionCursor.objects.get_or_create(pk=1)
    at_once(*[earning.count_settled] * 4)
    at_once(*[awarding.pay_due] * 4)
    assert earned(stars, anna) == 8
    assert Credit.objects.count() == 8
    assert balance_of(anna.pk, USD) == before + 700


def test_a_match_that_was_committed_late_is_not_passed_over(games: Games, pair) -> None:
    """The cursor stays behind what is younger than any transaction lasts."""
    anna, boris = pair
    campaign(STARS, {9: 1})
    settle(games, anna, boris)
    earning.count_settled()
    assert PromotionCursor.objects.get().last_transfer == 0
    assert earning.count_settled() == 0


def test_a_rush_is_counted_in_parts_and_the_cursor_follows(
    games: Games, pair, monkeypatch: pytest.MonkeyPatch
) -> None:
    """More matches than are counted at once, some that nobody knows, and chips that earn nothing."""
    monkeypatch.setattr(earning, "AT_ONCE", 3)
    anna, boris = pair
    stars = campaign(STARS, {99: 1})
    for n in range(9):
        match_id = settle(games, anna, boris)
        if n % 4 == 0:
            del games.played[match_id]
    later = timezone.now() + timedelta(minutes=3)
    monkeypatch.setattr(timezone, "now", lambda: later)
    services.open_wallet(anna.pk)
    for _ in range(6):
        earning.count_settled()
    assert earned(stars, anna) == 6
    assert earning.count_settled() == 0
    assert PromotionCursor.objects.get().last_transfer == Transfer.objects.latest("id").id


# --- the budget -----------------------------------------------------------------------------------


def test_a_budget_is_never_overspent_however_many_pay(games, transactional_db) -> None:
    people = [person(f"Player{n}") for n in range(8)]
    stars = campaign(STARS, {1: 300}, budget=1_000)
    fund()
    for winner, loser in zip(people, people[1:] + people[:1], strict=True):
        settle(games, winner, loser)
    earning.count_settled()
    at_once(*[awarding.pay_due] * 4)
    stars.refresh_from_db()
    assert stars.spent == 900
    assert Award.objects.filter(paid_at__isnull=False).count() == 3
    Campaign.objects.filter(pk=stars.pk).update(budget=2_400)
    awarding.pay_due()
    assert Award.objects.filter(paid_at__isnull=False).count() == 8


def test_without_money_in_promotions_awards_wait(games: Games, pair) -> None:
    anna, boris = pair
    stars = campaign(STARS, {1: 300})
    settle(games, anna, boris)
    earning.count_settled()
    assert awarding.pay_due() == 0
    stars.refresh_from_db()
    assert stars.spent == 0
    fund(300)
    assert awarding.pay_due() == 1


# --- points ---------------------------------------------------------------------------------------


@pytest.fixture
def points(games: Games, pair) -> Campaign:
    """Anna and Boris have 12 points and 50 cents towards the next."""
    made = campaign(POINTS, {5: 100, 10: 300})
    for stake in (450, 450, 350):
        settle(games, *pair, stake=stake)
    earning.count_settled()
    fund()
    return made


def test_fractions_are_carried_and_points_are_exchanged_once(points: Campaign, pair) -> None:
    anna, _ = pair
    (shown,) = progress.progress_of(anna.pk)
    assert (shown.have, shown.fraction) == (12, 50)
    before, token = balance_of(anna.pk, USD), tokens.issue(anna.pk)
    for _ in range(3):
        awarding.exchange(anna, points.pk, 10, token)
    assert balance_of(anna.pk, USD) == before + 300
    with pytest.raises(KeyReused):
        awarding.exchange(anna, points.pk, 5, token)
    with pytest.raises(NotEnoughPoints):
        awarding.exchange(anna, points.pk, 5, tokens.issue(anna.pk))
    (shown,) = progress.progress_of(anna.pk)
    assert shown.have == 2


def test_two_tabs_cannot_exchange_the_same_points(transactional_db, games, pair) -> None:
    made = campaign(POINTS, {5: 100})
    settle(games, *pair, stake=1_200)
    earning.count_settled()
    fund()
    anna, _ = pair
    said = at_once(*[lambda: awarding.exchange(anna, made.pk, 5, tokens.issue(anna.pk))] * 6)
    assert Counter(said) == {"ok": 2, "not_enough_points": 4}
    score = Score.objects.get(user=anna)
    assert (score.earned, score.exchanged) == (1_200, 10)


def test_an_exchange_that_is_not_offered_or_not_covered_keeps_the_points(points, pair) -> None:
    anna, _ = pair
    for needed in (7, 0, -5):
        with pytest.raises(NoSuchStep):
            awarding.exchange(anna, points.pk, needed, tokens.issue(anna.pk))
    with pytest.raises(NoSuchStep):
        awarding.exchange(anna, points.pk + 1, 5, tokens.issue(anna.pk))
    with pytest.raises(FormExpired):
        awarding.exchange(anna, points.pk, 5, "mine")
    Campaign.objects.filter(pk=points.pk).update(budget=99)
    with pytest.raises(BudgetUsedUp):
        awarding.exchange(anna, points.pk, 5, tokens.issue(anna.pk))
    ended = timezone.now() - timedelta(minutes=1)
    Campaign.objects.filter(pk=points.pk).update(budget=9_999, ends_at=ended)
    with pytest.raises(CampaignOver):
        awarding.exchange(anna, points.pk, 5, tokens.issue(anna.pk))
    assert Score.objects.get(user=anna).exchanged == 0
    assert not Award.objects.exists()


# --- pages ----------------------------------------------------------------------------------------


def test_the_page_shows_how_far_one_is_and_exchanges(points, pair, client: Client) -> None:
    anna, _ = pair
    campaign(STARS, {10: 100, 50: 600})
    client.force_login(anna)
    said = body(client.get("/promotions/"))
    assert "12 points. One for each dollar" in said
    assert "0 stars this month" in said
    words = {"campaign": str(points.pk), "needed": "10", "token": tokens.issue(anna.pk)}
    assert "$3.00 is in your wallet" in body(
        client.post("/promotions/exchange/", words, follow=True)
    )
    assert "$3.00 is in your wallet" in body(
        client.post("/promotions/exchange/", words, follow=True)
    )
    for wrong in ({"needed": "²"}, {"campaign": "x"}, {"needed": "9" * 30}, {"token": ""}):
        answer = client.post("/promotions/exchange/", words | wrong, follow=True)
        assert 'role="alert"' in answer.content.decode()
    assert Award.objects.count() == 1
    assert "Promotion" in body(client.get("/wallet/"))


def test_the_admin_edits_a_ladder_with_a_reason(client: Client) -> None:
    root = User.objects.create_user(
        "root@example.org", screen_name="Root", is_staff=True, is_superuser=True
    )
    client.force_login(root)
    made = campaign(STARS, {10: 100})
    Campaign.objects.filter(pk=made.pk).update(spent=500)
    step = made.steps.get()
    at = f"/admin/wallet/campaign/{made.pk}/change/"
    assert client.get(at).status_code == 200
    words = {
        "name": "Winter", "starts_at_0": "2026-01-01", "starts_at_1": "00:00:00", "ends_at_0": "",
        "ends_at_1": "", "budget": "20000", "dark_pair_a_day": "5", "most_a_day": "", "why": "winter",
        "steps-TOTAL_FORMS": "2", "steps-INITIAL_FORMS": "1", "steps-0-id": str(step.pk),
        "steps-0-campaign": str(made.pk), "steps-0-needed": "12", "steps-0-reward": "150",
        "steps-1-campaign": str(made.pk), "steps-1-needed": "50", "steps-1-reward": "600",
    }  # fmt: skip
    assert "is spent already" in client.post(at, words | {"budget": "499"}).content.decode()
    assert "required" in client.post(at, words | {"why": ""}).content.decode()
    early = {"ends_at_0": "2025-01-01", "ends_at_1": "00:00:00"}
    assert "after the start" in client.post(at, words | early).content.decode()
    answer = client.post(at, words)
    assert answer.status_code == 302
    made.refresh_from_db()
    assert (made.name, made.budget, made.spent) == ("Winter", 20_000, 500)
    assert list(made.steps.values_list("needed", "reward")) == [(12, 150), (50, 600)]
    kept = StaffAction.objects.get(action="campaign")
    assert (kept.why, kept.before) == ("winter", {"ladder": {"10": 100}})
    assert (
        client.post(f"/admin/wallet/campaign/{made.pk}/delete/", {"post": "yes"}).status_code == 403
    )
