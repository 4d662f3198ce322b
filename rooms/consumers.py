"""Sockets in: one browser tab in one room of the lobby. Reads beats, decides nothing.

Like the tables' sockets a plain ASGI application: the stock consumer would cost a thread hop a message.
"""

import asyncio
import contextlib
import json
import re
import time
from collections.abc import Awaitable, Callable
from typing import Any
from urllib.parse import parse_qs

from django.conf import settings
from django.contrib.auth import HASH_SESSION_KEY
from django.utils import translation

from accounts.errors import Refused
from games.buckets import Bucket
from games.presence import mark
from rooms.errors import BadFrame, TooFast, UnknownRoom
from rooms.hall import MOST_ASKED, hall
from rooms.words import refusal_text

Send = Callable[[dict[str, Any]], Awaitable[None]]
Receive = Callable[[], Awaitable[dict[str, Any]]]

FRAME_LIMIT_BYTES = 8 * 1024
BURST = 20
RATE_PER_S = 5
FRAMES_OVER_THE_TOP = 50
OUT_LIMIT = 100
CLOSE_NO_ROOM = 4004
CLOSE_TOO_MANY = 4008
CLOSE_TOO_LARGE = 4009
CLOSE_GOING_AWAY = 1001
_ID = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")


class LobbySocket:
    """One connection, open until either end closes it."""

    def __init__(self, scope: dict[str, Any]) -> None:
        user: Any = scope.get("user")
        session: Any = scope.get("session")
        self.room: str = scope["url_route"]["kwargs"]["room"]
        asked = parse_qs(scope.get("query_string", b"").decode("ascii", "ignore"))
        self.language = _language(asked)
        self.quiet = "quiet" in asked
        is_known = user is not None and user.is_authenticated
        self.user_id: int | None = user.pk if is_known else None
        self.session_key: str | None = session.session_key if session is not None else None
        self.auth_hash = mark(session.get(HASH_SESSION_KEY, ""), user) if is_known else ""
        self.beat_at = time.monotonic()
        self.shown: dict[str, str] = {}
        self.number = 0
        self._out: asyncio.Queue[str | int] = asyncio.Queue(OUT_LIMIT)
        self._bucket = Bucket.full(BURST, RATE_PER_S, time.monotonic())
        self._refused_in_a_row = 0

    @classmethod
    def as_asgi(cls) -> Callable[[dict[str, Any], Receive, Send], Awaitable[None]]:
        """The ASGI application: a new socket for each connection."""

        async def application(scope: dict[str, Any], receive: Receive, send: Send) -> None:
            await cls(scope).run(receive, send)

        return application

    async def run(self, receive: Receive, send: Send) -> None:
        """Serves the connection."""
        opening = await receive()
        if opening["type"] != "websocket.connect":
            return
        await send({"type": "websocket.accept"})
        writer = asyncio.create_task(self._write(send))
        try:
            await self._enter()
            await self._read(receive)
        finally:
            await hall().leave(self)
            writer.cancel()
            await asyncio.gather(writer, return_exceptions=True)

    async def _enter(self) -> None:
        try:
            await hall().enter(self)
        except UnknownRoom as refusal:
            self._say("bye", refusal)
            self.close(CLOSE_NO_ROOM)

    async def _read(self, receive: Receive) -> None:
        while True:
            message = await receive()
            if message["type"] == "websocket.disconnect":
                return
            if message["type"] == "websocket.receive":
                self._frame(message.get("text"))

    async def _write(self, send: Send) -> None:
        while True:
            item = await self._out.get()
            with contextlib.suppress(Exception):  # the peer is gone; the reader will notice
                if isinstance(item, int):
                    await send({"type": "websocket.close", "code": item})
                    return
                await send({"type": "websocket.send", "text": item})

    # --- hall.Guest -------------------------------------------------------------------------------

    def push(self, frame: str) -> None:
        """Queues a frame. A browser too slow to take them is let go: it comes back and gets a fresh list."""
        try:
            self._out.put_nowait(frame)
        except asyncio.QueueFull:
            self.close(CLOSE_GOING_AWAY)

    def close(self, code: int) -> None:
        """Ends the connection; what waits to be sent is dropped when the queue is full."""
        while self._out.full():
            self._out.get_nowait()
        self._out.put_nowait(code)

    # --- frames -----------------------------------------------------------------------------------

    def _frame(self, text: str | None) -> None:
        if text is None or len(text.encode()) > FRAME_LIMIT_BYTES:
            self.close(CLOSE_TOO_LARGE)
            return
        wait = self._bucket.take(time.monotonic())
        if wait:
            self._over_the_top()
            return
        self._refused_in_a_row = 0
        try:
            asked = _asked(text)
        except BadFrame as refusal:
            self._say("refused", refusal)
        else:
            self.beat_at = time.monotonic()
            hall().ask(self, asked)

    def _over_the_top(self) -> None:
        self._refused_in_a_row += 1
        if self._refused_in_a_row > FRAMES_OVER_THE_TOP:
            self.close(CLOSE_TOO_MANY)
        elif self._refused_in_a_row == 1:
            self._say("refused", TooFast())

    def _say(self, kind: str, refusal: Refused) -> None:
        with translation.override(self.language):
            text = refusal_text(refusal)
        self.push(json.dumps({"kind": kind, "code": refusal.code, "text": text}))


def _asked(text: str) -> list[str]:
    """A browser sends a heartbeat, which asks for nothing, or the tables it wants to know more of. Raises BadFrame."""
    try:
        frame = json.loads(text)
    except (ValueError, RecursionError):
        raise BadFrame from None
    if frame == {"cmd": "beat"}:
        return []
    if not isinstance(frame, dict) or frame.keys() != {"cmd", "offers"}:
        raise BadFrame
    offers = frame["offers"]
    if frame["cmd"] != "prospects" or not isinstance(offers, list) or len(offers) > MOST_ASKED:
        raise BadFrame
    if not all(isinstance(key, str) and _ID.fullmatch(key) for key in offers):
        raise BadFrame
    return offers


def _language(asked: dict[str, list[str]]) -> str:
    """The language of the page that opened the socket, which it names in the address."""
    named = asked.get("lang", [""])[0]
    return named if named in dict(settings.LANGUAGES) else settings.LANGUAGE_CODE
