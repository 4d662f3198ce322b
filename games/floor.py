"""The floor where sockets stand: who enters a table, what they are told, who is there.

Services of the asynchronous side; games.services has those of views and tasks.
"""

import asyncio
import logging
import time
from typing import Protocol
from uuid import UUID

from django.conf import settings

from accounts.errors import Refused
from games import metrics, presence, protocol, publish, selectors
from games.buckets import Buckets
from games.errors import ChatTooLong, SignInFirst, TooFast
from games.live import LiveTable, LiveTables, tables
from games.match import commands
from games.match.errors import Stale
from games.match.sides import Side
from games.match.state import FINISHED
from games.models import ChatLine

log = logging.getLogger(__name__)
ROUND_S = 2.5
SESSION_ENDED = 4010
SILENT_AFTER_S = 3 * presence.LEASE_S
CHAT_BURST = 5
CHAT_RATE_PER_S = 0.5
TABS_AT_FULL_PACE = 3
_chat_buckets = Buckets(burst=CHAT_BURST, rate=CHAT_RATE_PER_S)
_account_buckets = Buckets(
    burst=TABS_AT_FULL_PACE * settings.SOCKET_BURST,
    rate=TABS_AT_FULL_PACE * settings.SOCKET_FRAMES_PER_S,
)


class Visitor(publish.Socket, Protocol):
    """A socket with what the floor needs to know of it."""

    match_id: UUID
    user_name: str
    session_key: str | None
    beat_at: float

    def close(self, code: int) -> None:
        """Ends the connection."""


class Floor:
    """Presence at the tables of one event loop."""

    def __init__(self, live: LiveTables) -> None:
        self.live = live
        self.seen: dict[UUID, dict[Side, presence.Here]] = {}
        self._rounds: asyncio.Task[None] | None = None

    def start(self) -> None:
        """Begins the rounds; harmless when they already run."""
        self.live.start()
        if self._rounds is None or self._rounds.done():
            self._rounds = asyncio.create_task(self._run())

    async def _run(self) -> None:
        while True:
            await asyncio.sleep(ROUND_S)
            try:
                await self.round()
            except Exception:
                log.exception("a round of the floor failed")

    async def close(self) -> None:
        """Ends the rounds."""
        if self._rounds is not None:
            self._rounds.cancel()
            await asyncio.gather(self._rounds, return_exceptions=True)
        _floors.pop(id(self.live), None)

    async def round(self) -> None:
        """Renews leases, ends dead sockets, tells who came and went, catches up after lost hints."""
        self._drop_silent()
        await self._end_sessions()
        await self.live.poll()
        await self.presence_of(self.live.hub.matches())
        self.live.tell_figures()

    def _drop_silent(self) -> None:
        limit = time.monotonic() - SILENT_AFTER_S
        for match_id in self.live.hub.matches():
            for socket in self.live.hub.sockets(match_id):
                if socket.beat_at < limit:  # type: ignore[attr-defined]
                    socket.close(publish.CLOSE_SILENT)  # type: ignore[attr-defined]

    async def _end_sessions(self) -> None:
        held: dict[tuple[str, int], list[Visitor]] = {}
        for match_id in self.live.hub.matches():
            for socket in self.live.hub.sockets(match_id):
                if socket.session_key and socket.user_id:  # type: ignore[attr-defined]
                    held.setdefault((socket.session_key, socket.user_id), []).append(socket)  # type: ignore[attr-defined, arg-type]
        if not held:
            return
        for key in await self.live.committer.run(lambda: presence.ended_sessions(held)):
            for socket in held[key]:
                socket.close(SESSION_ENDED)

    async def presence_of(self, match_ids: tuple[UUID, ...]) -> None:
        """Renews the leases of who is here and pushes what changed."""
        if not match_ids:
            return
        held = [
            (await self.live.table(match_id)).info.people[socket.side].seat_id
            for match_id in match_ids
            for socket in self.live.hub.sockets(match_id)
            if socket.side is not None and self._is_alive(socket)
        ]

        def renew_and_read() -> dict[UUID, dict[Side, int | None]]:
            if held:
                presence.renew(held)
            return presence.leases(match_ids)

        leases = await self.live.committer.run(renew_and_read)
        now_ms = await self.live.committer.now_ms()
        for match_id, sides in leases.items():
            self._note(match_id, sides, now_ms)
        for gone in self.seen.keys() - set(self.live.hub.matches()):
            del self.seen[gone]

    @staticmethod
    def _is_alive(socket: publish.Socket) -> bool:
        return time.monotonic() - socket.beat_at < presence.LEASE_S  # type: ignore[attr-defined, no-any-return]

    def _note(self, match_id: UUID, sides: dict[Side, int | None], now_ms: int) -> None:
        before = self.seen.get(match_id, {})
        after = {
            side: presence.here(seen, now_ms, before.get(side)) for side, seen in sides.items()
        }
        self.seen[match_id] = after
        if after != before:
            frame = protocol.text_of({"kind": "presence", **self.presence_json(match_id)})
            for socket in self.live.hub.sockets(match_id):
                socket.push(frame)

    def presence_json(self, match_id: UUID) -> dict[str, object]:
        """Who is here, for the wire."""
        seen = self.seen.get(match_id, {})
        shown: dict[str, object] = {
            side.value: {"here": state.here, "since": state.since} for side, state in seen.items()
        }
        return {**shown, "watchers": self.live.hub.watchers(match_id)}


_floors: dict[int, Floor] = {}


def floor() -> Floor:
    """The floor of the running event loop."""
    live = tables()
    found = _floors.get(id(live))
    if found is None:
        found = _floors[id(live)] = Floor(live)
    return found


async def enter(socket: Visitor) -> Side | None:
    """A browser comes to a table. Answers its seat, None for a watcher. Raises UnknownMatch."""
    here = floor()
    here.start()
    table = await here.live.table(socket.match_id)
    socket.side = table.info.side_of(socket.user_id)
    here.live.hub.join(socket.match_id, socket)
    if socket.side is not None:
        await here.presence_of((socket.match_id,))
    return socket.side


def leave(socket: Visitor) -> None:
    """A browser goes. The lease runs on: another tab, or the same one soon, may hold it."""
    floor().live.hub.leave(socket.match_id, socket)


async def hello(socket: Visitor, *, have: int) -> str:
    """What the browser misses: events if it has some of this match, else everything."""
    here = floor()
    table = await here.live.table(socket.match_id)
    await here.live.committer.now_ms()
    state = here.live.seen_by(table, socket.side)
    if state.phase in FINISHED and socket.side is not None and socket.user_id is not None:
        balance = await here.live.balance_frame(table, socket.user_id)
        asyncio.get_running_loop().call_soon(socket.push, balance)
    if 0 < have <= state.version:
        return here.live.frame(table, socket.side, since=have)
    lines = await here.live.committer.run(lambda: selectors.chat_of(socket.match_id))
    return here.live.shown(table, socket.side).snapshot_frame(
        socket.side,
        table.wire,
        extra={"chat": lines, "presence": here.presence_json(socket.match_id)},
        now_ms=here.live.committer.clock.now_ms(),
    )


def account_wait(user_id: int, now: float) -> float:
    """0, or the seconds for which this account has to be silent, all its tabs together."""
    return _account_buckets.take(user_id, now)


async def beat(socket: Visitor) -> dict[str, object]:
    """The answer to a heartbeat."""
    return {"kind": "beat", "now": await floor().live.committer.now_ms()}


async def act(
    match_id: UUID, command: commands.PlayerCommand, *, ref: str | None, known: int
) -> int:
    """A player's command; answers the version it led to. Raises the refusal."""
    with metrics.command(type(command).__name__):
        answer = await tables().act(match_id, command, ref=ref, known=known)
    return answer.version


async def refusal(socket: Visitor, refused: Refused, *, ref: str | None) -> dict[str, object]:
    """The frame of a refusal; a stale one brings the current view."""
    live = floor().live
    table: LiveTable = await live.table(socket.match_id)
    answer = protocol.refused_frame(refused, ref=ref, version=table.state.version)
    if isinstance(refused, Stale):
        answer["view"] = protocol.view(table.info, live.seen_by(table, socket.side), socket.side)
    return answer


async def chat(socket: Visitor, text: str, *, ref: str | None) -> None:
    """A chat line: stored, then shown to everybody at the table. Raises ChatTooLong, TooFast."""
    user_id = socket.user_id
    if user_id is None:
        raise SignInFirst
    line = " ".join(text.split())
    if not 1 <= len(line) <= protocol.CHAT_LIMIT:
        raise ChatTooLong
    wait = _chat_buckets.take(user_id, time.monotonic())
    if wait:
        raise TooFast(seconds=max(1, round(wait)))
    live = floor().live
    side = socket.side.value if socket.side else ""
    stored = await live.committer.run(
        lambda: ChatLine.objects.create(
            match_id=socket.match_id, user_id=user_id, side=side, text=line
        )
    )
    shown = {
        "kind": "chat",
        "n": stored.pk,
        "at": round(stored.at.timestamp() * presence.MS),
        "from": socket.side,
        "name": socket.user_name,
        "text": line,
    }
    frame = protocol.text_of(shown)
    for other in live.hub.sockets(socket.match_id):
        other.push(frame)
    if ref is not None:
        socket.push(protocol.text_of({"kind": "ack", "ref": ref, "version": 0}))
