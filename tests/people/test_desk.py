"""The staff's site: its door, and for every page and deed who may and who may not (people.md 3)."""

import pytest
from allauth.mfa.models import Authenticator
from allauth.mfa.recovery_codes.internal.auth import RecoveryCodes
from allauth.mfa.totp.internal.auth import (
    TOTP,
    format_hotp_value,
    generate_totp_secret,
    hotp_value,
    yield_hotp_counters_from_time,
)
from django.contrib import admin
from django.contrib.auth.models import Group
from django.core.cache import cache
from django.db import DatabaseError, transaction
from django.test import Client
from django.urls import reverse

from accounts import audit, permissions, selectors
from accounts.models import (
    Case,
    FilteredWord,
    MoneyHold,
    Restriction,
    Sanction,
    SiteSwitch,
    StaffAction,
    User,
)
from accounts.moderation import cases, sanctions
from accounts.tests.staff import administrator, moderator, staff, support
from games.models import Match, Seat
from games.tests.abandoned import running
from games.tests.players import make_user
from nardysite.roles import ROLES
from rooms.models import Room

pytestmark = pytest.mark.django_db
PASSWORD = "long-enough-77"


def browser(user=None) -> Client:
    client = Client()
    if user is not None:
        client.force_login(user)
    return client


def person(user, **query):
    return reverse("admin:accounts_user_person", args=[user.pk])


# --- the door -------------------------------------------------------------------------------------


@pytest.fixture
def second_factor(settings):
    settings.STAFF_NEED_SECOND_FACTOR = True


def code_of(secret):
    counter = next(iter(yield_hotp_counters_from_time()))
    return format_hotp_value(hotp_value(secret, counter))


def test_staff_set_up_a_second_factor_before_anything_else(second_factor) -> None:
    user, client = support(), Client()
    client.post("/accounts/login/", {"login": user.email, "password": PASSWORD})
    answer = client.get("/admin/", follow=True)
    assert answer.redirect_chain[-1][0] == reverse("mfa_index")
    assert "needs a second factor" in answer.content.decode()
    client.post("/accounts/reauthenticate/", {"password": PASSWORD})
    page = client.get(reverse("mfa_activate_totp"))
    secret = page.context["form"].secret
    assert secret in page.content.decode()
    assert client.post(reverse("mfa_activate_totp"), {"code": "000000"}).status_code == 200
    client.post(reverse("mfa_activate_totp"), {"code": code_of(secret)})
    stored = Authenticator.objects.get(user=user, type="totp").data["secret"]
    assert secret not in stored
    answer = client.get("/admin/", follow=True)
    assert "/reauthenticate/" in answer.redirect_chain[-1][0]
    cache.clear()
    client.post(answer.redirect_chain[-1][0], {"code": code_of(secret)})
    assert client.get("/admin/").status_code == 200


def test_a_password_alone_does_not_sign_staff_in(second_factor) -> None:
    user = support()
    secret = generate_totp_secret()
    TOTP.activate(user, secret)
    RecoveryCodes.activate(user)
    client = Client()
    answer = client.post("/accounts/login/", {"login": user.email, "password": PASSWORD})
    assert answer["Location"] == reverse("mfa_authenticate")
    assert client.get("/admin/").status_code == 302
    client.post(reverse("mfa_authenticate"), {"code": "123456"})
    assert "_auth_user_id" not in client.session
    client.post(reverse("mfa_authenticate"), {"code": code_of(secret)})
    assert client.get("/admin/").status_code == 200


def test_a_session_from_before_the_factor_is_asked_for_it(second_factor) -> None:
    user = support()
    client = browser(user)
    TOTP.activate(user, generate_totp_secret())
    assert "/reauthenticate/" in client.get("/admin/", follow=True).redirect_chain[-1][0]


def test_a_recovery_code_signs_in_once(second_factor) -> None:
    user = support()
    TOTP.activate(user, generate_totp_secret())
    code = RecoveryCodes.activate(user).get_unused_codes()[0]
    for works in (True, False):
        cache.clear()
        client = Client()
        client.post("/accounts/login/", {"login": user.email, "password": PASSWORD})
        client.post(reverse("mfa_authenticate"), {"code": code})
        assert ("_auth_user_id" in client.session) is works


def test_strangers_sign_in_first_and_players_are_turned_away(caplog) -> None:
    assert browser().get("/admin/").status_code == 302
    assert browser(make_user()).get("/admin/").status_code == 403
    assert "refused in the admin" in caplog.text


def test_the_content_policy_is_loosened_for_staff_only_and_never_for_inline(client) -> None:
    def scripts(page: str, reader) -> str:
        policy = browser(reader).get(page).headers["Content-Security-Policy"]
        assert "unsafe-inline" not in policy
        return next(part for part in policy.split(";") if "script-src" in part)

    helper = support()
    assert "unsafe-eval" in scripts("/admin/", helper)
    assert "unsafe-eval" in scripts(reverse("admin:accounts_user_changelist"), helper)
    for page in ("/profile/", "/", "/accounts/login/"):
        assert "unsafe-eval" not in scripts(page, helper if page == "/profile/" else None)


def test_libraries_bring_no_pages_that_go_around_the_services() -> None:
    boss = User.objects.create_superuser("root@example.net", PASSWORD, screen_name="Root")
    for page in (
        "auth/group",
        "account/emailaddress",
        "mfa/authenticator",
        "usersessions/usersession",
    ):
        assert browser(boss).get(f"/admin/{page}/").status_code == 404


def test_staff_whose_role_is_taken_away_is_out_at_once() -> None:
    helper, boss = support(), administrator()
    client = browser(helper)
    assert client.get("/admin/").status_code == 200
    browser(boss).post(person(helper), {"deed": "staff", "role": "", "why": "left us"})
    assert client.get("/admin/").status_code == 302
    helper.refresh_from_db()
    assert not helper.is_staff
    assert not helper.groups.exists()


# --- roles ----------------------------------------------------------------------------------------


def test_groups_are_what_the_table_says_and_nothing_is_written_that_is_history() -> None:
    final = {
        "transfer",
        "account",
        "matchevent",
        "match",
        "matchseed",
        "staffaction",
        "seat",
        "ratingchange",
    }
    for role in ROLES:
        names = set(Group.objects.get(name=role).permissions.values_list("codename", flat=True))
        assert names
        for verb in ("add", "change", "delete"):
            assert not {f"{verb}_{model}" for model in final} & names


def every_page():
    for model, page in sorted(admin.site._registry.items(), key=lambda item: item[0]._meta.label):
        yield pytest.param(model, page, id=model._meta.label_lower)


def roles():
    return {
        "player": make_user(),
        "nobody": bare(),
        "Moderator": moderator(),
        "Support": support(),
        "Administrator": administrator(),
    }


def bare():
    user = staff("Support")
    user.groups.clear()
    return user


@pytest.mark.parametrize(("model", "page"), list(every_page()))
def test_who_may_not_gets_403_and_a_line_in_the_log_at_every_page(model, page, caplog) -> None:
    meta = model._meta
    name = f"admin:{meta.app_label}_{meta.model_name}"
    row = model._default_manager.first()
    addresses = [
        ("view", reverse(f"{name}_changelist"), True),
        ("add", reverse(f"{name}_add"), True),
    ]
    addresses += [("view", reverse(f"{name}_change", args=[row.pk]), True)] if row else []
    for role, user in roles().items():
        client = browser(user)
        for verb, address, _ in addresses:
            caplog.clear()
            request = client.get(address).wsgi_request
            may = user.is_staff and (
                page.has_add_permission(request)
                if verb == "add"
                else page.has_view_permission(request)
            )
            answer = client.get(address)
            assert answer.status_code == (200 if may else 403), (role, address)
            assert ("refused in the admin" in caplog.text) is not may, (role, address)


def test_a_list_shows_no_raw_json() -> None:
    helper, boss = support(), administrator()
    whom = make_user()
    audit.record(
        by=helper,
        action="test",
        why="why",
        whom=whom,
        change=audit.Change(before={"on": False}, after={"on": True, "list": [{"user": 7}]}),
    )
    page = browser(boss).get(reverse("admin:accounts_staffaction_changelist")).content.decode()
    assert "on: no → yes; list: user 7" in page
    assert "{&#x27;" not in page
    assert '{"' not in page.split("result_list")[1].split("</table>")[0]


DEEDS = [
    ("clear_links", {"why": "papers"}, {"Support", "Administrator"}),
    ("verify_identity", {"why": "papers"}, {"Support", "Administrator"}),
    ("sign_out", {"why": "asked"}, {"Support", "Administrator"}),
    ("reset_factor", {"why": "telephone lost"}, {"Support", "Administrator"}),
    ("sanction", {"kind": "mute", "span": "day", "why": "insults"}, {"Moderator", "Administrator"}),
    ("staff", {"role": "Support", "why": "new colleague"}, {"Administrator"}),
    ("reopen", {"why": "appeal"}, {"Support", "Administrator"}),
    ("nonsense", {"why": "x"}, set()),
]


@pytest.mark.parametrize(("deed", "fields", "allowed"), DEEDS, ids=[deed for deed, _, _ in DEEDS])
def test_every_deed_on_a_person_is_for_its_roles(deed, fields, allowed, caplog) -> None:
    for role, user in roles().items():
        whom = make_user(full_name="Anna Smith", street="1 Long Street", city="Town")
        if deed == "reopen":
            User.objects.filter(pk=whom.pk).update(is_active=False)
            from accounts.models import Closure

            Closure.objects.create(
                user=whom,
                reason="spam",
                note="n",
                by=support(),
                matches="finish",
                money="hold",
                money_state="done",
                enforced_at="2026-01-01T00:00Z",
            )
        if deed == "reset_factor":
            TOTP.activate(whom, generate_totp_secret())
        caplog.clear()
        before = StaffAction.objects.count()
        answer = browser(user).post(person(whom), {"deed": deed, **fields})
        assert answer.status_code == (302 if role in allowed else 403), role
        assert StaffAction.objects.count() == before + (role in allowed)
        if role not in allowed:
            assert "refused in the admin" in caplog.text


@pytest.mark.parametrize(
    ("deed", "fields"), [(deed, fields) for deed, fields, allowed in DEEDS if allowed]
)
def test_nobody_on_the_staff_acts_on_themself(deed, fields) -> None:
    boss = administrator()
    answer = browser(boss).post(person(boss), {"deed": deed, **fields})
    assert answer.status_code == 403
    assert not StaffAction.objects.exists()
    boss.refresh_from_db()
    assert boss.groups.get().name == "Administrator"


def test_a_deed_without_a_reason_is_not_done() -> None:
    whom = make_user()
    for why in ("", "   ", "x" * 1001):
        answer = browser(support()).post(person(whom), {"deed": "sign_out", "why": why})
        assert answer.status_code == 409
        assert "Write the reason" in answer.content.decode()
    assert not StaffAction.objects.exists()


def test_a_form_from_elsewhere_is_refused() -> None:
    whom, client = make_user(), Client(enforce_csrf_checks=True)
    client.force_login(support())
    assert client.post(person(whom), {"deed": "sign_out", "why": "x"}).status_code == 403


def test_staff_does_not_play_for_money_and_money_does_not_become_staff() -> None:
    boss, rich = administrator(), make_user(cents=5_00)
    answer = browser(boss).post(person(rich), {"deed": "staff", "role": "Support", "why": "new"})
    assert answer.status_code == 409
    rich.refresh_from_db()
    assert not rich.is_staff
    poor = make_user()
    assert selectors.money_refusal(poor) is None
    browser(boss).post(person(poor), {"deed": "staff", "role": "Support", "why": "new"})
    with pytest.raises(permissions.StaffNoMoney):
        permissions.require_money_play(User.objects.get(pk=poor.pk))


def test_an_administrator_puts_facts_right_with_a_reason_and_not_their_own() -> None:
    boss, whom = (
        administrator(),
        make_user(full_name="Ana Smith", street="1 Long Street", city="Town"),
    )
    where = reverse("admin:accounts_user_change", args=[whom.pk])
    form = {
        "screen_name": whom.screen_name,
        "full_name": "Anna Smith",
        "birth_date": "1980-01-01",
        "country": "FI",
        "street": "1 Long Street",
        "city": "Town",
    }
    assert browser(boss).post(where, form).status_code == 200
    assert browser(boss).post(where, form | {"why": "passport seen"}).status_code == 302
    whom.refresh_from_db()
    assert whom.full_name == "Anna Smith"
    action = StaffAction.objects.get(action="correct_account")
    assert (action.before, action.after) == (
        {"full_name": "Ana Smith"},
        {"full_name": "Anna Smith"},
    )
    own = reverse("admin:accounts_user_change", args=[boss.pk])
    assert browser(boss).post(own, form | {"why": "x"}).status_code == 403
    assert browser(support()).post(where, form | {"why": "x"}).status_code == 403


# --- the audit ------------------------------------------------------------------------------------


def test_nobody_reads_what_was_done_to_them() -> None:
    one, other = administrator(), administrator()
    audit.record(by=other, action="watched", why="a secret", whom=one)
    where = reverse("admin:accounts_staffaction_changelist")
    assert "a secret" not in browser(one).get(where).content.decode()
    assert "a secret" not in browser(one).get(person(one)).content.decode()
    assert "a secret" not in browser(one).get(where, {"q": "secret"}).content.decode()
    assert "a secret" in browser(other).get(where).content.decode()
    row = StaffAction.objects.get()
    assert (
        browser(one).get(reverse("admin:accounts_staffaction_change", args=[row.pk])).status_code
        == 302
    )


def test_nobody_reads_the_case_or_the_reports_about_themself() -> None:
    suspect, other = moderator(), moderator()
    case = cases.feed(
        suspect=suspect,
        source=cases.Detector("test", weight=3),
        reason="spam",
        about="x",
        text="caught",
    ).case
    where = reverse("admin:accounts_case_change", args=[case.pk])
    assert browser(suspect).get(where).status_code in (302, 404)
    assert browser(suspect).post(where, {"deed": "dismiss", "why": "me"}).status_code in (302, 404)
    for name in ("case", "report"):
        assert (
            suspect.screen_name
            not in browser(suspect)
            .get(reverse(f"admin:accounts_{name}_changelist"))
            .content.decode()
            .split("result_list")[-1]
        )
    assert "caught" in browser(other).get(where).content.decode()
    case.refresh_from_db()
    assert case.status == "open"


def test_the_audit_is_changed_by_nobody() -> None:
    row = audit.record(by=support(), action="test", why="why")
    for deed in (
        lambda: StaffAction.objects.filter(pk=row.pk).update(why="other"),
        lambda: row.delete(),
    ):
        with pytest.raises(DatabaseError), transaction.atomic():
            deed()
    assert StaffAction.objects.get().why == "why"


# --- finding people -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "said",
    [
        "findme",
        "FindM",
        "find.me+x@EXAMPLE.com",
        "Smith, Anna",
        "anna smith",
        "12 Long",
        "81.2.69.142",
        "81.2.69.143",
    ],
)
def test_support_finds_a_person_by_anything(said) -> None:
    whom = make_user("FindMe", full_name="Anna Maria Smith", street="12 Long Street", city="Town")
    from accounts import keys, links, whereabouts

    links.claim(whom)
    whereabouts.seen(whom, "81.2.69.142")
    links.notice(whom, [keys.network("81.2.69.143"), keys.device("a-device")])
    for _ in range(3):
        make_user()
    page = browser(support()).get(reverse("admin:accounts_user_changelist"), {"q": said})
    assert [user.pk for user in page.context["cl"].result_list] == [whom.pk]


def test_and_by_device_and_number_and_not_by_nothing() -> None:
    from accounts import finding, keys, links
    from accounts.models import IdentityKey

    whom = make_user()
    links.notice(whom, [keys.device("a-device")])
    device = finding.device_of(IdentityKey.objects.get())
    client, where = browser(support()), reverse("admin:accounts_user_changelist")
    for said, found in (
        (f"device:{device}", [whom.pk]),
        (str(whom.pk), [whom.pk]),
        ("device:", []),
        ("9" * 30, []),
    ):
        page = client.get(where, {"q": said})
        assert page.status_code == 200
        assert [user.pk for user in page.context["cl"].result_list] == found


def test_matches_are_found_by_number_room_and_people_and_shown_in_words() -> None:
    match_id = running()
    other = running()
    seats = Seat.objects.filter(match_id=match_id).select_related("user")
    name = next(seat.user.screen_name for seat in seats)
    client, where = browser(moderator()), reverse("admin:games_match_changelist")
    for said, found in (
        (str(match_id), {match_id}),
        (name, {match_id}),
        ("main", {match_id, other}),
        ("nobody-is-called-so", set()),
        ("", {match_id, other}),
    ):
        page = client.get(where, {"q": said})
        assert {row.pk for row in page.context["cl"].result_list} == found, said
    text = client.get(where, {"state": "running", "currency": "USD"}).content.decode()
    assert name in text
    assert "$5.00" in text
    assert client.get(where, {"state": "ended"}).context["cl"].result_count == 0
    assert client.get(where, {"reason": "time"}).context["cl"].result_count == 0
    Match.objects.filter(pk=match_id).update(column="dark")
    page = client.get(where, {"q": name})
    assert not page.context["cl"].result_list
    assert name not in client.get(where).content.decode()


# --- the first page -------------------------------------------------------------------------------


def test_the_first_page_counts_the_work_of_each_role() -> None:
    suspect = make_user()
    cases.feed(suspect=suspect, source=cases.Detector("x"), reason="spam", about="1")
    MoneyHold.objects.create(user=suspect, why="x")
    seen = {
        role: {
            str(work["label"]): work["count"]
            for work in browser(staff(role)).get("/admin/").context["works"]
        }
        for role in ROLES
    }
    assert seen["Moderator"]["cases of conduct"] == 1
    assert "players whose money play waits" not in seen["Moderator"]
    assert seen["Support"]["players whose money play waits"] == 1
    assert "abandoned matches to settle" not in seen["Support"]
    assert browser(support()).get("/admin/").content.decode().count('type="search"') >= 1


def test_rows_for_the_pages_above() -> None:
    """Every kind of row can be looked at by who may: nothing of it breaks the page."""
    whom, boss = make_user("Looked", cents=100_00), administrator()
    cases.feed(suspect=whom, source=cases.Detector("x"), reason="spam", about="1", text="words")
    sanctions.lay("mute", whom, by=boss, why="insults", span="ever")
    FilteredWord.objects.create(language="en", word="darn")
    running()
    client = browser(boss)
    for model in (Case, Sanction, FilteredWord, Restriction, SiteSwitch, Room, User):
        name = f"admin:{model._meta.app_label}_{model._meta.model_name}_changelist"
        assert client.get(reverse(name)).status_code == 200
    case = Case.objects.get()
    page = client.get(reverse("admin:accounts_case_change", args=[case.pk])).content.decode()
    for text in ("words", "insults", "mute"):
        assert text in page
    assert client.get(person(whom)).status_code == 200
