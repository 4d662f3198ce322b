"""Ratings in the database (Rooms 3): when they change, by how much, why, once, and under many hands."""

from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
from typing import Any
from uuid import UUID

import pytest
from django.db import DatabaseError, connection, transaction

from accounts.errors import Refused
from accounts.models import User
from games import house, seating, stakes, standings
from games.info import info_of
from games.match import commands
from games.match.sides import Side
from games.models import PlayerRating, RatingChange, Seat
from games.protocol import match_json
from games.ratings import START, UNIT, Rating, at_stake
from games.rules.outcome import Win
from games.terms import TableTerms, table_terms
from games.tests.abandoned import begin, judged, left, user_of
from games.tests.conftest import Later
from games.tests.decided import begun, lose, lose_game, lost, offer_to_lose, state_of
from games.tests.players import make_user, open_table, usd_terms
from wallet import reconcile
from wallet.money import Currency
from wallet.selectors import balance_of

pytestmark = pytest.mark.django_db
LIGHT, DARK = Side.LIGHT, Side.DARK
CHIPS = table_terms(currency="PLAY", stake=1)


def series(length: int, stake: int = 500, currency: str = "USD") -> TableTerms:
    return table_terms(currency=currency, stake=stake, kind="series", length=length)


def pair(cents: int = 10_000) -> tuple[User, User]:
    return make_user(cents=cents), make_user(cents=cents)


def rating(user: User, currency: str = "USD", variant: str = "backgammon") -> Rating:
    return standings.rating_of(user.pk, variant=variant, currency=currency)


def give(user: User, points: int, experience: int = 400, currency: str = "USD") -> None:
    """A rating from elsewhere, of which this database has no history."""
    PlayerRating.objects.create(
        user=user,
        game="backgammon",
        currency=currency,
        billionths=points * UNIT,
        experience=experience,
    )


def players_of(match_id: UUID) -> Any:
    """Both players as the browsers are told."""
    return match_json(info_of(match_id))["players"]


def findings() -> list[str]:
    return [line for outcome in reconcile.run() for line in outcome.findings]


# --- what changes -----------------------------------------------------------------------------------


@pytest.mark.embedded
def test_two_new_players_and_one_single_game() -> None:
    ann, bob = pair()
    match_id = lost(ann, bob, usd_terms())
    assert (rating(ann).billionths, rating(bob).billionths) == (1510 * UNIT, 1490 * UNIT)
    assert (rating(ann).experience, rating(bob).experience) == (1, 1)
    rows = RatingChange.objects.filter(match_id=match_id).order_by("change")
    assert [
        (row.won, row.reason, row.before, row.change, row.after, row.experience, row.length)
        for row in rows
    ] == [
        (False, "resign", START, -10 * UNIT, 1490 * UNIT, 0, 1),
        (True, "resign", START, 10 * UNIT, 1510 * UNIT, 0, 1),
    ]
    assert findings() == []


def test_a_gammon_counts_no_more_for_the_rating_than_a_single_game() -> None:
    ann, bob = pair()
    match_id = begun(ann, bob, usd_terms())
    lose(match_id, DARK, Win.GAMMON)
    assert rating(ann).billionths == 1510 * UNIT


@pytest.mark.parametrize(("loser", "moved"), [(DARK, (390, -390)), (LIGHT, (-504, 504))])
def test_the_worked_series_to_five(loser: Side, moved: tuple[int, int]) -> None:
    """Rooms 3: 1850 v 1750, 5 points, both experienced."""
    ann, bob = pair()
    give(ann, 1850)
    give(bob, 1750)
    match_id = lost(ann, bob, series(5), loser)
    change = {row.rating.user_id: row.change for row in RatingChange.objects.all()}
    assert (round(change[ann.pk] / UNIT * 100), round(change[bob.pk] / UNIT * 100)) == moved
    assert (rating(ann).experience, rating(bob).experience) == (405, 405)
    shown = standings.outcome_json(info_of(match_id), state_of(match_id))
    assert shown == {
        "winner": loser.other,
        "reason": "resign",
        "light": moved[0],
        "dark": moved[1],
    }


@pytest.mark.embedded
def test_a_series_settles_its_stake_once_and_changes_ratings_once() -> None:
    ann, bob = pair()
    match_id = begun(ann, bob, series(3, stake=1_000))
    for _ in range(2):
        lose_game(match_id, DARK)
        assert balance_of(ann.pk, Currency.USD) == 9_000
        assert not RatingChange.objects.exists()
    lose_game(match_id, DARK)
    # 5.9 % of $10, and a quarter more because both are rated below 1620: 73.75 cents each.
    assert balance_of(ann.pk, Currency.USD) == 10_000 + 1_000 - 2 * 74
    assert balance_of(bob.pk, Currency.USD) == 9_000
    assert RatingChange.objects.filter(match_id=match_id).count() == 2
    assert rating(ann) == Rating(START + at_stake(Rating(), Rating(), 3).win, 3)
    assert findings() == []


def test_ratings_are_kept_by_game_and_currency() -> None:
    ann, bob = pair()
    lost(ann, bob, usd_terms())
    lost(ann, bob, CHIPS, loser=LIGHT)
    assert (rating(ann).billionths, rating(ann, "PLAY").billionths) == (1510 * UNIT, 1490 * UNIT)
    assert rating(ann, variant="long-nardy") == rating(ann, "PLAY", "long-nardy-fnr") == Rating()


def test_what_both_saw_at_the_ready_check_is_what_changes() -> None:
    """Fees and points go by the ratings as at the start, whatever else ends in between (Money 4)."""
    ann, bob = pair()
    carl = make_user()
    slow = open_table(ann, bob, CHIPS)
    promised = players_of(slow)["light"]["points"]
    assert promised == {"win": 1000, "lose": -1000}
    for _ in range(3):
        lost(ann, carl, CHIPS)
    before = rating(ann, "PLAY")
    begin(slow)
    lose(slow, DARK)
    assert rating(ann, "PLAY").billionths == before.billionths + 10 * UNIT
    assert findings() == []


def test_the_ready_check_shows_ratings_points_and_matches_that_were_left() -> None:
    ann, bob = pair()
    give(ann, 1850)
    give(bob, 1390)
    for _ in range(2):
        lost_seat = Seat.objects.get(match_id=begun(bob, make_user(), CHIPS), user=bob)
        Seat.objects.filter(pk=lost_seat.pk).update(abandoned=True)
    match_id = open_table(ann, bob, series(5))
    players = players_of(match_id)
    assert {name: players["light"][name] for name in ("rating", "unfinished")} == {
        "rating": "1850",
        "unfinished": 0,
    }
    assert (players["dark"]["rating"], players["dark"]["unfinished"]) == ("1400*", 2)
    exact = at_stake(Rating(1850 * UNIT, 400), Rating(1390 * UNIT, 400), 5)
    assert players["light"]["points"]["win"] == round(exact.win / UNIT * 100)


def test_fees_go_by_the_exact_ratings_as_at_the_start() -> None:
    """Money 4: 1380 v 1590 counts as a difference of 190: half as much again."""
    ann, bob = pair()
    give(ann, 1380)
    give(bob, 1590)
    match_id = begun(ann, bob, usd_terms(500))
    lose(match_id, DARK, Win.GAMMON)
    assert balance_of(ann.pk, Currency.USD) == 10_000 + 1_000 - 2 * 74


# --- how matches end --------------------------------------------------------------------------------


def test_running_out_of_time_is_a_loss(later: Later) -> None:
    ann, bob = pair()
    match_id = begun(ann, bob, usd_terms())
    loser = state_of(match_id).on_roll
    assert loser is not None
    later.skip(10 * 60_000)
    house.advance(match_id, commands.Expire(kind=Win.SINGLE))
    row = RatingChange.objects.get(match_id=match_id, won=False)
    assert (row.rating.user_id, row.reason) == (user_of(match_id, loser), "time")


@pytest.mark.parametrize("gone", [LIGHT, DARK])
def test_who_leaves_a_match_loses_it_for_the_rating_whatever_the_verdict(
    later: Later, gone: Side
) -> None:
    """The engine gives dark a loss of 0.47 at its lower end, and light the better of it."""
    match_id = left(later, gone)
    judged(match_id)
    state = state_of(match_id)
    assert state.result is not None
    assert state.result.winner is LIGHT
    row = RatingChange.objects.get(match_id=match_id, won=False)
    assert (row.rating.user_id, row.reason) == (user_of(match_id, gone), "abandoned")
    assert findings() == []


def test_if_both_left_the_verdict_decides(later: Later) -> None:
    match_id = left(later, LIGHT, DARK)
    judged(match_id)
    row = RatingChange.objects.get(match_id=match_id, won=False)
    assert (row.rating.user_id, row.reason) == (user_of(match_id, DARK), "adjudicated")


def test_a_voided_match_changes_no_rating() -> None:
    ann, bob = pair()
    match_id = begun(ann, bob, usd_terms())
    house.advance(match_id, commands.Void(reason="a test"))
    assert not RatingChange.objects.exists()
    assert rating(ann) == Rating()
    assert findings() == []


def test_in_the_dark_room_nothing_is_rated_and_no_rating_is_told() -> None:
    ann, bob = pair()
    match_id = seating.open_match(
        light=ann, dark=bob, terms=usd_terms(), room="dark", column="dark"
    )
    begin(match_id)
    lose(match_id, DARK)
    assert not RatingChange.objects.exists()
    assert rating(ann) == Rating()
    assert [player["rating"] for player in players_of(match_id).values()] == [None, None]
    assert standings.outcome_json(info_of(match_id), state_of(match_id)) is None
    assert findings() == []


# --- the database's laws ----------------------------------------------------------------------------


@pytest.mark.embedded
def test_the_history_is_final() -> None:
    ann, bob = pair()
    lost(ann, bob, usd_terms())
    for deed in (
        lambda: RatingChange.objects.update(reason="never"),
        lambda: RatingChange.objects.all().delete(),
    ):
        with pytest.raises(DatabaseError), transaction.atomic():
            deed()
    assert RatingChange.objects.filter(reason="resign").count() == 2


@pytest.mark.embedded
def test_the_checker_finds_a_rating_that_its_history_does_not_explain() -> None:
    ann, bob = pair()
    lost(ann, bob, usd_terms())
    PlayerRating.objects.filter(user=ann).update(billionths=1600 * UNIT)
    found = findings()
    assert len(found) == 1
    assert f"{1600 * UNIT}" in found[0]


def test_nothing_is_rated_when_the_settlement_fails(monkeypatch: pytest.MonkeyPatch) -> None:
    """One transaction: no rating without the money, no money without the rating."""
    ann, bob = pair()
    match_id = begun(ann, bob, usd_terms())

    def refuses(settled: Iterable[object]) -> None:
        if list(settled):
            raise Refused

    monkeypatch.setattr(stakes, "pay", refuses)
    with pytest.raises(Refused):
        lose(match_id, DARK)
    assert not RatingChange.objects.exists()
    monkeypatch.undo()
    house.advance(match_id, commands.AnswerResign(by=LIGHT, accept=True))
    assert rating(ann).billionths == 1510 * UNIT
    assert findings() == []


# --- history ----------------------------------------------------------------------------------------


def test_the_history_tells_every_step_in_order() -> None:
    ann, bob = pair()
    first = lost(ann, bob, usd_terms())
    second = lost(ann, bob, series(3), loser=LIGHT)
    steps = standings.steps_of(ann.pk, game="backgammon", currency="USD")
    assert [(step.match_id, step.won, step.length) for step in steps] == [
        (first, True, 1),
        (second, False, 3),
    ]
    assert steps[-1].after == rating(ann)
    assert steps[0].after.billionths + steps[1].change == steps[1].after.billionths


# --- many hands -------------------------------------------------------------------------------------


def at_once(*tasks: Callable[[], object]) -> list[BaseException | None]:
    """Starts all tasks at the same moment, each on a connection of its own; what each raised."""
    start = Barrier(len(tasks))

    def run(task: Callable[[], object]) -> BaseException | None:
        try:
            start.wait()
            task()
        except Exception as trouble:  # noqa: BLE001  the test looks at it
            return trouble
        finally:
            connection.close()
        return None

    with ThreadPoolExecutor(len(tasks)) as pool:
        return list(pool.map(run, tasks))


def ready_to_end(light: User, dark: User, terms: TableTerms) -> UUID:
    """Dark has offered to resign: light's answer ends it."""
    match_id = begun(light, dark, terms)
    offer_to_lose(match_id, DARK)
    return match_id


def end(match_id: UUID) -> None:
    house.advance(match_id, commands.AnswerResign(by=LIGHT, accept=True))


@pytest.mark.django_db(transaction=True)
def test_ten_matches_of_one_player_end_at_once() -> None:
    """Every one counts, in whatever order they are written; all were promised by the ratings at the start."""
    hub = make_user()
    others = [make_user() for _ in range(10)]
    matches = [
        ready_to_end(hub, other, CHIPS) if n % 2 else ready_to_end(other, hub, CHIPS)
        for n, other in enumerate(others)
    ]
    assert at_once(*[lambda m=match_id: end(m) for match_id in matches]) == [None] * 10
    assert rating(hub, "PLAY") == Rating(START, 10)  # five won, five lost, 10 points each
    steps = standings.steps_of(hub.pk, game="backgammon", currency="PLAY")
    assert len(steps) == 10
    assert [step.after.experience for step in steps] == list(range(1, 11))
    assert findings() == []


@pytest.mark.django_db(transaction=True)
def test_matches_of_the_same_two_end_at_once_from_both_sides() -> None:
    """The rows are locked in one order, so ends that cross never wait for each other in a ring."""
    ann, bob = make_user(), make_user()
    matches = [
        ready_to_end(ann, bob, CHIPS) if n % 2 else ready_to_end(bob, ann, CHIPS) for n in range(12)
    ]
    assert at_once(*[lambda m=match_id: end(m) for match_id in matches]) == [None] * 12
    assert rating(ann, "PLAY") == rating(bob, "PLAY") == Rating(START, 12)
    assert findings() == []


@pytest.mark.django_db(transaction=True)
def test_one_match_ended_by_eight_at_once_is_rated_once() -> None:
    ann, bob = pair()
    match_id = ready_to_end(ann, bob, usd_terms())
    troubles = at_once(*[lambda: end(match_id)] * 8)
    assert troubles.count(None) >= 1
    assert all(isinstance(trouble, Refused) for trouble in troubles if trouble is not None)
    assert RatingChange.objects.filter(match_id=match_id).count() == 2
    assert rating(ann).billionths == 1510 * UNIT
    assert findings() == []
