"""Open tables: opened, taken back, joined, abandoned (rooms.md 2, bugs T21, T23, L11)."""

import secrets
from uuid import uuid4

import pytest
from django.db import IntegrityError, transaction

from accounts.errors import Refused
from accounts.models import Restriction, User
from games.selectors import my_running
from games.services import purse, void
from rooms import draws, presence, selectors, services
from rooms.models import Offer, Room
from rooms.tests.people import gone_for, offered, player, room, spend, terms

pytestmark = pytest.mark.usefixtures("lobby")


def code_of(refused: pytest.ExceptionInfo[Refused]) -> str:
    return refused.value.code


def cents_of(*users: User) -> list[int]:
    return [purse(user.pk, "USD") for user in users]


def status_of(offer: Offer) -> str:
    return Offer.objects.get(pk=offer.pk).status


class TestOpening:
    def test_an_open_table_is_listed_and_holds_nothing(self) -> None:
        ann = player(cents=10_000)
        offer = offered(ann)
        assert [row.id for row in selectors.listing(room()).offers] == [str(offer.pk)]
        assert cents_of(ann) == [10_000]

    def test_the_same_form_sent_twice_opens_one_table(self) -> None:
        """T23: a double click."""
        ann, token = player(cents=10_000), secrets.token_hex(16)
        first, again = (
            services.create_offer(user=ann, room=room(), terms=terms(stake), token=token)
            for stake in (500, 600)
        )
        assert first == again
        assert Offer.objects.count() == 1

    def test_another_player_may_have_a_form_with_the_same_token(self) -> None:
        token = secrets.token_hex(16)
        for user in (player(cents=10_000), player(cents=10_000)):
            services.create_offer(user=user, room=room(), terms=terms(), token=token)
        assert Offer.objects.count() == 2

    def test_the_same_terms_from_another_tab_are_the_same_table(self) -> None:
        ann = player(cents=10_000)
        assert offered(ann) == offered(ann)

    def test_several_tables_of_one_player_stand_side_by_side_up_to_five(self) -> None:
        ann = player(cents=100_000)
        for stake in (100, 200, 300, 400, 500):
            offered(ann, stake)
        with pytest.raises(Refused) as refused:
            offered(ann, 600)
        assert code_of(refused) == "too_many_offers"

    def test_what_the_balance_does_not_cover_is_refused(self) -> None:
        """The limit, not the stake, must be covered (money.md 3)."""
        ann = player(cents=5_999)
        with pytest.raises(Refused) as refused:
            offered(ann, 500)
        assert code_of(refused) == "insufficient_funds"
        assert offered(ann, 499).limit_factor == 12

    def test_chips_cover_a_practice_table(self) -> None:
        ann = player()
        assert offered(ann, 83, slug="practice").currency == "PLAY"
        with pytest.raises(Refused) as refused:
            offered(ann, 84, slug="practice")
        assert code_of(refused) == "insufficient_funds"

    def test_a_refused_residence_may_play_for_chips_but_not_for_money(self) -> None:
        Restriction.objects.get_or_create(country="US", us_state="AZ")
        ann = player(cents=10_000, country="US", us_state="AZ")
        assert status_of(offered(ann, 10, slug="practice")) == "open"
        with pytest.raises(Refused) as refused:
            offered(ann)
        assert code_of(refused) == "residence_restricted"

    def test_staff_do_not_play_for_money(self) -> None:
        with pytest.raises(Refused) as refused:
            offered(player(cents=10_000, is_staff=True))
        assert code_of(refused) == "staff_no_money"

    @pytest.mark.parametrize("span", [{"min_rating": 1800}, {"max_rating": 1400}])
    def test_a_room_for_other_ratings_is_refused(self, span: dict[str, int]) -> None:
        Room.objects.filter(slug="main").update(**span)
        with pytest.raises(Refused) as refused:
            offered(player(cents=10_000))
        assert code_of(refused) == "rating_outside_room"

    def test_whoever_plays_for_money_opens_no_second_money_table(self) -> None:
        ann, bob = player(cents=20_000), player(cents=20_000)
        services.accept_offer(user=bob, offer_id=offered(ann).pk)
        for user in (ann, bob):
            with pytest.raises(Refused) as refused:
                offered(user)
            assert code_of(refused) == "already_playing"


class TestTakingBack:
    def test_a_table_taken_back_is_no_longer_listed_and_twice_is_once(self) -> None:
        ann = player(cents=10_000)
        offer = offered(ann)
        services.withdraw_offer(user=ann, offer_id=offer.pk)
        services.withdraw_offer(user=ann, offer_id=offer.pk)
        assert status_of(offer) == "withdrawn"
        assert selectors.listing(room()).offers == ()

    def test_a_table_of_somebody_else_cannot_be_taken_back(self) -> None:
        offer = offered(player(cents=10_000))
        for offer_id in (offer.pk, uuid4()):
            with pytest.raises(Refused) as refused:
                services.withdraw_offer(user=player(), offer_id=offer_id)
            assert code_of(refused) == "unknown_offer"
        assert status_of(offer) == "open"

    def test_a_table_that_was_joined_cannot_be_taken_back(self) -> None:
        ann = player(cents=10_000)
        offer = offered(ann)
        services.accept_offer(user=player(cents=10_000), offer_id=offer.pk)
        with pytest.raises(Refused) as refused:
            services.withdraw_offer(user=ann, offer_id=offer.pk)
        assert code_of(refused) == "offer_taken"


class TestSittingDown:
    def test_whoever_joins_sits_opposite_the_creator_and_nothing_is_held_before_both_are_ready(
        self,
    ) -> None:
        ann, bob = player(cents=10_000), player(cents=10_000)
        offer = offered(ann)
        match_id = services.accept_offer(user=bob, offer_id=offer.pk)
        assert (
            [row.id for row in my_running(ann)] == [match_id] == [row.id for row in my_running(bob)]
        )
        taken = Offer.objects.get(pk=offer.pk)
        assert (taken.status, taken.taken_by, taken.match_id) == ("taken", bob, match_id)
        assert cents_of(ann, bob) == [10_000, 10_000]

    def test_a_second_press_of_join_gives_the_same_match(self) -> None:
        """T23."""
        bob = player(cents=10_000)
        offer = offered(player(cents=10_000))
        first, again = (services.accept_offer(user=bob, offer_id=offer.pk) for _ in range(2))
        assert first == again

    def test_nobody_plays_against_themself(self) -> None:
        """T21: two tabs of one account."""
        ann = player(cents=20_000)
        offer = offered(ann)
        with pytest.raises(Refused) as refused:
            services.accept_offer(user=ann, offer_id=offer.pk)
        assert code_of(refused) == "own_offer"
        with pytest.raises(IntegrityError), transaction.atomic():
            Offer.objects.filter(pk=offer.pk).update(
                status="taken", taken_by=ann, match_id=uuid4(), closed_at="2026-01-01T00:00Z"
            )

    def test_a_table_that_is_gone_is_refused_with_the_reason(self) -> None:
        ann, bob, cat = (player(cents=10_000) for _ in range(3))
        taken, withdrawn = offered(ann), offered(cat)
        services.accept_offer(user=bob, offer_id=taken.pk)
        services.withdraw_offer(user=cat, offer_id=withdrawn.pk)
        expected = {
            taken.pk: "offer_taken",
            withdrawn.pk: "offer_withdrawn",
            uuid4(): "unknown_offer",
        }
        for offer_id, code in expected.items():
            with pytest.raises(Refused) as refused:
                services.accept_offer(user=cat if offer_id == taken.pk else bob, offer_id=offer_id)
            assert code_of(refused) == code

    def test_the_joiner_must_cover_the_limit(self) -> None:
        offer = offered(player(cents=10_000))
        with pytest.raises(Refused) as refused:
            services.accept_offer(user=player(cents=5_999), offer_id=offer.pk)
        assert code_of(refused) == "insufficient_funds"
        assert status_of(offer) == "open"

    def test_a_creator_whose_money_is_gone_loses_the_table_and_nothing_is_held(self) -> None:
        ann, bob = player(cents=6_000), player(cents=10_000)
        offer = offered(ann)
        spend(ann, 1)
        with pytest.raises(Refused) as refused:
            services.accept_offer(user=bob, offer_id=offer.pk)
        assert code_of(refused) == "creator_cannot_sit"
        assert status_of(offer) == "expired"
        assert (cents_of(ann, bob), my_running(bob)) == ([5_999, 10_000], [])

    def test_the_other_tables_of_both_are_closed(self) -> None:
        """rooms.md 2: the first that is accepted withdraws the others."""
        ann, bob, cat = (player(cents=20_000) for _ in range(3))
        joined, others = (
            offered(ann),
            [offered(ann, 200), offered(ann, 10, slug="practice"), offered(bob)],
        )
        stays = offered(cat)
        services.accept_offer(user=bob, offer_id=joined.pk)
        assert {status_of(other) for other in others} == {"withdrawn"}
        assert status_of(stays) == "open"

    def test_a_room_that_closed_meanwhile_seats_nobody(self) -> None:
        offer = offered(player(cents=10_000))
        Room.objects.filter(slug="main").update(is_open=False)
        with pytest.raises(Refused) as refused:
            services.accept_offer(user=player(cents=10_000), offer_id=offer.pk)
        assert code_of(refused) == "room_closed"

    def test_after_a_match_that_ended_before_it_began_both_have_all_their_money(self) -> None:
        """L11."""
        ann, bob = player(cents=10_000), player(cents=10_000)
        match_id = services.accept_offer(user=bob, offer_id=offered(ann).pk)
        void(match_id, reason="test")
        assert status_of(offered(ann, 833)) == status_of(offered(bob, 833)) == "open"


class TestLeaving:
    @pytest.mark.parametrize(("seconds", "status"), [(14, "open"), (16, "expired")])
    def test_a_table_lives_as_long_as_its_creators_lease(self, seconds: int, status: str) -> None:
        ann = player(cents=10_000)
        offer = offered(ann)
        gone_for(ann, seconds)
        services.expire_abandoned()
        assert status_of(offer) == status

    def test_the_sweep_counts_each_table_once(self) -> None:
        """L11: the job runs twice."""
        ann = player(cents=10_000)
        offered(ann)
        offered(ann, 200)
        gone_for(ann, 60)
        assert [services.expire_abandoned() for _ in range(2)] == [2, 0]

    def test_a_page_that_is_open_keeps_the_table(self) -> None:
        ann = player(cents=10_000)
        offer = offered(ann)
        gone_for(ann, 60)
        presence.renew({ann.pk: room("practice").pk})
        services.expire_abandoned()
        assert status_of(offer) == "open"
        assert presence.heads() == {"practice": 1}


def test_the_list_counts_heads_by_lease() -> None:
    ann, bob = player(), player()
    presence.renew({ann.pk: room().pk, bob.pk: room().pk})
    gone_for(bob, 20)
    assert presence.heads() == {"main": 1}


def test_an_anonymous_room_tells_no_name() -> None:
    """rooms.md 1: identities never leave the server."""
    ann, bob, cat = (player(cents=10_000) for _ in range(3))
    Room.objects.filter(slug="main").update(anonymous=True, column="dark")
    assert draws.ask_like(user=bob, offer_id=offered(ann).pk)
    offered(cat)
    seen = selectors.listing(room())
    shown = f"{seen.offers} {seen.running}"
    assert "Anonymous" in shown
    for user in (ann, bob, cat):
        assert user.screen_name not in shown


@pytest.mark.parametrize(
    "broken",
    [
        {"status": "taken"},
        {"status": "lost"},
        {"closed_at": "2026-01-01T00:00Z"},
        {"stake": 0},
        {"limit_factor": 13},
        {"kind": "single", "length": 3},
    ],
)
def test_the_database_refuses_an_open_table_that_cannot_be(broken: dict[str, object]) -> None:
    offer = offered(player(cents=10_000))
    with pytest.raises(IntegrityError), transaction.atomic():
        Offer.objects.filter(pk=offer.pk).update(**broken)
