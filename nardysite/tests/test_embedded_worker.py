"""The worker and beat of the embedded way, in this very process."""

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from asgiref.sync import async_to_sync
from celery import Celery

from nardysite.embedded_worker import EmbeddedWorker
from nardysite.local_layer import LocalLayer

pytestmark = pytest.mark.embedded


@contextmanager
def _running(app: Celery) -> Iterator[None]:
    worker = EmbeddedWorker(app)
    worker.start()
    try:
        yield
    finally:
        worker.stop()


async def test_a_timed_task_reaches_a_socket_that_waits_in_the_event_loop() -> None:
    layer = LocalLayer()
    app = Celery("trial", broker="memory://", set_as_current=False)
    app.conf.broker_transport_options = {"polling_interval": 0.05}
    app.conf.beat_schedule = {"often": {"task": "trial.tell", "schedule": 0.1}}

    @app.task(name="trial.tell", ignore_result=True)
    def tell() -> None:
        async_to_sync(layer.group_send)("table", {"type": "hint"})

    await layer.group_add("table", "socket")
    with _running(app):
        received = [await asyncio.wait_for(layer.receive("socket"), 30) for _ in range(3)]
    assert received == [{"type": "hint"}] * 3
