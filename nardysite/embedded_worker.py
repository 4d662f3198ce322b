"""Celery's worker and beat as threads of the server's process, for the embedded way."""

import logging
from threading import Thread
from typing import Any

from celery import Celery
from celery.beat import Scheduler, Service
from celery.worker import WorkController, state

PATIENCE_S = 5.0
_state: Any = state
_BeatService: Any = Service  # its stubs are older than it is


class EmbeddedWorker:
    """Runs tasks in this process until stopped; what was under way then is lost with the process.

    Nothing depends on more: deadlines live in the database, and the next start sweeps them.
    """

    def __init__(self, app: Celery, *, threads: int = 2) -> None:
        self._worker: Any = WorkController(
            app=app,
            hostname="embedded",
            pool_cls="threads",
            concurrency=threads,
            queues=["celery", "engine"],
            loglevel=logging.WARNING,
            without_heartbeat=True,
            without_mingle=True,
            without_gossip=True,
        )
        self._beat: Any = _BeatService(
            app, max_interval=1, scheduler_cls=Scheduler, remote_control=False
        )
        self._worker_thread = Thread(target=self._worker.start, name="worker", daemon=True)
        self._beat_thread = Thread(target=self._beat.start, name="beat", daemon=True)

    def start(self) -> None:
        self._worker_thread.start()
        self._beat_thread.start()

    def stop(self) -> None:
        """Waits a few seconds for both threads; they are daemons, so they cannot keep us here."""
        _state.should_stop = 0  # the exit code; the worker sees it with its next task
        self._worker_thread.join(PATIENCE_S)
        self._beat.stop()
        self._beat_thread.join(PATIENCE_S)
        _state.should_stop = None
