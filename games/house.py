"""House commands on a match straight from the database: for tasks, views and whoever has it not in memory.

Each is one transaction; the sockets hear of it from their own processes.
"""

import logging
from dataclasses import dataclass
from functools import partial
from uuid import UUID

from django.db import OperationalError, transaction

from accounts.errors import Refused
from games import course, metrics, publish, store
from games.dbclock import read_ms
from games.info import MatchInfo
from games.match import commands
from games.match.machine import deadline
from games.match.sides import Side
from games.match.state import MatchState

log = logging.getLogger(__name__)
TRIES = 5


def advance(match_id: UUID, command: commands.Command) -> bool:
    """A house command on a match: expire, void, credit. True if this call wrote it.

    Raises the machine's refusal. The sockets hear of it from their own processes.
    """
    for _ in range(TRIES):
        info, state, seed, _records = course.load(match_id)
        step = course.advance(info, state, seed, course.Order(command=command, now_ms=read_ms()))
        try:
            course.write(info, step)
        except store.Conflict:
            continue
        told = [(match_id, step.entry.head.version)]
        transaction.on_commit(partial(publish.hint_now, told))
        return True
    return False


@dataclass(frozen=True, slots=True)
class Swept:
    """How many passed deadlines were found, and how many of them this call has written."""

    found: int
    ended: int


def expire_due(at_once: int) -> Swept:
    """Lets the deadlines that have passed take effect, those passed longest first, in one transaction.

    Matches at which another process is doing the same are left to it. When one of them cannot be written, since
    somebody else wrote it at this moment or for whatever reason, each goes by itself.
    """
    due: list[UUID] = []
    try:
        with transaction.atomic():
            now_ms = read_ms()
            due = store.due_matches(now_ms, at_once)
            steps = _write_together(due, now_ms)
    except (
        OperationalError
    ):  # the database is away, or two waited in a ring: the next sweep comes soon
        raise
    except Exception as trouble:
        if not isinstance(trouble, store.Conflict):
            log.exception("deadlines go one by one")
        return Swept(len(due), sum(map(_expire_alone, due)))
    publish.hint_now([(one.info.id, step.entry.head.version) for one, step in steps])
    written_ms = read_ms()
    for one, _ in steps:
        metrics.deadline_written(deadline(one.state), written_ms)
    return Swept(len(due), len(steps))


def _write_together(due: list[UUID], now_ms: int) -> list[tuple[course.Loaded, course.Advance]]:
    found = course.load_all(due) if due else []
    steps = [(one, step) for one in found if (step := _expired(one, now_ms)) is not None]
    if steps:
        course.write_all([(one.info, step) for one, step in steps])
    return steps


def _expire_alone(match_id: UUID) -> bool:
    try:
        return expire(match_id)
    except Exception:
        log.exception("a deadline failed", extra={"match": str(match_id)})
        return False


def _expired(one: course.Loaded, now_ms: int) -> course.Advance | None:
    """None if it is not due after all, or cannot be decided: one match's trouble is not the others'."""
    due = deadline(one.state)
    if due is None or due > now_ms:
        return None
    try:
        command = course.expiry(one.state, _repeaters(one.info, one.state))
        return course.advance(one.info, one.state, one.seed, course.Order(command, now_ms))
    except Refused:
        return None
    except Exception:
        log.exception("a deadline failed", extra={"match": str(one.info.id)})
        return None


def _repeaters(info: MatchInfo, state: MatchState) -> frozenset[Side]:
    """Only of somebody who is away it matters."""
    return course.repeaters(info) if state.away_since else frozenset()


def expire(match_id: UUID) -> bool:
    """Lets a passed deadline take effect, once. False if the match has moved on since."""
    info, state, _seed, _records = course.load(match_id)
    due = deadline(state)
    if due is None or due > read_ms():
        return False
    try:
        written = advance(match_id, course.expiry(state, _repeaters(info, state)))
    except Refused:
        return False
    if written:
        metrics.deadline_written(due, read_ms())
    return written
