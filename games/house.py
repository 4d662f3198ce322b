"""House commands on a match straight from the database: for tasks, views and whoever has it not in memory.

Each is one transaction; the sockets hear of it from their own processes.
"""

from functools import partial
from uuid import UUID

from django.db import transaction

from accounts.errors import Refused
from games import course, metrics, publish, store
from games.dbclock import read_ms
from games.match import commands
from games.match.machine import deadline

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


def expire(match_id: UUID) -> bool:
    """Lets a passed deadline take effect, once. False if the match has moved on since."""
    info, state, _seed, _records = course.load(match_id)
    due = deadline(state)
    if due is None or due > read_ms():
        return False
    try:
        written = advance(match_id, course.expiry(state, course.repeaters(info)))
    except Refused:
        return False
    if written:
        metrics.deadline_written(due, read_ms())
    return written
