"""Sockets in: reads frames, asks the services, answers. Decides nothing.

The stock consumer closes old database connections through one thread on every message and joins the channel layer
for every socket; a table needs neither, so this is a plain ASGI application with the same outer shape.
"""

import asyncio
import contextlib
import logging
import secrets
import time
from collections.abc import Awaitable, Callable
from typing import Any
from uuid import UUID

from autobahn.exception import Disconnected
from django.conf import settings
from django.contrib.auth import HASH_SESSION_KEY
from django.db import InterfaceError, OperationalError
from django.utils import translation

from accounts.errors import Refused
from accounts.identity import client_ip
from games import floor, presence, protocol
from games.buckets import Bucket
from games.errors import BadFrame, Busy, TooFast, TooManySockets, UnknownMatch, WatchersCannotPlay
from games.match.sides import Side

log = logging.getLogger(__name__)
Send = Callable[[dict[str, Any]], Awaitable[None]]
Receive = Callable[[], Awaitable[dict[str, Any]]]

FRAMES_OVER_THE_TOP = 50
HELLO_BURST = 8
HELLOS_PER_S = 0.2
OUT_LIMIT = 500
CLOSE_SIGNED_OUT = 4010
CLOSE_NO_MATCH = 4004
CLOSE_TOO_MANY = 4008
CLOSE_TOO_LARGE = 4009
CLOSE_GOING_AWAY = 1001


class TableSocket:
    """One browser tab at one table."""

    def __init__(self, scope: dict[str, Any]) -> None:
        user: Any = scope.get("user")
        self.match_id: UUID = scope["url_route"]["kwargs"]["match_id"]
        is_known = user is not None and user.is_authenticated
        self.user_id: int | None = user.pk if is_known else None
        self.user_name: str = user.screen_name if is_known else ""
        session: Any = scope.get("session")
        self.session_key: str | None = session.session_key if session is not None else None
        self.language: str = _language(scope)
        self.side: Side | None = None
        self.beat_at = time.monotonic()
        self._out: asyncio.Queue[str | int] = asyncio.Queue(OUT_LIMIT)
        self._bucket = Bucket.full(
            settings.SOCKET_BURST, settings.SOCKET_FRAMES_PER_S, time.monotonic()
        )
        self._refused_in_a_row = 0
        self._has_spoken = False
        self._hellos = Bucket.full(HELLO_BURST, HELLOS_PER_S, time.monotonic())
        self._asked = ""
        self.read_at = time.monotonic()
        self.auth_hash = presence.mark(session.get(HASH_SESSION_KEY, ""), user) if is_known else ""
        self.address: str | None = client_ip(scope)

    @classmethod
    def as_asgi(cls) -> Callable[[dict[str, Any], Receive, Send], Awaitable[None]]:
        """The ASGI application: a new socket for each connection."""

        async def application(scope: dict[str, Any], receive: Receive, send: Send) -> None:
            await cls(scope).run(receive, send)

        return application

    # --- the outer loop ---------------------------------------------------------------------------

    async def run(self, receive: Receive, send: Send) -> None:
        """Serves the connection until either end closes it."""
        opening = await receive()
        if opening["type"] != "websocket.connect":
            return
        await send({"type": "websocket.accept"})
        try:
            self.side = await floor.enter(self)
        except UnknownMatch as refusal:
            await self._bye(send, refusal, CLOSE_NO_MATCH)
            return
        except TooManySockets as refusal:
            await self._bye(send, refusal, CLOSE_TOO_MANY)
            return
        writer = asyncio.create_task(self._write(send))
        try:
            await self._read(receive)
        finally:
            floor.leave(self)
            writer.cancel()
            await asyncio.gather(writer, return_exceptions=True)

    async def _bye(self, send: Send, refusal: Refused, code: int) -> None:
        with translation.override(self.language):
            text = protocol.sentence(refusal)
        bye = {"kind": "bye", "code": refusal.code, "text": text}
        await send({"type": "websocket.send", "text": protocol.text_of(bye)})
        await send({"type": "websocket.close", "code": code})

    async def _write(self, send: Send) -> None:
        """Sends what is queued. What cannot be sent ends the connection: the browser comes back for it."""
        while True:
            item = await self._out.get()
            if isinstance(item, int):
                await send({"type": "websocket.close", "code": item})
                return
            try:
                await send({"type": "websocket.send", "text": item})
            except (Disconnected, OSError):  # the peer has gone: the reader will be told
                return
            except Exception:
                log.exception("a frame was not sent", extra={"match": str(self.match_id)})
                with contextlib.suppress(Exception):  # the peer may be gone already
                    await send({"type": "websocket.close", "code": CLOSE_GOING_AWAY})
                return

    async def _read(self, receive: Receive) -> None:
        while True:
            message = await receive()
            if message["type"] == "websocket.disconnect":
                return
            if message["type"] == "websocket.receive":
                await self._frame(message)

    # --- publish.Socket -----------------------------------------------------------------------------

    def push(self, frame: str) -> None:
        """Queues a frame; nothing before the browser's first one, whose answer tells it everything.

        A browser too slow to take its frames is let go: it will come back and catch up.
        """
        if not self._has_spoken:
            return
        try:
            self._out.put_nowait(frame)
        except asyncio.QueueFull:
            self.close(CLOSE_GOING_AWAY)

    def close(self, code: int) -> None:
        """Closes the connection; what waits to be sent is dropped when the queue is full."""
        while self._out.full():
            self._out.get_nowait()
        self._out.put_nowait(code)

    # --- frames ---------------------------------------------------------------------------------------

    async def _frame(self, message: dict[str, Any]) -> None:
        self.beat_at = time.monotonic()
        self._has_spoken = True
        text = message.get("text")
        if text is None or len(text.encode()) > protocol.FRAME_LIMIT_BYTES:
            self.close(CLOSE_TOO_LARGE)
            return
        frame: protocol.Frame = {}
        try:
            frame = protocol.parse_frame(text)
            self._pace()
            await self._handle(frame)
        except Refused as refusal:
            await self._refuse(refusal, frame)
        except (OperationalError, InterfaceError):
            log.warning("the database is away", extra={"match": str(self.match_id)})
            await self._refuse(Busy(), frame)
        except Exception:
            log.exception("a frame failed", extra={"match": str(self.match_id)})
            await self._refuse(Refused(), frame)

    def _pace(self) -> None:
        """Raises TooFast beyond the socket's or the account's pace; closes on somebody who goes on and on."""
        now = time.monotonic()
        wait = self._bucket.take(now)
        if not wait and self.user_id is not None:
            wait = floor.account_wait(self.user_id, now)
        if not wait:
            self._refused_in_a_row = 0
            return
        self._refused_in_a_row += 1
        if self._refused_in_a_row > FRAMES_OVER_THE_TOP:
            self.close(CLOSE_TOO_MANY)
        raise TooFast(seconds=max(1, round(wait)))

    def _pace_hello(self) -> None:
        """A snapshot is large: a browser asks for one now and then."""
        wait = self._hellos.take(time.monotonic())
        if wait:
            raise TooFast(seconds=max(1, round(wait)))

    def ask(self) -> None:
        """Asks for an echo: only who reads what we send can give it."""
        self._asked = secrets.token_hex(4)
        self.push(protocol.text_of({"kind": "beat", "ask": self._asked}))

    def echoed(self, echo: str | None) -> None:
        """The echo arrived."""
        if echo is not None and echo == self._asked:
            self.read_at = time.monotonic()

    async def _refuse(self, refusal: Refused, frame: protocol.Frame) -> None:
        with translation.override(self.language):
            answer = await floor.refusal(self, refusal, ref=protocol.ref_of(frame))
        self.push(protocol.text_of(answer))

    async def _handle(self, frame: protocol.Frame) -> None:
        match frame["cmd"]:
            case "hello":
                self._pace_hello()
                self.push(await floor.hello(self, have=protocol.have_version(frame)))
            case "beat":
                self.echoed(protocol.echo_of(frame))
                self.push(protocol.text_of(await floor.beat(self)))
            case "chat":
                await floor.chat(self, protocol.chat_text(frame), ref=protocol.ref_of(frame))
            case "rematch":
                await floor.rematch(self, wants=protocol.wants_rematch(frame))
                self.push(await floor.ack(self, protocol.ref_of(frame)))
            case name if name in protocol.COMMANDS:
                await self._command(frame)
            case _:
                raise BadFrame

    async def _command(self, frame: protocol.Frame) -> None:
        if self.side is None:
            raise WatchersCannotPlay
        command = protocol.parse_command(frame, by=self.side)
        ref = protocol.ref_of(frame)
        version = await floor.act(
            self.match_id, command, ref=ref, known=protocol.known_version(frame)
        )
        self.push(protocol.text_of({"kind": "ack", "ref": ref, "version": version}))


def _language(scope: dict[str, Any]) -> str:
    cookies = scope.get("cookies") or {}
    chosen = cookies.get(settings.LANGUAGE_COOKIE_NAME, settings.LANGUAGE_CODE)
    return chosen if chosen in dict(settings.LANGUAGES) else settings.LANGUAGE_CODE
