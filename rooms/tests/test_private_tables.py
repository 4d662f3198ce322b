"""Private tables (rooms.md 2): by a link, for a named friend; friends and people who do not meet."""

from typing import Any
from uuid import uuid4

import pytest
from django.db import IntegrityError, transaction
from django.test import Client

from accounts import acquaintances
from accounts.errors import Refused
from accounts.models import AccountLink, Block, Friendship, User
from games import rematches
from games.match.sides import Side
from games.selectors import my_running
from games.services import void
from games.tests.decided import lost
from rooms import selectors, services
from rooms.models import Access, Offer
from rooms.services import Guests
from rooms.tests.people import gone_for, offered, player, room, terms
from rooms.tests.test_views import sent, signed_in

pytestmark = pytest.mark.usefixtures("lobby")


def friends(one: User, other: User) -> None:
    acquaintances.befriend(one, other)
    assert acquaintances.befriend(other, one)


def opened(user: User, guests: Guests, stake: int = 500) -> Offer:
    return services.create_offer(
        user=user, room=room(), terms=terms(stake), token=uuid4().hex, guests=guests
    )


def key_of(offer: Offer) -> str:
    assert offer.key is not None
    return offer.key


def code_of(act: Any, *args: Any, **named: Any) -> str:
    with pytest.raises(Refused) as refused:
        act(*args, **named)
    return refused.value.code


class TestByLink:
    def test_it_is_in_no_list_and_whoever_has_the_link_sits_down(self) -> None:
        ann, bob = player(cents=10_000), player(cents=10_000)
        table = opened(ann, Guests(Access.LINK))
        assert selectors.listing(room()).offers == ()
        page = signed_in(bob).get(f"/tables/{table.key}/")
        assert "Join" in page.content.decode()
        assert "$5.00" in page.content.decode()
        where = signed_in(bob).post(f"/tables/{table.key}/join/")["Location"]
        assert where == my_running(bob)[0].url
        assert (
            "not open any more" in signed_in(player()).get(f"/tables/{table.key}/").content.decode()
        )

    def test_its_id_alone_opens_nothing(self) -> None:
        table = opened(player(cents=10_000), Guests(Access.LINK))
        bob = player(cents=10_000)
        assert code_of(services.accept_offer, user=bob, offer_id=table.pk) == "unknown_offer"
        for key in (str(table.pk), "x" * 24, ""):
            assert code_of(services.accept_private, user=bob, key=key) == "unknown_offer"
        assert signed_in(bob).get("/tables/not-a-key/").status_code == 404
        assert signed_in(bob).post("/tables/not-a-key/join/").status_code == 404

    def test_a_visitor_sees_what_is_offered_and_signs_in_to_join(self) -> None:
        table = opened(player(cents=10_000), Guests(Access.LINK))
        page = Client().get(f"/tables/{table.key}/").content.decode()
        assert f"/accounts/login/?next=/tables/{table.key}/" in page
        assert Client().post(f"/tables/{table.key}/join/").status_code == 302

    def test_the_form_leads_its_creator_to_the_link(self) -> None:
        ann = player(cents=10_000)
        where = signed_in(ann).post("/lobby/main/new/", sent(guests="link"))["Location"]
        table = Offer.objects.get()
        assert where == f"/tables/{table.key}/"
        page = signed_in(ann).get(where).content.decode()
        assert f"http://testserver/tables/{table.key}/" in page
        assert code_of(services.accept_private, user=ann, key=table.key) == "own_offer"

    def test_it_goes_when_its_creator_goes(self) -> None:
        ann = player(cents=10_000)
        table = opened(ann, Guests(Access.LINK))
        gone_for(ann, 16)
        services.expire_abandoned()
        bob = player(cents=10_000)
        assert code_of(services.accept_private, user=bob, key=table.key) == "offer_withdrawn"


class TestForAFriend:
    def test_the_friend_sees_it_and_nobody_else(self) -> None:
        ann, bob, cat = (player(cents=10_000) for _ in range(3))
        friends(ann, bob)
        table = opened(ann, Guests(Access.FRIEND, bob))
        assert [row.name for row in selectors.invitations_of(bob.pk)] == [ann.screen_name]
        assert selectors.invitations_of(cat.pk) == []
        assert selectors.listing(room()).offers == ()
        assert signed_in(cat).get(f"/tables/{table.key}/").status_code == 404
        assert code_of(services.accept_private, user=cat, key=table.key) == "unknown_offer"
        assert ann.screen_name in signed_in(bob).get("/lobby/main/").content.decode()
        match_id = services.accept_private(user=bob, key=key_of(table))
        assert my_running(ann)[0].id == match_id
        assert selectors.invitations_of(bob.pk) == []

    def test_only_a_friend_can_be_invited(self) -> None:
        ann, bob = player(cents=10_000), player(cents=10_000)
        acquaintances.befriend(ann, bob)  # not accepted yet
        assert code_of(opened, ann, Guests(Access.FRIEND, bob)) == "not_your_friend"
        forged = signed_in(ann).post("/lobby/main/new/", sent(guests=f"friend-{bob.pk}"))
        assert forged.status_code == 422
        assert not Offer.objects.exists()

    def test_a_friend_may_decline(self) -> None:
        ann, bob = player(cents=10_000), player(cents=10_000)
        friends(ann, bob)
        table = opened(ann, Guests(Access.FRIEND, bob))
        assert code_of(services.decline, user=ann, key=table.key) == "unknown_offer"
        signed_in(bob).post(f"/tables/{table.key}/decline/")
        assert Offer.objects.get().status == "withdrawn"

    def test_the_list_of_ones_own_has_all_of_it(self) -> None:
        ann, bob, cat = (player(cents=10_000) for _ in range(3))
        friends(ann, bob)
        opened(ann, Guests(Access.FRIEND, bob))
        offered(ann, 10, slug="practice")
        match_id = services.accept_offer(user=bob, offer_id=offered(cat, 10, slug="practice").pk)
        page = signed_in(ann).get("/tables/").content.decode()
        assert "Main hall" in page
        assert "Practice" in page
        assert bob.screen_name in page
        theirs = signed_in(bob).get("/tables/").content.decode()
        assert f"/table/{match_id}/" in theirs
        assert cat.screen_name in theirs
        assert ann.screen_name in theirs


class TestFriends:
    def test_a_friendship_takes_two(self) -> None:
        ann, bob = player(), player()
        assert not acquaintances.befriend(ann, bob)
        assert not acquaintances.befriend(ann, bob)
        assert acquaintances.requests_to(bob) == [ann]
        assert acquaintances.friends_of(ann) == []
        assert acquaintances.befriend(bob, ann)
        assert acquaintances.friends_of(ann) == [bob]
        assert acquaintances.friends_of(bob) == [ann]
        acquaintances.unfriend(bob, ann)
        assert acquaintances.friends_of(ann) == []

    def test_two_who_ask_each_other_are_friends(self) -> None:
        ann, bob = player(), player()
        acquaintances.befriend(ann, bob)
        assert acquaintances.befriend(bob, ann)
        assert Friendship.objects.count() == 1

    def test_nobody_is_their_own_friend_or_foe(self) -> None:
        ann = player()
        assert code_of(acquaintances.befriend, ann, ann) == "not_yourself"
        assert code_of(acquaintances.block, ann, ann) == "not_yourself"
        with pytest.raises(IntegrityError), transaction.atomic():
            Block.objects.create(by=ann, whom=ann)

    def test_the_pages(self) -> None:
        ann, bob = player(), player()
        client = signed_in(ann)
        page = client.get(f"/players/{bob.screen_name}/").content.decode()
        assert "Ask for friendship" in page
        client.post("/friends/ask/", {"name": bob.screen_name})
        assert bob.screen_name in client.get("/friends/").content.decode()
        theirs = signed_in(bob)
        assert "Who wants to be your friend" in theirs.get("/friends/").content.decode()
        theirs.post("/friends/ask/", {"name": ann.screen_name})
        assert "Who wants" not in theirs.get("/friends/").content.decode()
        theirs.post("/friends/block/", {"name": ann.screen_name})
        assert "Whom you have blocked" in theirs.get("/friends/").content.decode()
        assert not acquaintances.are_friends(ann.pk, bob.pk)
        theirs.post("/friends/unblock/", {"name": ann.screen_name})
        assert not Block.objects.exists()
        assert client.post("/friends/ask/", {"name": "nobody at all"}).status_code == 404
        assert Client().get("/friends/").status_code == 302

    def test_a_friend_is_here_in_whatever_room_and_no_room_is_told(self) -> None:
        ann, bob = player(cents=100_000), player()
        friends(ann, bob)
        client = signed_in(bob)
        assert "not here" in client.get("/friends/").content.decode()
        signed_in(ann).get("/lobby/dark/")
        page = client.get("/friends/").content.decode()
        assert "here now" in page
        assert "Dark" not in page.split("<main")[1]


class TestBlocked:
    """rooms.md 2: blocked never meet."""

    @pytest.mark.parametrize("blocker", [0, 1])
    def test_they_do_not_see_each_others_tables_and_cannot_sit_down(self, blocker: int) -> None:
        ann, bob = people = (player(cents=10_000), player(cents=10_000))
        acquaintances.block(people[blocker], people[1 - blocker])
        table = offered(ann)
        assert str(table.pk) not in signed_in(bob).get("/lobby/main/").content.decode()
        assert str(table.pk) in signed_in(player()).get("/lobby/main/").content.decode()
        assert code_of(services.accept_offer, user=bob, offer_id=table.pk) == "not_together"
        assert Offer.objects.get().status == "open"

    def test_a_link_does_not_bring_them_together_and_they_do_not_play_again(self) -> None:
        ann, bob = player(cents=50_000), player(cents=50_000)
        match_id = lost(ann, bob, terms(500))
        acquaintances.block(bob, ann)
        table = opened(ann, Guests(Access.LINK))
        assert code_of(services.accept_private, user=bob, key=table.key) == "not_together"
        asked = code_of(rematches.ask, match_id, Side.LIGHT, wants=True)
        assert asked == "not_together"

    def test_who_is_blocked_is_not_told_by_whom(self) -> None:
        ann, bob = player(), player()
        acquaintances.block(bob, ann)
        assert code_of(acquaintances.befriend, ann, bob) == "cannot_befriend"
        acquaintances.block(ann, bob)
        acquaintances.unblock(bob, ann)
        assert code_of(acquaintances.befriend, ann, bob) == "cannot_befriend"

    @pytest.mark.parametrize(
        ("kind", "cleared"), [("ip", False), ("device", False), ("device", True)]
    )
    def test_linked_accounts_meet_for_chips_only(
        self, kind: str, settings: Any, *, cleared: bool
    ) -> None:
        """rooms.md 2: for money never with an account linked to theirs; one household stays one."""
        settings.HOLD_LINKED_ACCOUNTS = True
        ann, bob = player(cents=10_000), player(cents=10_000)
        link = AccountLink.objects.create(first=ann, second=bob, kind=kind)
        if cleared:
            link.cleared_at = link.found_at
            link.save()
        money, chips = offered(ann), offered(ann, 10, slug="practice")
        assert code_of(services.accept_offer, user=bob, offer_id=money.pk) == "not_together"
        match_id = services.accept_offer(user=bob, offer_id=chips.pk)
        assert [row.id for row in my_running(bob)] == [match_id]


def test_nobody_is_led_to_a_table_that_was_left_again() -> None:
    ann, bob = player(cents=10_000), player(cents=10_000)
    match_id = services.accept_offer(user=bob, offer_id=offered(ann).pk)
    assert selectors.seated_lately(ann.pk) == [match_id]
    void(match_id, reason="test")
    assert selectors.seated_lately(ann.pk) == []


def test_two_people_of_one_network_meet_once_staff_has_looked(settings: Any) -> None:
    settings.HOLD_LINKED_ACCOUNTS = True
    ann, bob = player(cents=10_000), player(cents=10_000)
    link = AccountLink.objects.create(first=ann, second=bob, kind="ip")
    link.cleared_at = link.found_at
    link.save()
    assert services.accept_offer(user=bob, offer_id=offered(ann).pk) == my_running(bob)[0].id


def test_twenty_joins_a_second_are_too_many() -> None:
    client = signed_in(player(cents=10_000))
    said = [
        client.post("/lobby/main/join/", {"offer": str(uuid4())}, follow=True).content.decode()
        for _ in range(12)
    ]
    assert "no such open table" in said[0]
    assert "too fast" in said[-1]
