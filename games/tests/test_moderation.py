"""Moderators and abandoned matches (live-table 6, people 3): who may, what it pays, what is recorded."""

import logging
import threading
from dataclasses import replace
from uuid import UUID

import pytest
from django.contrib.auth.models import Group, Permission
from django.db import DatabaseError, connection, transaction
from django.test import Client
from django.urls import reverse

from accounts.errors import Refused
from accounts.models import StaffAction, User
from games import house, moderation, rulings
from games.dbclock import read_ms
from games.match import commands
from games.match.sides import Side
from games.models import Adjudication, Match, MatchEvent
from games.tests.abandoned import judged, left, running, user_of, with_moderators
from games.tests.conftest import Later
from games.tests.players import make_user, usd_terms
from wallet import reconcile
from wallet.money import Currency
from wallet.selectors import balance_of

pytestmark = pytest.mark.django_db
READ = ("view_adjudication", "view_match")
BROUGHT = 10_000
SERIES = replace(usd_terms(), kind="series", length=3, limit=500)


def moderator(*, may_settle: bool = True) -> User:
    user = make_user(is_staff=True)
    codenames = (*READ, "settle_match") if may_settle else READ
    user.user_permissions.set(Permission.objects.filter(codename__in=codenames))
    return user


def page(match_id: UUID) -> str:
    return reverse("admin:games_adjudication_change", args=[match_id])


def browser(user: User) -> Client:
    client = Client()
    client.force_login(user)
    return client


def form(**changes: str) -> dict[str, str]:
    return {
        "step": "settle",
        "side": "light",
        "amount": "1.25",
        "reason": "ahead in the race",
    } | changes


def balances(match_id: UUID) -> dict[Side, int]:
    return {side: balance_of(user_of(match_id, side), Currency.USD) for side in Side}


def all_is_well() -> bool:
    return not [outcome.findings for outcome in reconcile.run() if outcome.findings]


# --- who may -----------------------------------------------------------------------------------


def test_the_group_of_moderators_may_settle_and_read() -> None:
    group = Group.objects.get(name="Moderator")
    codenames = set(group.permissions.values_list("codename", flat=True))
    assert codenames >= {"settle_match", "view_adjudication", "view_match", "view_chatline"}
    assert not [name for name in codenames if name.startswith(("add", "change", "delete"))]


def test_a_moderator_settles_and_the_deed_is_recorded(later: Later) -> None:
    match_id = with_moderators(later)
    user = moderator()
    answer = browser(user).post(page(match_id), form())
    assert answer.status_code == 302
    match = Match.objects.get(id=match_id)
    assert (match.reason, match.winner, match.win) == ("adjudicated", "light", 625)
    action = StaffAction.objects.get()
    assert (action.by, action.action, action.about) == (user, "settle_match", f"match:{match_id}")
    assert action.why == "ahead in the race"
    assert action.before["phase"] == "adjudicating"
    assert action.before["held"] == 12_000
    assert (action.after["phase"], action.after["held"], action.after["win"]) == ("over", 0, 625)
    assert Adjudication.objects.get(match_id=match_id).done
    assert all_is_well()


def test_staff_without_the_permission_may_look_but_not_settle(
    later: Later, caplog: pytest.LogCaptureFixture
) -> None:
    match_id = with_moderators(later)
    client = browser(moderator(may_settle=False))
    answer = client.get(page(match_id))
    assert answer.status_code == 200
    assert "See what each gets" not in answer.text
    with caplog.at_level(logging.WARNING, logger="games.admin"):
        assert client.post(page(match_id), form()).status_code == 403
    assert any("may not settle" in record.message for record in caplog.records)
    assert not StaffAction.objects.exists()
    assert Match.objects.get(id=match_id).finished_at is None


def test_staff_without_any_permission_see_nothing(
    later: Later, caplog: pytest.LogCaptureFixture
) -> None:
    match_id = with_moderators(later)
    client = browser(make_user(is_staff=True))
    with caplog.at_level(logging.WARNING, logger="games.admin"):
        assert client.get(page(match_id)).status_code == 403
    assert any("may not settle" in record.message for record in caplog.records)
    assert client.get(reverse("admin:games_adjudication_changelist")).status_code == 403


def test_players_are_turned_away(later: Later) -> None:
    match_id = with_moderators(later)
    player = User.objects.get(pk=user_of(match_id, Side.LIGHT))
    assert browser(player).post(page(match_id), form()).status_code == 403
    assert Client().post(page(match_id), form()).status_code == 302
    assert Match.objects.get(id=match_id).finished_at is None


def test_a_moderator_does_not_settle_a_match_of_their_own(later: Later) -> None:
    match_id = with_moderators(later)
    player = User.objects.get(pk=user_of(match_id, Side.LIGHT))
    User.objects.filter(pk=player.pk).update(is_staff=True, is_superuser=True)
    client = browser(player)
    for step in ("preview", "settle", "void"):
        answer = client.post(page(match_id), form(step=step))
        assert answer.status_code == 403
        assert "another moderator" in answer.text
    assert not StaffAction.objects.exists()
    with pytest.raises(moderation.OwnMatch):
        moderation.void(match_id, by=User.objects.get(pk=player.pk), reason="mine")


# --- what is refused ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ({"amount": "0"}, "above 0"),
        ({"amount": "12.01"}, "at most 12"),
        ({"amount": "-1"}, "above 0"),
        ({"amount": "1e3"}, "above 0"),
        ({"amount": "nan"}, "above 0"),
        ({"side": "both"}, "above 0"),
        ({"reason": "   "}, "Write the reason"),
        ({"reason": "x" * 1001}, "Write the reason"),
    ],
)
def test_a_form_that_says_nothing_sensible_changes_nothing(
    later: Later, changes: dict[str, str], says: str
) -> None:
    match_id = with_moderators(later)
    answer = browser(moderator()).post(page(match_id), form(**changes))
    assert answer.status_code == 200
    assert says in answer.text
    assert Match.objects.get(id=match_id).finished_at is None
    assert not StaffAction.objects.exists()


def test_nobody_settles_while_the_engine_has_its_two_minutes(later: Later) -> None:
    match_id = left(later)
    answer = browser(moderator()).post(page(match_id), form())
    assert "still being asked" in answer.text
    assert not StaffAction.objects.exists()


def test_a_running_match_is_not_in_the_queue() -> None:
    assert browser(moderator()).get(page(running())).status_code in (302, 404)


def test_a_form_sent_twice_pays_once(later: Later) -> None:
    match_id = with_moderators(later)
    client = browser(moderator())
    client.post(page(match_id), form())
    after_first = balances(match_id)
    again = client.post(page(match_id), form(side="dark"))
    assert "over" in again.text
    assert balances(match_id) == after_first
    assert StaffAction.objects.count() == 1
    assert MatchEvent.objects.filter(match_id=match_id, kind="match_settled").count() == 1


def test_after_a_void_nothing_is_settled(later: Later) -> None:
    match_id = with_moderators(later)
    client = browser(moderator())
    assert client.post(page(match_id), form(step="void")).status_code == 302
    assert balances(match_id) == dict.fromkeys(Side, BROUGHT)
    client.post(page(match_id), form())
    assert balances(match_id) == dict.fromkeys(Side, BROUGHT)
    action = StaffAction.objects.get()
    assert (action.action, action.after["phase"]) == ("void_match", "void")
    assert all_is_well()


@pytest.mark.django_db(transaction=True)
def test_of_two_moderators_at_once_one_wins(later: Later) -> None:
    match_id = with_moderators(later)
    users = [moderator(), moderator()]
    sides = [Side.LIGHT, Side.DARK]
    barrier = threading.Barrier(2)
    outcomes: list[str] = []

    def settle(user: User, side: Side) -> None:
        award = moderation.Award(side=side, ppm=1_000_000)
        barrier.wait()
        try:
            moderation.settle(match_id, award=award, by=user, reason="at once")
            outcomes.append("paid")
        except Refused as refused:
            outcomes.append(refused.code)
        finally:
            connection.close()

    threads = [
        threading.Thread(target=settle, args=pair) for pair in zip(users, sides, strict=True)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert outcomes.count("paid") == 1
    assert set(outcomes) - {"paid"} <= {"game_over", "not_abandoned"}
    winner = Match.objects.get(id=match_id).winner
    assert StaffAction.objects.get().by == users[sides.index(Side(winner))]
    assert all_is_well()


# --- the preview ----------------------------------------------------------------------------------


@pytest.mark.parametrize("amount", ["0.01", "0.333", "1.25", "7", "12", "0,5"])
@pytest.mark.parametrize("stake", [500, 333])
def test_the_preview_is_what_is_paid(later: Later, amount: str, stake: int) -> None:
    match_id = with_moderators(later, terms=usd_terms(stake=stake))
    user = moderator()
    award = moderation.award(match_id, side="dark", amount=amount)
    shown = moderation.preview(match_id, award)
    answer = browser(user).post(page(match_id), form(step="preview", side="dark", amount=amount))
    assert shown.gain in answer.text
    assert shown.winner_gets in answer.text
    assert shown.loser_gets in answer.text
    assert Match.objects.get(id=match_id).finished_at is None
    moderation.settle(match_id, award=award, by=user, reason="as shown")
    paid = {side: amount - BROUGHT for side, amount in balances(match_id).items()}
    assert paid == {Side.DARK: shown.settlement.gain, Side.LIGHT: -shown.settlement.loss}
    assert shown.settlement.fee == shown.settlement.win - shown.settlement.gain
    assert all_is_well()


def test_a_series_is_worth_one_stake_at_most(later: Later) -> None:
    match_id = with_moderators(later, terms=SERIES)
    with pytest.raises(moderation.BadShare):
        moderation.award(match_id, side="light", amount="1.01")
    assert moderation.award(match_id, side="light", amount="1").ppm == 1_000_000


# --- the queue --------------------------------------------------------------------------------------


def test_the_queue_shows_those_that_wait_first(later: Later) -> None:
    done = with_moderators(later)
    moderation.void(done, by=moderator(), reason="old")
    asked, waits = left(later), with_moderators(later)
    Adjudication.objects.filter(match_id=waits).update(trouble="EngineError('no weights')")
    text = browser(moderator()).get(reverse("admin:games_adjudication_changelist")).text
    places = [text.index(f"/adjudication/{match_id}/") for match_id in (waits, asked, done)]
    assert places == sorted(places)
    assert "no weights" in text
    assert "$5.00" in text
    assert "ago" in text


def test_the_page_of_a_case_shows_all_of_it(later: Later) -> None:
    match_id = with_moderators(later)
    Adjudication.objects.filter(match_id=match_id).update(trouble="EngineError('no weights')")
    text = browser(moderator()).get(page(match_id)).text
    for words in ("no weights", "sent to moderators", 'id="position"', "See what each gets"):
        assert words in text


# --- the record -------------------------------------------------------------------------------------


def test_the_record_of_staff_is_final(later: Later) -> None:
    moderation.void(with_moderators(later), by=moderator(), reason="test")
    action = StaffAction.objects.get()
    for deed in (action.delete, lambda: StaffAction.objects.update(why="another")):
        with pytest.raises(DatabaseError), transaction.atomic():
            deed()
    assert StaffAction.objects.get().why == "test"


# --- the verdict's page -----------------------------------------------------------------------------


def test_a_verdict_is_shown_to_its_players_and_to_moderators_only(later: Later) -> None:
    match_id = left(later)
    judged(match_id)
    address = reverse("games:verdict", args=[match_id])
    players = [User.objects.get(pk=user_of(match_id, side)) for side in Side]
    for user in (*players, moderator(may_settle=False)):
        assert browser(user).get(address).status_code == 200
    for user in (make_user(), make_user(is_staff=True)):
        assert browser(user).get(address).status_code == 404
    assert Client().get(address).status_code == 404


def test_a_verdict_says_what_was_found_how_and_what_was_paid(later: Later) -> None:
    match_id = left(later)
    judged(match_id)
    found = rulings.ruling(match_id)
    assert found is not None
    assert found.finding is not None
    assert (found.finding.estimate.stakes, found.finding.low.stakes) == (
        "\N{MINUS SIGN}0.42",
        "\N{MINUS SIGN}0.47",
    )
    assert found.finding.applied == found.finding.low
    player = User.objects.get(pk=user_of(match_id, Side.DARK))
    text = browser(player).get(reverse("games:verdict", args=[match_id])).text
    for words in ("bgsage", "0.3", "1296", "the lower end of the interval", "$2.35", "$2.10"):
        assert words in text


def test_a_series_says_the_chance_to_win_it(later: Later) -> None:
    match_id = left(later, terms=SERIES)
    chance = {"measure": "chance", "value": 0.29, "low": 0.265, "high": 0.315}
    judged(match_id, verdict={**chance, "engine": "bgsage", "version": "0.3"})
    found = rulings.ruling(match_id)
    assert found is not None
    assert found.finding is not None
    assert found.finding.chance == "29.0 % to win the series (26.5 to 31.5)"


def test_who_decided_is_not_told_to_the_players(later: Later) -> None:
    match_id = with_moderators(later)
    user = moderator()
    award = moderation.Award(side=Side.LIGHT, ppm=500_000)
    moderation.settle(match_id, award=award, by=user, reason="a clear race")
    player = User.objects.get(pk=user_of(match_id, Side.DARK))
    text = browser(player).get(reverse("games:verdict", args=[match_id])).text
    assert "a clear race" in text
    assert "+0.50" in text
    assert user.screen_name not in text


def test_before_anything_is_decided_the_page_says_who_decides(later: Later) -> None:
    asked, waits = left(later), with_moderators(later, Side.LIGHT, Side.DARK)
    for match_id, words in ((asked, "An engine is working out"), (waits, "A moderator decides")):
        player = User.objects.get(pk=user_of(match_id, Side.DARK))
        assert words in browser(player).get(reverse("games:verdict", args=[match_id])).text


def test_a_match_that_nobody_left_has_no_verdict() -> None:
    match_id = running()
    player = User.objects.get(pk=user_of(match_id, Side.DARK))
    assert browser(player).get(reverse("games:verdict", args=[match_id])).status_code == 404
    house.advance(match_id, commands.Void(reason="test"))
    assert browser(player).get(reverse("games:verdict", args=[match_id])).status_code == 404


# --- the banner -------------------------------------------------------------------------------------


def test_the_banner_of_every_page_says_how_long_one_may_stay_away(later: Later) -> None:
    """Live table 5: a banner on every page."""
    match_id = running()
    player = User.objects.get(pk=user_of(match_id, Side.DARK))
    address = reverse("games:fairness")
    assert 'data-left-ms="180000"' in browser(player).get(address).text
    house.advance(match_id, commands.MarkLost(side=Side.DARK, since_ms=read_ms() - 30_000))
    text = browser(player).get(address).text
    left_ms = int(text.split('data-left-ms="')[1].split('"')[0])
    assert 120_000 < left_ms <= 150_000
    later.skip(180_000)
    house.expire(match_id)
    text = browser(player).get(address).text
    assert "was broken off" in text
    assert "data-left-ms" not in text
