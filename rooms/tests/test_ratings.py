"""Ratings in the lobby (Rooms 1 to 3): who may sit where, what is shown before anybody sits down, playing again."""

import html
import re
from collections.abc import Callable
from functools import partial

import pytest
from django.test import Client

from accounts.errors import Refused
from accounts.models import User
from games import rematches
from games.match.sides import Side
from games.models import PlayerRating, Seat
from games.ratings import UNIT
from games.tests.abandoned import begin
from games.tests.decided import lose, lost
from rooms import selectors, services
from rooms.models import Offer, OfferStatus, Room
from rooms.tests.people import offered, player, room, terms
from rooms.words import MINUS

pytestmark = pytest.mark.usefixtures("lobby")


def give(user: User, points: float, *, currency: str = "USD", game: str = "backgammon") -> None:
    PlayerRating.objects.update_or_create(
        user=user,
        game=game,
        currency=currency,
        defaults={"billionths": round(points * UNIT), "experience": 400},
    )


def rated(points: float, **where: str) -> User:
    user = player(cents=100_000)
    give(user, points, **where)
    return user


def refusal_of(act: Callable[[], object]) -> Refused:
    with pytest.raises(Refused) as refused:
        act()
    return refused.value


@pytest.fixture
def giants() -> Room:
    return Room.objects.get(slug="giants")


def test_giants_are_rated_1800_or_more_in_the_game_and_currency_played(giants: Room) -> None:
    assert offered(rated(1800), slug="giants").room == giants
    for user in (
        rated(1799.999),
        rated(2000, currency="PLAY"),
        rated(2000, game="long-nardy"),
        player(cents=100_000),
    ):
        assert refusal_of(partial(offered, user, slug="giants")).code == "rating_outside_room"


@pytest.mark.parametrize(
    ("points", "said"), [(1799.996, "1799.99"), (1650, "1650"), (1200, "1400*")]
)
def test_the_refusal_says_the_rating_so_that_the_reason_can_be_seen(
    giants: Room, points: float, said: str
) -> None:
    refusal = refusal_of(lambda: offered(rated(points), slug="giants"))
    assert refusal.params == {"rating": said, "range": "1800 and more"}


def test_who_joins_is_asked_too_and_who_opened_is_asked_again(giants: Room) -> None:
    strong = rated(1850)
    offer = offered(strong, slug="giants")
    weak = rated(1700)
    refused = refusal_of(lambda: services.accept_offer(user=weak, offer_id=offer.pk))
    assert refused.code == "rating_outside_room"
    give(strong, 1790)
    late = rated(1900)
    refused = refusal_of(lambda: services.accept_offer(user=late, offer_id=offer.pk))
    assert refused.code == "creator_cannot_sit"
    offer.refresh_from_db()
    assert offer.status == OfferStatus.EXPIRED


def test_a_match_that_has_started_is_finished_but_not_played_again(giants: Room) -> None:
    """Rooms 1: checked when sitting down; playing again is sitting down."""
    ann, bob = rated(1801), rated(1801)
    match_id = services.accept_offer(user=bob, offer_id=offered(ann, slug="giants").pk)
    begin(match_id)
    lose(match_id, Side.DARK)  # by two points and a bit
    assert refusal_of(lambda: rematches.ask(match_id, Side.DARK, wants=True)).code == (
        "rating_outside_room"
    )
    assert rematches.ask(match_id, Side.LIGHT, wants=True).asked == {Side.LIGHT}


def test_a_closed_room_plays_nothing_again() -> None:
    match_id = lost(player(), player(), terms(1, slug="practice"))
    Room.objects.filter(slug="practice").update(is_open=False)
    assert refusal_of(lambda: rematches.ask(match_id, Side.LIGHT, wants=True)).code == "room_closed"


def test_playing_again_withdraws_the_open_tables_of_both() -> None:
    """Rooms 2: the first that is accepted withdraws the others."""
    ann, bob = player(), player()
    match_id = lost(ann, bob, terms(1, slug="practice"))
    tables = [offered(user, 2, slug="practice") for user in (ann, bob, player())]
    for side in Side:
        rematches.ask(match_id, side, wants=True)
    statuses = [Offer.objects.get(pk=table.pk).status for table in tables]
    assert statuses == [OfferStatus.WITHDRAWN, OfferStatus.WITHDRAWN, OfferStatus.OPEN]


# --- what is shown --------------------------------------------------------------------------------------


def row_of(reader: User | None, offer: Offer) -> str:
    client = Client()
    if reader is not None:
        client.force_login(reader, backend="allauth.account.auth_backends.AuthenticationBackend")
    page = client.get(f"/lobby/{offer.room.slug}/").content.decode()
    row = re.search(rf'data-id="{offer.pk}".*?</tr>', page, re.DOTALL)
    assert row is not None
    return html.unescape(re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", row[0])))


def test_a_reader_sees_the_fee_and_the_points_at_stake_between_the_two() -> None:
    """1850 v 1750 to 5 points, both experienced; the difference of 100 makes the fee half as much again."""
    offer = offered(rated(1850), 1_000, kind="series", length=5)
    row = row_of(rated(1750), offer)
    assert f"rating +5.04 / {MINUS}3.90" in row
    # 6.9 % of $10 is 69 cents; nobody pays more, both being above 1650.
    assert "+$8.62 fee $1.38" in row
    uneven = row_of(rated(1600), offer)
    # A difference of 250: twice the rate, $1.38 each.
    assert "+$7.24 fee $2.76" in uneven


def test_a_visitor_sees_it_as_between_equals_and_no_points() -> None:
    offer = offered(rated(1850), 1_000)
    row = row_of(None, offer)
    assert "1850" in row
    assert "rating +" not in row


def test_low_ratings_are_shown_and_counted_as_1400() -> None:
    ann = rated(1250)
    row = row_of(player(), offered(ann))
    assert "1400*" in row
    assert "1250" not in row


def test_matches_that_somebody_left_are_shown_beside_the_rating() -> None:
    ann = player(cents=10_000)
    for _ in range(2):
        match_id = lost(player(), ann, terms(1, slug="practice"))
        Seat.objects.filter(match_id=match_id, user=ann).update(abandoned=True)
    assert "2 unfinished" in row_of(player(), offered(ann))
    assert "unfinished" not in row_of(player(), offered(player(cents=10_000)))


def test_nothing_of_ratings_is_told_in_an_anonymous_room() -> None:
    Room.objects.filter(slug="main").update(anonymous=True, column="dark")
    ann = rated(1850)
    row = row_of(rated(1750), offered(ann))
    assert "Anonymous" in row
    assert not re.search(r"1850|rating", row)
    assert ann.screen_name not in row


def test_the_quote_of_a_new_table_goes_by_ones_own_rating() -> None:
    hall = room()
    equal = selectors.quote(hall, terms(1_000, kind="series", length=5), rated(1700))
    low = selectors.quote(hall, terms(1_000, kind="series", length=5), rated(1500))
    assert (equal.rows[0].fee, low.rows[0].fee) == ("$1.38", "$1.72")
    assert equal.most == f"{MINUS}$10.00"


@pytest.mark.parametrize("kind", ["single", "series"])
def test_the_list_can_be_filtered_by_kind(kind: str) -> None:
    ann, bob = player(cents=10_000), player(cents=10_000)
    tables = {"single": offered(ann), "series": offered(bob, kind="series", length=7)}
    page = Client().get(f"/lobby/main/?filter=1&kind={kind}").content.decode()
    assert str(tables.pop(kind).pk) in page
    assert str(tables.popitem()[1].pk) not in page
