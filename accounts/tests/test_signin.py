"""Signing in and resetting the password: nothing told, guessing slowed down."""

import re

import pytest
from allauth.account.models import EmailAddress
from django.core.management import call_command
from django.test import Client

from accounts.models import User
from accounts.services import register_demo_player

LOGIN = "/accounts/login/"
RESET = "/accounts/password/reset/"
PASSWORD = "long-enough-77"

pytestmark = pytest.mark.django_db


@pytest.fixture
def nuri():
    return register_demo_player(
        email="Nuri@Example.com", screen_name="Nuri", password=PASSWORD, country="DE"
    )


def signs_in(email, password=PASSWORD, **where) -> bool:
    browser = Client(**where)
    browser.post(LOGIN, {"login": email, "password": password})
    return "_auth_user_id" in browser.session


def test_the_address_is_compared_without_case(nuri) -> None:
    assert nuri.email == "nuri@example.com"
    for typed in ("nuri@example.com", "NURI@example.COM", "Nuri@Example.com", "NURI@example.COM"):
        assert signs_in(typed)
    assert EmailAddress.objects.filter(user=nuri).count() == 1
    assert User.objects.count() == 1


def test_an_administrator_made_on_the_command_line_signs_in_with_what_was_typed(
    monkeypatch,
) -> None:
    monkeypatch.setenv("DJANGO_SUPERUSER_PASSWORD", PASSWORD)
    call_command(
        "createsuperuser",
        interactive=False,
        email="Boss@Example.com",
        screen_name="Boss",
        verbosity=0,
    )
    assert User.objects.get().screen_name == "Boss"
    assert signs_in("Boss@Example.com")


def plain(response) -> str:
    return re.sub(r'name="csrfmiddlewaretoken" value="\w+"', "", response.content.decode())


def test_a_wrong_password_and_an_unknown_address_read_the_same(nuri) -> None:
    seen = []
    for email in ("nuri@example.com", "nobody@example.com"):
        answer = Client().post(LOGIN, {"login": email, "password": "wrong-wrong-1"})
        seen.append((answer.status_code, plain(answer).replace(email, "…")))
    assert seen[0] == seen[1]


def test_a_reset_says_the_same_for_known_and_unknown(nuri, mailoutbox) -> None:
    seen = []
    for email in ("nuri@example.com", "nobody@example.com"):
        browser = Client()
        answer = browser.post(RESET, {"email": email})
        page = browser.get(answer["Location"])
        seen.append((answer.status_code, answer["Location"], plain(page), sorted(browser.cookies)))
    assert seen[0] == seen[1]
    assert len(mailoutbox) == 2


def test_the_password_can_be_reset_by_the_link(nuri, mailoutbox) -> None:
    browser = Client()
    browser.post(RESET, {"email": "nuri@example.com"})
    link = re.search(r"http://testserver(/accounts/\S+)", mailoutbox[0].body)
    assert link is not None
    page = browser.get(link[1], follow=True)
    where = page.redirect_chain[-1][0]
    new = {"password1": "another-long-88", "password2": "another-long-88"}
    browser.post(where, new)
    assert signs_in("nuri@example.com", "another-long-88")
    assert not signs_in("nuri@example.com", PASSWORD)


def wrong_tries(count, **headers):
    for n in range(count):
        where = {name: value(n) for name, value in headers.items()}
        signs_in(f"victim{n}@example.com", "wrong-wrong-1", **where)


def test_forged_forwarding_headers_do_not_escape_the_limit(nuri, settings) -> None:
    settings.CLIENT_IP_TRUSTED_PROXIES = 1
    wrong_tries(
        12,
        HTTP_X_FORWARDED_FOR=lambda n: f"6.6.{n}.6, 203.0.113.9",
        REMOTE_ADDR=lambda n: "10.0.0.1",
    )
    assert not signs_in(
        "nuri@example.com", HTTP_X_FORWARDED_FOR="9.9.9.9, 203.0.113.9", REMOTE_ADDR="10.0.0.1"
    )
    assert signs_in("nuri@example.com", HTTP_X_FORWARDED_FOR="203.0.113.10", REMOTE_ADDR="10.0.0.1")


def test_people_behind_one_proxy_have_a_limit_each(nuri, settings) -> None:
    settings.CLIENT_IP_TRUSTED_PROXIES = 1
    wrong_tries(
        40, HTTP_X_FORWARDED_FOR=lambda n: f"203.0.113.{n}", REMOTE_ADDR=lambda n: "10.0.0.1"
    )
    assert signs_in("nuri@example.com", HTTP_X_FORWARDED_FOR="203.0.113.99", REMOTE_ADDR="10.0.0.1")


def test_many_addresses_together_cannot_guess_at_one_account(nuri) -> None:
    for n in range(6):
        signs_in("nuri@example.com", "wrong-wrong-1", REMOTE_ADDR=f"198.51.100.{n}")
    assert not signs_in("nuri@example.com", REMOTE_ADDR="198.51.100.77")


def test_a_closed_account_cannot_sign_in(nuri) -> None:
    nuri.is_active = False
    nuri.save()
    assert not signs_in("nuri@example.com")
