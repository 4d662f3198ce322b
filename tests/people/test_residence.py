"""Where money play is open: what people declare, where they are seen, what happens when that changes (people.md 1)."""

import threading
from datetime import timedelta

import pytest
from asgiref.sync import sync_to_async
from channels.testing import WebsocketCommunicator
from django.db import connections
from django.utils import timezone
from django.utils.translation import gettext

from accounts import geoip, permissions, selectors, whereabouts
from accounts.geoip import Place
from accounts.models import Case, Restriction, User, Whereabouts
from accounts.services import register_demo_player
from accounts.sockets import KnownAddresses
from accounts.tests import places
from accounts.tests.staff import administrator
from games.tests.players import make_user, open_table, usd_terms
from wallet.services import deposit_sandbox

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def geoip_file(settings, tmp_path):
    settings.GEOIP_DATABASE = places.write(tmp_path / "places.mmdb")
    return tmp_path / "places.mmdb"


def player(name="Nuri", country="FI", us_state=""):
    return register_demo_player(
        email=f"{name}@example.com",
        screen_name=name,
        password="long-enough-77",
        country=country,
        us_state=us_state,
    )


def code_of(user):
    found = selectors.money_refusal(user)
    if found is None:
        return None
    assert "%" not in gettext(str(found.text)) % found.params
    return found.code


@pytest.mark.parametrize(
    ("ip", "place"),
    [
        (places.FINLAND, Place("FI")),
        (places.FLORIDA, Place("US", "FL")),
        (places.SOMEWHERE_IN_THE_US, Place("US")),
        (places.NOT_IN_THE_FILE, geoip.NOWHERE),
        ("127.0.0.1", geoip.NOWHERE),
        ("nonsense", geoip.NOWHERE),
    ],
)
def test_the_file_says_where_an_address_is(ip, place) -> None:
    assert geoip.locate(ip) == place


def test_without_a_file_nobody_is_anywhere(settings, tmp_path) -> None:
    for path in (None, str(tmp_path / "missing.mmdb")):
        settings.GEOIP_DATABASE = path
        assert geoip.locate(places.FINLAND) == geoip.NOWHERE


def test_a_file_that_was_replaced_is_read_anew(geoip_file) -> None:
    assert geoip.locate(places.FINLAND) == Place("FI")
    places.write(geoip_file, {"81.175.128.0/24": {"country": {"iso_code": "SE"}}})
    assert geoip.locate(places.FINLAND) == Place("SE")


@pytest.mark.parametrize(
    ("declared", "ip", "refusal"),
    [
        (("FI", ""), places.FINLAND, None),
        (("FI", ""), places.FLORIDA, "location_restricted"),
        (("US", "OH"), places.FLORIDA, "location_restricted"),
        (("US", "FL"), places.FINLAND, "residence_restricted"),
        (("US", "FL"), places.OHIO, "residence_restricted"),
        (("US", "OH"), places.OHIO, None),
        (("US", "OH"), places.SOMEWHERE_IN_THE_US, "address_unverified"),
        (("FI", ""), places.SOMEWHERE_IN_THE_US, "address_unverified"),
        (("US", "OH"), places.NOT_IN_THE_FILE, "address_unverified"),
        (("FI", ""), places.NOT_IN_THE_FILE, None),
        (("US", ""), places.OHIO, "residence_unknown"),
    ],
)
def test_declared_or_seen_each_alone_can_refuse(declared, ip, refusal) -> None:
    user = player(country=declared[0], us_state=declared[1])
    whereabouts.seen(user, ip)
    assert code_of(user) == refusal


def test_a_verified_address_answers_the_question_of_the_state_and_no_other() -> None:
    user = player(country="US", us_state="OH")
    user.address_verified_at = timezone.now()
    user.save()
    whereabouts.seen(user, places.SOMEWHERE_IN_THE_US)
    assert code_of(user) is None
    whereabouts.seen(user, places.FLORIDA)
    assert code_of(user) == "location_restricted"


def test_administrators_restrict_a_country_and_everybody_there_is_refused(client) -> None:
    user = player()
    whereabouts.seen(user, places.GERMANY)
    assert code_of(user) is None
    client.force_login(administrator())
    client.post("/admin/accounts/restriction/add/", {"country": "DE", "us_state": "", "note": ""})
    assert Restriction.objects.filter(country="DE").exists()
    assert code_of(user) == "location_restricted"


def test_a_page_is_enough_to_be_seen(client, settings) -> None:
    settings.CLIENT_IP_TRUSTED_PROXIES = 1
    user = player()
    client.force_login(user)
    forged = f"{places.FINLAND}, {places.FLORIDA}"
    page = client.get("/profile/", HTTP_X_FORWARDED_FOR=forged, REMOTE_ADDR="10.0.0.1")
    assert "You seem to be in Florida, United States" in page.content.decode()
    assert Whereabouts.objects.get(user=user).ip == places.FLORIDA


# --- changes --------------------------------------------------------------------------------------


def test_a_jump_between_countries_closes_money_play_for_hours_and_not_for_ever() -> None:
    user = player()
    whereabouts.seen(user, places.FINLAND)
    whereabouts.seen(user, places.GERMANY)
    assert code_of(user) == "location_jumped"
    Whereabouts.objects.update(jumped_at=timezone.now() - timedelta(hours=7))
    assert code_of(user) is None


def test_who_turns_the_tunnel_off_plays_on() -> None:
    user = player()
    for ip in (places.FINLAND, places.GERMANY, places.FINLAND):
        whereabouts.seen(user, ip)
    assert code_of(user) is None


def test_a_journey_of_a_day_is_no_jump() -> None:
    user = player()
    whereabouts.seen(user, places.FINLAND)
    Whereabouts.objects.update(seen_at=timezone.now() - timedelta(hours=10))
    whereabouts.seen(user, places.GERMANY)
    assert code_of(user) is None


def playing() -> User:
    light, dark = make_user(cents=100_00), make_user(cents=100_00)
    whereabouts.seen(light, places.FINLAND)
    open_table(light, dark, usd_terms(100))
    return light


def test_who_moves_while_playing_finishes_and_begins_nothing_new() -> None:
    user = playing()
    whereabouts.seen(user, places.FLORIDA)
    assert user.seats.get().active
    case = Case.objects.get(suspect=user)
    assert [(r.reason, r.detector) for r in case.reports.all()] == [("residence", "place")]
    with pytest.raises(permissions.LocationRestricted):
        permissions.require_money_play(user)
    with pytest.raises(permissions.LocationRestricted):
        open_table(user, make_user(cents=100_00), usd_terms(100))


def test_who_does_not_play_opens_no_case() -> None:
    user = player()
    whereabouts.seen(user, places.FINLAND)
    whereabouts.seen(user, places.FLORIDA)
    assert not Case.objects.exists()


def test_every_twenty_minutes_everybody_is_looked_up_again(settings) -> None:
    beat = settings.CELERY_BEAT_SCHEDULE["recheck-places"]
    assert (beat["task"], beat["schedule"]) == ("accounts.tasks.recheck_places", 20 * 60)
    user = playing()
    Restriction.objects.create(country="FI")
    assert whereabouts.recheck() == 1
    assert Case.objects.get().suspect == user
    assert whereabouts.recheck() == 1
    assert Case.objects.get().reports.count() == 1


def test_the_recheck_reads_the_new_file_and_leaves_those_who_went_long_ago(geoip_file) -> None:
    here, gone = player("Here"), player("Gone")
    for user in (here, gone):
        whereabouts.seen(user, places.FINLAND)
    Whereabouts.objects.filter(user=gone).update(seen_at=timezone.now() - timedelta(hours=1))
    places.write(geoip_file, {"81.175.128.0/24": {"country": {"iso_code": "SE"}}})
    assert whereabouts.recheck() == 1
    assert Whereabouts.objects.get(user=here).country == "SE"
    assert Whereabouts.objects.get(user=gone).country == "FI"


def test_a_new_declared_state_waits_for_staff(client) -> None:
    user = player(country="US", us_state="FL")
    client.force_login(user)
    form = {
        "country": "US",
        "us_state": "OH",
        "street": "1 Long Street",
        "postcode": "43004",
        "city": "Columbus",
    }
    answer = client.post("/profile/address/", form, REMOTE_ADDR=places.OHIO)
    assert answer.status_code == 302
    user.refresh_from_db()
    assert (user.us_state, user.street) == ("OH", "1 Long Street")
    assert code_of(user) == "money_on_hold"
    assert (
        "where you say you live has changed"
        in client.get("/profile/", REMOTE_ADDR=places.OHIO).content.decode()
    )


def test_deposits_ask_the_same_question(client) -> None:
    user = player()
    deposit_sandbox(user.pk, 10_00, key="before")
    client.force_login(user)
    page = client.get("/wallet/", REMOTE_ADDR=places.FLORIDA).content.decode()
    assert "You seem to be in Florida" in page


# --- sockets --------------------------------------------------------------------------------------


async def _closes(scope, receive, send) -> None:
    """A consumer that has nothing to say."""
    await receive()
    await send({"type": "websocket.close"})


@pytest.mark.django_db(transaction=True)
async def test_a_socket_from_elsewhere_is_noticed_without_any_page(settings) -> None:
    settings.CLIENT_IP_TRUSTED_PROXIES = 1
    user = await sync_to_async(player)()
    await sync_to_async(whereabouts.seen)(user, places.FINLAND)
    forged = f"{places.FINLAND}, {places.FLORIDA}".encode()
    socket = WebsocketCommunicator(
        KnownAddresses(_closes), "/ws/lobby/main/", headers=[(b"x-forwarded-for", forged)]
    )
    socket.scope["user"] = user
    socket.scope["client"] = ("10.0.0.1", 1234)
    await socket.connect()
    seen = await sync_to_async(lambda: Whereabouts.objects.get(user=user))()
    assert (seen.ip, seen.us_state) == (places.FLORIDA, "FL")
    assert await sync_to_async(code_of)(user) in ("location_restricted", "location_jumped")
    await sync_to_async(connections.close_all)()


@pytest.mark.django_db(transaction=True)
def test_two_tabs_that_come_first_at_once_are_one_row() -> None:
    user, start = player(), threading.Barrier(4)

    def come() -> None:
        try:
            start.wait()
            whereabouts.seen(user, places.FINLAND)
        finally:
            connections.close_all()

    threads = [threading.Thread(target=come) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(20)
    assert Whereabouts.objects.count() == 1
