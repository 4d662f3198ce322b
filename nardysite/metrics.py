"""Figures for Prometheus: served on a port of their own, away from the port that visitors reach.

Every process tells its own; what is true of the whole site is asked of the database and the queue by
whichever process was told to (the beats, which have little else to do).
"""

import logging
import os
from collections.abc import Callable, Iterable, Iterator
from time import perf_counter
from typing import Any

from celery import Celery
from django.conf import settings
from django.db import connection
from prometheus_client import REGISTRY, CollectorRegistry, Counter, Histogram, exposition
from prometheus_client.core import GaugeMetricFamily
from prometheus_client.multiprocess import MultiProcessCollector
from prometheus_client.registry import Collector

log = logging.getLogger(__name__)
MS = 1000

TASKS = Counter("nardy_tasks", "Tasks that were run, by how they ended.", ["task", "state"])
TASK_SECONDS = Histogram(
    "nardy_task_seconds",
    "How long tasks took.",
    ["task"],
    buckets=(0.005, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 2, 5, 10, 20, 45),
)
_began: dict[str, float] = {}


def serve() -> None:
    """Serves /metrics where METRICS_HOST and METRICS_PORT say; does nothing without a port.

    A command that is run with the environment of a process whose port is taken goes without.
    """
    if not settings.METRICS_PORT:
        return
    try:
        exposition.start_http_server(
            settings.METRICS_PORT, settings.METRICS_HOST, registry=_registry()
        )
    except OSError as error:
        log.warning("figures are not served: %s", error.strerror)


def _registry() -> CollectorRegistry:
    """That of this process; of all its child processes where they leave their figures in a folder."""
    if "PROMETHEUS_MULTIPROC_DIR" not in os.environ:
        return REGISTRY
    registry = CollectorRegistry()
    MultiProcessCollector(registry)  # type: ignore[no-untyped-call]
    return registry


def task_begins(task_id: str, **_: Any) -> None:
    """Celery's signal task_prerun."""
    _began[task_id] = perf_counter()


def task_ends(task_id: str, task: Any, state: str | None, **_: Any) -> None:
    """Celery's signal task_postrun."""
    TASKS.labels(task.name, state or "LOST").inc()
    if task_id in _began:
        TASK_SECONDS.labels(task.name).observe(perf_counter() - _began.pop(task_id))


class WholeSite(Collector):
    """Asked anew by each scrape. What cannot be had now is left out, which its alert notices."""

    def __init__(self, app: Celery) -> None:
        self._app = app

    def describe(self) -> Iterable[GaugeMetricFamily]:
        """Nothing beforehand: registering must not ask the services."""
        return ()

    def collect(self) -> Iterator[GaugeMetricFamily]:
        """Matches, overdue deadlines, queues, the checker's last round."""
        try:
            for part in (self._matches, self._queues, self._ledger, self._switches):
                yield from _what_can_be_had(part)
        finally:
            if not connection.in_atomic_block:
                connection.close()  # each scrape has a thread of its own, which ends with it

    def _matches(self) -> Iterator[GaugeMetricFamily]:
        from games import selectors

        pending = selectors.pending()
        yield GaugeMetricFamily(
            "nardy_running_matches", "Matches that have not ended.", pending.running
        )
        yield GaugeMetricFamily(
            "nardy_deadline_overdue_seconds",
            "Age of the oldest deadline that has passed and not taken effect.",
            pending.overdue_ms / MS,
        )

    def _queues(self) -> Iterator[GaugeMetricFamily]:
        lengths = GaugeMetricFamily(
            "nardy_queue_length", "Tasks that wait for a worker.", labels=["queue"]
        )
        with self._app.connection_for_read() as broker:
            broker.ensure_connection(max_retries=1, interval_start=0)
            for queue in settings.CELERY_TASK_QUEUES:
                lengths.add_metric([queue.name], _length(broker, queue.name))
        yield lengths

    def _ledger(self) -> Iterator[GaugeMetricFamily]:
        from wallet import rounds

        last = rounds.latest()
        if last is None:
            return
        found = GaugeMetricFamily(
            "nardy_ledger_findings", "What the checker found in its last round.", labels=["check"]
        )
        for check, count in last.findings.items():
            found.add_metric([check], count)
        yield found
        yield GaugeMetricFamily(
            "nardy_ledger_checked_timestamp_seconds", "When that round began.", last.at
        )

    def _switches(self) -> Iterator[GaugeMetricFamily]:
        from accounts import switches

        stopped = GaugeMetricFamily(
            "nardy_stopped", "What is stopped on the whole site: 1 while it is.", labels=["what"]
        )
        for name in switches.Name:
            stopped.add_metric([name.value], int(switches.is_on(name)))
        yield stopped


def _what_can_be_had(
    part: Callable[[], Iterator[GaugeMetricFamily]],
) -> list[GaugeMetricFamily]:
    # Whatever a driver throws, the rest of the figures are still wanted.
    try:
        return list(part())
    except Exception as error:  # noqa: BLE001
        log.warning("figures are missing: %s", type(error).__name__)
        return []


def _length(broker: Any, queue: str) -> int:
    try:
        return int(broker.default_channel.queue_declare(queue, passive=True).message_count)
    except broker.channel_errors:  # an empty queue does not exist
        return 0
