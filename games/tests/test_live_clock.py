"""Deadlines at live tables: stored, swept, checked by every command; each takes effect once (live-table 4)."""

import asyncio
from concurrent.futures import ThreadPoolExecutor

import pytest
from asgiref.sync import sync_to_async
from django.db import connections

from games import services
from games.match.clock import LAG_AT_ONCE_MS
from games.match.state import Phase
from games.models import Match, MatchEvent, MatchHead, Seat
from games.terms import table_terms
from games.tests.conftest import Later
from games.tests.players import Tab, make_user, open_table, started, step, usd_terms, whose_tab
from wallet.money import Currency
from wallet.selectors import balance_of

pytestmark = [pytest.mark.usefixtures("hall"), pytest.mark.django_db(transaction=True)]
people = sync_to_async(lambda: (make_user(cents=10_000), make_user(cents=10_000)))
MOVE_MS, RESERVE_MS = 12_000, 180_000


async def due_ms(match_id) -> int | None:
    return (await MatchHead.objects.aget(match_id=match_id)).due_ms


async def test_the_stored_deadline_is_delay_and_reserve_after_the_roll() -> None:
    one, two = await started(*await people())
    await step(one, two)
    last = (await MatchEvent.objects.filter(match_id=one.match_id).alatest("version")).at_ms
    assert await due_ms(one.match_id) == last + MOVE_MS + RESERVE_MS
    assert one.view["clock"]["deadline"] == last + MOVE_MS + RESERVE_MS


async def test_the_sweep_flags_and_pays_without_any_browser(later: Later) -> None:
    """Bug T01: the player's tab is closed; nobody sends anything."""
    light, dark = await people()
    one, two = await started(light, dark)
    loser = whose_tab(one, two)
    await one.close()
    await two.close()
    later.skip(MOVE_MS + RESERVE_MS - 5_000)
    assert await sync_to_async(services.sweep)() == 0
    later.skip(6_000)
    assert await sync_to_async(services.sweep)() == 1
    assert await sync_to_async(services.sweep)() == 0
    match = await Match.objects.aget(id=one.match_id)
    assert (match.reason, match.winner) == ("time", "dark" if loser.you == "light" else "light")
    paid = match.win
    assert paid in {500, 1000, 1500}
    assert await sync_to_async(balance_of)(loser.player.pk, Currency.USD) == 10_000 - paid


async def test_a_flag_reaches_the_browsers(later: Later) -> None:
    one, two = await started(*await people())
    later.skip(MOVE_MS + RESERVE_MS + 1)
    await sync_to_async(services.sweep)()
    for tab in (one, two):
        await tab.reach("over")
        assert tab.view["result"]["reason"] == "time"


async def test_many_sweeps_at_once_flag_once(later: Later) -> None:
    """Bugs T11, W16."""
    one, _two = await started(*await people())
    later.skip(MOVE_MS + RESERVE_MS + 1)
    ended = await asyncio.to_thread(_sweep_in_threads, 6)
    assert sum(ended) == 1
    assert await MatchEvent.objects.filter(match_id=one.match_id, kind="time_expired").acount() == 1
    assert (
        await MatchEvent.objects.filter(match_id=one.match_id, kind="match_settled").acount() == 1
    )


def _sweep_in_threads(n: int) -> list[int]:
    def sweep() -> int:
        try:
            return services.sweep()
        finally:
            connections.close_all()

    with ThreadPoolExecutor(n) as pool:
        return [future.result() for future in [pool.submit(sweep) for _ in range(n)]]


async def test_a_command_after_the_deadline_is_refused_and_flags(later: Later) -> None:
    one, two = await started(*await people())
    tab = whose_tab(one, two)
    turn = tab.first_turn()
    later.skip(MOVE_MS + RESERVE_MS + 1)
    answer = await tab.order("play", steps=turn)
    assert answer["code"] == "time_is_up"
    await two.reach("over")
    assert await MatchEvent.objects.filter(match_id=one.match_id, kind="turn_played").acount() == 0


async def test_a_claim_flags_only_when_it_is_due(later: Later) -> None:
    one, two = await started(*await people())
    tab = whose_tab(one, two)
    other = two if tab is one else one
    early = await other.order("claim")
    assert (early["kind"], early["code"]) == ("refused", "not_due")
    later.skip(MOVE_MS + RESERVE_MS + 1)
    assert (await other.order("claim"))["kind"] == "ack"
    await tab.reach("over")


async def test_claim_and_sweep_at_the_same_moment_flag_once(later: Later) -> None:
    """Bug T03: serialised by the number; one of them wins."""
    one, two = await started(*await people())
    tab = whose_tab(one, two)
    other = two if tab is one else one
    later.skip(MOVE_MS + RESERVE_MS + 1)
    await asyncio.gather(other.order("claim"), asyncio.to_thread(_sweep_in_threads, 2))
    assert await MatchEvent.objects.filter(match_id=one.match_id, kind="time_expired").acount() == 1


async def test_the_reserve_runs_only_after_the_delay(later: Later) -> None:
    one, two = await started(*await people())
    tab = whose_tab(one, two)
    later.skip(MOVE_MS + 5_000)
    answer = await tab.order("play", steps=tab.first_turn())
    assert answer["kind"] == "ack"
    left = tab.view["clock"]["reserve_ms"][tab.you]
    assert RESERVE_MS - 10_000 < left <= RESERVE_MS - 5_000 + LAG_AT_ONCE_MS


async def test_reconnecting_does_not_postpone_the_flag(later: Later) -> None:
    """Bug T07."""
    one, two = await started(*await people())
    before = await due_ms(one.match_id)
    tab = whose_tab(one, two)
    for _ in range(3):
        await tab.close()
        tab = await Tab(one.match_id, tab.user).open()
    assert await due_ms(one.match_id) == before
    later.skip(MOVE_MS + RESERVE_MS + 1)
    assert await sync_to_async(services.sweep)() == 1


async def test_a_ready_check_that_nobody_answers_is_cancelled(later: Later) -> None:
    match_id = await sync_to_async(open_table)(*await people())
    later.skip(60_001)
    assert await sync_to_async(services.sweep)() == 1
    head = await MatchHead.objects.aget(match_id=match_id)
    assert (head.phase, head.due_ms) == (Phase.CANCELLED.value, None)
    assert not await Seat.objects.filter(match_id=match_id, active=True).aexists()


async def test_blitz_on_time_counts_triple_within_the_limit(later: Later) -> None:
    terms = usd_terms(options=frozenset({"blitz"}))
    one, two = await started(*await people(), terms)
    loser = whose_tab(one, two)
    later.skip(8_000 + 60_000 + 1)
    assert await sync_to_async(services.sweep)() == 1
    await loser.reach("over")
    assert loser.view["result"]["money"]["loss"] == 1_500


async def test_chips_are_settled_without_a_fee(later: Later) -> None:
    light, dark = await people()
    one, two = await started(light, dark, table_terms(currency="PLAY", stake=10))
    loser = whose_tab(one, two)
    later.skip(MOVE_MS + RESERVE_MS + 1)
    await sync_to_async(services.sweep)()
    match = await Match.objects.aget(id=one.match_id)
    assert (match.fee_each, match.win) in {(0, 10), (0, 20), (0, 30)}
    have = [await sync_to_async(balance_of)(u.pk, Currency.PLAY) for u in (light, dark)]
    assert sum(have) == 2_000
    assert (
        min(have)
        == await sync_to_async(balance_of)(loser.player.pk, Currency.PLAY)
        == 1_000 - (match.win or 0)
    )
