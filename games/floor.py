"""The floor where sockets stand: who enters a table, what they are told, who is there.

Services of the asynchronous side; games.services has those of views and tasks.
"""

import asyncio
import logging
import time
from itertools import count
from typing import Protocol, cast
from uuid import UUID

from channels.db import database_sync_to_async
from django.conf import settings

from accounts.errors import Refused
from accounts.moderation import talk
from games import metrics, presence, protocol, publish, rematches, selectors
from games.buckets import Buckets
from games.errors import ChatTooLong, SignInFirst, TooFast, TooManySockets, WatchersCannotPlay
from games.live import LiveTable, LiveTables, chat_frame, rematch_frame, tables
from games.match import commands
from games.match.errors import Stale
from games.match.sides import Side
from games.match.state import FINISHED
from games.wording import one_line

log = logging.getLogger(__name__)
ROUND_S = 2.5
PARTS = 20
"""A round goes from one part of the tables to the next, so that no command waits for all of them."""
ASKING_ROUNDS = 4
"""Browsers are asked for an echo in each so manieth round; they beat of their own accord as well."""
SESSION_ENDED = 4010
SILENT_AFTER_S = 3 * presence.LEASE_S
CHAT_BURST = 5
CHAT_RATE_PER_S = 0.5
SWITCH_BURST = 12
SWITCHES_PER_S = 0.2
TABS_AT_FULL_PACE = 3
_chat_buckets = Buckets(burst=CHAT_BURST, rate=CHAT_RATE_PER_S)
_switch_buckets = Buckets(burst=SWITCH_BURST, rate=SWITCHES_PER_S)
_account_buckets = Buckets(
    burst=TABS_AT_FULL_PACE * settings.SOCKET_BURST,
    rate=TABS_AT_FULL_PACE * settings.SOCKET_FRAMES_PER_S,
)


class Visitor(publish.Socket, Protocol):
    """A socket with what the floor needs to know of it."""

    match_id: UUID
    user_name: str
    session_key: str | None
    auth_hash: str
    address: str | None
    beat_at: float
    read_at: float

    def ask(self) -> None:
        """Asks for an echo."""

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
        due = time.monotonic()
        for turn in count(1):
            # By the clock, so that a busy process is not slower round; what was missed by a whole round is not made up for.
            due = max(due + ROUND_S / PARTS, time.monotonic() - ROUND_S)
            await asyncio.sleep(max(0.0, due - time.monotonic()))
            whole, part = divmod(turn, PARTS)
            here = tuple(m for m in self.live.hub.matches() if m.int % PARTS == part)
            try:
                await self._go_round(here, asks=whole % ASKING_ROUNDS == 0)
            except Exception:
                log.exception("a round of the floor failed")

    async def close(self) -> None:
        """Ends the rounds."""
        if self._rounds is not None:
            self._rounds.cancel()
            await asyncio.gather(self._rounds, return_exceptions=True)
        _floors.pop(id(self.live), None)

    async def round(self) -> None:
        """Renews leases, ends dead sockets, tells who came and went, catches up after lost hints: at every table."""
        await self._go_round(self.live.hub.matches(), asks=True)

    async def _go_round(self, match_ids: tuple[UUID, ...], *, asks: bool) -> None:
        """The same at these tables."""
        self.live.tell_figures()
        if not match_ids:
            return
        visitors = self.visitors(match_ids)
        self._drop_the_silent(visitors)
        if asks:
            for visitor in visitors:
                visitor.ask()
        await self._end_sessions(visitors)
        await self.live.poll(match_ids)
        await self.presence_of(match_ids)

    @staticmethod
    def _drop_the_silent(visitors: list[Visitor]) -> None:
        """Who has not read for long is let go."""
        limit = time.monotonic() - SILENT_AFTER_S
        for visitor in visitors:
            if visitor.read_at < limit:
                visitor.close(publish.CLOSE_SILENT)

    def visitors(self, match_ids: tuple[UUID, ...] | None = None) -> list[Visitor]:
        """Everybody here, or at these tables."""
        hub = self.live.hub
        return [
            cast("Visitor", socket)
            for match_id in (hub.matches() if match_ids is None else match_ids)
            for socket in hub.sockets(match_id)
        ]

    def require_place(self, visitor: Visitor) -> None:
        """Raises TooManySockets beyond what one account, or one address without one, may hold open."""
        if visitor.user_id is not None:
            same = sum(other.user_id == visitor.user_id for other in self.visitors())
            most = settings.SOCKETS_PER_ACCOUNT
        else:
            same = sum(
                other.user_id is None and other.address == visitor.address
                for other in self.visitors()
            )
            most = settings.SOCKETS_PER_ADDRESS
        if same >= most:
            raise TooManySockets

    async def _end_sessions(self, visitors: list[Visitor]) -> None:
        held: dict[presence.Signed, list[Visitor]] = {}
        for visitor in visitors:
            if visitor.session_key and visitor.user_id:
                signed = presence.Signed(visitor.session_key, visitor.user_id, visitor.auth_hash)
                held.setdefault(signed, []).append(visitor)
        if not held:
            return
        for signed in await self.live.committer.run_aside(lambda: presence.ended(held)):
            for visitor in held[signed]:
                visitor.close(SESSION_ENDED)

    async def presence_of(self, match_ids: tuple[UUID, ...]) -> None:
        """Renews the leases of who is here, brings back who was lost, and pushes what changed."""
        if not match_ids:
            return
        here = [
            (match_id, socket.side)
            for match_id in match_ids
            for socket in self.live.hub.sockets(match_id)
            if socket.side is not None and self._is_alive(socket)
        ]
        held = [
            (await self.live.table(match_id)).info.people[side].seat_id for match_id, side in here
        ]

        def renew_and_read() -> dict[UUID, dict[Side, int | None]]:
            if held:
                presence.renew(held)
            return presence.leases(match_ids)

        leases = await self.live.committer.run_aside(renew_and_read)
        for match_id, side in dict.fromkeys(here):
            await self._bring_back(match_id, side)
        now_ms = await self.live.committer.now_ms()
        for match_id, sides in leases.items():
            self._note(match_id, sides, now_ms)
        for gone in self.seen.keys() - set(self.live.hub.matches()):
            del self.seen[gone]

    async def _bring_back(self, match_id: UUID, side: Side) -> None:
        """One table's trouble is not the others'."""
        try:
            await self.live.bring_back(match_id, side)
        except Exception:
            log.exception("a player was not brought back", extra={"match": str(match_id)})

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
        left = self.live.left_ms(match_id)
        shown: dict[str, object] = {
            side.value: {"here": state.here, "since": state.since, "left_ms": left.get(side)}
            for side, state in seen.items()
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
    here.require_place(socket)
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
    lines: list[dict[str, object]] | None = None
    if not _misses_little(here.live.seen_by(table, socket.side).version, have):
        lines = await here.live.committer.run_aside(lambda: selectors.chat_of(socket.match_id))
    await here.live.committer.now_ms()
    if table.state.phase in FINISHED and socket.side is not None and socket.user_id is not None:
        balance = await here.live.balance_frame(table, socket.user_id)
        asyncio.get_running_loop().call_soon(socket.push, balance)
        wishes = await here.live.committer.run_aside(lambda: rematch_frame(socket.match_id))
        asyncio.get_running_loop().call_soon(socket.push, wishes)
    # Nothing is awaited from here on: the answer is never older than what was sent before it.
    state = here.live.seen_by(table, socket.side)
    if lines is None or _misses_little(state.version, have):
        return here.live.frame(table, socket.side, since=have)
    return here.live.shown(table, socket.side).snapshot_frame(
        socket.side,
        table.wire,
        extra={"chat": lines, "presence": here.presence_json(socket.match_id)},
        now_ms=here.live.committer.clock.now_ms(),
    )


def _misses_little(version: int, have: int) -> bool:
    """Whether a browser that has `have` events of so many is better told the rest than everything."""
    return 0 < have <= version and version - have <= protocol.MOST_EVENTS


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
    if isinstance(command, commands.SetSwitches):
        wait = _switch_buckets.take((match_id, command.by), time.monotonic())
        if wait:
            raise TooFast(seconds=max(1, round(wait)))
    with metrics.command(type(command).__name__):
        answer = await tables().act(match_id, command, ref=ref, known=known)
    return answer.version


async def refusal(socket: Visitor, refused: Refused, *, ref: str | None) -> dict[str, object]:
    """The frame of a refusal; a stale one brings the current view."""
    live = floor().live
    table: LiveTable = await live.table(socket.match_id)
    state = live.seen_by(table, socket.side)
    answer = protocol.refused_frame(refused, ref=ref, version=state.version)
    if isinstance(refused, Stale):
        answer["view"] = protocol.view(table.info, state, socket.side)
    return answer


async def rematch(socket: Visitor, *, wants: bool) -> None:
    """A player wants to play the match again, or not any more; everybody at the table is told.

    Raises WatchersCannotPlay and what games.rematches.ask raises.
    """
    match_id, side = socket.match_id, socket.side
    if side is None:
        raise WatchersCannotPlay
    live = floor().live
    try:
        await database_sync_to_async(rematches.ask)(match_id, side, wants=wants)
    finally:
        await live.tell_rematch(match_id)
        await publish.hint_rematch(match_id)


async def ack(socket: Visitor, ref: str | None) -> str:
    """The acknowledgement of something that is no event of the match."""
    live = floor().live
    version = live.seen_by(await live.table(socket.match_id), socket.side).version
    return protocol.text_of({"kind": "ack", "ref": ref, "version": version})


async def chat(socket: Visitor, text: str, *, ref: str | None) -> None:
    """A chat line: stored once, then shown to everybody at the table, in every process.

    Raises SignInFirst, ChatTooLong, TooFast, and what accounts.moderation.talk raises.
    """
    user_id = socket.user_id
    if user_id is None:
        raise SignInFirst
    line = one_line(text)
    if not 1 <= len(line) <= protocol.CHAT_LIMIT:
        raise ChatTooLong
    wait = _chat_buckets.take(user_id, time.monotonic())
    if wait:
        raise TooFast(seconds=max(1, round(wait)))
    live = floor().live
    people = (await live.table(socket.match_id)).info.people
    players = [person.user_id for person in people.values()]
    line = await live.committer.run_aside(lambda: talk.checked(user_id, line, to=players))
    said = selectors.Said(match_id=socket.match_id, user_id=user_id, side=socket.side, text=line)
    stored, is_new = await live.committer.run_aside(lambda: selectors.store_line(said, ref))
    if is_new:
        frame = await live.committer.run_aside(lambda: chat_frame(stored))
        for other in live.hub.sockets(socket.match_id):
            other.push(frame)
        await publish.hint([], chat=[(socket.match_id, stored)])
    if ref is not None:
        socket.push(await ack(socket, ref))
