"""Signing up: what is asked, what is refused, what is not told."""

# ruff: noqa: RUF001 - letters that can be confused are a part of it

import re
import threading
import time
from datetime import UTC, date, datetime

import pytest
from allauth.account.models import EmailAddress
from django.contrib.auth.hashers import get_hasher
from django.db import connection, connections, transaction
from django.test import Client
from django.urls import reverse

from accounts.models import User
from accounts.services import register_demo_player

SIGNUP = "/accounts/signup/"
LATE_S = 20
# Headers that differ from answer to answer, whoever asks.
CHANGING = ("Content-Security-Policy", "Expires", "X-Request-ID")


def somebody(**changes):
    facts = {
        "email": "nuri@example.com",
        "screen_name": "Nuri",
        "password": "long-enough-77",
        "country": "DE",
    }
    return register_demo_player(**{**facts, **changes})


def errors_of(response):
    return dict(response.context["form"].errors.items())


@pytest.mark.django_db
def test_a_newcomer_signs_up_and_confirms_the_address(client, answers, mailoutbox) -> None:
    response = client.post(SIGNUP, answers)
    assert (response.status_code, response["Location"]) == (
        302,
        reverse("account_email_verification_sent"),
    )
    user = User.objects.get()
    assert (user.email, user.screen_name) == ("aino@example.com", "Aino")
    assert (user.birth_date, user.country, user.us_state) == (date(1985, 3, 27), "FI", "")
    assert "_auth_user_id" not in client.session
    code = re.search(r"^([A-Z0-9-]{6,12})$", mailoutbox[0].body, re.MULTILINE)
    assert code is not None
    client.post(response["Location"], {"code": code[1]})
    assert client.session["_auth_user_id"] == str(user.pk)
    assert EmailAddress.objects.get(user=user).verified


@pytest.mark.django_db
def test_the_form_works_without_scripts(client) -> None:
    page = client.get(SIGNUP).content.decode()
    assert 'name="us_state"' in page
    assert 'id="state-field"' in page
    assert "style=" not in page
    assert "<script>" not in page


@pytest.mark.django_db
def test_a_resident_of_a_restricted_state_may_register(client, answers) -> None:
    answers |= {"country": "US", "us_state": "AZ"}
    assert client.post(SIGNUP, answers).status_code == 302
    assert User.objects.get().us_state == "AZ"


@pytest.mark.django_db
def test_a_state_chosen_by_mistake_is_dropped(client, answers) -> None:
    assert client.post(SIGNUP, answers | {"us_state": "AZ"}).status_code == 302
    assert User.objects.get().us_state == ""


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("changes", "field"),
    [
        ({"email": ""}, "email"),
        ({"email": "nobody"}, "email"),
        ({"password1": "12345678"}, "password1"),
        ({"password1": ""}, "password1"),
        ({"screen_name": "a"}, "screen_name"),
        ({"screen_name": "аdmin"}, "screen_name"),
        ({"screen_name": "Adm1n"}, "screen_name"),
        ({"screen_name": "a" * 500}, "screen_name"),
        ({"screen_name": "nu\x00ri"}, "screen_name"),
        ({"birth_date_day": "31", "birth_date_month": "2"}, "birth_date"),
        ({"birth_date_day": "x"}, "birth_date"),
        ({"birth_date_year": "99999999999999999999"}, "birth_date"),
        ({"birth_date_year": "3000"}, "birth_date"),
        ({"birth_date_year": "85"}, "birth_date"),
        ({"birth_date_year": ""}, "birth_date"),
        ({"birth_date_year": str(datetime.now(UTC).year - 17)}, "birth_date"),
        ({"country": ""}, "country"),
        ({"country": "XX"}, "country"),
        ({"country": "US"}, "us_state"),
        ({"country": "US", "us_state": "ZZ"}, "us_state"),
    ],
)
def test_a_wrong_answer_is_named_and_the_others_are_kept(client, answers, changes, field) -> None:
    response = client.post(SIGNUP, answers | changes)
    assert response.status_code == 400
    assert list(errors_of(response)) == [field]
    page = response.content.decode()
    assert "There is a problem" in page
    assert f'id="id_{field}_error"' in page
    kept = {"email": "aino@example.com", "screen_name": "Aino", "birth_date_year": "1985"}
    for name, value in kept.items():
        if not name.startswith(field):
            assert f'value="{value}"' in page
    assert answers["password1"] not in page
    assert not User.objects.exists()


@pytest.mark.django_db
@pytest.mark.parametrize("name", ["Nuri", "nURI", "Nur1", "Nu ri", "ＮＵＲＩ"])
def test_a_name_that_looks_like_another_is_refused(client, answers, name) -> None:
    somebody()
    response = client.post(SIGNUP, answers | {"screen_name": name})
    assert response.status_code == 400
    assert response.context["form"].errors.as_data()["screen_name"][0].code == "name_taken"


@pytest.mark.django_db
def test_a_cyrillic_twin_of_a_latin_name_is_refused(client, answers) -> None:
    somebody(screen_name="Hypa")
    response = client.post(SIGNUP, answers | {"screen_name": "Нура"})
    assert response.context["form"].errors.as_data()["screen_name"][0].code == "name_taken"


@pytest.mark.django_db
def test_a_known_address_gets_the_same_answer_as_a_new_one(answers, mailoutbox) -> None:
    somebody(email="known@example.com")
    somebody(email="known2@example.com", screen_name="Second")
    seen = []
    for email, name in (
        ("known@example.com", "Aino"),
        ("KNOWN2@Example.com", "Bror"),
        ("new@example.com", "Cecilia"),
    ):
        browser = Client()
        answer = browser.post(SIGNUP, answers | {"email": email, "screen_name": name})
        page = browser.get(answer["Location"])
        wrong = browser.post(answer["Location"], {"code": "ABCDEF"})
        text = page.content.decode().replace(email.lower(), "…")
        text = re.sub(r'name="csrfmiddlewaretoken" value="\w+"', "", text)
        cookies = sorted(browser.cookies)
        headers = {k: v for k, v in answer.headers.items() if k not in CHANGING}
        seen.append(
            (
                answer.status_code,
                answer["Location"],
                headers,
                page.status_code,
                text,
                wrong.status_code,
                cookies,
            )
        )
    assert seen[0] == seen[1] == seen[2]
    assert [mail.to for mail in mailoutbox] == [
        ["known@example.com"],
        ["known2@example.com"],
        ["new@example.com"],
    ]
    assert User.objects.count() == 3


@pytest.mark.django_db
def test_a_known_address_costs_as_much_hashing_as_a_new_one(client, answers, monkeypatch) -> None:
    hashed = []
    hasher = type(get_hasher())
    encode = hasher.encode

    def counted(*given):
        hashed.append(given)
        return encode(*given)

    monkeypatch.setattr(hasher, "encode", counted)
    client.post(SIGNUP, answers)
    new = len(hashed)
    Client().post(SIGNUP, answers | {"screen_name": "Bror", "full_name": "Bror Berg"})
    assert len(hashed) == 2 * new > 0


def sign_up_at_once(forms):
    """All forms pass validation and wait at the database before any is written; returns the answers."""
    found = {}

    def post(n, form):
        try:
            found[n] = Client(REMOTE_ADDR=f"198.51.100.{n + 1}").post(SIGNUP, form)
        finally:
            connections.close_all()

    threads = [threading.Thread(target=post, args=item) for item in enumerate(forms)]
    try:
        with transaction.atomic():
            # An account that almost exists: whoever wants its name or address waits for it.
            somebody(email=forms[0]["email"], screen_name=forms[0]["screen_name"])
            for thread in threads:
                thread.start()
            wait_for_waiting(len(threads))
            transaction.set_rollback(True)
    finally:
        for thread in threads:
            thread.join(LATE_S)
    return [found[n] for n in range(len(forms))]


def wait_for_waiting(count):
    """Returns when so many sessions of this database wait for another's transaction."""
    give_up = time.monotonic() + LATE_S
    while time.monotonic() < give_up:
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_stat_clear_snapshot()")
            cursor.execute(
                "SELECT count(*) FROM pg_stat_activity"
                " WHERE datname = current_database() AND wait_event_type = 'Lock'"
            )
            if cursor.fetchone()[0] == count:
                return
        time.sleep(0.02)
    raise TimeoutError


@pytest.mark.django_db(transaction=True)
def test_of_simultaneous_sign_ups_with_one_name_one_wins(answers) -> None:
    forms = [answers | {"email": f"aino{n}@example.com"} for n in range(4)]
    got = sign_up_at_once(forms)
    assert sorted(answer.status_code for answer in got) == [302, 400, 400, 400]
    for answer in got:
        if answer.status_code == 400:
            assert answer.context["form"].errors.as_data()["screen_name"][0].code == "name_taken"
    assert User.objects.count() == 1


@pytest.mark.django_db(transaction=True)
def test_of_simultaneous_sign_ups_with_one_address_one_wins_and_one_mail_goes(
    answers, mailoutbox
) -> None:
    names = ("Aino", "Bror", "Cecilia")
    forms = [answers | {"screen_name": name, "full_name": f"{name} Berg"} for name in names]
    got = sign_up_at_once(forms)
    # The mail has a limit for each address: the losers hear "too many tries", known address or new.
    assert sorted(answer.status_code for answer in got) == [302, 429, 429]
    assert User.objects.count() == 1
    assert len(mailoutbox) == 1


@pytest.mark.django_db(transaction=True)
def test_a_form_sent_twice_at_once_makes_one_account(answers) -> None:
    got = sign_up_at_once([answers, answers])
    assert sorted(answer.status_code for answer in got) == [302, 400]
    assert User.objects.count() == 1
