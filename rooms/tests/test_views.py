"""The lobby's pages, with and without JavaScript, for players and for visitors."""

import re
from typing import Any
from uuid import UUID, uuid4

import pytest
from django.test import Client

from accounts.models import Restriction, User
from games.selectors import my_running
from rooms.filters import COOKIE
from rooms.models import Offer, Presence, Room
from rooms.tests.people import offered, player, spend

pytestmark = pytest.mark.usefixtures("lobby")


def signed_in(user: User) -> Client:
    client = Client()
    client.force_login(user, backend="allauth.account.auth_backends.AuthenticationBackend")
    return client


def sent(**changes: str) -> dict[str, str]:
    """The form as a browser sends it."""
    form = {"variant": "backgammon", "kind": "single", "stake": "5", "limit": "12"}
    return {**form, "clock": "normal", "token": uuid4().hex, **changes}


def row_ids(page: Any) -> list[str]:
    return re.findall(r'<tr role="row"\s+data-id="([^"]+)"', page.content.decode())


class TestLooking:
    def test_a_visitor_sees_the_tables_and_is_led_to_sign_in(self) -> None:
        ann = player(cents=10_000)
        offer = offered(ann)
        page = Client().get("/lobby/main/")
        assert row_ids(page) == [str(offer.pk)]
        assert ann.screen_name in page.content.decode()
        assert page.content.decode().count("/accounts/login/?next=/lobby/main/") >= 2
        assert 'id="n-stake"' not in page.content.decode()
        assert not Presence.objects.exclude(user=ann).exists()

    def test_the_lobby_begins_in_the_first_room(self) -> None:
        assert Client().get("/lobby/").context["room"].slug == "practice"

    @pytest.mark.parametrize("address", ["/lobby/cellar/", "/lobby/cellar/quote", "/lobby/MAIN/"])
    def test_a_room_that_is_not_there_is_not_found(self, address: str) -> None:
        assert Client().get(address).status_code == 404

    def test_a_closed_room_is_not_found_and_not_listed(self) -> None:
        Room.objects.filter(slug="main").update(is_open=False)
        assert Client().get("/lobby/main/").status_code == 404
        assert "Main hall" not in Client().get("/lobby/").content.decode()

    def test_an_empty_room_says_what_to_do_next(self) -> None:
        page = signed_in(player()).get("/lobby/practice/").content.decode()
        assert "Nobody is waiting here" in page
        assert "/lobby/practice/?new=1#new" in page

    def test_a_player_on_the_page_has_a_lease_without_javascript(self) -> None:
        ann = player()
        signed_in(ann).get("/lobby/practice/")
        assert Presence.objects.get(user=ann).room.slug == "practice"

    def test_whoever_waits_without_javascript_has_a_page_that_looks_again(self) -> None:
        ann = player(cents=10_000)
        offered(ann)
        assert 'http-equiv="refresh"' in signed_in(ann).get("/lobby/main/").content.decode()
        assert 'http-equiv="refresh"' not in Client().get("/lobby/main/").content.decode()

    def test_a_screen_name_is_escaped(self) -> None:
        ann = player(cents=10_000)
        User.objects.filter(pk=ann.pk).update(screen_name="<b>x</b>")
        offered(ann)
        page = Client().get("/lobby/main/").content.decode()
        assert "&lt;b&gt;x&lt;/b&gt;" in page
        assert "<b>x</b>" not in page

    def test_the_page_has_no_inline_script_or_style(self) -> None:
        """Strict content security policy."""
        page = signed_in(player(cents=10_000)).get("/lobby/main/").content.decode()
        assert re.findall(r"<script(?![^>]*\bsrc=)", page) == []
        assert re.findall(r"<style|\sstyle=|\son\w+=", page) == []

    def test_the_number_of_queries_does_not_grow_with_the_tables(
        self, django_assert_max_num_queries: Any
    ) -> None:
        visitor = Client()
        for _ in range(6):
            offered(player(cents=10_000))
        with django_assert_max_num_queries(10):
            visitor.get("/lobby/main/")


class TestFilters:
    def test_a_chosen_stake_is_kept_for_the_next_visit(self) -> None:
        low, high = offered(player(cents=10_000), 50), offered(player(cents=20_000), 1_500)
        client = Client()
        assert row_ids(client.get("/lobby/main/?filter=1&stake=0-100")) == [str(low.pk)]
        assert row_ids(client.get("/lobby/main/")) == [str(low.pk)]
        assert row_ids(client.get("/lobby/main/?filter=1")) == [str(high.pk), str(low.pk)]

    @pytest.mark.parametrize(
        "kept",
        ["", "|", "a|b|c|d", "chess||", "||9-1", "||0-100;DROP"],
    )
    def test_a_cookie_that_means_nothing_filters_nothing(self, kept: str) -> None:
        offer = offered(player(cents=10_000))
        client = Client()
        client.cookies[COOKIE] = kept
        assert row_ids(client.get("/lobby/main/")) == [str(offer.pk)]

    def test_own_tables_are_always_shown(self) -> None:
        ann = player(cents=10_000)
        offer = offered(ann)
        page = signed_in(ann).get("/lobby/main/?filter=1&stake=0-100")
        assert row_ids(page) == [str(offer.pk)]

    def test_filters_that_hide_everything_say_so(self) -> None:
        offered(player(cents=10_000))
        page = Client().get("/lobby/main/?filter=1&stake=0-100").content.decode()
        assert re.search(r"data-none-wanted\s*>", page)
        assert re.search(r"data-no-offers hidden", page)


class TestOpening:
    def test_a_sent_form_opens_a_table(self) -> None:
        ann = player(cents=10_000)
        answer = signed_in(ann).post("/lobby/main/new/", sent(jacoby="on"))
        assert (answer.status_code, answer["Location"]) == (302, "/lobby/main/")
        offer = Offer.objects.get(creator=ann)
        assert (offer.stake, offer.limit_factor, offer.jacoby, offer.beavers) == (
            500,
            12,
            True,
            False,
        )

    def test_the_same_form_twice_opens_one_table(self) -> None:
        """T23."""
        ann = player(cents=10_000)
        client, form = signed_in(ann), sent()
        assert [client.post("/lobby/main/new/", form).status_code for _ in range(2)] == [302, 302]
        assert Offer.objects.filter(creator=ann).count() == 1

    @pytest.mark.parametrize(
        ("changes", "says"),
        [
            ({"stake": "0.05"}, "at least $0.10"),
            ({"stake": "-5"}, "in figures"),
            ({"stake": ""}, "Enter a stake"),
            ({"stake": "10"}, "can cost $120.00 and you have $100.00"),
            ({"limit": "7"}, "3, 6, 12, 24 or 192"),
        ],
    )
    def test_an_error_is_shown_beside_its_field_and_what_was_written_is_kept(
        self, changes: dict[str, str], says: str
    ) -> None:
        ann = player(cents=10_000)
        answer = signed_in(ann).post("/lobby/main/new/", sent(**changes))
        page = answer.content.decode()
        assert answer.status_code == 422
        assert page.count(says) == 2  # in the summary and beside the field
        assert f'value="{changes.get("stake", "5")}"' in page
        assert not Offer.objects.exists()

    def test_a_refused_residence_is_told_why(self) -> None:
        Restriction.objects.get_or_create(country="US", us_state="AZ")
        ann = player(cents=10_000, country="US", us_state="AZ")
        answer = signed_in(ann).post("/lobby/main/new/", sent())
        assert answer.status_code == 422
        assert "Arizona" in answer.content.decode()

    def test_the_preview_shows_the_fee_and_opens_nothing(self) -> None:
        answer = signed_in(player(cents=10_000)).post("/lobby/main/new/", sent(preview="1"))
        assert answer.status_code == 200
        assert "+$4.38" in answer.content.decode()
        assert not Offer.objects.exists()

    def test_a_form_without_its_token_or_with_a_strange_one_opens_nothing(self) -> None:
        client = signed_in(player(cents=10_000))
        for token in ("", "short", "x" * 65, "<script>alert(1)</script>"):
            assert client.post("/lobby/main/new/", sent(token=token)).status_code == 422
        assert not Offer.objects.exists()

    def test_a_form_of_another_site_is_refused(self) -> None:
        client = Client(enforce_csrf_checks=True)
        client.force_login(
            player(cents=10_000), backend="allauth.account.auth_backends.AuthenticationBackend"
        )
        assert client.post("/lobby/main/new/", sent()).status_code == 403


class TestJoining:
    def test_join_leads_to_the_table(self) -> None:
        bob = player(cents=10_000)
        offer = offered(player(cents=10_000))
        client = signed_in(bob)
        answers = [client.post("/lobby/main/join/", {"offer": str(offer.pk)}) for _ in range(2)]
        match_id = my_running(bob)[0].id
        assert [answer["Location"] for answer in answers] == [f"/table/{match_id}/"] * 2

    @pytest.mark.parametrize("offer", ["", "x", "0", str(UUID(int=0)), "../../admin"])
    def test_a_table_that_is_not_there_leads_back_with_a_sentence(self, offer: str) -> None:
        client = signed_in(player(cents=10_000))
        page = client.post("/lobby/main/join/", {"offer": offer}, follow=True)
        assert page.redirect_chain == [("/lobby/main/", 302)]
        assert "There is no such open table." in page.content.decode()

    def test_a_creator_whose_money_is_gone_is_explained(self) -> None:
        ann = player(cents=6_000)
        offer = offered(ann)
        spend(ann, 1)
        client = signed_in(player(cents=10_000))
        page = client.post("/lobby/main/join/", {"offer": str(offer.pk)}, follow=True)
        assert "cannot play it any more" in page.content.decode()
        assert row_ids(page) == []

    @pytest.mark.parametrize("act", ["join", "close", "new"])
    def test_a_visitor_is_led_to_sign_in_and_back_to_the_room(self, act: str) -> None:
        answer = Client().post(f"/lobby/main/{act}/", {"offer": str(uuid4())})
        assert answer["Location"] == "/accounts/login/?next=/lobby/main/"

    @pytest.mark.parametrize("act", ["join", "new"])
    def test_looking_at_the_address_of_a_form_changes_nothing(self, act: str) -> None:
        offered(player(cents=10_000))
        answer = signed_in(player(cents=10_000)).get(f"/lobby/main/{act}/")
        assert answer["Location"].startswith("/lobby/main/")
        assert Offer.objects.get().status == "open"

    def test_a_table_can_be_taken_back_by_its_creator_only(self) -> None:
        ann = player(cents=10_000)
        offer = offered(ann)
        for user, status in ((player(), "open"), (ann, "withdrawn")):
            signed_in(user).post("/lobby/main/close/", {"offer": str(offer.pk)})
            assert Offer.objects.get().status == status


class TestQuoting:
    def test_the_server_quotes_fee_gain_and_limit(self) -> None:
        answer = Client().get("/lobby/main/quote", sent()).json()
        assert answer["errors"] == {}
        assert answer["rows"][0] == {"name": "single", "fee": "$0.62", "gain": "+$4.38"}
        assert [row["name"] for row in answer["rows"]] == ["single", "gammon", "backgammon"]
        assert answer["most"].endswith("$60.00")

    def test_chips_have_no_fee(self) -> None:
        answer = Client().get("/lobby/practice/quote", sent(stake="10")).json()
        assert answer["rows"][0] == {"name": "single", "fee": "none", "gain": "+10 chips"}
        assert answer["note"] == ""

    def test_what_cannot_be_covered_is_said_while_typing_and_still_quoted(self) -> None:
        answer = signed_in(player(cents=5_999)).get("/lobby/main/quote", sent()).json()
        assert answer["errors"] == {"n-stake": "This table can cost $60.00 and you have $59.99."}
        assert answer["rows"] is not None

    def test_what_is_wrong_is_said_by_field(self) -> None:
        answer = Client().get("/lobby/main/quote", sent(stake="five", limit="5")).json()
        assert set(answer["errors"]) == {"n-stake", "n-limit"} or set(answer["errors"]) == {
            "n-limit"
        }
        assert answer["rows"] is None


class TestElsewhere:
    def test_other_pages_keep_the_readers_open_tables_alive(self) -> None:
        ann = player(cents=10_000)
        offered(ann)
        client = signed_in(ann)
        assert 'data-waiting-room="main"' in client.get("/fair-dice/").content.decode()
        assert "data-waiting-room" not in client.get("/lobby/main/").content.decode()

    def test_whoever_waits_for_nobody_has_no_socket_there(self) -> None:
        offered(player(cents=10_000))
        for client in (Client(), signed_in(player())):
            assert "data-waiting-room" not in client.get("/fair-dice/").content.decode()


def test_staff_edit_rooms_but_only_look_at_open_tables() -> None:
    boss = User.objects.create_superuser(
        "boss@example.com", "a long pass phrase", screen_name="Boss", country="FI"
    )
    offer, client = offered(player(cents=10_000)), signed_in(boss)
    assert client.get("/admin/rooms/offer/").status_code == 200
    changed = client.post(f"/admin/rooms/offer/{offer.pk}/change/", {"stake": "1"})
    assert changed.status_code == 403
    assert client.get("/admin/rooms/offer/add/").status_code == 403
    main = Room.objects.get(slug="main")
    page = client.get(f"/admin/rooms/room/{main.pk}/change/").content.decode()
    assert 'name="max_stake"' in page
    assert 'name="currency"' not in page
