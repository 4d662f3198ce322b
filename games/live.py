"""The matches that this process serves, in memory, and the committer that writes their events in groups.

Memory is speed, never correctness: the numbers in the log decide. A lost race reloads and decides again.
Lives in one event loop; what is committed goes through the committer's single thread, the rest of the database's work through another.
"""

import asyncio
import logging
from collections import OrderedDict
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from functools import partial
from typing import TypeVar
from uuid import UUID
from weakref import WeakKeyDictionary

from django.db import DatabaseError, OperationalError, connection

from accounts.errors import Refused
from games import (
    course,
    downtime,
    metrics,
    protocol,
    publish,
    rematches,
    selectors,
    stakes,
    standings,
    store,
)
from games.dbclock import DatabaseClock
from games.errors import Busy, UnknownMatch
from games.info import MatchInfo
from games.match import commands
from games.match.errors import TimeIsUp
from games.match.machine import deadline
from games.match.sides import Side
from games.match.state import FINISHED, MatchState
from games.models import Match

log = logging.getLogger(__name__)
TRIES = 5
GROUP_LIMIT = 256
ANSWERS_KEPT = 256
"""For each player of a table."""
TABLES_KEPT = 5_000
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Answer:
    """How a command was answered: the version it led to, or the refusal."""

    version: int
    refusal: Refused | None = None


@dataclass(slots=True)
class LiveTable:
    """One match in memory. `wire` holds each event as the browsers get it, at its version - 1.

    `late` is the state before the last commit: what watchers of a money match see. `late_shown` is the
    version up to which they have been sent events.
    """

    info: MatchInfo
    state: MatchState
    seed: bytes = field(repr=False)
    wire: list[bytes]
    late: MatchState
    late_shown: int = 0
    at_ms: int = 0
    shown: protocol.Shown | None = None
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    answers: dict[Side, OrderedDict[str, Answer]] = field(
        default_factory=lambda: {side: OrderedDict() for side in Side}
    )

    def remember(self, side: Side, ref: str | None, answer: Answer) -> None:
        """Keeps the answer for the same command sent again."""
        if ref is None:
            return
        answers = self.answers[side]
        answers[ref] = answer
        while len(answers) > ANSWERS_KEPT:
            answers.popitem(last=False)


class Committer:
    """Writes entries of many matches in one transaction, one group after another."""

    def __init__(self) -> None:
        self.clock = DatabaseClock()
        self.hints = publish.Outbox()
        self._thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="committer")
        # SQLite has one writer at a time anyway.
        self._aside = (
            self._thread
            if connection.vendor == "sqlite"
            else ThreadPoolExecutor(max_workers=1, thread_name_prefix="aside")
        )
        self._waiting: list[tuple[store.Entry, asyncio.Future[store.Conflict | None]]] = []
        self._running: asyncio.Task[None] | None = None

    async def run(self, work: Callable[[], T]) -> T:
        """Runs database work in the committer's thread; a broken connection is opened anew once."""
        return await asyncio.get_running_loop().run_in_executor(self._thread, _resilient, work)

    async def run_aside(self, work: Callable[[], T]) -> T:
        """The same for what no command waits for: leases, sessions, chat, the look into the log. In a thread of its own."""
        return await asyncio.get_running_loop().run_in_executor(self._aside, _resilient, work)

    async def now_ms(self) -> int:
        """The database's time."""
        if self.clock.is_stale:
            await self.run(self.clock.ask)
        return self.clock.now_ms()

    async def write(self, entry: store.Entry) -> store.Conflict | None:
        """Commits with the next group. Returns when it is on disk, or the conflict."""
        future: asyncio.Future[store.Conflict | None] = asyncio.get_running_loop().create_future()
        self._waiting.append((entry, future))
        if self._running is None or self._running.done():
            self._running = asyncio.create_task(self._drain())
        return await future

    async def _drain(self) -> None:
        while self._waiting:
            batch, self._waiting = self._waiting[:GROUP_LIMIT], self._waiting[GROUP_LIMIT:]
            try:
                with metrics.commit(len(batch)):
                    outcomes = await self.run(partial(store.append_group, [e for e, _ in batch]))
            except Exception as error:  # noqa: BLE001  each waiting command gets the failure
                for _, future in batch:
                    _answer(future, error=error)
                continue
            for (entry, future), outcome in zip(batch, outcomes, strict=True):
                _answer(future, outcome=outcome)
                if outcome is None:
                    self.hints.add(entry.match_id, entry.head.version)

    async def close(self) -> None:
        """Sends the last hints, closes the threads and their connections."""
        await self.hints.close()
        for thread in {self._aside, self._thread}:
            loop = asyncio.get_running_loop()
            await loop.run_in_executor(thread, lambda: connection.close())  # that thread's own
            thread.shutdown(wait=True)


def _answer(
    future: asyncio.Future[store.Conflict | None],
    *,
    outcome: store.Conflict | None = None,
    error: Exception | None = None,
) -> None:
    if future.done():  # whoever waited has gone
        return
    if error is not None:
        future.set_exception(error)
    else:
        future.set_result(outcome)


def _resilient(work: Callable[[], T]) -> T:
    try:
        return work()
    except (OperationalError, DatabaseError) as error:
        if connection.is_usable():
            raise
        connection.close()
        log.warning("database connection lost, opening it anew: %s", type(error).__name__)
        return work()


def chat_frame(line: int) -> str:
    """A stored line of chat, for the wire."""
    return protocol.text_of({"kind": "chat", **selectors.chat_line(line)})


def rematch_frame(match_id: UUID) -> str:
    """Who wants to play a match again, for the wire."""
    wishes = rematches.wishes(match_id)
    asked = {side.value: side in wishes.asked for side in Side}
    return protocol.text_of({"kind": "rematch", **asked, "next": wishes.next})


class LiveTables:
    """The tables of this process."""

    def __init__(self) -> None:
        self.hub = publish.Hub()
        self.committer = Committer()
        self._tables: OrderedDict[UUID, LiveTable] = OrderedDict()
        self._loading: dict[UUID, asyncio.Lock] = {}
        self._listener: asyncio.Task[None] | None = None

    # --- reading ------------------------------------------------------------------------------

    async def table(self, match_id: UUID) -> LiveTable:
        """The match, from memory or from the log. Raises UnknownMatch."""
        known = self._tables.get(match_id)
        if known is not None:
            self._tables.move_to_end(match_id)
            return known
        lock = self._loading.setdefault(match_id, asyncio.Lock())
        async with lock:
            if match_id not in self._tables:
                self._tables[match_id] = await self._load(match_id)
                self._forget_idle()
        self._loading.pop(match_id, None)
        return self._tables[match_id]

    async def _load(self, match_id: UUID) -> LiveTable:
        try:
            info, state, seed, records = await self.committer.run(lambda: course.load(match_id))
        except Match.DoesNotExist as error:
            raise UnknownMatch from error
        table = LiveTable(
            info=info, state=state, seed=seed, wire=[], late=course.late_of(records, state)
        )
        table.late_shown = table.late.version
        self._take_in(table, records, state)
        return table

    def _take_in(self, table: LiveTable, records: list[store.Record], state: MatchState) -> None:
        """Events that came from the log: frames for browsers, answers for repeated commands."""
        for record in records:
            table.wire.append(protocol.wire_event(record))
            if record.ref and record.side:
                table.remember(Side(record.side), record.ref, Answer(version=record.version))
        table.state = state
        table.at_ms = max(table.at_ms, records[-1].at_ms)

    def _forget_idle(self) -> None:
        for match_id in list(self._tables):
            if len(self._tables) <= TABLES_KEPT:
                return
            if not self.hub.sockets(match_id):
                del self._tables[match_id]

    async def catch_up(self, match_id: UUID, version: int) -> None:
        """Another process wrote up to `version`: read what is missing and show it to the browsers here."""
        table = self._tables.get(match_id)
        if table is None or table.state.version >= version:
            return
        async with table.lock:
            if table.state.version < version:
                await self._read_on(table)

    async def _read_on(self, table: LiveTable) -> None:
        before = table.state
        records = await self.committer.run(
            lambda: store.events_of(table.info.id, after=before.version)
        )
        if not records:
            return
        state = course.fold(records, before)
        if state.decided_at != before.decided_at:
            table.late = course.late_of(records, state, before)
        self._take_in(table, records, state)
        self._show(table, since=before.version)
        if state.phase in FINISHED:
            await self._tell_balances(table)

    # --- writing ------------------------------------------------------------------------------

    async def act(
        self, match_id: UUID, command: commands.PlayerCommand, *, ref: str | None, known: int | None
    ) -> Answer:
        """A player's command: decided, committed, shown; the same ref again is answered as the first time.

        Raises the refusal. Nothing acknowledged is ever lost: the answer comes after the commit.
        """
        table = await self.table(match_id)
        async with table.lock:
            answer = table.answers[command.by].get(ref) if ref else None
            if answer is None:
                try:
                    await self._decide(table, command, ref=ref, known=known)
                    answer = Answer(version=table.state.version)
                except Refused as refusal:
                    answer = Answer(version=table.state.version, refusal=refusal)
                if not isinstance(answer.refusal, Busy):
                    table.remember(command.by, ref, answer)
        if answer.refusal is not None:
            raise answer.refusal
        return answer

    async def _decide(
        self,
        table: LiveTable,
        command: commands.Command,
        *,
        ref: str | None = None,
        known: int | None = None,
    ) -> None:
        for _ in range(TRIES):
            now_ms = max(await self.committer.now_ms(), table.at_ms)
            try:
                order = course.Order(command=command, now_ms=now_ms, known=known, ref=ref)
                step = course.advance(table.info, table.state, table.seed, order)
            except TimeIsUp:
                if not await self._expire(table):
                    continue
                if isinstance(command, commands.ClaimTime):
                    return
                raise
            if not step.entry.records or await self._commit(table, step):
                return
            if isinstance(command, commands.PlayerCommand) and ref in table.answers[command.by]:
                return
        raise Busy

    async def bring_back(self, match_id: UUID, side: Side) -> None:
        """A player whose presence was lost is here again; harmless when it is known or too late."""
        table = await self.table(match_id)
        if side not in table.state.away_since:
            return
        async with table.lock:
            try:
                await self._decide(table, commands.MarkReturned(side=side))
            except Refused:
                log.info("too late to come back", extra={"match": str(match_id)})

    async def _expire(self, table: LiveTable) -> bool:
        """The deadline has passed: whoever notices first writes it, once.

        False if it has not: an outage was given back, or the match has moved on.
        """
        await self.committer.run(downtime.give_back)
        await self._read_on(table)
        now_ms = max(await self.committer.now_ms(), table.at_ms)
        due = deadline(table.state)
        if due is None or due > now_ms:
            return False
        repeaters = await self.committer.run(lambda: course.repeaters(table.info))
        expire = await asyncio.to_thread(course.expiry, table.state, repeaters)
        order = course.Order(command=expire, now_ms=now_ms)
        step = course.advance(table.info, table.state, table.seed, order)
        written = await self._commit(table, step)
        if written:
            metrics.deadline_written(due, now_ms)
        return written

    async def _commit(self, table: LiveTable, step: course.Advance) -> bool:
        """True if written; False if somebody else was first, and the table has been read anew."""
        before = table.state
        if step.is_plain:
            conflict = await self.committer.write(step.entry)
        else:
            conflict = await self._write_alone(table, step)
        if conflict is not None:
            await self._read_on(table)
            return False
        if step.ends:
            table.late = step.state
        elif step.state.decided_at != before.decided_at:
            table.late = before
        table.state = step.state
        table.at_ms = step.entry.records[-1].at_ms
        table.wire += [protocol.wire_event(record) for record in step.entry.records]
        self._show(table, since=before.version)
        if step.ends:
            await self._tell_balances(table)
        return True

    async def _write_alone(self, table: LiveTable, step: course.Advance) -> store.Conflict | None:
        try:
            await self.committer.run(lambda: course.write(table.info, step))
        except store.Conflict as conflict:
            return conflict
        except Refused as refusal:
            if step.money is not course.Money.HOLD:
                raise
            await self._decide(table, commands.HoldFailed(reason=refusal.code))
            raise
        self.committer.hints.add(table.info.id, step.entry.head.version)
        return None

    # --- showing ------------------------------------------------------------------------------

    def _show(self, table: LiveTable, *, since: int) -> None:
        frames: dict[Side | None, str] = {}
        for socket in self.hub.sockets(table.info.id):
            if socket.side not in frames:
                frames[socket.side] = self._news(table, socket.side, since)
            if frames[socket.side]:
                socket.push(frames[socket.side])
        table.late_shown = table.late.version

    def _news(self, table: LiveTable, side: Side | None, since: int) -> str:
        state = self.seen_by(table, side)
        if state is not table.state:
            since = table.late_shown
        return "" if state.version <= since else self.frame(table, side, since=since)

    def frame(self, table: LiveTable, side: Side | None, *, since: int) -> str:
        """The events after `since` and the view after them, as this viewer may see them."""
        now_ms = self.committer.clock.now_ms()
        return self.shown(table, side).events_frame(side, table.wire, since=since, now_ms=now_ms)

    def shown(self, table: LiveTable, side: Side | None) -> protocol.Shown:
        """The state that this viewer may see, encoded once for all who see the same."""
        state = self.seen_by(table, side)
        if table.shown is None or table.shown.state is not state:
            table.shown = protocol.Shown(table.info, state)
        return table.shown

    def left_ms(self, match_id: UUID) -> dict[Side, int]:
        """How much longer each player may be away in this match, as far as it is in memory."""
        table = self._tables.get(match_id)
        if table is None or table.state.phase in FINISHED:
            return {}
        window = table.state.terms.window_ms
        return {side: max(0, window - table.state.away_ms[side]) for side in Side}

    async def balance_frame(self, table: LiveTable, user_id: int) -> str:
        """What a player has now, after the match."""
        currency = table.info.terms.currency
        amount = await self.committer.run_aside(lambda: stakes.purse(user_id, currency))
        rating = await self.committer.run_aside(lambda: standings.shown_rating(table.info, user_id))
        return protocol.text_of(
            {"kind": "balance", "amount": amount, "currency": currency, "rating": rating}
        )

    async def _tell_balances(self, table: LiveTable) -> None:
        for socket in self.hub.sockets(table.info.id):
            if socket.side is not None and socket.user_id is not None:
                socket.push(await self.balance_frame(table, socket.user_id))

    async def tell_rematch(self, match_id: UUID) -> None:
        """Who wants to play this match again, to everybody at its table."""
        sockets = self.hub.sockets(match_id)
        if not sockets:
            return
        frame = await self.committer.run_aside(lambda: rematch_frame(match_id))
        for socket in sockets:
            socket.push(frame)

    @staticmethod
    def seen_by(table: LiveTable, side: Side | None) -> MatchState:
        """Watchers of money games see the table one move late."""
        return table.late if side is None and table.info.terms.is_money else table.state

    def tell_figures(self) -> None:
        """How many tables are looked at and kept here, for the figures."""
        watched, sockets = self.hub.counts()
        metrics.tables(watched=watched, in_memory=len(self._tables), sockets=sockets)

    # --- life -----------------------------------------------------------------------------------

    def start(self) -> None:
        """Begins to listen to other processes; harmless when it already does."""
        if self._listener is None or self._listener.done():
            self._listener = asyncio.create_task(publish.listen(self._on_hints))

    async def _on_hints(self, hints: publish.Hints) -> None:
        for match_id, version in hints.versions:
            await self._caught_up(match_id, version)
        for match_id in hints.rematches:
            await self.tell_rematch(match_id)
        for match_id, line in hints.chat:
            if self.hub.sockets(match_id):
                frame = await self.committer.run_aside(partial(chat_frame, line))
                for socket in self.hub.sockets(match_id):
                    socket.push(frame)

    async def _caught_up(self, match_id: UUID, version: int) -> None:
        """One table's trouble is not the others'."""
        try:
            await self.catch_up(match_id, version)
        except Exception:
            log.exception("a table did not catch up", extra={"match": str(match_id)})

    async def poll(self, matches: tuple[UUID, ...]) -> None:
        """Makes good for lost hints: compares these matches, at which somebody here looks, with the log."""
        versions = await self.committer.run_aside(lambda: store.versions_of(matches))
        for match_id, version in versions.items():
            await self._caught_up(match_id, version)

    async def close(self) -> None:
        """Stops listening and closes the committer."""
        if self._listener is not None:
            self._listener.cancel()
            await asyncio.gather(self._listener, return_exceptions=True)
        await self.committer.close()


_tables: WeakKeyDictionary[asyncio.AbstractEventLoop, LiveTables] = WeakKeyDictionary()


def tables() -> LiveTables:
    """The tables of the running event loop."""
    loop = asyncio.get_running_loop()
    if loop not in _tables:
        _tables[loop] = LiveTables()
    return _tables[loop]
