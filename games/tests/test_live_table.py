"""The live table over real sockets, PostgreSQL and Redis: commands, answers, catching up, money."""

import asyncio
import itertools
import secrets
from typing import Any
from uuid import uuid4

import pytest
from asgiref.sync import sync_to_async
from django.db import transaction

from games import course, floor, protocol, selectors, services, store
from games.errors import AlreadyPlaying
from games.fairness import verify
from games.live import LiveTables, tables
from games.match.sides import Side
from games.models import Match, MatchEvent, MatchHead, Seat
from games.terms import table_terms
from games.tests.players import (
    Tab,
    make_user,
    open_table,
    play_out,
    started,
    step,
    usd_terms,
    whose_tab,
)
from wallet import chart, ledger
from wallet.money import Currency
from wallet.selectors import balance_of

pytestmark = [pytest.mark.usefixtures("hall"), pytest.mark.django_db(transaction=True)]
people = sync_to_async(lambda cents=10_000: (make_user(cents=cents), make_user(cents=cents)))


async def test_a_whole_game_moves_the_money_once_and_its_dice_verify() -> None:
    light, dark = await people()
    one, two = await started(light, dark)
    assert await balance(light) == 10_000 - 6_000, "the limit of a $5 table is held"
    await play_out(one, two)

    result = one.view["result"]
    money = result["money"]
    winner, loser = (light, dark) if result["winner"] == "light" else (dark, light)
    assert money["win"] == min(500 * result["points"], 6_000)
    assert await balance(winner) == 10_000 + money["gain"]
    assert await balance(loser) == 10_000 - money["loss"]
    assert money["gain"] == money["win"] - money["fee"]
    balances = [f["amount"] for f in one.frames if f["kind"] == "balance"]
    if not balances:
        balances = [(await one.until(lambda f: f["kind"] == "balance"))["amount"]]
    assert balances[-1] == await balance(light)

    record = await sync_to_async(selectors.dice_record)(one.match_id)
    assert record.is_open
    assert verify(record) == []
    assert not await Seat.objects.filter(match_id=one.match_id, active=True).aexists()


async def test_events_are_numbered_without_gaps_and_replay_to_the_stored_head() -> None:
    one, two = await started(*await people())
    await play_out(one, two)
    records = await sync_to_async(store.events_of)(one.match_id)
    assert [r.version for r in records] == list(range(1, len(records) + 1))
    head = await MatchHead.objects.aget(match_id=one.match_id)
    state = course.fold(records)
    assert head.position == course.position_text(state)
    assert (head.version, head.phase) == (state.version, state.phase)
    assert [e["n"] for e in one.events] == [r.version for r in records]
    assert one.events == two.events


async def test_the_same_message_again_is_answered_alike_and_applied_once() -> None:
    one, two = await started(*await people())
    tab = whose_tab(one, two)
    ref, steps, at = secrets.token_hex(8), tab.first_turn(), tab.version
    answers = [await tab.order("play", ref=ref, at=at, steps=steps) for _ in range(3)]
    assert answers[0]["kind"] == "ack"
    assert answers[1] == answers[2] == answers[0]
    assert await MatchEvent.objects.filter(match_id=tab.match_id, kind="turn_played").acount() == 1


async def test_the_same_message_is_answered_alike_after_a_restart() -> None:
    one, two = await started(*await people())
    tab = whose_tab(one, two)
    ref, steps, at = secrets.token_hex(8), tab.first_turn(), tab.version
    first = await tab.order("play", ref=ref, at=at, steps=steps)
    tables()._tables.clear()
    again = await tab.order("play", ref=ref, at=at, steps=steps)
    assert again["kind"] == "ack"
    assert await MatchEvent.objects.filter(match_id=tab.match_id, kind="turn_played").acount() == 1
    assert first["version"] >= again["version"]


async def test_a_command_against_an_old_version_is_refused_with_the_state_of_now() -> None:
    one, two = await started(*await people())
    tab = whose_tab(one, two)
    old = tab.version
    await step(one, two)
    other = whose_tab(one, two)
    answer = await other.order("roll", at=old - 1)
    assert (answer["kind"], answer["code"]) == ("refused", "stale")
    assert answer["view"]["phase"] == "to_roll"


async def test_a_command_from_the_future_is_refused() -> None:
    one, two = await started(*await people())
    tab = whose_tab(one, two)
    answer = await tab.order("play", at=tab.version + 1, steps=tab.first_turn())
    assert answer["code"] == "version_ahead"


FORGED: list[dict[str, Any]] = [
    {"cmd": "roll", "dice": [6, 6]},
    {"cmd": "roll", "roll": [6, 6]},
    {"cmd": "play", "steps": [[6, 1]], "board": [0] * 26},
    {"cmd": "play", "steps": [[6, 1]], "clock": 5000},
    {"cmd": "play", "steps": [[6, 1]], "by": "dark"},
    {"cmd": "play", "steps": [[99, 1]]},
    {"cmd": "play", "steps": [[6.5, 1]]},
    {"cmd": "play", "steps": [[True, 1]]},
    {"cmd": "play", "steps": "6/1"},
    {"cmd": "play", "steps": [[6, 1]] * 5},
    {"cmd": "play"},
    {"cmd": "play", "text": "6/1 " * 100},
    {"cmd": "resign", "level": 4},
    {"cmd": "resign", "level": "1"},
    {"cmd": "resign"},
    {"cmd": "answer", "accept": 1},
    {"cmd": "switches", "auto_roll": True},
    {"cmd": "expire"},
    {"cmd": "void"},
    {"cmd": "start_game"},
    {"cmd": "credit", "ms": 100000},
    {"cmd": "set_position"},
    {"cmd": 7},
    {},
]


async def test_forged_frames_are_refused_and_change_nothing() -> None:
    one, two = await started(*await people())
    before = await MatchEvent.objects.filter(match_id=one.match_id).acount()
    for tab, forged in itertools.product((one, two), FORGED):
        await tab.send_raw({"v": 1, "id": secrets.token_hex(8), "at": tab.version, **forged})
        answer = await tab.until(lambda f: f["kind"] == "refused")
        assert answer["code"] == "bad_frame", (forged, answer)
        assert answer["text"]
    assert await MatchEvent.objects.filter(match_id=one.match_id).acount() == before


async def test_frames_that_are_no_objects_are_refused() -> None:
    one, _two = await started(*await people())
    for text in (" ", "nonsense", "[]", "null", '{"cmd":', "\u0000", '"roll"', "[" * 5000):
        await one.send_raw(text)
        assert (await one.until(lambda f: f["kind"] == "refused"))["code"] == "bad_frame"


async def test_nobody_plays_for_the_other() -> None:
    one, two = await started(*await people())
    tab = whose_tab(one, two)
    other = two if tab is one else one
    answer = await other.order("play", steps=tab.first_turn())
    assert answer["code"] == "not_your_turn"


async def test_a_watcher_sees_but_cannot_act() -> None:
    one, two = await started(*await people())
    stranger = await Tab(one.match_id, await sync_to_async(make_user)()).open()
    nobody = await Tab(one.match_id, None).open()
    for tab in (stranger, nobody):
        assert tab.you is None
        assert tab.view["turns"] is None
        assert tab.view["may"] == []
        assert (await tab.order("roll"))["code"] == "not_seated"
        assert "server_seed" not in str(tab.frames)
    await step(one, two)


async def test_watchers_of_a_money_game_are_one_move_late_and_of_chips_are_not() -> None:
    for terms, late in ((usd_terms(), True), (table_terms(currency="PLAY", stake=10), False)):
        one, two = await started(*await people(), terms)
        watcher = await Tab(one.match_id, None).open()
        await step(one, two)
        await step(one, two)
        await watcher.settle_to(one.version - 1 if late else one.version)
        assert (watcher.version < one.version) is late
        await play_out(one, two)
        await watcher.settle_to(one.version)
        assert watcher.view["phase"] == "over"


async def test_two_tabs_of_one_player_both_work() -> None:
    light, dark = await people()
    one, two = await started(light, dark)
    tab = whose_tab(one, two)
    second = await Tab(tab.match_id, tab.user).open()
    assert second.you == tab.you
    answer = await second.order("play", steps=second.first_turn())
    assert answer["kind"] == "ack"
    for seen in (one, two):
        await seen.settle_to(answer["version"])
    assert tab.view == second.view
    await second.close()
    await step(one, two)


async def test_a_reload_in_the_middle_of_a_turn_shows_the_same_table() -> None:
    one, two = await started(*await people())
    tab = whose_tab(one, two)
    view = tab.view
    await tab.close()
    again = await Tab(tab.match_id, tab.user).open()
    assert again.view == view
    assert (await again.order("play", steps=again.first_turn()))["kind"] == "ack"


async def test_a_browser_that_missed_events_gets_just_those() -> None:
    one, two = await started(*await people())
    have = one.version
    for _ in range(4):
        await step(one, two)
    frame = await one.hello(have)
    assert frame["kind"] == "events"
    assert [e["n"] for e in frame["events"]] == list(range(have + 1, one.version + 1))


async def test_a_gap_that_the_client_claims_beyond_the_end_gets_a_snapshot() -> None:
    one, _two = await started(*await people())
    assert (await one.hello(one.version + 50))["kind"] == "snapshot"


async def test_another_process_that_was_first_wins_and_the_other_catches_up() -> None:
    """The number is the lock: two processes hold the same match in memory."""
    one, two = await started(*await people())
    tab = whose_tab(one, two)
    elsewhere = LiveTables()
    try:
        table = await elsewhere.table(tab.match_id)
        frame = {"v": 1, "id": "abcdefgh", "cmd": "play", "steps": tab.first_turn()}
        command = protocol.parse_command(frame, by=Side(tab.you))
        await elsewhere.act(tab.match_id, command, ref="abcdefgh", known=tab.version)
        assert table.state.version > tab.version
        answer = await tab.order("play", steps=tab.first_turn())
        assert (answer["kind"], answer["code"]) == ("refused", "stale")
        for seen in (one, two):
            await seen.settle_to(table.state.version)
        assert one.view["phase"] == two.view["phase"] == "to_roll"
        assert (
            await MatchEvent.objects.filter(match_id=tab.match_id, kind="turn_played").acount() == 1
        )
    finally:
        await elsewhere.close()


async def test_hints_of_another_process_reach_the_browsers_here() -> None:
    one, two = await started(*await people())
    await sync_to_async(services.void)(one.match_id, reason="test")
    await asyncio.gather(
        one.reach("void"),
        two.reach("void"),
    )


async def test_a_voided_match_gives_both_stakes_back() -> None:
    light, dark = await people()
    one, _two = await started(light, dark)
    await sync_to_async(services.void)(one.match_id, reason="test")
    assert [await balance(light), await balance(dark)] == [10_000, 10_000]


async def test_nothing_is_held_before_both_accepted_and_leaving_costs_nothing() -> None:
    light, dark = await people()
    match_id = await sync_to_async(open_table)(light, dark)
    one, two = await Tab(match_id, light).open(), await Tab(match_id, dark).open()
    await one.accept()
    assert await balance(light) == 10_000
    assert (await two.order("leave"))["kind"] == "ack"
    await one.reach("cancelled")
    assert [await balance(light), await balance(dark)] == [10_000, 10_000]
    assert not await Seat.objects.filter(match_id=match_id, active=True).aexists()


async def test_a_balance_spent_meanwhile_cancels_the_match_and_holds_nothing() -> None:
    light, dark = await people()
    match_id = await sync_to_async(open_table)(light, dark)
    await sync_to_async(spend)(dark, 9_000)
    one, two = await Tab(match_id, light).open(), await Tab(match_id, dark).open()
    for act in ("accept", "reveal"):
        for tab in (one, two):
            answer = await getattr(tab, act)()
    assert (answer["kind"], answer["code"]) == ("refused", "insufficient_funds")
    await one.reach("cancelled")
    assert [await balance(light), await balance(dark)] == [10_000, 1_000]


async def test_a_seed_other_than_the_committed_one_is_refused() -> None:
    light, dark = await people()
    match_id = await sync_to_async(open_table)(light, dark)
    one, two = await Tab(match_id, light).open(), await Tab(match_id, dark).open()
    await one.accept()
    await two.accept()
    answer = await one.order("reveal", seed="00" * 32)
    assert answer["code"] == "bad_seed"


async def test_seeds_are_in_no_frame_before_the_end() -> None:
    one, two = await started(*await people())
    for _ in range(6):
        await step(one, two)
    watcher = await Tab(one.match_id, None).open()
    server = await sync_to_async(lambda: course.load(one.match_id)[2])()
    for tab in (one, two, watcher):
        text = str(tab.frames)
        assert bytes(server).hex() not in text
        assert one.seed.hex() not in text
        assert two.seed.hex() not in text
    record = await sync_to_async(selectors.dice_record)(one.match_id)
    assert (record.server_seed, record.light_seed, record.dark_seed) == (None, None, None)


async def test_a_resignation_is_paid_at_its_level() -> None:
    light, dark = await people()
    one, two = await started(light, dark)
    tab = whose_tab(one, two)
    other = two if tab is one else one
    offer = await tab.order("resign", level=2)
    await other.settle_to(offer["version"])
    answer = await other.order("answer", accept=True)
    assert answer["kind"] == "ack"
    await tab.settle_to(answer["version"])
    assert tab.view["result"]["points"] == 2
    assert tab.view["result"]["money"] == {
        "win": 1000,
        "fee": 122,
        "gain": 878,
        "loss": 1000,
        "currency": "USD",
    }
    assert await balance(tab.user) == 9_000
    assert await balance(other.user) == 10_878


async def test_a_dropped_double_pays_the_value_before_it() -> None:
    light, dark = await people()
    one, two = await started(light, dark)
    await step(one, two)
    tab = whose_tab(one, two)
    other = two if tab is one else one
    offer = await tab.order("double")
    await other.settle_to(offer["version"])
    assert other.view["offer"]["drop_costs"] == 500
    assert other.view["offer"]["take_at"] == 1000
    answer = await other.order("drop")
    await tab.settle_to(answer["version"])
    assert tab.view["result"]["points"] == 1
    assert await balance(other.user) == 9_500


async def test_chat_reaches_everybody_and_is_limited() -> None:
    one, two = await started(*await people())
    await one.send_raw({"v": 1, "id": "chatchat", "cmd": "chat", "text": "  <b>hello</b>   there "})
    line = await two.until(lambda f: f["kind"] == "chat")
    assert (line["text"], line["from"]) == ("<b>hello</b> there", one.you)
    await one.send_raw({"v": 1, "cmd": "chat", "text": "x" * 201})
    assert (await one.until(lambda f: f["kind"] == "refused"))["code"] == "bad_chat"
    for _ in range(8):
        await one.send_raw({"v": 1, "cmd": "chat", "text": "again"})
    assert (await one.until(lambda f: f["kind"] == "refused"))["code"] == "too_fast"
    assert len((await Tab(one.match_id, None).open()).frames[0]["chat"]) >= 1


async def test_an_unknown_match_says_goodbye() -> None:
    tab = await Tab(uuid4(), None).connect()
    assert (await tab.receive())["code"] == "unknown_match"
    assert (await tab.receive_close()) == 4004


async def test_frames_that_are_too_large_close_the_socket() -> None:
    one, two = await started(*await people())
    await one.send_raw("x" * 9_000)
    assert await one.receive_close() == 4009
    assert (await Tab(one.match_id, one.user).open()).view == two.view | {
        k: v for k, v in one.view.items() if k in {"turns", "may", "resign_levels", "switches"}
    }


async def test_a_flood_is_told_and_then_closed(settings) -> None:
    one, two = await started(*await people())
    settings.SOCKET_BURST, settings.SOCKET_FRAMES_PER_S = 20, 1
    one = await Tab(one.match_id, one.user).open()
    for _ in range(100):
        await one.send_raw({"v": 1, "cmd": "beat"})
    assert await one.receive_close() == 4008
    assert 40 < sum(frame.get("code") == "too_fast" for frame in one.frames) <= 52
    await two.order("switches", auto_roll=False, auto_forced=False, auto_bear_off=False)


async def test_presence_is_a_lease_of_the_account_not_of_a_tab() -> None:
    light, dark = await people()
    one, two = await started(light, dark)
    second = await Tab(one.match_id, light).open()
    await one.close()
    await floor.floor().round()
    assert floor.floor().seen[two.match_id][Side.LIGHT].here
    await second.close()


async def test_only_one_running_money_match_a_player() -> None:
    light, dark = await people(cents=20_000)
    await started(light, dark)
    third = await sync_to_async(make_user)(cents=10_000)
    with pytest.raises(AlreadyPlaying):
        await sync_to_async(open_table)(light, third)
    await sync_to_async(open_table)(light, third, table_terms(currency="PLAY", stake=10))


async def balance(user) -> int:
    return await sync_to_async(balance_of)(user.pk, Currency.USD)


def spend(user, cents: int) -> None:
    """Takes money away meanwhile, as another table would."""
    with transaction.atomic():
        ledger.move(
            key=f"spent:{user.pk}",
            source=chart.player(user.pk),
            target=chart.provider("sandbox"),
            amount=cents,
            purpose=chart.Purpose.CORRECTION,
            reason="spent elsewhere",
            by=user,
            currency=Currency.USD,
        )


async def test_matches_keep_their_tariff_and_terms(settings) -> None:
    one, _two = await started(*await people())
    settings.TARIFF = "play65-fi"
    match = await Match.objects.aget(id=one.match_id)
    assert match.tariff.startswith("play65-ru@")
