"""The way in under attack: guessing, forged addresses, links and codes that are old or used (quality.md 2)."""

import re
from datetime import timedelta

import pytest
from django.core.cache import caches
from django.test import Client
from django.utils import timezone

from accounts.models import User
from accounts.services import register_demo_player
from accounts.tests import places

LOGIN = "/accounts/login/"
SIGNUP = "/accounts/signup/"
RESET = "/accounts/password/reset/"
PASSWORD = "long-enough-77"
TOO_MANY = 429

pytestmark = pytest.mark.django_db


@pytest.fixture
def nuri():
    return register_demo_player(
        email="nuri@example.com", screen_name="Nuri", password=PASSWORD, country="DE"
    )


def forged(n: int) -> str:
    """What somebody claims to have come through; the last hop is what our proxy saw."""
    return f"{n % 250}.{n // 250}.7.7, 10.{n % 250}.0.1, 203.0.113.9"


def test_forged_headers_are_one_bucket(nuri, settings) -> None:
    settings.CLIENT_IP_TRUSTED_PROXIES = 1
    let_through = 0
    for n in range(100):  # a thousand of them: make chaos ONLY=entrance
        headers = {
            "X-Forwarded-For": forged(n),
            "X-Real-IP": f"9.9.9.{n % 250}",
            "Forwarded": "for=1.1.1.1",
        }
        answer = Client(headers=headers, REMOTE_ADDR="10.0.0.1").post(
            LOGIN, {"login": f"victim{n}@example.com", "password": "wrong-wrong-1"}
        )
        let_through += answer.status_code != TOO_MANY and "Too many" not in answer.content.decode()
    assert let_through <= 30
    honest = Client(headers={"X-Forwarded-For": "203.0.113.77"}, REMOTE_ADDR="10.0.0.1")
    honest.post(LOGIN, {"login": nuri.email, "password": PASSWORD})
    assert "_auth_user_id" in honest.session


def test_without_a_proxy_the_header_is_nothing(nuri) -> None:
    let_through = 0
    for n in range(45):
        client = Client(headers={"X-Forwarded-For": forged(n)}, REMOTE_ADDR="203.0.113.9")
        answer = client.post(
            LOGIN, {"login": f"victim{n}@example.com", "password": "wrong-wrong-1"}
        )
        let_through += answer.status_code != TOO_MANY and "Too many" not in answer.content.decode()
    assert let_through <= 30


def test_limits_outlive_the_process(nuri, settings) -> None:
    """They are rows of the database: another process, or the same one started anew, reads them."""
    assert settings.CACHES["default"]["BACKEND"].endswith("DatabaseCache")
    for _ in range(6):
        Client().post(LOGIN, {"login": nuri.email, "password": "wrong-wrong-1"})
    caches["default"].close()
    del caches["default"]
    late = Client(REMOTE_ADDR="198.51.100.8")
    late.post(LOGIN, {"login": nuri.email, "password": PASSWORD})
    assert "_auth_user_id" not in late.session


def reset_link(mailoutbox) -> str:
    found = re.search(r"http://testserver(/accounts/\S+)", mailoutbox[-1].body)
    assert found is not None
    return found[1]


def choose(client, link, password) -> None:
    page = client.get(link, follow=True)
    where = page.redirect_chain[-1][0] if page.redirect_chain else link
    client.post(where, {"password1": password, "password2": password})


def test_a_reset_link_works_once(nuri, mailoutbox) -> None:
    Client().post(RESET, {"email": nuri.email})
    link = reset_link(mailoutbox)
    choose(Client(), link, "another-long-88")
    choose(Client(), link, "a-third-long-99")
    nuri.refresh_from_db()
    assert nuri.check_password("another-long-88")


def test_an_old_reset_link_does_not_work(nuri, mailoutbox, settings) -> None:
    Client().post(RESET, {"email": nuri.email})
    settings.PASSWORD_RESET_TIMEOUT = -1
    choose(Client(), reset_link(mailoutbox), "another-long-88")
    nuri.refresh_from_db()
    assert nuri.check_password(PASSWORD)


def code_in(mail) -> str:
    found = re.search(r"^([A-Z0-9-]{6,12})$", mail.body, re.MULTILINE)
    assert found is not None
    return found[1]


def test_the_code_of_a_sign_up_works_once_and_in_its_browser_only(answers, mailoutbox) -> None:
    browser, thief = Client(), Client()
    page = browser.post(SIGNUP, answers)["Location"]
    code = code_in(mailoutbox[0])
    thief.post(page, {"code": code})
    assert "_auth_user_id" not in thief.session
    browser.post(page, {"code": code})
    assert "_auth_user_id" in browser.session
    browser.logout()
    browser.post(page, {"code": code})
    assert "_auth_user_id" not in browser.session


def test_guessing_the_code_ends_it(answers, mailoutbox) -> None:
    browser = Client()
    page = browser.post(SIGNUP, answers)["Location"]
    for n in range(6):
        browser.post(page, {"code": f"AAAA-{n:04}"})
    browser.post(page, {"code": code_in(mailoutbox[0])})
    assert "_auth_user_id" not in browser.session


def test_who_signs_up_where_money_is_closed_is_told_at_once(answers, settings, tmp_path) -> None:
    settings.GEOIP_DATABASE = places.write(tmp_path / "places.mmdb")
    declared = answers | {"country": "US", "us_state": "FL"}
    page = Client().post(SIGNUP, declared, follow=True).content.decode()
    assert "Money play is not offered to residents of Florida" in page
    other = answers | {"email": "b@example.org", "screen_name": "Berta", "full_name": "Berta Berg"}
    seen = Client(REMOTE_ADDR=places.FLORIDA).post(SIGNUP, other, follow=True).content.decode()
    assert "Florida" in seen
    assert User.objects.count() == 2


def test_a_session_ends_where_the_player_says_so(nuri) -> None:
    here, there = Client(headers={"User-Agent": "Here"}), Client(headers={"User-Agent": "There"})
    for browser in (here, there):
        browser.force_login(nuri)
        browser.get("/profile/")
    page = here.get("/accounts/sessions/").content.decode()
    assert "Here" in page
    assert "There" in page
    (other,) = nuri.usersession_set.filter(user_agent="There")
    stranger = Client()
    stranger.force_login(
        register_demo_player(
            email="s@example.com", screen_name="Stranger", password=PASSWORD, country="DE"
        )
    )
    assert stranger.post(f"/profile/sessions/{other.pk}/end/").status_code == 404
    assert here.post(f"/profile/sessions/{other.pk}/end/").status_code == 302
    assert there.get("/profile/").status_code == 302
    assert here.get("/profile/").status_code == 200
    User.objects.filter(pk=nuri.pk).update(date_joined=timezone.now() - timedelta(days=1))


def test_a_player_downloads_what_is_kept_and_nothing_about_who_reported_them(nuri) -> None:
    from accounts.models import Report
    from accounts.moderation import cases

    reporter = register_demo_player(
        email="r@example.com", screen_name="Reporter", password=PASSWORD, country="DE"
    )
    scene = cases.Scene(Report.Place.PROFILE, "profile")
    cases.report(by=reporter, suspect=nuri, reason="spam", scene=scene, text="a secret report")
    browser = Client()
    browser.post(LOGIN, {"login": nuri.email, "password": PASSWORD})
    assert "/reauthenticate/" in browser.get("/profile/data/")["Location"]
    browser.post("/accounts/reauthenticate/", {"password": PASSWORD})
    answer = browser.get("/profile/data/")
    assert "attachment" in answer["Content-Disposition"]
    kept = answer.json()
    assert kept["account"]["email"] == nuri.email
    assert {row["kind"] for row in kept["keys"]} >= {"email", "device"}
    assert "a secret report" not in answer.content.decode()
    assert "Reporter" not in answer.content.decode()
