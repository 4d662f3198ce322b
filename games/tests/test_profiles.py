"""A player's page (Rooms 3): ratings, history with reasons, record, unfinished matches; nothing of anonymous rooms."""

import re
from datetime import timedelta

import pytest
from django.db.models.functions import Now
from django.test import Client
from django.urls import reverse

from accounts.models import User
from games import profiles, rating_chart, seating
from games.match.sides import Side
from games.models import Match, Seat
from games.ratings import UNIT, Rating
from games.rules.outcome import Win
from games.terms import table_terms
from games.tests.abandoned import begin
from games.tests.decided import begun, lose, lost
from games.tests.players import make_user, usd_terms

pytestmark = pytest.mark.django_db
CHIPS = table_terms(currency="PLAY", stake=1)
TO_THREE = table_terms(currency="PLAY", stake=1, kind="series", length=3)


def page_of(player: User, reader: User | None = None, **query: str) -> str:
    client = Client()
    if reader is not None:
        client.force_login(reader, backend="allauth.account.auth_backends.AuthenticationBackend")
    answer = client.get(reverse("games:player", args=[player.screen_name]), query)
    assert answer.status_code == 200
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", answer.content.decode()))


def test_a_new_player_has_an_empty_page() -> None:
    ann = make_user()
    assert "Everybody starts at 1500" in page_of(ann)
    assert "You have not played a match" in page_of(ann, ann)


def test_an_unknown_player_has_no_page() -> None:
    ann = make_user()
    User.objects.filter(pk=ann.pk).update(is_active=False)
    for name in ("Nobody", ann.screen_name, "%00", "a" * 300):
        assert Client().get(reverse("games:player", args=[name])).status_code == 404


def test_ratings_are_shown_by_game_and_currency_with_the_record() -> None:
    ann, bob = make_user(cents=10_000), make_user(cents=10_000)
    lost(ann, bob, usd_terms())
    lost(ann, bob, TO_THREE, loser=Side.LIGHT)
    lost(ann, bob, CHIPS)
    money, chips = sorted(profiles.cards_of(ann), key=lambda card: card.experience)
    assert (money.game, money.currency, money.shown, money.won, money.lost) == (
        "Backgammon",
        "money",
        "1510",
        1,
        0,
    )
    assert (chips.currency, chips.won, chips.lost, chips.experience) == ("chips", 1, 1, 4)
    assert [(row.what, row.won, row.how) for row in chips.rows] == [
        ("single game", True, "resigned"),
        ("series to 3", False, "resigned"),
    ]
    assert chips.rows[1].change == "\N{MINUS SIGN}17.32"
    page = page_of(ann)
    assert "Backgammon, money 1510 Won 1 Lost 0" in page
    assert f"{bob.screen_name} 1500" in page


def test_the_reader_sees_the_score_between_them() -> None:
    ann, bob, carl = (make_user() for _ in range(3))
    lost(ann, bob, CHIPS)
    lost(bob, ann, CHIPS, loser=Side.LIGHT)
    lost(ann, carl, CHIPS)
    assert "You against them 2 won, 0 lost" in page_of(bob, ann)
    assert "You against them 0 won, 2 lost" in page_of(ann, bob)
    assert "You against them" not in page_of(ann)


def test_matches_that_were_left_are_counted() -> None:
    ann, bob = make_user(), make_user()
    match_id = begun(ann, bob, CHIPS)
    Seat.objects.filter(match_id=match_id, user=ann).update(abandoned=True)
    assert "Unfinished matches 1" in page_of(ann)
    assert "Unfinished matches 0" in page_of(bob)


def test_only_the_player_sees_the_list_of_matches() -> None:
    ann, bob = make_user(), make_user()
    lost(ann, bob, CHIPS)
    assert "Your matches" in page_of(ann, ann)
    assert "Your matches" not in page_of(ann, bob)
    assert "Your matches" not in page_of(ann)


def test_the_list_has_pages_and_any_nonsense_is_the_first(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(profiles, "PAGE", 2)
    ann, bob = make_user(), make_user()
    played = [lost(ann, bob, CHIPS) for _ in range(3)]
    for ago, match_id in enumerate(reversed(played)):
        Match.objects.filter(id=match_id).update(finished_at=Now() - timedelta(minutes=ago))
    first, more = profiles.matches_of(ann, page=1)
    rest, no_more = profiles.matches_of(ann, page=2)
    assert ([row.url for row in [*first, *rest]], more, no_more) == (
        [reverse("games:table", args=[match_id]) for match_id in reversed(played)],
        True,
        False,
    )
    for page in ("0", "-1", "2.5", "x", "", "9" * 30, "\u0665"):
        assert page_of(ann, ann, page=page).count(bob.screen_name) >= 2


def test_nothing_of_the_dark_room_is_told() -> None:
    ann, bob = make_user(cents=10_000), make_user(cents=10_000)
    match_id = seating.open_match(
        light=ann, dark=bob, terms=usd_terms(), room="dark", column="dark"
    )
    begin(match_id)
    lose(match_id, Side.DARK, Win.GAMMON)
    own = page_of(ann, ann)
    assert "Anonymous" in own
    assert bob.screen_name not in own
    assert "No rated match yet" in own
    assert "You against them 0 won, 0 lost" in page_of(ann, bob)


def test_a_chart_has_a_place_for_each_match_within_its_box() -> None:
    ratings = [Rating(points * UNIT) for points in (1500, 1510, 1460, 1530)]
    chart = rating_chart.drawn(ratings)
    assert chart.line == "M0.0 80.0L240.0 64.0L480.0 144.0L720.0 32.0"
    assert chart.scale == (1550, 1500, 1450)
    assert (chart.first, chart.lowest, chart.highest, chart.now) == ("1500", "1460", "1530", "1530")


@pytest.mark.parametrize("points", [[1500], [1390, 900], [1500, 1500, 1500], [1400, 2400]])
def test_a_chart_of_anything_stays_within_its_box(points: list[int]) -> None:
    chart = rating_chart.drawn([Rating(height * UNIT) for height in points])
    heights = [float(place.split()[1]) for place in chart.line[1:].split("L")]
    assert all(0 <= height <= 160 for height in heights)
    assert len(heights) == len(points)
    top, middle, bottom = chart.scale
    assert top - middle == middle - bottom > 0
