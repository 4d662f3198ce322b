"""Closing an account (people.md 3): who may, what becomes of matches and money, what is left, and the way back."""

import re
import threading

import pytest
from django.contrib.sessions.models import Session
from django.db import connections
from django.test import Client
from django.urls import reverse

from accounts.models import Case, Closure, StaffAction, User
from accounts.moderation import closing, shares
from accounts.moderation.closing import Order
from accounts.moderation.errors import (
    AlreadyClosed,
    BalanceLeft,
    ClosingChanged,
    MatchRunning,
    NotAllowed,
    NotClosed,
    NothingWaits,
    NoVictims,
    OwnAccount,
    ReasonMissing,
    SecondPersonNeeded,
    StaffAccount,
)
from accounts.moderation.estates import Loss
from accounts.tests.staff import administrator, moderator, support
from games import house
from games.match import commands
from games.models import Match, Seat
from games.tests.abandoned import running
from games.tests.players import make_user, open_table, usd_terms
from rooms.models import Offer, OfferStatus, Room
from rooms.services import create_offer, room_terms
from rooms.tests.people import wish
from tests.people.money import lose
from wallet import reconcile
from wallet.money import Currency
from wallet.selectors import balance_of

pytestmark = pytest.mark.django_db


def order(matches="finish", money="hold", victims=(), **changes):
    facts = {
        "reason": "abuse",
        "note": "seen in the chat",
        "matches": matches,
        "money": money,
        "victims": tuple(v.pk for v in victims),
    }
    return Order(**(facts | changes))


def shut(whom, how=None, by=None):
    how = how or order()
    return closing.close(whom, how, by=by or support(), seen=closing.preview(whom, how))


def usd(user):
    return balance_of(user.pk, Currency.USD)


def all_is_well():
    return not [outcome.findings for outcome in reconcile.run() if outcome.findings]


# --- who may --------------------------------------------------------------------------------------


def test_support_closes_and_the_deed_is_recorded(
    mailoutbox, django_capture_on_commit_callbacks
) -> None:
    whom, helper = make_user("Villain"), support()
    with django_capture_on_commit_callbacks(execute=True):
        shut(whom, by=helper)
    whom.refresh_from_db()
    assert not whom.is_active
    action = StaffAction.objects.get(action="close_account")
    assert (action.by, action.whom, action.why) == (helper, whom, "seen in the chat")
    assert action.after["reason"] == "abuse"
    letter = mailoutbox[0]
    assert letter.to == [whom.email]
    assert "abuse of other players" in letter.body
    assert "/appeal/" in letter.body


@pytest.mark.parametrize("role", [moderator, None])
def test_nobody_else_may(role) -> None:
    by = role() if role else make_user()
    with pytest.raises(NotAllowed):
        shut(make_user(), by=by)
    assert not Closure.objects.exists()


def test_nobody_closes_themself_or_a_colleague_and_an_administrator_closes_a_colleague() -> None:
    helper, colleague = support(), support()
    with pytest.raises(OwnAccount):
        shut(helper, by=helper)
    with pytest.raises(StaffAccount):
        shut(colleague, by=helper)
    shut(colleague, by=administrator())
    assert not User.objects.get(pk=colleague.pk).is_active


def test_a_reason_is_needed() -> None:
    for note in ("", "   ", "x" * 1001):
        with pytest.raises(ReasonMissing):
            shut(make_user(), order(note=note))


# --- what is gone ---------------------------------------------------------------------------------


def test_sessions_and_open_tables_are_gone_and_nothing_opens_them_again(client) -> None:
    whom = make_user("Villain", cents=100_00)
    client.force_login(whom)
    client.get("/profile/")
    room = Room.objects.get(slug="main")
    create_offer(user=whom, room=room, terms=room_terms(room, wish(stake=100)), token="one")
    assert Session.objects.count() == 1
    shut(whom)
    assert not Session.objects.exists()
    assert [offer.status for offer in Offer.objects.all()] == [OfferStatus.WITHDRAWN]
    assert client.get("/profile/").status_code == 302
    for terms in (usd_terms(100), None):
        with pytest.raises(Exception, match="account_closed"):
            open_table(whom, make_user(cents=100_00), terms)


def test_they_cannot_sign_in_nor_reset_their_way_back(client, mailoutbox) -> None:
    whom = make_user("Villain")
    whom.confirm_email()
    shut(whom)
    client.post("/accounts/login/", {"login": whom.email, "password": "a long pass phrase"})
    assert "_auth_user_id" not in client.session
    client.post("/accounts/password/reset/", {"email": whom.email})
    links = re.findall(
        r"/accounts/password/reset/key/\S+", "".join(mail.body for mail in mailoutbox)
    )
    for link in links:
        page = client.get(link, follow=True)
        client.post(
            page.redirect_chain[-1][0],
            {"password1": "another-long-88", "password2": "another-long-88"},
        )
    assert "_auth_user_id" not in client.session


# --- matches --------------------------------------------------------------------------------------


def played() -> tuple[User, User, Match]:
    match_id = running()
    seats = {seat.side: seat.user for seat in Seat.objects.filter(match_id=match_id)}
    return seats["light"], seats["dark"], Match.objects.get(pk=match_id)


def test_a_match_that_has_not_begun_is_left() -> None:
    light, dark = make_user(cents=100_00), make_user(cents=100_00)
    match_id = open_table(light, dark, usd_terms(100))
    shut(light)
    assert Match.objects.get(pk=match_id).head.phase == "cancelled"
    assert not Seat.objects.filter(active=True).exists()
    assert (usd(light), usd(dark)) == (100_00, 100_00)


def test_a_running_match_goes_on_to_its_end() -> None:
    light, _dark, match = played()
    shut(light, order("finish"))
    assert Seat.objects.get(match=match, user=light).active
    match.refresh_from_db()
    assert match.finished_at is None


def test_a_running_match_is_void_and_both_stakes_go_back() -> None:
    light, dark, match = played()
    shut(light, order("void"))
    match.refresh_from_db()
    assert (match.head.phase, match.winner) == ("void", "")
    assert (usd(light), usd(dark)) == (100_00, 100_00)
    assert all_is_well()


def test_a_running_match_is_broken_off_and_waits_for_its_verdict() -> None:
    light, _dark, match = played()
    shut(light, order("adjudicate"))
    match.refresh_from_db()
    assert match.head.phase == "adjudicating"
    assert Seat.objects.get(match=match, user=light).abandoned
    assert all_is_well()


# --- money ----------------------------------------------------------------------------------------


def test_victims_get_what_they_lost_and_the_rest_is_held() -> None:
    villain, anna, boris = (
        make_user("Villain", cents=50_00),
        make_user(cents=100_00),
        make_user(cents=100_00),
    )
    lost_by_anna = lose(anna, to=villain, points=2, stake=500)
    lose(boris, to=villain, points=1, stake=500)
    before = usd(villain)
    shown = closing.preview(villain, order(money="refund", victims=[anna]))
    assert shown.refunds == (Loss(anna.pk, lost_by_anna),)
    assert shown.balance == before == shown.held + shown.moved
    shut(villain, order(money="refund", victims=[anna]))
    assert usd(anna) == 100_00
    assert usd(boris) < 100_00
    assert usd(villain) == before - lost_by_anna
    assert Closure.objects.get().money_state == "done"
    assert all_is_well()


def test_what_a_victim_won_back_is_not_refunded_and_nothing_is_refunded_twice() -> None:
    villain, anna = make_user("Villain", cents=50_00), make_user(cents=100_00)
    lose(anna, to=villain, points=2, stake=500)
    lose(villain, to=anna, points=1, stake=500)
    net = 100_00 - usd(anna)
    helper = support()
    shut(villain, order(money="refund", victims=[anna]), by=helper)
    assert usd(anna) == 100_00
    assert net > 0
    closing.reopen(villain, by=helper, why="appeal granted")
    with pytest.raises(NoVictims):
        closing.preview(villain, order(money="refund", victims=[anna]))


def test_only_who_lost_is_a_victim() -> None:
    villain, anna, stranger = (
        make_user("Villain", cents=50_00),
        make_user(cents=100_00),
        make_user(),
    )
    lose(anna, to=villain, points=1, stake=500)
    for victims in ([], [stranger], [anna, stranger], [villain]):
        with pytest.raises(NoVictims):
            closing.preview(villain, order(money="refund", victims=victims))


@pytest.mark.parametrize(
    ("balance", "losses", "refunds"),
    [
        (100, [60, 40], [60, 40]),
        (1000, [60, 40], [60, 40]),
        (100, [100, 100, 100], [34, 33, 33]),
        (1, [5, 5], [1, 0]),
        (0, [5], [0]),
        (99, [1, 199], [0, 99]),
        (10, [1, 1, 999_999], [0, 0, 10]),
    ],
)
def test_a_short_balance_is_shared_to_the_cent(balance, losses, refunds) -> None:
    got = {
        one.user_id: one.amount
        for one in shares.refunds(balance, [Loss(n, lost) for n, lost in enumerate(losses)])
    }
    assert [got.get(n, 0) for n in range(len(losses))] == refunds
    assert sum(got.values()) == min(balance, sum(losses))


def test_a_preview_that_is_not_true_any_more_moves_nothing() -> None:
    villain, anna = make_user("Villain", cents=50_00), make_user(cents=100_00)
    lose(anna, to=villain, points=1, stake=500)
    how = order(money="refund", victims=[anna])
    seen = closing.preview(villain, how)
    lose(anna, to=villain, points=1, stake=500)
    with pytest.raises(ClosingChanged):
        closing.close(villain, how, by=support(), seen=seen)
    villain.refresh_from_db()
    assert villain.is_active
    assert not Closure.objects.exists()


def test_a_large_sum_waits_for_a_second_person(settings) -> None:
    settings.STAFF_ALONE_CENTS = 5_00
    villain, anna = make_user("Villain", cents=50_00), make_user(cents=100_00)
    lose(anna, to=villain, points=2, stake=500)
    helper = support()
    closure = shut(villain, order(money="refund", victims=[anna]), by=helper)
    closure.refresh_from_db()
    assert closure.money_state == "second"
    assert usd(anna) < 100_00
    with pytest.raises(SecondPersonNeeded):
        closing.approve(closure.pk, by=helper, why="I am sure")
    with pytest.raises(NotAllowed):
        closing.approve(closure.pk, by=moderator(), why="I am sure")
    second = support()
    with pytest.raises(ReasonMissing):
        closing.approve(closure.pk, by=second, why=" ")
    closing.approve(closure.pk, by=second, why="sums checked")
    assert usd(anna) == 100_00
    with pytest.raises(NothingWaits):
        closing.decline(closure.pk, by=administrator(), why="too late")
    assert [a.by for a in StaffAction.objects.filter(action="approve_money")] == [second]
    assert all_is_well()


def test_the_second_person_may_decline_and_the_money_is_held(settings) -> None:
    settings.STAFF_ALONE_CENTS = 0
    villain, anna = make_user("Villain", cents=50_00), make_user(cents=100_00)
    lose(anna, to=villain, points=2, stake=500)
    closure = shut(villain, order(money="refund", victims=[anna]))
    before = usd(villain)
    closing.decline(closure.pk, by=support(), why="not proven")
    assert usd(villain) == before
    assert Closure.objects.get().money_state == "declined"


def test_money_waits_for_the_matches_that_go_on() -> None:
    light, dark, match = played()
    how = order("finish", money="pay_out")
    shut(light, how)
    assert Closure.objects.get().money_state == "waits"
    assert usd(light) > 0
    house.advance(match.pk, commands.Void(reason="for the test"))
    closing.finish_all()
    assert Closure.objects.get().money_state == "done"
    assert usd(light) == 0
    assert usd(dark) == 100_00
    assert all_is_well()


def test_what_was_interrupted_is_taken_up_again() -> None:
    light, _dark, match = played()
    closure = Closure.objects.create(
        user=light,
        reason="spam",
        note="n",
        by=support(),
        matches="void",
        money="hold",
        money_state="done",
    )
    User.objects.filter(pk=light.pk).update(is_active=False)
    assert closing.finish_all() == 1
    match.refresh_from_db()
    assert match.head.phase == "void"
    closure.refresh_from_db()
    assert closure.enforced_at is not None
    assert closing.finish_all() == 0


# --- two at once ----------------------------------------------------------------------------------


@pytest.mark.django_db(transaction=True)
def test_of_two_who_close_at_once_one_does_and_the_money_moves_once(settings) -> None:
    settings.STAFF_ALONE_CENTS = 1_000_00
    villain, anna = make_user("Villain", cents=50_00), make_user(cents=100_00)
    lose(anna, to=villain, points=2, stake=500)
    helpers = [support() for _ in range(4)]
    how = order(money="refund", victims=[anna])
    seen, said, start = closing.preview(villain, how), [], threading.Barrier(4)

    def close(helper):
        try:
            start.wait()
            closing.close(User.objects.get(pk=villain.pk), how, by=helper, seen=seen)
            said.append("closed")
        except AlreadyClosed as refused:
            said.append(refused.code)
        finally:
            connections.close_all()

    threads = [threading.Thread(target=close, args=(helper,)) for helper in helpers]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(20)
    assert sorted(said) == ["already_closed"] * 3 + ["closed"]
    assert StaffAction.objects.filter(action="close_account").count() == 1
    assert usd(anna) == 100_00
    assert all_is_well()


# --- back -----------------------------------------------------------------------------------------


def test_a_reopened_account_signs_in_and_the_record_stays(client) -> None:
    whom, helper = make_user("Villain"), support()
    whom.confirm_email()
    shut(whom, by=helper)
    with pytest.raises(ReasonMissing):
        closing.reopen(whom, by=helper, why="")
    closing.reopen(whom, by=helper, why="a mistake")
    with pytest.raises(NotClosed):
        closing.reopen(whom, by=helper, why="again")
    client.post("/accounts/login/", {"login": whom.email, "password": "a long pass phrase"})
    assert client.session["_auth_user_id"] == str(whom.pk)
    assert [a.action for a in StaffAction.objects.order_by("id")] == [
        "close_account",
        "reopen_account",
    ]
    shut(User.objects.get(pk=whom.pk), by=helper)
    assert Closure.objects.count() == 2


def first(pattern, text):
    found = re.search(pattern, text)
    assert found is not None
    return found[1]


def appeal_link(mailoutbox):
    return first(r"http://[^/]+(/appeal/\S+/)", mailoutbox[-1].body)


def test_an_appeal_is_a_case_once_and_reopening_answers_it(
    client, mailoutbox, django_capture_on_commit_callbacks
) -> None:
    whom, helper = make_user("Villain"), support()
    with django_capture_on_commit_callbacks(execute=True):
        shut(whom, by=helper)
    link = appeal_link(mailoutbox)
    assert "abuse of other players" in client.get(link).content.decode()
    assert client.post(link, {"words": ""}).status_code == 400
    answer = client.post(link, {"words": "It was my brother."})
    assert "We have your appeal" in answer.content.decode()
    case = Case.objects.get(kind="appeal")
    assert (case.suspect, case.reports.get().text) == (whom, "It was my brother.")
    assert "We have your appeal" in client.post(link, {"words": "Again."}).content.decode()
    assert case.reports.count() == 1
    closing.reopen(whom, by=helper, why="believed")
    case.refresh_from_db()
    assert case.status == "confirmed"
    assert client.get(link).status_code == 409


def test_a_forged_or_old_appeal_link_says_so(
    client, mailoutbox, monkeypatch, django_capture_on_commit_callbacks
) -> None:
    assert client.get("/appeal/MTIz:forged:signature/").status_code == 409
    with django_capture_on_commit_callbacks(execute=True):
        shut(make_user("Villain"))
    from accounts.moderation import appeals

    monkeypatch.setattr(appeals, "LIFE", -1)
    answer = client.get(appeal_link(mailoutbox))
    assert answer.status_code == 409
    assert "older than 90 days" in answer.content.decode()


# --- one's own ------------------------------------------------------------------------------------


def test_a_player_closes_their_own_account(
    client, mailoutbox, django_capture_on_commit_callbacks
) -> None:
    whom = make_user("Tired")
    whom.confirm_email()
    client.post("/accounts/login/", {"login": whom.email, "password": "a long pass phrase"})
    assert "/reauthenticate/" in client.get("/profile/close/")["Location"]
    client.post("/accounts/reauthenticate/", {"password": "a long pass phrase"})
    assert client.post("/profile/close/", {"sure": "tired"}).status_code == 400
    with django_capture_on_commit_callbacks(execute=True):
        assert client.post("/profile/close/", {"sure": "Tired"}).status_code == 302
    whom.refresh_from_db()
    assert not whom.is_active
    assert client.get("/profile/").status_code == 302
    assert "as you wished" in mailoutbox[-1].body
    assert Closure.objects.get().reason == "own_wish"


def test_not_while_there_is_money_or_a_match() -> None:
    with pytest.raises(BalanceLeft):
        closing.close_own(make_user(cents=5_00))
    light, _dark, _match = played()
    with pytest.raises(MatchRunning):
        closing.close_own(light)


# --- the page -------------------------------------------------------------------------------------


def page_of(user):
    return reverse("admin:accounts_user_close", args=[user.pk])


def form(**changes):
    return {
        "reason": "moving_money",
        "note": "seen",
        "fate_of_matches": "finish",
        "fate_of_money": "hold",
        "step": "preview",
    } | changes


def test_the_page_previews_to_the_cent_and_closes_what_was_seen() -> None:
    villain, anna = make_user("Villain", cents=50_00), make_user("Anna", cents=100_00)
    lost = lose(anna, to=villain, points=2, stake=500)
    client = Client()
    client.force_login(support())
    chosen = form(fate_of_money="refund", victims=[str(anna.pk)])
    shown = client.post(page_of(villain), chosen).content.decode()
    assert f"${lost / 100:.2f}" in shown
    seal = first(r'name="seal" value="(\w+)"', shown)
    assert (
        client.post(page_of(villain), chosen | {"step": "close", "seal": "0" * 32}).status_code
        == 409
    )
    other = {"step": "close", "seal": seal, "fate_of_matches": "void"}
    assert client.post(page_of(villain), chosen | other).status_code == 409
    assert User.objects.get(pk=villain.pk).is_active
    assert (
        client.post(page_of(villain), chosen | {"step": "close", "seal": seal}).status_code == 302
    )
    assert usd(anna) == 100_00
    assert (
        client.post(page_of(villain), chosen | {"step": "close", "seal": seal}).status_code == 409
    )


def test_the_page_refuses_who_may_not_and_what_it_does_not_offer(caplog) -> None:
    villain = make_user("Villain")
    for who, status in ((moderator(), 403), (make_user(), 403), (support(), 200)):
        client = Client()
        client.force_login(who)
        assert client.get(page_of(villain)).status_code == status
    assert sum("refused in the admin" in record.message for record in caplog.records) == 2
    for wrong in (
        {"reason": "own_wish"},
        {"fate_of_matches": "burn"},
        {"fate_of_money": "keep"},
        {"reason": ""},
    ):
        assert client.post(page_of(villain), form(**wrong)).status_code == 403
    assert client.post(page_of(villain), form(note="")).status_code == 409
    assert User.objects.get(pk=villain.pk).is_active


def test_the_page_about_oneself_offers_nothing() -> None:
    helper = support()
    client = Client()
    client.force_login(helper)
    answer = client.get(page_of(helper))
    assert answer.status_code == 403
    assert "somebody else" in answer.content.decode()
    assert 'name="reason"' not in answer.content.decode()
