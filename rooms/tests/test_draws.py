"""The Dark Room (rooms.md 1): chance pairs those who wait for the same, never a pair too often, and nothing says why not."""

from datetime import timedelta
from uuid import UUID, uuid4

import pytest
from django.db.models.functions import Now
from django.test import Client

from accounts import acquaintances
from accounts.errors import Refused
from accounts.models import User
from games import rematches
from games.match.sides import Side
from games.models import Match, Seat
from games.selectors import my_running
from games.services import void
from games.tests.abandoned import begin
from games.tests.decided import lose
from rooms import draws, pairing, selectors, services
from rooms.models import Access, Offer
from rooms.services import Guests
from rooms.tests.people import offered, player, room, spend, terms
from rooms.tests.test_races import at_once

pytestmark = pytest.mark.usefixtures("lobby")


def rich() -> User:
    return player(cents=100_000)


def asking(user: User, stake: int = 500) -> UUID | None:
    return draws.ask(
        user=user, room=room("dark"), terms=terms(stake, slug="dark"), token=uuid4().hex
    )


def code_of(act: object) -> str:
    with pytest.raises(Refused) as refused:
        act()  # type: ignore[operator]
    return refused.value.code


def rival_of(match_id: UUID | None, user: User) -> int:
    assert match_id is not None
    return Seat.objects.exclude(user=user).get(match_id=match_id).user_id


def waiting() -> int:
    return Offer.objects.filter(status="open").count()


def test_who_asks_for_what_nobody_waits_for_waits_and_the_next_one_is_paired_with_them() -> None:
    ann, bob = rich(), rich()
    assert asking(ann) is None
    assert asking(bob, 1_000) is None
    assert waiting() == 2
    match_id = asking(bob)
    assert rival_of(match_id, bob) == ann.pk
    assert waiting() == 0
    assert Match.objects.get().column == "dark"


def test_among_those_who_wait_for_the_same_each_is_drawn() -> None:
    """Of three, none is left out in forty draws: once in ten million runs it would be."""
    people = [rich() for _ in range(3)]
    drawn = {pairing.drawn(people).pk for _ in range(40)}
    assert drawn == {each.pk for each in people}


def test_a_table_that_is_shown_stands_for_its_terms_not_for_its_owner() -> None:
    ann, bob, cat = rich(), rich(), rich()
    asking(ann)
    shown = selectors.listing(room("dark")).offers[0]
    services.withdraw_offer(user=ann, offer_id=UUID(shown.id))
    asking(bob)
    match_id = draws.ask_like(user=cat, offer_id=UUID(shown.id))
    assert rival_of(match_id, cat) == bob.pk


def test_ones_own_table_cannot_be_joined_and_a_forged_one_is_unknown() -> None:
    ann, bob = rich(), rich()
    asking(ann)
    own = Offer.objects.get().pk
    named = offered(bob).pk
    assert code_of(lambda: draws.ask_like(user=ann, offer_id=own)) == "own_offer"
    for forged in (uuid4(), named):
        assert code_of(lambda: draws.ask_like(user=ann, offer_id=forged)) == "unknown_offer"  # noqa: B023
    assert code_of(lambda: services.accept_offer(user=bob, offer_id=own)) == "unknown_offer"


def test_blocked_people_are_not_paired_and_it_looks_as_if_nobody_waited() -> None:
    ann, bob, cat = rich(), rich(), rich()
    acquaintances.block(ann, bob)
    asking(ann)
    assert asking(bob) is None
    assert draws.pair_waiting() == 0
    assert waiting() == 2
    assert rival_of(asking(cat), cat) in {ann.pk, bob.pk}


def test_a_pair_meets_five_times_a_day_and_not_a_sixth() -> None:
    """Leaving the ready check is no way to another draw: those meetings count too."""
    ann, bob = rich(), rich()
    for _ in range(5):
        assert asking(ann) is None
        match_id = asking(bob)
        assert match_id is not None
        void(match_id, reason="test")
    assert asking(ann) is None
    assert asking(bob) is None
    assert draws.pair_waiting() == 0
    oldest = Match.objects.order_by("created_at").first()
    assert oldest is not None
    Match.objects.filter(pk=oldest.pk).update(created_at=Now() - timedelta(hours=24, seconds=1))
    assert draws.pair_waiting() == 1
    assert my_running(ann) == my_running(bob)


def test_those_who_found_nobody_when_they_came_are_paired_later() -> None:
    people = [rich() for _ in range(5)]
    for each in people:
        services.create_offer(
            user=each, room=room("dark"), terms=terms(500, slug="dark"), token=uuid4().hex
        )
    assert draws.pair_waiting() == 2
    assert waiting() == 1
    assert sorted(len(my_running(each)) for each in people) == [0, 1, 1, 1, 1]
    assert draws.pair_waiting() == 0


def test_who_cannot_pay_any_more_does_not_hold_up_the_others() -> None:
    ann, bob, cat = rich(), rich(), rich()
    for each in (ann, bob, cat):
        services.create_offer(
            user=each, room=room("dark"), terms=terms(500, slug="dark"), token=uuid4().hex
        )
    spend(ann, 99_000)
    for _ in range(3):
        draws.pair_waiting()
    assert my_running(bob) == my_running(cat)
    assert len(my_running(bob)) == 1
    assert my_running(ann) == []


def test_a_form_sent_twice_asks_once() -> None:
    ann, token = rich(), uuid4().hex
    for _ in range(2):
        asked = draws.ask(user=ann, room=room("dark"), terms=terms(500, slug="dark"), token=token)
        assert asked is None
    assert waiting() == 1


def test_only_the_stakes_of_the_room_are_played() -> None:
    assert code_of(lambda: terms(501, slug="dark")) == "bad_stake"
    assert terms(500, slug="dark").stake == 500


def test_a_table_with_a_name_and_one_without_do_not_stand_side_by_side() -> None:
    """The named one would disappear at the moment the anonymous match begins."""
    ann, bob = rich(), rich()
    offered(ann)
    assert code_of(lambda: asking(ann)) == "close_others_first"
    asking(bob)
    assert code_of(lambda: offered(bob)) == "close_others_first"
    assert code_of(lambda: offered(bob, 10, slug="practice")) == "close_others_first"


def test_there_are_no_private_tables_and_no_rematches() -> None:
    ann, bob = rich(), rich()
    acquaintances.befriend(ann, bob)
    acquaintances.befriend(bob, ann)
    for guests in (
        Guests(Access.LINK),
        Guests(Access.FRIEND, bob),
    ):
        with pytest.raises(Refused) as refused:
            services.create_offer(
                user=ann,
                room=room("dark"),
                terms=terms(500, slug="dark"),
                token=uuid4().hex,
                guests=guests,
            )
        assert refused.value.code == "private_not_here"
    asking(ann)
    match_id = asking(bob)
    assert match_id is not None
    begin(match_id)
    lose(match_id, Side.DARK)
    assert code_of(lambda: rematches.ask(match_id, Side.LIGHT, wants=True)) == "drawn_by_chance"


def test_the_page_leads_to_the_table_or_says_that_one_waits() -> None:
    ann, bob = rich(), rich()
    clients = {}
    for each in (ann, bob):
        clients[each.pk] = Client()
        clients[each.pk].force_login(
            each, backend="allauth.account.auth_backends.AuthenticationBackend"
        )
    form = {
        "variant": "backgammon",
        "kind": "single",
        "stake": "5",
        "limit": "12",
        "clock": "normal",
    }
    first = clients[ann.pk].post("/lobby/dark/new/", {**form, "token": uuid4().hex})
    assert first["Location"] == "/lobby/dark/"
    page = clients[bob.pk].get("/lobby/dark/").content.decode()
    assert ann.screen_name not in page
    shown = Offer.objects.get()
    joined = clients[bob.pk].post("/lobby/dark/join/", {"offer": str(shown.pk)})
    assert joined["Location"].startswith("/table/")


@pytest.mark.django_db(transaction=True)
def test_two_who_ask_at_once_end_at_one_table(committed_lobby: None) -> None:
    for _ in range(3):
        ann, bob = rich(), rich()
        ends = at_once(lambda: asking(ann), lambda: asking(bob))  # noqa: B023
        assert ends == ["done", "done"]
        draws.pair_waiting()
        assert my_running(ann) == my_running(bob)
        assert len(my_running(ann)) == 1
