"""Leaderboards and achievements (Rooms 3); matches against house bots are not rated (ADR 21)."""

from datetime import UTC, datetime, timedelta
from uuid import UUID

import pytest
from django.core.cache import cache
from django.test import Client

from accounts.models import User
from games import leaderboards, profiles, standings
from games.achievements import Played, achieved
from games.engine.bots import Level
from games.housebots import bot, bot_terms, sit_down
from games.info import info_of
from games.match.sides import Side
from games.models import Analysis, Match, PlayerRating, RatingChange
from games.protocol import match_json
from games.ratings import UNIT
from games.tests.decided import lost
from games.tests.players import make_user, usd_terms

pytestmark = pytest.mark.django_db
PPM = 1_000_000


@pytest.fixture(autouse=True)
def nothing_kept() -> None:
    cache.clear()


def rated(name: str, points: float, experience: int = 10) -> User:
    user = make_user(name)
    PlayerRating.objects.create(
        user=user,
        game="backgammon",
        currency="USD",
        billionths=round(points * UNIT),
        experience=experience,
    )
    return user


def names(board: leaderboards.Board) -> list[str]:
    return [row.name for row in board.rows]


def test_the_highest_rating_stands_first_and_one_sees_ones_own_place() -> None:
    people = [rated("Low", 1380), rated("High", 1720.4), rated("Middle", 1500)]
    board = leaderboards.by_rating("backgammon", "USD", people[0])
    assert names(board) == ["High", "Middle", "Low"]
    assert [row.figure for row in board.rows] == ["1720", "1500", "1400*"]
    assert board.own is not None
    assert (board.own.place, board.own.name) == (3, "Low")
    assert leaderboards.by_rating("backgammon", "PLAY", None).rows == ()
    assert leaderboards.by_rating("long-nardy", "USD", None).rows == ()


def test_closed_accounts_and_house_bots_are_on_no_board() -> None:
    gone = rated("Gone", 1900)
    gone.is_active = False
    gone.save()
    house = bot(Level.EASY)
    PlayerRating.objects.create(
        user=house, game="backgammon", currency="USD", billionths=1900 * UNIT, experience=1
    )
    assert leaderboards.by_rating("backgammon", "USD", None).rows == ()


def test_wins_are_counted_from_the_first_of_the_month() -> None:
    ann, bob = make_user("Annabel", cents=100_000), make_user("Bobby", cents=100_000)
    for _ in range(2):
        lost(ann, bob, usd_terms(100))
    lost(ann, bob, usd_terms(100), Side.LIGHT)
    board = leaderboards.by_wins("backgammon", "USD", bob)
    assert [(row.name, row.figure, row.more) for row in board.rows] == [
        ("Annabel", "2", 3),
        ("Bobby", "1", 3),
    ]
    assert board.own == board.rows[1]
    later = datetime.now(UTC) + timedelta(days=32)
    assert leaderboards.by_wins("backgammon", "USD", bob, now=later).rows == ()


def analysed(match_id: UUID, light_lost: int, dark_lost: int) -> None:
    Analysis.objects.create(
        match_id=match_id,
        asked_by=User.objects.earliest("id"),
        total=1,
        done=1,
        finished=True,
        engine="test",
        light_decisions=10,
        light_lost=light_lost,
        dark_decisions=10,
        dark_lost=dark_lost,
    )


def test_error_rates_need_twenty_analysed_matches_and_none_of_them_anonymous() -> None:
    ann, bob = make_user("Annabel", cents=100_000), make_user("Bobby", cents=100_000)
    matches = [lost(ann, bob, usd_terms(100)) for _ in range(20)]
    for number, match_id in enumerate(matches):
        analysed(match_id, PPM // 10, PPM // 5 if number else 0)
    board = leaderboards.by_errors("backgammon", ann)
    assert [(row.name, row.figure, row.more) for row in board.rows] == [
        ("Annabel", "5.00", 20),
        ("Bobby", "9.50", 20),
    ]
    cache.clear()
    Match.objects.filter(pk=matches[0]).update(column="dark")
    assert leaderboards.by_errors("backgammon", ann).rows == ()


@pytest.mark.parametrize("by", ["rating", "month", "errors", "nonsense"])
def test_the_page(by: str) -> None:
    rated("High", 1720)
    for path in ("/leaderboards/", "/leaderboards/long-nardy/"):
        page = Client().get(path, {"by": by, "currency": "USD"})
        assert page.status_code == 200
    assert Client().get("/leaderboards/chess/").status_code == 404


def test_a_match_against_a_house_bot_is_not_rated_and_says_so() -> None:
    ann = make_user("Annabel")
    info = info_of(sit_down(user=ann, level=Level.EASY, terms=bot_terms()))
    assert info.with_house
    assert not standings.is_rated(info)
    shown = match_json(info)["players"]
    assert shown["light"]["rating"] is None  # type: ignore[index]
    assert shown["light"]["points"] is None  # type: ignore[index]
    other = make_user("Bobby")
    people = info_of(lost(ann, other, bot_terms()))
    assert standings.is_rated(people)
    assert RatingChange.objects.count() == 2


def played(won: bool, length: int = 1, points: int = 1500) -> Played:  # noqa: FBT001
    return Played(datetime(2026, 1, 1, tzinfo=UTC), won, length, points * UNIT)


def test_achievements_come_once_each_in_their_time() -> None:
    history = [
        played(won=False),
        *[played(won=True)] * 12,
        played(won=True, length=11, points=1810),
    ]
    assert [each.code for each in achieved(history)] == [
        "wins-1",
        "row-5",
        "wins-10",
        "row-10",
        "long",
        "rating-1600",
        "rating-1800",
    ]
    assert achieved([]) == []


def test_the_profile_shows_them() -> None:
    ann, bob = make_user("Annabel", cents=100_000), make_user("Bobby", cents=100_000)
    lost(ann, bob, usd_terms(100))
    assert [each.code for each in profiles.achievements_of(ann)] == ["wins-1"]
    page = Client().get("/players/Annabel/").content.decode()
    assert "First win" in page
    assert "First win" not in Client().get("/players/Bobby/").content.decode()
