"""People at a table for tests: real sockets in this process, moves picked from what the server lists."""

import asyncio
import hashlib
import itertools
import json
import secrets
from typing import Any
from uuid import UUID

from asgiref.sync import sync_to_async
from channels.routing import URLRouter
from channels.testing import WebsocketCommunicator
from django.contrib.sessions.backends.db import SessionStore
from django.db import connections

from accounts.models import User
from games import floor, services
from games.live import tables
from games.routing import websocket_urlpatterns
from games.terms import TableTerms, table_terms
from wallet.services import deposit_sandbox, open_wallet

NAMES = itertools.count(1)
WAIT_S = 10
application = URLRouter(websocket_urlpatterns)


def make_user(name: str | None = None, *, cents: int = 0, **fields: Any) -> User:
    """A player with chips and, if asked, test money."""
    name = name or f"Player{next(NAMES)}"
    fields = {"country": "FI", "birth_date": "1980-01-01"} | fields
    user = User.objects.create_user(
        f"{name.lower()}@example.com", "a long pass phrase", screen_name=name, **fields
    )
    open_wallet(user.pk)
    if cents:
        deposit_sandbox(user.pk, cents, key=f"test-{name}")
    return user


def usd_terms(stake: int = 500, **more: Any) -> TableTerms:
    """A single game for money."""
    return table_terms(currency="USD", stake=stake, **more)


def open_table(light: User, dark: User, terms: TableTerms | None = None) -> UUID:
    """A match at its ready check."""
    terms = terms or usd_terms()
    room = "main" if terms.is_money else "practice"
    return services.open_match(light=light, dark=dark, terms=terms, room=room, column=room)


class Tab:
    """One browser tab of one account, or of a stranger, at a table."""

    def __init__(self, match_id: UUID, user: User | None) -> None:
        self.match_id = match_id
        self.user = user
        self.view: dict[str, Any] = {}
        self.events: list[dict[str, Any]] = []
        self.you: str | None = None
        self.version = 0
        self.seed = secrets.token_bytes(32)
        self.frames: list[dict[str, Any]] = []
        self.session: SessionStore | None = None

    async def open(self) -> "Tab":
        """Connects and says hello."""
        await self.connect()
        await self.hello(0)
        return self

    async def connect(self) -> "Tab":
        """Connects."""
        self._socket = WebsocketCommunicator(application, f"/ws/table/{self.match_id}/")
        self._socket.scope["user"] = self.user
        self._socket.scope["session"] = self.session or await sync_to_async(_session)()
        self._socket.scope["client"] = ("127.0.0.1", 12345)
        connected, _ = await self._socket.connect(timeout=WAIT_S)
        assert connected
        return self

    async def hello(self, have: int) -> dict[str, Any]:
        """Says hello and takes in the answer."""
        await self.send_raw({"v": 1, "cmd": "hello", "have": have})
        return await self.until(lambda f: f["kind"] in {"snapshot", "events", "bye"})

    async def close(self) -> None:
        """The tab is closed."""
        await self._socket.disconnect(timeout=WAIT_S)

    async def send_raw(self, frame: object) -> None:
        """Any frame."""
        await self._socket.send_to(text_data=frame if isinstance(frame, str) else json.dumps(frame))

    async def receive(self) -> dict[str, Any]:
        """The next frame, taken in."""
        frame: dict[str, Any] = json.loads(await self._socket.receive_from(timeout=WAIT_S))
        self.frames.append(frame)
        if "view" in frame:
            self.view = frame["view"]
        if frame["kind"] == "snapshot":
            self.you, self.events, self.version = frame["you"], frame["events"], frame["version"]
        elif frame["kind"] == "events":
            fresh = [event for event in frame["events"] if event["n"] > self.version]
            self.events += fresh
            self.version = frame["version"]
        return frame

    async def receive_close(self) -> int:
        """Receives until the server closes; its code."""
        while True:
            output = await self._socket.receive_output(timeout=WAIT_S)
            if output["type"] == "websocket.close":
                return int(output["code"])
            self.frames.append(json.loads(output["text"]))

    async def until(self, wanted: Any) -> dict[str, Any]:
        """Receives until a frame is wanted."""
        while True:
            frame = await self.receive()
            if wanted(frame):
                return frame

    async def settle_to(self, version: int) -> None:
        """Receives until this version is seen."""
        while self.version < version:
            await self.receive()

    async def reach(self, phase: str) -> None:
        """Receives until the match is in this phase."""
        while self.view.get("phase") != phase:
            await self.receive()

    @property
    def player(self) -> User:
        """Whose tab it is."""
        assert self.user is not None
        return self.user

    async def order(
        self, cmd: str, *, ref: str | None = None, at: int | None = None, **fields: Any
    ) -> dict[str, Any]:
        """Sends a command; the frame that answers it."""
        ref = ref or secrets.token_hex(8)
        at = self.version if at is None else at
        await self.send_raw({"v": 1, "id": ref, "cmd": cmd, "at": at, **fields})
        return await self.until(lambda f: f.get("ref") == ref)

    async def accept(self) -> dict[str, Any]:
        """Accepts with this tab's seed."""
        return await self.order("accept", commit=hashlib.sha256(self.seed).hexdigest())

    async def reveal(self) -> dict[str, Any]:
        """Reveals this tab's seed."""
        return await self.order("reveal", seed=self.seed.hex())

    def first_turn(self) -> list[list[int]]:
        """A legal turn: always the first edge."""
        steps, node = [], 0
        nodes = self.view["turns"]["nodes"]
        while nodes[node]:
            src, dst, _die, _hit, node = nodes[node][0]
            steps.append([src, dst])
        return steps


def _session() -> SessionStore:
    session = SessionStore()
    session.create()
    return session


async def started(light: User, dark: User, terms: TableTerms | None = None) -> tuple[Tab, Tab]:
    """Two tabs at a table whose game has begun."""
    match_id = await sync_to_async(open_table)(light, dark, terms)
    one, two = await Tab(match_id, light).open(), await Tab(match_id, dark).open()
    for act in ("accept", "reveal"):
        for tab in (one, two):
            answer = await getattr(tab, act)()
            assert answer["kind"] == "ack", answer
            version = answer["version"]
            await asyncio.gather(one.settle_to(version), two.settle_to(version))
    return one, two


def whose_tab(one: Tab, two: Tab) -> Tab:
    """The tab that must act."""
    return one if one.view["to_act"] == one.you else two


async def step(one: Tab, two: Tab) -> dict[str, Any]:
    """Whoever must act does the plainest thing: rolls, or plays the first legal turn."""
    tab = whose_tab(one, two)
    if "roll" in tab.view["may"]:
        answer = await tab.order("roll")
    else:
        answer = await tab.order("play", steps=tab.first_turn())
    assert answer["kind"] == "ack", answer
    await asyncio.gather(one.settle_to(answer["version"]), two.settle_to(answer["version"]))
    return answer


async def play_out(one: Tab, two: Tab, most: int = 2000) -> None:
    """Plays to the end."""
    for _ in range(most):
        if one.view["phase"] == "over":
            return
        await step(one, two)
    raise AssertionError("the game did not end")


async def close_floor() -> None:
    """Ends what runs in this test's event loop."""
    await floor.floor().close()
    await tables().close()
    await sync_to_async(connections.close_all)()
