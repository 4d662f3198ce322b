"""Against the house bot from the lobby: at once, for chips, also without an account."""

import pytest
from django.core.cache import cache
from django.test import Client
from django.urls import reverse

from accounts import guests
from accounts.models import User
from accounts.permissions import require_money_play
from games.models import HouseBot, HouseSeat, Match, Seat
from games.tests.players import make_user
from rooms.models import Room

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def no_guests_yet() -> None:
    cache.clear()


def play(client: Client, room: str = "practice", **fields: object) -> str:
    """Presses the button; where that leads."""
    asked = {"level": 1, "length": 0} | fields
    answer = client.post(reverse("rooms:play_bot", args=[room]), asked)
    assert answer.status_code == 302
    return str(answer["Location"])


def test_a_player_sits_down_with_a_bot_at_once() -> None:
    """Table 8."""
    client, ann = Client(), make_user()
    client.force_login(ann)
    where = play(client, level=3, length=5)
    match = Match.objects.get()
    assert where == reverse("games:table", args=[match.pk])
    assert (match.currency, match.room, match.kind, match.length) == (
        "PLAY",
        "practice",
        "series",
        5,
    )
    assert HouseSeat.objects.get(match=match).level == 3
    users = set(Seat.objects.filter(match=match).values_list("user", flat=True))
    assert users == {ann.pk, HouseBot.objects.get().user_id}


def test_a_visitor_plays_as_a_guest_without_an_account() -> None:
    client = Client()
    play(client)
    match = Match.objects.get()
    page = client.get(reverse("games:table", args=[match.pk]))
    assert page.status_code == 200
    guest = User.objects.get(pk=client.session["_auth_user_id"])
    assert guests.is_guest(guest)
    assert guest.screen_name.startswith("Guest ")
    assert not guest.has_usable_password()
    assert Seat.objects.filter(match=match, user=guest).exists()
    play(client)
    assert User.objects.filter(email__endswith=guests.DOMAIN).count() == 1


def test_a_guest_never_plays_for_money() -> None:
    client = Client()
    play(client)
    guest = User.objects.get(pk=client.session["_auth_user_id"])
    with pytest.raises(Exception, match="age_unknown"):
        require_money_play(guest)


def test_one_address_makes_so_many_guests_and_no_more() -> None:
    for _ in range(guests.MOST_AN_HOUR):
        play(Client())
    client = Client()
    assert play(client) == reverse("rooms:lobby", args=["practice"])
    assert "enough guests" in client.get(reverse("rooms:lobby", args=["practice"])).content.decode()
    assert "_auth_user_id" not in client.session


def test_there_is_no_bot_where_money_is_played() -> None:
    """Table 8: never for money."""
    client = Client()
    client.force_login(make_user(cents=10_000))
    answer = client.post(reverse("rooms:play_bot", args=["main"]), {"level": 1, "length": 0})
    assert answer.status_code == 404
    assert "house bot" not in client.get(reverse("rooms:lobby", args=["main"])).content.decode()
    assert (
        "Play the house bot"
        in client.get(reverse("rooms:lobby", args=["practice"])).content.decode()
    )
    assert not HouseSeat.objects.exists()


@pytest.mark.parametrize("wrong", [{"level": 4}, {"level": "x"}, {"length": 26}, {"length": "2.5"}])
def test_what_is_not_offered_is_refused(wrong: dict[str, object]) -> None:
    client = Client()
    assert play(client, **wrong) == reverse("rooms:lobby", args=["practice"])
    assert not Match.objects.exists()
    assert not User.objects.exists()


def test_a_closed_room_has_no_bot() -> None:
    Room.objects.filter(slug="practice").update(is_open=False)
    client = Client()
    client.force_login(make_user())
    answer = client.post(reverse("rooms:play_bot", args=["practice"]), {"level": 1, "length": 0})
    assert answer.status_code in {302, 404}
    assert not Match.objects.exists()
