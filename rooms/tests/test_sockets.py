"""The lobby's socket, as a player, a watcher without an account and a stranger meet it."""

import json
from collections.abc import AsyncIterator
from datetime import timedelta
from typing import Any
from uuid import uuid4

import pytest
import pytest_asyncio
from asgiref.sync import sync_to_async
from channels.routing import URLRouter
from channels.testing import WebsocketCommunicator
from django.contrib.auth.models import AnonymousUser
from django.contrib.sessions.backends.db import SessionStore
from django.contrib.sessions.models import Session
from django.db import transaction
from django.utils import timezone

from accounts.models import User
from rooms import consumers, hall, publish, services
from rooms.models import Offer, Room
from rooms.routing import websocket_urlpatterns
from rooms.tests.people import gone_for, offered, player
from rooms.words import MINUS

pytestmark = pytest.mark.usefixtures("committed_lobby")
WAIT_S = 10
application = URLRouter(websocket_urlpatterns)
make = sync_to_async(player)
offer = sync_to_async(offered)
accept = sync_to_async(services.accept_offer)
withdraw = sync_to_async(services.withdraw_offer)


class Page:
    """One browser tab in the lobby."""

    def __init__(self, user: User | None, room: str, language: str) -> None:
        self.socket = WebsocketCommunicator(application, f"/ws/lobby/{room}/?lang={language}")
        self.socket.scope["user"] = user or AnonymousUser()
        self.seen: dict[str, dict[str, Any]] = {}

    async def open(self) -> "Page":
        """Connects and takes in the first list."""
        self.socket.scope["session"] = await sync_to_async(_session)()
        connected, _ = await self.socket.connect(timeout=WAIT_S)
        assert connected
        await self.until(lambda frame: frame["kind"] in {"heads", "bye"})
        return self

    async def receive(self) -> dict[str, Any]:
        """The next frame."""
        frame: dict[str, Any] = json.loads(await self.socket.receive_from(timeout=WAIT_S))
        self.seen[frame["kind"]] = frame
        if frame["kind"] == "changes":
            for name in ("offers", "running"):
                self.seen["list"][name] = changed(self.seen["list"][name], frame[name])
        return frame

    async def until(self, wanted: Any) -> dict[str, Any]:
        """The first frame that is wanted."""
        while True:
            frame = await self.receive()
            if wanted(frame):
                return frame

    async def list_of(self, count: int) -> list[dict[str, Any]]:
        """The first list with so many open tables; the one that is shown now counts."""
        shown = self.seen["list"]
        while len(shown["offers"]) != count:
            await self.until(lambda frame: frame["kind"] in {"list", "changes"})
            shown = self.seen["list"]
        found: list[dict[str, Any]] = shown["offers"]
        return found

    async def send(self, frame: object) -> None:
        """Any frame."""
        await self.socket.send_to(text_data=frame if isinstance(frame, str) else json.dumps(frame))

    async def code_of_close(self) -> int:
        """The code with which the server closes."""
        while True:
            message = await self.socket.receive_output(timeout=WAIT_S)
            if message["type"] == "websocket.close":
                return int(message["code"])

    async def close(self) -> None:
        """The tab is closed."""
        await self.socket.disconnect(timeout=WAIT_S)


def changed(rows: list[dict[str, Any]], changes: dict[str, Any]) -> list[dict[str, Any]]:
    """A list after changes, as a browser makes them."""
    kept = {row["id"]: row for row in rows if row["id"] not in changes["gone"]}
    fresh = [row for row in changes["rows"] if row["id"] not in kept]
    kept |= {row["id"]: row for row in changes["rows"] if row["id"] in kept}
    after = fresh + list(kept.values())
    order = changes.get("order", [row["id"] for row in after])
    return sorted(after, key=lambda row: order.index(row["id"]))


def _session() -> SessionStore:
    session = SessionStore()
    session.create()
    return session


class Visits:
    """Opens tabs, and closes them after the test."""

    def __init__(self) -> None:
        self._pages: list[Page] = []

    async def __call__(
        self, user: User | None = None, *, room: str = "main", language: str = "en"
    ) -> Page:
        page = Page(user, room, language)
        self._pages.append(page)
        return await page.open()

    async def close(self) -> None:
        """Closes every tab."""
        for page in self._pages:
            await page.close()


@pytest_asyncio.fixture
async def visit() -> AsyncIterator[Visits]:
    """Opens a tab in the lobby."""
    visits = Visits()
    yield visits
    await visits.close()


async def test_a_page_gets_the_whole_list_when_it_connects(visit: Visits) -> None:
    ann = await make(cents=10_000)
    await offer(ann)
    watcher = await visit()
    row = (await watcher.list_of(1))[0]
    assert row["name"] == ann.screen_name
    assert (row["stake"], row["lose"], row["what"]) == ("$5.00", f"{MINUS}$60.00", "Backgammon")
    assert watcher.seen["mine"]["offers"] == []


async def test_everybody_sees_a_new_table_and_only_its_creator_sees_it_as_theirs(
    visit: Visits,
) -> None:
    ann, bob = await make(cents=10_000), await make(cents=10_000)
    pages = [await visit(user) for user in (ann, bob, None)]
    opened = await offer(ann)
    for page in pages:
        assert [row["id"] for row in await page.list_of(1)] == [str(opened.pk)]
    assert [page.seen["mine"]["offers"] for page in pages] == [[str(opened.pk)], [], []]


async def test_a_table_that_is_taken_back_goes_from_every_list(visit: Visits) -> None:
    ann = await make(cents=10_000)
    opened = await offer(ann)
    watcher = await visit()
    await withdraw(user=ann, offer_id=opened.pk)
    assert await watcher.list_of(0) == []


async def test_a_change_in_another_room_is_not_sent_here(visit: Visits) -> None:
    here, there = await visit(room="main"), await visit(room="practice")
    await offer(await make(), 10, slug="practice")
    await there.list_of(1)
    assert here.seen["list"]["offers"] == []
    assert await here.socket.receive_nothing()


async def test_the_pages_of_both_players_are_led_to_the_table_and_nobody_elses(
    visit: Visits,
) -> None:
    ann, bob = await make(cents=10_000), await make(cents=10_000)
    opened = await offer(ann)
    one, other_tab, two, watcher = [await visit(user) for user in (ann, ann, bob, None)]
    match_id = await accept(user=bob, offer_id=opened.pk)
    for page in (one, other_tab, two):
        seated = await page.until(lambda frame: frame["kind"] == "seated")
        assert seated == {"kind": "seated", "match": str(match_id), "url": f"/table/{match_id}/"}
    await watcher.list_of(0)
    assert "seated" not in watcher.seen


async def test_a_page_that_was_away_when_its_table_was_joined_is_led_there_when_it_comes_back(
    visit: Visits,
) -> None:
    ann, bob = await make(cents=10_000), await make(cents=10_000)
    match_id = await accept(user=bob, offer_id=(await offer(ann)).pk)
    page = await visit(ann)
    assert page.seen["seated"]["match"] == str(match_id)


async def test_a_match_that_was_joined_long_ago_calls_nobody_back(visit: Visits) -> None:
    ann, bob = await make(cents=10_000), await make(cents=10_000)
    opened = await offer(ann)
    await accept(user=bob, offer_id=opened.pk)
    await Offer.objects.filter(pk=opened.pk).aupdate(
        closed_at=timezone.now() - timedelta(minutes=2)
    )
    assert "seated" not in (await visit(ann)).seen


async def test_a_burst_of_changes_is_sent_in_few_lists(visit: Visits) -> None:
    ann = await make(cents=100_000)
    watcher = await visit()
    for stake in (100, 200, 300, 400, 500):
        await offer(ann, stake)
    lists = 0
    while len(watcher.seen["list"]["offers"]) < 5:
        await watcher.until(lambda frame: frame["kind"] in {"list", "changes"})
        lists += 1
    assert lists <= 3


async def test_the_list_is_written_in_the_readers_language(visit: Visits) -> None:
    pages = [await visit(language=language) for language in ("en", "ru", "xx")]
    assert (
        pages[0].seen["heads"]["players"] == "0 players here" == pages[2].seen["heads"]["players"]
    )
    assert all(page.language in {"en", "ru"} for page in hall.hall().guests)


async def test_heads_are_counted_by_room(visit: Visits) -> None:
    ann, bob = await make(), await make()
    await visit(ann, room="practice")
    page = await visit(bob)
    assert page.seen["heads"]["rooms"] == {"practice": 1, "main": 1}
    assert page.seen["heads"]["players"] == "2 players here"


async def test_a_beating_page_keeps_its_lease_and_a_silent_one_is_let_go(visit: Visits) -> None:
    ann, bob = await make(cents=10_000), await make(cents=10_000)
    beating, silent = await visit(ann), await visit(bob)
    mine, theirs = await offer(ann), await offer(bob)
    for user in (ann, bob):
        await sync_to_async(gone_for)(user, 60)
    for guest in hall.hall().guests:
        guest.beat_at -= 60
    await beating.send({"cmd": "beat"})
    await beating.send("an answer to this tells that the beat was read")
    await beating.until(lambda frame: frame["kind"] == "refused")
    await hall.hall().renew()
    assert await silent.code_of_close() == hall.SILENT
    await sync_to_async(services.expire_abandoned)()
    status = dict(await sync_to_async(lambda: list(Offer.objects.values_list("pk", "status")))())
    assert (status[mine.pk], status[theirs.pk]) == ("open", "expired")


async def test_a_signed_out_session_loses_its_socket(visit: Visits) -> None:
    page = await visit(await make())
    await Session.objects.all().adelete()
    await hall.hall().end_sessions()
    assert await page.code_of_close() == hall.SESSION_ENDED


async def test_a_stranger_to_the_address_is_told_that_there_is_no_such_room(visit: Visits) -> None:
    page = await visit(room="cellar")
    assert page.seen["bye"]["code"] == "unknown_room"
    assert await page.code_of_close() == consumers.CLOSE_NO_ROOM


async def test_a_room_that_closes_lets_its_guests_go(visit: Visits) -> None:
    page = await visit(await make())
    await Room.objects.filter(slug="main").aupdate(is_open=False)
    await hall.hall().renew()
    assert await page.code_of_close() == hall.SILENT


async def test_anything_but_a_beat_is_refused_and_changes_nothing(visit: Visits) -> None:
    page = await visit()
    wrong = [" ", "{", "null", "[]", '"beat"', "[" * 5_000, '{"cmd":["beat"]}']
    for frame in [*wrong, '{"cmd":"join"}', '{"cmd":"beat","at":1}']:
        await page.send(frame)
        refused = await page.until(lambda answer: answer["kind"] == "refused")
        assert refused["code"] == "bad_frame"


async def test_a_frame_that_is_too_large_ends_the_connection(visit: Visits) -> None:
    page = await visit()
    await page.send(" " * (consumers.FRAME_LIMIT_BYTES + 1))
    assert await page.code_of_close() == consumers.CLOSE_TOO_LARGE


async def test_bytes_end_the_connection(visit: Visits) -> None:
    page = await visit()
    await page.socket.send_to(bytes_data=b"beat")
    assert await page.code_of_close() == consumers.CLOSE_TOO_LARGE


async def test_whoever_floods_is_told_once_and_then_let_go(visit: Visits) -> None:
    page = await visit()
    for _ in range(consumers.BURST + consumers.FRAMES_OVER_THE_TOP + 50):
        await page.send({"cmd": "beat"})
    refused = await page.until(lambda answer: answer["kind"] == "refused")
    assert refused["code"] == "too_fast"
    assert await page.code_of_close() == consumers.CLOSE_TOO_MANY


async def test_a_lost_hint_is_made_good_by_looking(visit: Visits) -> None:
    ann = await make(cents=10_000)
    watcher = await visit()
    opened = await offer(ann)
    await watcher.list_of(1)
    await Offer.objects.filter(pk=opened.pk).aupdate(status="expired", closed_at=timezone.now())
    assert await watcher.list_of(0) == []


async def test_an_anonymous_room_sends_no_name(visit: Visits) -> None:
    await Room.objects.filter(slug="main").aupdate(anonymous=True, column="dark")
    ann = await make(cents=10_000)
    await offer(ann)
    page = await visit()
    text = json.dumps(page.seen)
    assert "Anonymous" in text
    assert ann.screen_name not in text
    assert f'"{ann.pk}"' not in text


async def test_when_the_last_page_goes_nothing_is_left_running(visit: Visits) -> None:
    page = await visit()
    await page.close()
    assert hall.hall().is_idle


async def test_a_hint_is_sent_only_after_the_commit(visit: Visits) -> None:
    ann = await make()
    page = await visit(ann)

    def rolled_back() -> None:
        with transaction.atomic():
            publish.seated(user_id=ann.pk, match_id=uuid4())
            transaction.set_rollback(True)

    await sync_to_async(rolled_back)()
    assert await page.socket.receive_nothing()


async def test_a_player_who_asks_is_told_what_tables_would_bring_them(visit: Visits) -> None:
    """Rooms 2: fee and rating points at stake, before sitting down."""
    ann, bob = await make(cents=10_000), await make(cents=10_000)
    table = await offer(ann, 500)
    page = await visit(bob)
    await page.send({"cmd": "prospects", "offers": [str(table.pk), str(uuid4())]})
    told = await page.until(lambda frame: frame["kind"] == "prospects")
    assert told["offers"] == {
        str(table.pk): {
            "win": "+$4.38",
            "fee": "fee $0.62",
            "points": f"rating +10.00 / {MINUS}10.00",
        }
    }
    own = await visit(ann)
    await own.send({"cmd": "prospects", "offers": [str(table.pk)]})
    told = await own.until(lambda frame: frame["kind"] == "prospects")
    assert told["offers"] == {}


@pytest.mark.parametrize(
    "frame",
    [
        {"cmd": "prospects"},
        {"cmd": "prospects", "offers": "all"},
        {"cmd": "prospects", "offers": [7]},
        {"cmd": "prospects", "offers": ["x" * 36]},
        {"cmd": "prospects", "offers": [str(uuid4())] * 61},
        {"cmd": "beat", "offers": []},
    ],
)
async def test_a_question_that_is_none_is_refused(visit: Visits, frame: object) -> None:
    page = await visit()
    await page.send(frame)
    refused = await page.until(lambda each: each["kind"] == "refused")
    assert refused["code"] == "bad_frame"


async def test_who_is_there_gets_what_changed_and_who_comes_gets_all(visit: Visits) -> None:
    """Rooms 2: updates, not reloads."""
    ann, bob = await make(cents=50_000), await make(cents=50_000)
    first = await offer(ann, 500)
    page = await visit()
    second = await offer(bob, 600)
    changes = await page.until(lambda frame: frame["kind"] == "changes")
    assert changes["offers"]["gone"] == []
    assert [row["id"] for row in changes["offers"]["rows"]] == [str(second.pk)]
    await withdraw(user=ann, offer_id=first.pk)
    changes = await page.until(lambda frame: frame["kind"] == "changes")
    assert (changes["offers"]["gone"], changes["offers"]["rows"]) == ([str(first.pk)], [])
    late = await visit()
    assert [row["id"] for row in late.seen["list"]["offers"]] == [str(second.pk)]


async def test_a_quiet_page_hears_news_of_its_own_and_no_lists(visit: Visits) -> None:
    ann, bob = await make(cents=10_000), await make(cents=10_000)
    page = Page(ann, "main", "en&quiet=1")
    visit._pages.append(page)
    page.socket.scope["session"] = await sync_to_async(_session)()
    assert (await page.socket.connect(timeout=WAIT_S))[0]
    table = await offer(ann)
    match_id = await accept(user=bob, offer_id=table.pk)
    assert (await page.receive()) == {
        "kind": "seated",
        "match": str(match_id),
        "url": f"/table/{match_id}/",
    }
