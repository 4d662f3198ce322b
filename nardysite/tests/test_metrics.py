"""The figures: served on a port of their own, and of the whole site."""

import socket
import urllib.request
from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

import pytest
from celery import Celery
from django.conf import settings as site
from prometheus_client import REGISTRY, CollectorRegistry, exposition

from games import metrics as play
from nardysite import metrics
from wallet import rounds


@pytest.fixture
def port(settings: Any, monkeypatch: pytest.MonkeyPatch) -> Iterator[int]:
    """Where they are served during the test."""
    servers: list[Any] = []
    start = exposition.start_http_server

    def remembered(*arguments: Any, **named: Any) -> None:
        servers.append(start(*arguments, **named))

    monkeypatch.setattr(exposition, "start_http_server", remembered)
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        settings.METRICS_PORT = probe.getsockname()[1]
    yield settings.METRICS_PORT
    for server, thread in servers:
        server.shutdown()
        server.server_close()
        thread.join()


def test_a_process_tells_its_figures(port: int) -> None:
    with play.command("Try"):
        pass
    metrics.serve()
    with urllib.request.urlopen(f"http://127.0.0.1:{port}/metrics", timeout=10) as answer:
        told = answer.read().decode()
    assert "nardy_commands_total" in told
    assert "python_gc_objects_collected_total" in told


def test_a_command_beside_the_process_goes_without(
    port: int, caplog: pytest.LogCaptureFixture
) -> None:
    metrics.serve()
    metrics.serve()
    assert "figures are not served" in caplog.text


def test_nobody_is_told_without_a_port(settings: Any) -> None:
    settings.METRICS_PORT = 0
    metrics.serve()


def test_tasks_are_counted_by_their_end() -> None:
    task = SimpleNamespace(name="tried")
    before = _value("nardy_tasks_total", task=task.name, state="SUCCESS")
    metrics.task_begins(task_id="one")
    metrics.task_ends(task_id="one", task=task, state="SUCCESS")
    metrics.task_ends(task_id="never begun", task=task, state="SUCCESS")
    assert _value("nardy_tasks_total", task=task.name, state="SUCCESS") == before + 2
    assert _value("nardy_task_seconds_count", task=task.name) >= 1


@pytest.mark.django_db
def test_the_whole_site_is_asked_anew() -> None:
    rounds.check()
    registry = CollectorRegistry()
    app = Celery("asks", broker=site.CELERY_BROKER_URL, set_as_current=False)
    registry.register(metrics.WholeSite(app))
    names = {family.name for family in registry.collect()}
    assert {"nardy_running_matches", "nardy_deadline_overdue_seconds"} <= names
    assert {"nardy_queue_length", "nardy_ledger_findings"} <= names
    assert registry.get_sample_value("nardy_queue_length", {"queue": "engine"}) == 0
    assert registry.get_sample_value("nardy_running_matches") == 0


def test_what_cannot_be_had_is_left_out(caplog: pytest.LogCaptureFixture) -> None:
    def broken() -> Iterator[Any]:
        yield from ()
        raise ConnectionError

    assert metrics._what_can_be_had(broken) == []
    assert "figures are missing: ConnectionError" in caplog.text


def _value(name: str, **labels: str) -> float:
    return REGISTRY.get_sample_value(name, labels) or 0
