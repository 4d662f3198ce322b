"""One person, one account (people.md 1): what refuses a second account, what asks a question, and who answers."""

import re
import threading
from datetime import timedelta

import pytest
from allauth.account.models import EmailAddress
from django.db import connections, transaction
from django.test import Client
from django.utils import timezone

from accounts import guests, keys, links, permissions, selectors
from accounts.models import AccountLink, Case, IdentityKey, MoneyHold, StaffAction, User
from accounts.moderation import closing
from accounts.moderation.errors import OwnAccount, ReasonMissing
from accounts.services import register_demo_player
from accounts.tests.staff import administrator, support
from accounts.tests.test_signup import errors_of, sign_up_at_once

SIGNUP = "/accounts/signup/"
HOME_IP = "81.175.128.7"

pytestmark = pytest.mark.django_db


def other(answers, **changes):
    """Another newcomer, who shares nothing."""
    return answers | {
        "email": "berta@example.org",
        "screen_name": "Berta",
        "full_name": "Berta Berg",
        "birth_date_year": "1979",
        "street": "Aleksanterinkatu 3",
    } | changes  # fmt: skip


def come(name, *, ip="127.0.0.1", browser=None):
    """A player who loads a page; answers the browser."""
    user = User.objects.filter(screen_name=name).first() or register_demo_player(
        email=f"{name}@example.com", screen_name=name, password="long-enough-77", country="FI"
    )
    browser = browser or Client()
    browser.force_login(user)
    assert browser.get("/profile/", REMOTE_ADDR=ip).status_code == 200
    return browser


def refusal_of(name):
    found = selectors.money_refusal(User.objects.get(screen_name=name))
    return found.code if found else None


# --- hard keys ------------------------------------------------------------------------------------


def test_a_twin_of_a_mailbox_gets_the_answer_of_a_known_one(answers, mailoutbox) -> None:
    Client().post(SIGNUP, answers | {"email": "ai.no@gmail.com"})
    twin = Client().post(SIGNUP, other(answers, email="Aino+x@googlemail.com"))
    new = Client().post(
        SIGNUP, other(answers, email="new@gmail.com", screen_name="Carla", full_name="Carla C")
    )
    assert (twin.status_code, twin["Location"]) == (new.status_code, new["Location"])
    assert not User.objects.filter(screen_name="Berta").exists()
    assert User.objects.filter(screen_name="Carla").exists()
    assert [mail.to for mail in mailoutbox][1] == ["aino+x@googlemail.com"]
    assert mailoutbox[1].subject != mailoutbox[2].subject


@pytest.mark.parametrize(
    "changes",
    [
        {"full_name": "KORHONEN, Aino", "street": "12A MANNERHEIMINTIE, as. 4"},
        {"full_name": "Aino  Korhonen", "street": "Mannerheimintie 12A, 4", "postcode": "00 100"},
        {"city": "Helsingfors"},
    ],
)
def test_one_person_has_one_account_however_they_write_it(client, answers, changes) -> None:
    client.post(SIGNUP, answers)
    form = answers | {"email": "b@example.org", "screen_name": "Berta"} | changes
    again = Client().post(SIGNUP, form)
    assert again.status_code == 400
    assert list(errors_of(again)) == ["full_name"]
    assert User.objects.count() == 1


def test_the_answer_about_a_person_does_not_tell_whether_the_mailbox_is_known(answers) -> None:
    Client().post(SIGNUP, answers)
    seen = []
    for email in (answers["email"], "unknown@example.org"):
        answer = Client().post(SIGNUP, answers | {"email": email, "screen_name": "Berta"})
        seen.append((answer.status_code, errors_of(answer)))
    assert seen[0] == seen[1]


@pytest.mark.django_db(transaction=True)
def test_of_simultaneous_sign_ups_of_one_person_one_wins(answers) -> None:
    forms = [
        answers | {"email": f"a{n}@example.com", "screen_name": name}
        for n, name in enumerate(("Anne", "Britt", "Cecil"))
    ]
    got = all_at_once(forms)
    assert sorted(answer.status_code for answer in got) == [302, 400, 400]
    assert all(
        list(errors_of(answer)) == ["full_name"] for answer in got if answer.status_code == 400
    )
    assert User.objects.count() == 1


@pytest.mark.django_db(transaction=True)
def test_of_simultaneous_twins_of_a_mailbox_one_wins_and_the_others_are_told_nothing(
    answers, mailoutbox
) -> None:
    forms = [
        other(answers, email=email, screen_name=name, full_name=f"{name} Berg")
        for email, name in (
            ("a.b@gmail.com", "Anne"),
            ("ab+1@gmail.com", "Britt"),
            ("ab@googlemail.com", "Cecil"),
        )
    ]
    got = all_at_once(forms)
    assert [answer.status_code for answer in got] == [302, 302, 302]
    assert len({answer["Location"] for answer in got}) == 1
    assert User.objects.count() == 1
    assert len(mailoutbox) == 3


def all_at_once(forms):
    """Each form in a thread of its own, from an address of its own."""
    found, start = {}, threading.Barrier(len(forms))

    def post(n, form):
        try:
            start.wait()
            found[n] = Client(REMOTE_ADDR=f"198.51.100.{n + 1}").post(SIGNUP, form)
        finally:
            connections.close_all()

    threads = [threading.Thread(target=post, args=item) for item in enumerate(forms)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(20)
    return [found[n] for n in range(len(forms))]


@pytest.mark.django_db(transaction=True)
def test_forms_that_were_valid_together_do_not_both_become_accounts(answers) -> None:
    got = sign_up_at_once([answers, answers | {"email": "z@example.com"}])
    assert sorted(answer.status_code for answer in got) == [302, 400]
    assert User.objects.count() == 1


def test_a_closed_account_can_never_register_again(answers) -> None:
    Client().post(SIGNUP, answers)
    User.objects.update(is_active=False)
    same_person = Client().post(
        SIGNUP, answers | {"email": "else@example.org", "screen_name": "Berta"}
    )
    assert same_person.status_code == 400
    same_mailbox = Client().post(SIGNUP, other(answers, email="a.i.n.o@example.com"))
    assert same_mailbox.status_code == 302
    assert User.objects.count() == 1


def test_a_new_mailbox_is_a_key_too_and_the_old_one_stays_taken(client, mailoutbox) -> None:
    come("Anna")
    user = User.objects.get()
    from accounts.adapter import AccountAdapter

    rf = client.get("/").wsgi_request
    rf.user = user
    fresh = EmailAddress(user=user, email="second@example.com")
    assert AccountAdapter(rf).confirm_email(rf, fresh)
    user.refresh_from_db()
    assert user.email == "second@example.com"
    assert links.is_taken(keys.email("anna@example.com"))
    assert links.is_taken(keys.email("SECOND+tag@example.com"))
    come("Boris")
    boris = User.objects.get(screen_name="Boris")
    rf.user = boris
    twin = EmailAddress(user=boris, email="sec.ond@example.com")
    assert not AccountAdapter(rf).confirm_email(rf, twin)


def test_who_mistyped_the_mailbox_signs_up_again_and_the_first_try_is_void(
    answers, mailoutbox
) -> None:
    first = Client()
    page = first.post(SIGNUP, answers | {"email": "aimo@example.com"})["Location"]
    again = answers | {"screen_name": "Aino2"}
    assert Client().post(SIGNUP, again).status_code == 400
    User.objects.update(date_joined=timezone.now() - timedelta(hours=2))
    assert Client().post(SIGNUP, again).status_code == 302
    code = re.search(r"^([A-Z0-9-]{6,12})$", mailoutbox[0].body, re.MULTILINE)
    assert code is not None
    first.post(page, {"code": code[1]})
    assert "_auth_user_id" not in first.session
    assert IdentityKey.objects.get(kind="person").user.screen_name == "Aino2"


def test_a_closed_account_keeps_its_keys_confirmed_or_not(answers) -> None:
    Client().post(SIGNUP, answers)
    User.objects.update(date_joined=timezone.now() - timedelta(hours=2), is_active=False)
    again = answers | {"email": "b@example.org", "screen_name": "Berta"}
    assert Client().post(SIGNUP, again).status_code == 400


# --- soft keys ------------------------------------------------------------------------------------


def test_a_shared_device_links_two_accounts_and_holds_the_younger_one() -> None:
    browser = come("Anna")
    come("Boris", browser=browser)
    link = AccountLink.objects.get()
    assert (link.first.screen_name, link.second.screen_name, link.kind) == (
        "Anna",
        "Boris",
        "device",
    )
    case = Case.objects.get()
    assert (case.suspect.screen_name, case.kind, case.score) == ("Boris", "link", 4)
    assert refusal_of("Boris") == "money_on_hold"
    assert refusal_of("Anna") is None


def test_the_older_one_is_held_where_the_younger_one_is_closed() -> None:
    come("Anna", ip=HOME_IP)
    come("Boris")
    User.objects.filter(screen_name="Boris").update(is_active=True)
    links.notice(User.objects.get(screen_name="Boris"), [keys.network(HOME_IP)])
    MoneyHold.objects.all().delete()
    AccountLink.objects.all().delete()
    User.objects.filter(screen_name="Boris").update(is_active=False)
    IdentityKey.objects.filter(user__screen_name="Anna", kind="ip").delete()
    come("Anna", ip=HOME_IP)
    assert refusal_of("Anna") == "money_on_hold"


def test_a_shared_network_is_asked_about_and_an_inside_address_is_not() -> None:
    come("Anna", ip="192.168.1.4")
    come("Boris", ip="192.168.1.4")
    assert not AccountLink.objects.exists()
    come("Carla", ip=HOME_IP)
    come("David", ip=HOME_IP)
    assert AccountLink.objects.get().kind == "ip"
    assert refusal_of("David") == "money_on_hold"


def test_an_address_that_was_somebody_elses_long_ago_says_nothing() -> None:
    come("Anna", ip=HOME_IP)
    IdentityKey.objects.filter(kind="ip").update(last_seen=timezone.now() - timedelta(days=91))
    come("Boris", ip=HOME_IP)
    assert not AccountLink.objects.filter(kind="ip").exists()


def test_a_family_at_one_address_waits_for_staff(
    answers, django_capture_on_commit_callbacks
) -> None:
    with django_capture_on_commit_callbacks(execute=True):
        Client().post(SIGNUP, answers)
        Client().post(SIGNUP, other(answers, street="MANNERHEIMINTIE 12A, as. 4"))
    assert AccountLink.objects.get().kind == "address"
    assert refusal_of("Berta") == "money_on_hold"


def test_the_same_name_and_birth_date_elsewhere_is_asked_about(
    answers, django_capture_on_commit_callbacks
) -> None:
    form = answers | {"email": "b@example.org", "screen_name": "Berta", "street": "Toinen linja 9"}
    with django_capture_on_commit_callbacks(execute=True):
        Client().post(SIGNUP, answers)
        Client().post(SIGNUP, form)
    assert AccountLink.objects.get().kind == "name"
    assert refusal_of("Berta") == "money_on_hold"


def test_a_forged_device_cookie_is_no_device() -> None:
    browser = Client()
    browser.cookies["device"] = "known-device:forged:signature"
    come("Anna", browser=browser)
    come("Boris", browser=Client())
    assert IdentityKey.objects.filter(kind="device").count() == 2
    assert not AccountLink.objects.exists()


def test_guests_are_nobodys_twins(client) -> None:
    come("Anna", browser=client)
    client.logout()
    assert client.get("/lobby/practice/").status_code == 200
    visitor = client.get("/").wsgi_request
    guests.enter(visitor)
    client.cookies["sessionid"] = visitor.session.session_key
    client.get("/lobby/practice/")
    assert not AccountLink.objects.exists()


def test_staff_clears_a_family_once_and_it_stays_cleared() -> None:
    browser = come("Anna")
    come("Boris", browser=browser)
    boris, helper = User.objects.get(screen_name="Boris"), support()
    with pytest.raises(ReasonMissing):
        links.clear(boris, by=helper, why="  ")
    links.clear(boris, by=helper, why="two passports seen")
    assert refusal_of("Boris") is None
    assert Case.objects.get().status == "dismissed"
    assert StaffAction.objects.filter(action="clear_links", whom=boris, by=helper).count() == 1
    come("Anna", browser=browser)
    come("Boris", browser=browser)
    assert refusal_of("Boris") is None
    come("Carla", browser=browser)
    assert refusal_of("Carla") == "money_on_hold"


def test_nobody_clears_themself() -> None:
    boss = administrator()
    with pytest.raises(OwnAccount):
        links.clear(boss, by=boss, why="it is me")


def test_who_shares_a_device_with_a_closed_account_plays_for_chips_only() -> None:
    browser = come("Anna")
    anna = User.objects.get(screen_name="Anna")
    helper = support()
    order = closing.Order("abuse", "insults", "finish", "hold")
    closing.close(anna, order, by=helper, seen=closing.preview(anna, order))
    come("Boris", browser=browser)
    boris = User.objects.get(screen_name="Boris")
    with pytest.raises(permissions.MoneyOnHold):
        permissions.require_money_play(boris)


@pytest.mark.django_db(transaction=True)
def test_two_who_come_at_once_over_one_network_are_linked() -> None:
    names = ["Anna", "Boris", "Carla", "David"]
    for name in names:
        come(name)
    start = threading.Barrier(len(names))

    def arrive(name):
        try:
            start.wait()
            with transaction.atomic():
                user = User.objects.get(screen_name=name)
            links.notice(user, [keys.network(HOME_IP)])
        finally:
            connections.close_all()

    threads = [threading.Thread(target=arrive, args=(name,)) for name in names]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(20)
    assert AccountLink.objects.filter(kind="ip").count() == 6
    assert Case.objects.filter(suspect__screen_name="Anna").count() == 0
