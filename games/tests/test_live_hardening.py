"""What people tried against the live table: floods, look-behinds, stolen sessions, letters that lie."""

import secrets
from typing import Any

import pytest
from asgiref.sync import sync_to_async
from autobahn.exception import Disconnected
from django.contrib.auth import HASH_SESSION_KEY
from django.contrib.sessions.backends.db import SessionStore

from games import floor, protocol, selectors
from games.consumers import TableSocket
from games.live import LiveTables, tables
from games.match.sides import Side
from games.models import ChatLine, MatchEvent
from games.tests.players import Tab, make_user, started, step, whose_tab

pytestmark = [pytest.mark.usefixtures("hall"), pytest.mark.django_db(transaction=True)]
people = sync_to_async(lambda: (make_user(cents=10_000), make_user(cents=10_000)))
SWITCHES = {"auto_roll": False, "auto_forced": True, "auto_bear_off": False}


async def test_a_chat_line_sent_again_is_stored_and_shown_once() -> None:
    one, two = await started(*await people())
    first = await one.order("chat", ref="chatid001", text="one")
    again = await one.order("chat", ref="chatid001", text="two")
    assert (first["kind"], again["kind"]) == ("ack", "ack")
    assert [line.text async for line in ChatLine.objects.all()] == ["one"]
    await two.until(lambda f: f["kind"] == "chat")


async def test_chat_reaches_the_browsers_of_another_process() -> None:
    one, _two = await started(*await people())
    seen: list[str] = []

    class Elsewhere:
        side, user_id = None, None

        def push(self, frame: str) -> None:
            seen.append(frame)

    other = LiveTables()
    other.hub.join(one.match_id, Elsewhere())
    try:
        line, _ = await sync_to_async(selectors.store_line)(
            selectors.Said(one.match_id, one.player.pk, Side.LIGHT, "hello"), None
        )
        from games import publish

        await other._on_hints(publish.Hints([], [(one.match_id, line)], []))
        assert "hello" in seen[0]
    finally:
        await other.close()


async def test_letters_that_lie_are_left_out_of_chat() -> None:
    one, two = await started(*await people())
    await one.order("chat", text="a\x00b\u202ec\u0001 d" + "e" + "\u0301" * 50)
    line = await two.until(lambda f: f["kind"] == "chat")
    assert line["text"] == "abc de\u0301\u0301"
    assert (await one.order("chat", text="\u202e\u0000"))["code"] == "bad_chat"


async def test_switches_show_watchers_of_a_money_game_nothing_new() -> None:
    one, two = await started(*await people())
    watcher = await Tab(one.match_id, None).open()
    tab = whose_tab(one, two)
    other = two if tab is one else one
    await step(one, two)
    await step(one, two)
    seen = watcher.version
    for flag in (True, False, True):
        await other.order("switches", **{**SWITCHES, "auto_roll": flag})
    late = await Tab(one.match_id, None).open()
    live = (await tables().table(one.match_id)).state
    assert late.version < live.decided_at
    assert late.view["dice"] != one.view["dice"] or late.view["phase"] != one.view["phase"]
    assert seen <= late.version
    record = await sync_to_async(selectors.dice_record)(one.match_id, late=True)
    assert record.drawn < live.rolls_drawn


async def test_switches_that_change_nothing_are_no_events_and_many_are_refused() -> None:
    one, two = await started(*await people())
    before = await MatchEvent.objects.filter(match_id=one.match_id).acount()
    off = {"auto_roll": False, "auto_forced": False, "auto_bear_off": False}
    for _ in range(3):
        assert (await one.order("switches", **off))["kind"] == "ack"
    assert await MatchEvent.objects.filter(match_id=one.match_id).acount() == before
    codes = [
        (await one.order("switches", **{**SWITCHES, "auto_roll": n % 2 == 0})).get("code")
        for n in range(20)
    ]
    assert codes.count("too_fast") >= 8
    assert two is not one


async def test_a_snapshot_stays_small_however_much_is_said() -> None:
    one, _two = await started(*await people())
    await ChatLine.objects.abulk_create(
        ChatLine(match_id=one.match_id, user_id=one.player.pk, text="\U0001f600" * 200)
        for _ in range(200)
    )
    table = await tables().table(one.match_id)
    table.wire[:] = [b"x" * 400] * 5_000
    table.state = table.state.__class__(**{**table.state.__dict__, "version": 5_000})
    frame = (
        tables()
        .shown(table, Side.LIGHT)
        .snapshot_frame(
            Side.LIGHT,
            table.wire,
            extra={"chat": await sync_to_async(selectors.chat_of)(one.match_id)},
            now_ms=0,
        )
    )
    assert len(frame.encode()) < 512 * 1024
    assert protocol.MOST_EVENTS < 5_000


async def test_a_changed_password_ends_the_sockets_of_the_old_one() -> None:
    one, two = await started(*await people())
    session: Any = dict(one._socket.scope)["session"]
    session[HASH_SESSION_KEY] = one.player.get_session_auth_hash()
    await sync_to_async(session.save)()
    thief = Tab(one.match_id, one.user)
    thief.session = session
    await thief.open()
    await floor.floor().round()
    await change_password(one.player)
    await floor.floor().round()
    assert await thief.receive_close() == 4010
    await step(one, two)


@sync_to_async
def change_password(user) -> None:
    user.set_password(secrets.token_hex(12))
    user.save()


@pytest.mark.parametrize("role", ["is_staff", "is_superuser"])
async def test_a_role_that_ends_ends_its_sockets(role: str) -> None:
    one, two = await started(*await people())
    (watcher,) = await sync_to_async(lambda: [make_user()])()
    await have_role(watcher, role, held=True)
    tab = Tab(one.match_id, watcher)
    tab.session = await session_of(watcher)
    await tab.open()
    await floor.floor().round()
    await tab.hello(0)
    await have_role(watcher, role, held=False)
    await floor.floor().round()
    assert await tab.receive_close() == 4010
    await step(one, two)


@sync_to_async
def have_role(user, role: str, *, held: bool) -> None:
    setattr(user, role, held)
    user.save()


@sync_to_async
def session_of(user) -> SessionStore:
    session = SessionStore()
    session[HASH_SESSION_KEY] = user.get_session_auth_hash()
    session.create()
    return session


async def test_who_never_echoes_is_let_go_and_who_does_stays(monkeypatch) -> None:
    one, two = await started(*await people())
    here = floor.floor()
    await here.round()
    ask = (await one.until(lambda f: f.get("ask")))["ask"]
    await one.send_raw({"v": 1, "cmd": "beat", "ask": ask})
    await one.until(lambda f: f["kind"] == "beat" and "now" in f)
    readers = {visitor.user_id: visitor for visitor in here.visitors()}
    readers[two.player.pk].read_at -= 100
    monkeypatch.setattr(floor, "SILENT_AFTER_S", 45)
    await here.round()
    assert await two.receive_close() == 4000
    assert (await one.hello(0))["kind"] == "snapshot"


async def test_hello_has_a_pace_of_its_own() -> None:
    one, _two = await started(*await people())
    for _ in range(9):
        await one.send_raw({"v": 1, "cmd": "hello", "have": 0})
    assert (await one.until(lambda f: f["kind"] == "refused"))["code"] == "too_fast"


async def test_an_account_holds_only_so_many_sockets(settings) -> None:
    one, _two = await started(*await people())
    settings.SOCKETS_PER_ACCOUNT = 2
    second = await Tab(one.match_id, one.user).open()
    third = await Tab(one.match_id, one.user).connect()
    assert (await third.receive())["code"] == "too_many_sockets"
    assert await third.receive_close() == 4008
    await second.close()


async def test_the_opponents_commitment_cannot_be_copied() -> None:
    from games.tests.players import open_table

    light, dark = await people()
    match_id = await sync_to_async(open_table)(light, dark)
    one, two = await Tab(match_id, light).open(), await Tab(match_id, dark).open()
    await one.accept()
    two.seed = one.seed
    assert (await two.accept())["code"] == "bad_commit"


@pytest.mark.parametrize("version", [True, 1.0, "1", None, 2])
async def test_another_version_of_the_protocol_is_refused(version: object) -> None:
    one, two = await started(*await people())
    tab = whose_tab(one, two)
    frame = {
        "id": secrets.token_hex(8),
        "cmd": "play",
        "at": tab.version,
        "steps": tab.first_turn(),
    }
    await tab.send_raw({"v": version, **frame})
    assert (await tab.until(lambda f: f["kind"] == "refused"))["code"] == "bad_frame"


@pytest.mark.parametrize(("trouble", "told"), [(Disconnected("closed"), 0), (ValueError("no"), 1)])
async def test_a_peer_that_has_gone_is_no_error_and_everything_else_is(
    trouble: Exception, told: int, caplog: pytest.LogCaptureFixture
) -> None:
    one, _two = await started(*await people())
    socket = TableSocket({**one._socket.scope, "url_route": {"kwargs": {"match_id": one.match_id}}})
    socket._has_spoken = True
    socket.push("{}")

    async def send(_message: dict[str, Any]) -> None:
        raise trouble

    await socket._write(send)
    assert len([line for line in caplog.records if line.levelname == "ERROR"]) == told
