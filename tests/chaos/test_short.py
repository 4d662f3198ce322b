"""Rows of the table of faults in a short form, with a new seed each time, on one site.

Times are only told here: how long a machine takes that does other things as well is nobody's promise.
"""

import secrets
from collections.abc import Iterator

import pytest

from tests.chaos.report import Report
from tests.chaos.rows import ROWS
from tests.run.cluster import Cluster

pytestmark = pytest.mark.chaos
ENVIRONMENT = {"DJANGO_SETTINGS_MODULE": "tests.chaos.settings"}
EVERY_TIME = ("bank", "purse", "deadlines", "twice")
"""The others take minutes even in short: `make chaos ONLY=… ` runs them."""


@pytest.fixture(scope="module")
def site() -> Iterator[Cluster]:
    with Cluster(**ENVIRONMENT, CHAOS_FAULTS="quick_verdicts") as cluster:
        yield cluster


def _run(name: str, cluster: Cluster) -> None:
    report = Report(name, secrets.randbelow(10**6), is_short=True)
    cluster.restarts.clear()
    cluster.settle()
    ROWS[name].run(report, ROWS[name].SHORT, cluster)
    assert report.broken == [], f"seed {report.seed}\n{report.table()}"


@pytest.mark.parametrize("name", EVERY_TIME)
def test_it_holds(name: str, site: Cluster) -> None:
    _run(name, site)
