"""The frame of every page, the first page, one's own account, colours, and the admin's list of people."""

import pytest
from django.urls import reverse

from accounts.models import Restriction, User
from accounts.services import register_demo_player

pytestmark = pytest.mark.django_db


@pytest.fixture
def nuri():
    return register_demo_player(
        email="nuri@example.com",
        screen_name="Nuri",
        password="long-enough-77",
        country="US",
        us_state="VT",
    )


def test_the_first_page_leads_a_visitor_straight_to_practice(client) -> None:
    page = client.get("/").content.decode()
    assert '<a class="btn btn-main" href="/lobby/practice/">' in page
    assert "<script>" not in page
    assert "style=" not in page


def test_the_first_page_leads_a_player_straight_to_practice(client, nuri) -> None:
    client.force_login(nuri)
    assert 'class="btn btn-main" href="/lobby/practice/"' in client.get("/").content.decode()


def test_colours_come_from_cookies_and_nothing_else_does(client) -> None:
    client.cookies["theme"] = "dark"
    client.cookies["board"] = "slate"
    page = client.get("/").content.decode()
    assert 'data-theme="dark"' in page
    assert 'data-board="slate"' in page
    client.cookies["theme"] = '"><script>'
    client.cookies["board"] = "gold"
    page = client.get("/").content.decode()
    assert "data-theme" not in page
    assert 'data-board="wood"' in page


def test_colours_can_be_chosen_without_scripts(client) -> None:
    answer = client.post(
        "/preferences/", {"theme": "light", "board": "contrast", "next": "/accounts/login/"}
    )
    assert (answer.status_code, answer.url) == (302, "/accounts/login/")
    assert answer.cookies["theme"].value == "light"
    assert answer.cookies["board"].value == "contrast"


def test_choosing_colours_leads_to_no_other_site(client) -> None:
    for elsewhere in ("https://evil.example/", "//evil.example", "javascript:alert(1)"):
        answer = client.post("/preferences/", {"theme": "", "board": "wood", "next": elsewhere})
        assert answer.url == "/"


def test_the_profile_says_why_money_play_is_refused(client, nuri) -> None:
    assert client.get("/profile/").status_code == 302
    client.force_login(nuri)
    page = client.get("/profile/").content.decode()
    assert "residents of Vermont, United States" in page
    assert "nuri@example.com" in page


@pytest.mark.parametrize("language", ["en", "ru", "fi"])
def test_every_account_page_renders_in_every_language(client, nuri, language) -> None:
    client.cookies["django_language"] = language
    for name in (
        "account_login",
        "account_signup",
        "account_reset_password",
        "account_reset_password_done",
        "account_inactive",
    ):
        assert client.get(reverse(name)).status_code == 200
    client.force_login(nuri)
    for name in (
        "account_change_password",
        "account_email",
        "account_logout",
        "account_reauthenticate",
        "accounts:profile",
        "accounts:preferences",
    ):
        assert client.get(reverse(name)).status_code in (200, 302)


def test_a_missing_page_says_so_in_our_frame(client) -> None:
    answer = client.get("/no/such/page/")
    assert answer.status_code == 404
    assert "There is no such page" in answer.content.decode()


def test_staff_find_people_by_name_and_address(client, nuri) -> None:
    boss = User.objects.create_superuser("boss@example.com", "long-enough-77", screen_name="Boss")
    client.force_login(boss)
    where = reverse("admin:accounts_user_changelist")
    for asked in ("nur", "NURI@example"):
        assert "nuri@example.com" in client.get(where, {"q": asked}).content.decode()
    assert client.get(reverse("admin:accounts_user_change", args=[nuri.pk])).status_code == 200
    assert client.get(reverse("admin:accounts_user_delete", args=[nuri.pk])).status_code == 403
    assert client.get(reverse("admin:accounts_user_add")).status_code == 403


def test_an_administrator_adds_a_restricted_place(client) -> None:
    boss = User.objects.create_superuser("boss@example.com", "long-enough-77", screen_name="Boss")
    client.force_login(boss)
    client.post(
        reverse("admin:accounts_restriction_add"), {"country": "FI", "us_state": "", "note": ""}
    )
    assert Restriction.objects.filter(country="FI", us_state="").exists()
    again = client.post(
        reverse("admin:accounts_restriction_add"), {"country": "FI", "us_state": "", "note": ""}
    )
    assert again.status_code == 200
    state_of_finland = {"country": "FI", "us_state": "AZ", "note": ""}
    assert (
        client.post(reverse("admin:accounts_restriction_add"), state_of_finland).status_code == 200
    )
    assert Restriction.objects.filter(country="FI").count() == 1


def test_staff_rename_a_player_and_the_looks_follow(client, nuri) -> None:
    boss = User.objects.create_superuser("boss@example.com", "long-enough-77", screen_name="Boss")
    client.force_login(boss)
    where = reverse("admin:accounts_user_change", args=[nuri.pk])
    form = {
        "screen_name": "Nora",
        "country": "US",
        "us_state": "VT",
        "full_name": "Nora Nor",
        "birth_date": "1990-05-17",
        "street": "1 Long Street",
        "postcode": "05401",
        "city": "Burlington",
        "why": "asked for by letter",
    }
    assert client.post(where, form).status_code == 302
    nuri.refresh_from_db()
    assert (nuri.screen_name, nuri.look_small) == ("Nora", "nora")
    assert client.post(where, form | {"screen_name": "B0ss"}).status_code == 200
    nuri.refresh_from_db()
    assert nuri.screen_name == "Nora"
