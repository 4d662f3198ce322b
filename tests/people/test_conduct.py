"""Reports, cases, sanctions and chats (people.md 4 and 5)."""

import threading
from datetime import timedelta

import pytest
from asgiref.sync import sync_to_async
from django.db import connections
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from accounts import acquaintances
from accounts.models import Case, FilteredWord, Reason, Report, Sanction, StaffAction, User
from accounts.moderation import appeals, cases, closing, sanctions, talk
from accounts.moderation.cases import Detector, Scene
from accounts.moderation.errors import (
    CaseDecided,
    LinksTooEarly,
    Muted,
    NotAllowed,
    NotHeard,
    OwnAccount,
    OwnDeed,
    ReportsTooFast,
    ReportYourself,
    StaffAccount,
    TableBanned,
    UnknownReason,
)
from accounts.tests.staff import administrator, moderator, support
from games.models import ChatLine, Match, Seat
from games.tests.abandoned import running
from games.tests.players import Tab, close_floor, make_user, open_table, usd_terms
from nardysite.roles import grant

pytestmark = pytest.mark.django_db
PROFILE = Scene(Report.Place.PROFILE, "profile")


def report(by, suspect, reason="spam", scene=PROFILE, text=""):
    return cases.report(by=by, suspect=suspect, reason=reason, scene=scene, text=text)


def browser(user) -> Client:
    client = Client()
    client.force_login(user)
    return client


# --- reports and cases ----------------------------------------------------------------------------


def test_there_are_the_nine_reasons() -> None:
    assert len(Reason.values) == 9


def test_reports_on_one_suspect_merge_into_one_case_with_a_score() -> None:
    suspect, anna, boris = make_user(), make_user(), make_user()
    report(anna, suspect)
    report(boris, suspect, "abuse")
    cases.feed(
        suspect=suspect, source=Detector("engine", weight=3), reason="software", about="month"
    )
    case = Case.objects.get()
    assert (case.reports.count(), case.score) == (3, 5)


def test_one_person_counts_once_however_often_they_report() -> None:
    suspect, anna = make_user(), make_user()
    for n in range(5):
        report(anna, suspect, scene=Scene("table", f"match:{n}"))
    report(anna, suspect, scene=Scene("table", "match:1"))
    case = Case.objects.get()
    assert (case.reports.count(), case.score) == (5, 1)


def test_guests_are_read_and_do_not_count() -> None:
    suspect = make_user()
    guest = User.objects.create_user("guest-1@guests.invalid", screen_name="Guest 111111")
    report(guest, suspect, text="he insults me")
    case = Case.objects.get()
    assert (case.reports.count(), case.score) == (1, 0)


def test_a_decided_case_stays_decided_and_new_reports_open_another() -> None:
    suspect, judge = make_user(), moderator()
    report(make_user(), suspect)
    first = Case.objects.get()
    cases.decide(first.pk, by=judge, confirmed=False, decision="nothing in it")
    report(make_user(), suspect)
    assert [case.status for case in Case.objects.order_by("id")] == ["dismissed", "open"]
    first.refresh_from_db()
    assert (first.decided_by, first.decision) == (judge, "nothing in it")


@pytest.mark.parametrize(("reason", "text"), [("ugly", ""), ("", ""), ("spam", "x" * 1001)])
def test_a_report_that_says_nothing_sensible_is_refused(reason, text) -> None:
    with pytest.raises(UnknownReason):
        report(make_user(), make_user(), reason, text=text)
    assert not Case.objects.exists()


def test_nobody_reports_themself_nor_floods() -> None:
    anna = make_user()
    with pytest.raises(ReportYourself):
        report(anna, anna)
    suspect = make_user()
    for n in range(20):
        report(anna, suspect, scene=Scene("table", f"match:{n}"))
    with pytest.raises(ReportsTooFast):
        report(anna, suspect, scene=Scene("table", "match:20"))


@pytest.mark.django_db(transaction=True)
def test_who_report_at_once_merge_into_one_case() -> None:
    suspect, people = make_user(), [make_user() for _ in range(6)]
    start = threading.Barrier(len(people))

    def go(user):
        try:
            start.wait()
            report(user, suspect)
        finally:
            connections.close_all()

    threads = [threading.Thread(target=go, args=(user,)) for user in people]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(20)
    assert Case.objects.get().score == 6


@pytest.mark.django_db(transaction=True)
def test_of_two_who_decide_at_once_one_does_and_the_other_is_told_who() -> None:
    suspect = make_user()
    case = report(make_user(), suspect).case
    judges, said = [moderator() for _ in range(4)], []
    start = threading.Barrier(4)

    def go(judge):
        try:
            start.wait()
            cases.decide(case.pk, by=judge, confirmed=True, decision="proven")
            said.append("decided")
        except CaseDecided as refused:
            said.append(refused.params["who"])
        finally:
            connections.close_all()

    threads = [threading.Thread(target=go, args=(judge,)) for judge in judges]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(20)
    case.refresh_from_db()
    assert sorted(said) == sorted(["decided"] + [case.decided_by.screen_name] * 3)
    assert StaffAction.objects.filter(action="decide_case").count() == 1


def test_who_may_decide_and_not_about_oneself() -> None:
    judge = moderator()
    case = report(make_user(), judge).case
    with pytest.raises(OwnAccount):
        cases.decide(case.pk, by=judge, confirmed=False, decision="me")
    for nobody in (make_user(), make_user(is_staff=True)):
        with pytest.raises(NotAllowed):
            cases.decide(case.pk, by=nobody, confirmed=False, decision="x")


def test_taking_a_case_is_shown_to_the_others() -> None:
    one, other = moderator(), moderator()
    case = report(make_user(), make_user()).case
    where = reverse("admin:accounts_case_change", args=[case.pk])
    assert browser(one).post(where, {"deed": "take"}).status_code == 302
    assert one.screen_name in browser(other).get(where).content.decode()
    assert browser(other).post(where, {"deed": "dismiss", "why": "clear"}).status_code == 302
    late = browser(one).post(where, {"deed": "confirm", "why": "guilty"})
    assert late.status_code == 409
    assert f"{other.screen_name} has decided this case already" in late.content.decode()


# --- the pages of reports -------------------------------------------------------------------------


def seated():
    match_id = running()
    return match_id, {
        seat.side: seat.user
        for seat in Seat.objects.filter(match_id=match_id).select_related("user")
    }


def test_a_player_reports_from_a_table_a_line_of_chat_and_a_profile() -> None:
    match_id, at = seated()
    line = ChatLine.objects.create(
        match_id=match_id, user=at["dark"], side="dark", text="you <b>fool</b>"
    )
    client = browser(at["light"])
    pages = {
        reverse("accounts:report_at_table", args=[match_id, "dark"]): "stalling",
        reverse("accounts:report_in_chat", args=[line.pk]): "abuse",
        reverse("accounts:report_on_profile", args=[at["dark"].screen_name]): "losing",
    }
    for page, reason in pages.items():
        shown = client.get(page).content.decode()
        assert at["dark"].screen_name in shown
        assert client.post(page, {"reason": ""}).status_code == 400
        assert client.post(page, {"reason": reason, "text": "it happened"}).status_code == 302
    case = Case.objects.get()
    assert {r.place for r in case.reports.all()} == {"table", "chat", "profile"}
    quoted = case.reports.get(place="chat")
    assert (quoted.quote, quoted.match_id) == ("you <b>fool</b>", match_id)
    assert (
        "&lt;b&gt;fool"
        in browser(moderator())
        .get(reverse("admin:accounts_case_change", args=[case.pk]))
        .content.decode()
    )


def test_everybody_can_read_what_is_not_allowed() -> None:
    page = Client().get("/conduct/").content.decode()
    assert all(str(label) in page.lower() for label in Reason.labels)


def test_pages_of_reports_want_an_account_and_something_that_exists() -> None:
    match_id, at = seated()
    page = reverse("accounts:report_at_table", args=[match_id, "dark"])
    assert Client().get(page).status_code == 302
    client = browser(at["light"])
    for missing in (
        reverse("accounts:report_at_table", args=[match_id, "middle"]),
        reverse("accounts:report_in_chat", args=[987654]),
        reverse("accounts:report_on_profile", args=["Nobody Here"]),
    ):
        assert client.get(missing).status_code == 404
    own = client.post(
        reverse("accounts:report_at_table", args=[match_id, "light"]), {"reason": "spam"}
    )
    assert own.status_code == 400
    assert "cannot report yourself" in own.content.decode()


def test_in_an_anonymous_room_the_reporter_learns_no_name() -> None:
    match_id, at = seated()
    Match.objects.filter(pk=match_id).update(column="dark")
    page = browser(at["light"]).get(reverse("accounts:report_at_table", args=[match_id, "dark"]))
    assert page.context["shown_name"] == "Anonymous"


# --- sanctions ------------------------------------------------------------------------------------


def test_a_muted_player_is_told_until_when_and_why(
    mailoutbox, django_capture_on_commit_callbacks
) -> None:
    whom = make_user()
    with django_capture_on_commit_callbacks(execute=True):
        sanctions.lay("mute", whom, by=moderator(), why="insults", span="day")
    with pytest.raises(Muted) as raised:
        talk.checked(whom.pk, "hello")
    said = str(raised.value.text) % raised.value.params
    assert "insults" in said
    assert str(timezone.now().year) in said
    assert "insults" in mailoutbox[0].body
    Sanction.objects.update(until=timezone.now() - timedelta(seconds=1))
    assert talk.checked(whom.pk, "hello") == "hello"


def test_the_longest_mute_counts_and_can_be_lifted() -> None:
    whom, judge = make_user(), moderator()
    sanctions.lay("mute", whom, by=judge, why="short", span="hour")
    for_ever = sanctions.lay("mute", whom, by=judge, why="long", span="ever")
    with pytest.raises(Muted) as raised:
        talk.checked(whom.pk, "hello")
    assert raised.value.params["why"] == "long"
    assert sanctions.lift(for_ever.pk, by=judge, why="enough")
    assert not sanctions.lift(for_ever.pk, by=judge, why="enough")
    with pytest.raises(Muted) as raised:
        talk.checked(whom.pk, "hello")
    assert raised.value.params["why"] == "short"


def test_a_banned_player_sits_down_nowhere_and_finishes_what_runs() -> None:
    match_id, at = seated()
    sanctions.lay("table_ban", at["light"], by=moderator(), why="stalling", span="week")
    assert Seat.objects.get(match_id=match_id, user=at["light"]).active
    for terms in (usd_terms(100), None):
        with pytest.raises(TableBanned):
            open_table(at["light"], make_user(cents=100_00), terms)


def test_a_warning_is_shown_until_it_was_read() -> None:
    whom = make_user()
    sanctions.lay("warning", whom, by=moderator(), why="be polite", span="ever")
    client = browser(whom)
    assert "be polite" in client.get("/profile/").content.decode()
    assert "be polite" not in client.get("/profile/").content.decode()
    assert talk.checked(whom.pk, "hello") == "hello"


def test_who_may_lay_a_sanction_and_on_whom() -> None:
    judge, colleague = moderator(), moderator()
    with pytest.raises(OwnAccount):
        sanctions.lay("mute", judge, by=judge, why="x", span="day")
    with pytest.raises(StaffAccount):
        sanctions.lay("mute", colleague, by=judge, why="x", span="day")
    with pytest.raises(NotAllowed):
        sanctions.lay("mute", make_user(), by=support(), why="x", span="day")
    assert sanctions.lay("mute", colleague, by=administrator(), why="x", span="day").pk


def test_a_sanction_is_appealed_against_once() -> None:
    whom, other = make_user(), make_user()
    sanction = sanctions.lay("mute", whom, by=moderator(), why="insults", span="ever")
    page = reverse("accounts:appeal_sanction", args=[sanction.pk])
    assert browser(other).get(page).status_code == 404
    client = browser(whom)
    assert "insults" in client.get(page).content.decode()
    assert client.post(page, {"words": "not me"}).status_code == 302
    with pytest.raises(appeals.AppealSent):
        appeals.against_sanction(whom, sanction.pk, words="again")
    assert Case.objects.get(kind="appeal").reports.get().text == "not me"


def test_an_appeal_is_decided_by_somebody_else_than_the_one_it_is_against() -> None:
    whom, judge, other = make_user(), moderator(), moderator()
    sanction = sanctions.lay("mute", whom, by=judge, why="insults", span="ever")
    appeals.against_sanction(whom, sanction.pk, words="not me")
    case = Case.objects.get(kind="appeal")
    with pytest.raises(OwnDeed):
        cases.decide(case.pk, by=judge, confirmed=False, decision="it was you")
    cases.decide(case.pk, by=other, confirmed=True, decision="a mistake")
    case.refresh_from_db()
    assert case.decided_by == other


# --- chats ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text",
    [
        "see http://x.y",
        "HTTPS://evil",
        "www.evil.example",
        "play at poker.com",
        "poker . com".replace(" ", ""),
        "poker(dot)com",
        "сайт.рф",
    ],
)
def test_new_accounts_send_no_links(text) -> None:
    user = make_user()
    with pytest.raises(LinksTooEarly):
        talk.checked(user.pk, text)
    User.objects.update(date_joined=timezone.now() - timedelta(days=8))
    assert talk.checked(user.pk, text) == text


@pytest.mark.parametrize(
    "text", ["24/18 13/11", "8.5 against 7.1", "well...no", "e.g. this", "good luck, have fun."]
)
def test_words_with_dots_are_no_links(text) -> None:
    assert talk.checked(make_user().pk, text) == text


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("darn it", "**** it"),
        ("DÁRN!", "****!"),
        ("darned darning", "****** darning"),
        ("undarn", "undarn"),
        ("чёрта лысого", "***** лысого"),
        ("", ""),
    ],
)
def test_words_are_masked_whole(text, shown) -> None:
    assert talk.masked(text, talk.pattern(["darn", "darned", "чёрт*"])) == shown


def test_the_list_of_words_is_edited_in_the_admin() -> None:
    form = {"language": "en", "word": "darn"}
    assert (
        browser(administrator()).post(reverse("admin:accounts_filteredword_add"), form).status_code
        == 302
    )
    talk._words.cache_clear()
    assert talk.checked(make_user().pk, "darn") == "****"
    talk._words.cache_clear()


@pytest.mark.django_db(transaction=True)
async def test_at_the_table_a_mute_refuses_and_a_word_is_masked_for_everybody() -> None:
    light, dark, match_id = await sync_to_async(_table_of_talkers)()
    try:
        one = await Tab(match_id, light).open()
        two = await Tab(match_id, dark).open()
        assert (await one.order("chat", text="well, darn it"))["kind"] == "ack"
        heard = await two.until(lambda frame: frame["kind"] == "chat")
        assert heard["text"] == "well, **** it"
        refused = await two.order("chat", text="hello")
        assert (refused["kind"], refused["code"]) == ("refused", "muted")
        assert "insults" in refused["text"]
        assert await sync_to_async(ChatLine.objects.count)() == 1
        await sync_to_async(_close)(dark)
        assert await two.receive_close() == 4010
    finally:
        await close_floor()


def _table_of_talkers():
    light, dark = make_user(cents=100_00), make_user(cents=100_00)
    FilteredWord.objects.create(language="en", word="darn")
    talk._words.cache_clear()
    sanctions.lay("mute", dark, by=_colleague(), why="insults", span="ever")
    return light, dark, open_table(light, dark, usd_terms(100))


def _colleague():
    """Transactional tests begin without the groups that migrations made."""
    grant()
    return administrator()


def _close(whom):
    order = closing.Order("abuse", "seen", "finish", "hold")
    closing.close(whom, order, by=_colleague(), seen=closing.preview(whom, order))


def test_who_is_blocked_is_not_heard_and_not_told_by_whom() -> None:
    anna, boris, carla = make_user(), make_user(), make_user()
    acquaintances.block(anna, boris)
    with pytest.raises(NotHeard):
        talk.checked(boris.pk, "hello", to=[anna.pk, boris.pk])
    assert talk.checked(carla.pk, "hello", to=[anna.pk, carla.pk]) == "hello"
    acquaintances.unblock(anna, boris)
    assert talk.checked(boris.pk, "hello", to=[anna.pk, boris.pk]) == "hello"
