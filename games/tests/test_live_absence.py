"""Lost connections, abandonment and downtime at live tables (live-table 4-6)."""

import asyncio
from datetime import timedelta

import pytest
from asgiref.sync import sync_to_async
from django.db import connections
from django.db.models.functions import Now

from games import abandonment, course, downtime, floor, house, moderation, services
from games.dbclock import read_ms
from games.match import commands
from games.match.sides import Side
from games.models import Adjudication, Match, MatchEvent, Outage, Pulse, Seat
from games.tests.conftest import Later
from games.tests.players import Tab, make_user, started, usd_terms, whose_tab
from wallet import reconcile
from wallet.money import Currency
from wallet.selectors import balance_of

pytestmark = [pytest.mark.usefixtures("hall"), pytest.mark.django_db(transaction=True)]
people = sync_to_async(lambda: (make_user(cents=10_000), make_user(cents=10_000)))
WINDOW_MS = 180_000


async def gone(tab: Tab, *, ago_s: int = 20) -> None:
    """The tab's lease ran out so many seconds ago, less the lease."""
    await tab.close()
    seat = Seat.objects.filter(match_id=tab.match_id, side=tab.you)
    await seat.aupdate(seen_at=Now() - timedelta(seconds=ago_s))


async def mark() -> int:
    return await sync_to_async(abandonment.mark_lost)()


async def balance(tab: Tab) -> int:
    return await sync_to_async(balance_of)(tab.player.pk, Currency.USD)


async def test_a_lease_that_ran_out_is_marked_once_and_ends_when_the_player_is_back() -> None:
    one, two = await started(*await people())
    away = one if whose_tab(one, two) is two else two
    stays = two if away is one else one
    await gone(away)
    assert await mark() == 1
    assert await mark() == 0
    await stays.until(lambda f: any(e["kind"] == "player_lost" for e in f.get("events", [])))
    again = await Tab(away.match_id, away.user).open()
    await stays.until(lambda f: any(e["kind"] == "player_returned" for e in f.get("events", [])))
    state = (await sync_to_async(course.load)(one.match_id))[1]
    assert 20_000 <= state.away_ms[Side(away.you)] < 60_000
    assert again.you == away.you


async def test_the_opponent_plays_on_while_somebody_is_away() -> None:
    one, two = await started(*await people())
    tab = whose_tab(one, two)
    await gone(two if tab is one else one)
    await mark()
    assert (await tab.order("play", steps=tab.first_turn()))["kind"] == "ack"


async def test_a_match_that_is_left_is_adjudicated_and_paid_once(later: Later) -> None:
    one, two = await started(*await people())
    stays = whose_tab(one, two)
    away = two if stays is one else one
    await gone(away)
    await mark()
    later.skip(WINDOW_MS - 30_000)
    assert await sync_to_async(services.sweep)() == 0
    later.skip(12_000)
    assert await sync_to_async(services.sweep)() == 1
    await stays.reach("adjudicating")
    assert (await stays.order("roll"))["code"] == "adjudicating"
    assert await balance(stays) == 4_000, "the money stays locked"
    assert await sync_to_async(abandonment.due_for_verdict)() == [stays.match_id]
    assert await sync_to_async(abandonment.due_for_verdict)() == []
    assert await sync_to_async(abandonment.adjudicate)(stays.match_id) is True
    assert await sync_to_async(abandonment.adjudicate)(stays.match_id) is False
    await stays.reach("over")
    match = await Match.objects.aget(id=stays.match_id)
    assert match.reason == "adjudicated"
    verdict = await MatchEvent.objects.aget(match_id=match.id, kind="adjudicated")
    gained = verdict.payload
    assert gained["side"] == away.you
    assert gained["low"] <= gained["estimate"] <= gained["high"]
    assert gained["applied"] == gained["low"]
    paid = (abs(gained["applied"]) * 500 * 2 + 1_000_000) // 2_000_000
    assert match.win == paid
    loser = away if gained["applied"] < 0 else stays
    assert await balance(loser) == 10_000 - paid
    assert "bgsage" in gained["engine"]
    await nothing_is_wrong_and_the_seat_is_marked(away)


async def nothing_is_wrong_and_the_seat_is_marked(away: Tab) -> None:
    assert (await Seat.objects.aget(match_id=away.match_id, side=away.you)).abandoned
    assert [o.findings for o in await sync_to_async(reconcile.run)() if o.findings] == []


async def test_without_a_verdict_it_goes_to_the_moderators_who_settle_it(later: Later) -> None:
    one, two = await started(*await people())
    stays = whose_tab(one, two)
    away = two if stays is one else one
    await gone(away)
    await mark()
    later.skip(WINDOW_MS)
    await sync_to_async(services.sweep)()
    later.skip(121_000)
    assert await sync_to_async(services.sweep)() == 1
    assert await sync_to_async(abandonment.adjudicate)(stays.match_id) is False
    assert (await Adjudication.objects.aget(match_id=stays.match_id)).with_moderators
    moderator = await sync_to_async(make_user)(is_staff=True, is_superuser=True)
    award = moderation.Award(side=Side(stays.you), ppm=2_000_000)
    await sync_to_async(moderation.settle)(
        stays.match_id, award=award, by=moderator, reason="gammonish"
    )
    await stays.reach("over")
    match = await Match.objects.aget(id=stays.match_id)
    assert (match.winner, match.win) == (stays.you, 1_000)
    assert (await Adjudication.objects.aget(match_id=stays.match_id)).done


async def test_who_leaves_again_and_again_forfeits(later: Later) -> None:
    """Table 6: three or more in the last thirty."""
    one, two = await started(*await people())
    stays = whose_tab(one, two)
    away = two if stays is one else one
    for _ in range(3):
        opponent = await sync_to_async(make_user)(cents=10_000)
        other_id = await sync_to_async(_left_before)(away.player, opponent)
        assert other_id != one.match_id
    await gone(away)
    await mark()
    later.skip(WINDOW_MS)
    await sync_to_async(services.sweep)()
    await stays.reach("over")
    assert stays.view["result"]["reason"] == "left"
    assert stays.view["result"]["winner"] == stays.you


def _left_before(user, opponent):
    """An earlier match for chips that this player abandoned."""
    from games.terms import table_terms
    from games.tests.players import open_table

    match_id = open_table(user, opponent, table_terms(currency="PLAY", stake=1))
    house.advance(match_id, commands.Void(reason="test"))
    Match.objects.filter(id=match_id).update(started_at=Now())
    Seat.objects.filter(match_id=match_id, user=user).update(abandoned=True)
    return match_id


async def test_in_blitz_a_lost_lease_loses_three_times_the_stake() -> None:
    one, two = await started(*await people(), usd_terms(options=frozenset({"blitz"})))
    away, stays = one, two
    await gone(away)
    await mark()
    await stays.reach("over")
    assert stays.view["result"]["money"]["loss"] == 1_500


async def test_downtime_is_given_back_once_to_running_clocks(later: Later) -> None:
    """Table 4: credited, and logged as an event."""
    one, _two = await started(*await people())
    state = (await sync_to_async(course.load)(one.match_id))[1]
    due = state.clock.due_ms or 0
    now = await sync_to_async(read_ms)()
    await Pulse.objects.acreate(part="web", at_ms=now - 30_000)
    for _ in range(3):
        await sync_to_async(downtime.give_back)()
    assert await Outage.objects.acount() == 1
    credit = await MatchEvent.objects.aget(match_id=one.match_id, kind="credited")
    after = (await sync_to_async(course.load)(one.match_id))[1].clock.due_ms or 0
    assert 0 < after - due <= credit.payload["ms"]
    assert credit.payload["ms"] >= 30_000


async def test_nobody_is_flagged_while_no_process_serves_sockets(later: Later) -> None:
    one, _two = await started(*await people())
    now = await sync_to_async(read_ms)()
    await Pulse.objects.acreate(part="web", at_ms=now - 10_000)
    later.skip(192_001)
    assert await sync_to_async(services.sweep)() == 0
    assert (await Match.objects.aget(id=one.match_id)).finished_at is None


async def test_a_command_after_downtime_is_played_not_flagged(later: Later) -> None:
    one, two = await started(*await people())
    tab = whose_tab(one, two)
    later.skip(192_001)
    now = await sync_to_async(read_ms)()
    await Pulse.objects.acreate(part="web", at_ms=now - 3_600_000)
    await sync_to_async(downtime.give_back)()
    assert (await tab.order("play", steps=tab.first_turn()))["kind"] == "ack"


async def test_an_outage_is_credited_only_for_what_earlier_ones_did_not_cover() -> None:
    one, _two = await started(*await people())
    await Outage.objects.acreate(part="web", from_ms=1_000, until_ms=9_000, credited=True)
    await Outage.objects.acreate(part="web", from_ms=5_000, until_ms=12_000)
    await sync_to_async(downtime.credit_open_outages)()
    credit = await MatchEvent.objects.aget(match_id=one.match_id, kind="credited")
    assert credit.payload["ms"] == 3_000
    assert floor.floor().live is not None


@pytest.mark.parametrize(("tariff", "seconds"), [("play65-ru", 180), ("play65-fi", 300)])
async def test_the_tariff_says_how_long_a_player_may_be_away(settings, tariff, seconds) -> None:
    settings.TARIFF = tariff
    one, _two = await started(*await people())
    state = (await sync_to_async(course.load)(one.match_id))[1]
    assert state.terms.window_ms == seconds * 1_000
    await floor.floor().round()
    assert floor.floor().live.left_ms(one.match_id)[Side.LIGHT] == seconds * 1_000


async def test_who_comes_back_on_another_device_plays_on_there() -> None:
    one, two = await started(*await people())
    away = whose_tab(one, two)
    await gone(away)
    await mark()
    phone = Tab(away.match_id, away.user)  # with a session of its own
    await phone.open()
    while not any(event["kind"] == "player_returned" for event in phone.events):
        await phone.receive()
    assert (await phone.order("play", steps=phone.first_turn()))["kind"] == "ack"


async def test_when_both_have_left_it_is_the_plain_estimate_that_is_paid(later: Later) -> None:
    one, two = await started(*await people())
    for tab in (one, two):
        await gone(tab)
    assert await mark() == 2
    later.skip(WINDOW_MS)
    assert await sync_to_async(services.sweep)() == 1
    left = await MatchEvent.objects.aget(match_id=one.match_id, kind="abandoned")
    assert left.payload == {"light": True, "dark": True}
    assert await sync_to_async(abandonment.adjudicate)(one.match_id) is True
    verdict = (await MatchEvent.objects.aget(match_id=one.match_id, kind="adjudicated")).payload
    assert verdict["applied"] == verdict["estimate"]


async def test_at_the_same_instant_a_player_is_back_or_has_left_and_never_both(
    later: Later,
) -> None:
    one, two = await started(*await people())
    stays = whose_tab(one, two)
    away = two if stays is one else one
    await gone(away)
    await mark()
    later.skip(WINDOW_MS)
    await asyncio.gather(
        Tab(away.match_id, away.user).open(),
        stays.order("claim"),
        *(asyncio.to_thread(sweep_apart) for _ in range(3)),
    )
    kinds = [event.kind async for event in MatchEvent.objects.filter(match_id=one.match_id)]
    assert kinds.count("abandoned") == 1
    assert "player_returned" not in kinds
    assert [o.findings for o in await sync_to_async(reconcile.run)() if o.findings] == []


def sweep_apart() -> int:
    """A sweep on a connection of its own."""
    try:
        return services.sweep()
    finally:
        connections.close_all()
