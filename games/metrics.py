"""The figures of play in this process: commands, commits, deadlines, tables. Counts only; nothing is decided by them."""

from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from time import perf_counter

from prometheus_client import Counter, Gauge, Histogram

from accounts.errors import Refused

MS = 1000

COMMANDS = Counter(
    "nardy_commands",
    "Players' commands by name and how they were answered: done, or the refusal's code.",
    ["command", "result"],
)
COMMAND_SECONDS = Histogram(
    "nardy_command_seconds",
    "From a command's arrival until it is committed or refused.",
    buckets=(0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5),
)
COMMIT_SECONDS = Histogram(
    "nardy_commit_seconds",
    "One group commit, waiting for the committer's thread included.",
    buckets=(0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5),
)
GROUP_SIZE = Histogram(
    "nardy_commit_group_size",
    "Commands that were committed together.",
    buckets=(1, 2, 4, 8, 16, 32, 64, 128, 256),
)
DEADLINE_LAG = Histogram(
    "nardy_deadline_lag_seconds",
    "How long after a deadline its effect was written.",
    buckets=(0.1, 0.25, 0.5, 0.75, 1, 1.5, 2, 3, 5, 10, 30, 60),
)
LIVE_TABLES = Gauge("nardy_live_tables", "Tables that somebody looks at through this process.")
TABLES_IN_MEMORY = Gauge("nardy_tables_in_memory", "Tables that this process keeps.")
SOCKETS = Gauge("nardy_table_sockets", "Open sockets of tables.")


@contextmanager
def command(name: str) -> Iterator[None]:
    """Times what is done inside, and counts it by its outcome."""
    began = perf_counter()
    result = "gone"  # whoever asked did not wait
    try:
        yield
        result = "done"
    except Refused as refusal:
        result = refusal.code
        raise
    except Exception:
        result = "failed"
        raise
    finally:
        _counter(name, result).inc()
        COMMAND_SECONDS.observe(perf_counter() - began)


@cache
def _counter(name: str, result: str) -> Counter:
    return COMMANDS.labels(name, result)


@contextmanager
def commit(size: int) -> Iterator[None]:
    """Times a group commit of so many commands."""
    GROUP_SIZE.observe(size)
    with COMMIT_SECONDS.time():
        yield


def deadline_written(due_ms: int | None, now_ms: int) -> None:
    """A deadline has taken effect."""
    if due_ms is not None:
        DEADLINE_LAG.observe(max(0, now_ms - due_ms) / MS)


def tables(*, watched: int, in_memory: int, sockets: int) -> None:
    """How much is going on here now."""
    LIVE_TABLES.set(watched)
    TABLES_IN_MEMORY.set(in_memory)
    SOCKETS.set(sockets)
