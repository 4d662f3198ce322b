"""Fixtures that tests of several apps share."""

import os
from collections.abc import Generator, Iterator
from pathlib import Path
from urllib.parse import urlsplit, urlunsplit

import psycopg
import pytest
import pytest_django
from django.db import connection
from hypothesis import HealthCheck, settings
from psycopg import sql

from tests.run.services import Redis
from tests.run.site import Site

# How long an example takes says something of the machine, nothing of the site.
settings.register_profile(
    "site", settings(), deadline=None, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("site")


@pytest.fixture(scope="session")
def django_db_setup(
    django_db_setup: None, django_db_blocker: pytest_django.DjangoDbBlocker
) -> Iterator[None]:
    """The test database can be dropped at the end, whatever an event loop's thread left open.

    Such a thread ends with the process, too late for the drop to wait for it.
    """
    yield
    with django_db_blocker.unblock():
        if connection.vendor == "postgresql":
            with connection.cursor() as cursor:
                cursor.execute(
                    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
                    " WHERE datname = current_database() AND pid <> pg_backend_pid()"
                )
            connection.close()


@pytest.fixture(scope="session")
def _site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """One site for the whole run: starting it takes seconds."""
    database = f"nardy_site_{os.getpid()}"
    redis = Redis()
    redis.start()
    _on_server("CREATE DATABASE {}", database)
    site = Site(
        database_url=_database_url(database),
        redis_url=redis.url,
        folder=Path(tmp_path_factory.mktemp("site")),
    )
    try:
        site.start()
        yield site
    finally:
        site.stop()
        redis.stop()
        _on_server("DROP DATABASE {} WITH (FORCE)", database)


@pytest.fixture
def live_processes(_site: Site) -> Site:
    """The site, running, with free dice; whatever an earlier test killed is started again.

    Its database is its own and keeps what earlier tests did: make players with names of your own.
    """
    _site.set_dice([])
    _site.ensure_running()
    return _site


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[None]
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """A failed journey shows what the site's processes said last."""
    report = yield
    site = getattr(item, "funcargs", {}).get("live_processes")
    if report.failed and isinstance(site, Site):
        report.sections.append(("the site's processes", site.logs()))
    return report


def _database_url(name: str) -> str:
    return urlunsplit(urlsplit(os.environ["DATABASE_URL"])._replace(path=f"/{name}"))


def _on_server(statement: str, database: str) -> None:
    with psycopg.connect(_database_url("postgres"), autocommit=True) as connection:
        connection.execute(sql.SQL(statement).format(sql.Identifier(database)))
