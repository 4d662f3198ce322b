"""The pages for machines."""

from collections.abc import Callable

import pytest
from django.test import Client

from nardysite import health

pytestmark = pytest.mark.embedded


def test_healthz_asks_nothing_of_the_services(client: Client) -> None:
    """Without the database mark, a query would fail the test."""
    assert client.get("/healthz").json() == {"alive": True}


@pytest.mark.django_db
def test_readyz_names_every_service(client: Client) -> None:
    answer = client.get("/readyz")
    assert answer.status_code == 200
    assert answer.json() == {
        "ready": True,
        "checks": {"database": True, "migrations": True, "cache": True, "channel_layer": True},
    }
    assert "no-store" in answer["Cache-Control"]


def _breaks() -> bool:
    raise ConnectionError


@pytest.mark.django_db
@pytest.mark.parametrize("broken", [_breaks, lambda: False])
def test_readyz_says_which_service_is_missing(
    client: Client, monkeypatch: pytest.MonkeyPatch, broken: Callable[[], bool]
) -> None:
    monkeypatch.setattr(health, "CHECKS", {**health.CHECKS, "cache": broken})
    answer = client.get("/readyz")
    assert answer.status_code == 503
    assert answer.json()["checks"]["cache"] is False


def test_they_are_read_only(client: Client) -> None:
    assert client.post("/healthz").status_code == 405
    assert client.post("/readyz").status_code == 405
