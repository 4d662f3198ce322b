"""One cluster for all tests of this package; a test finds everything running, whatever an earlier one killed."""

from collections.abc import Iterator

import pytest

from tests.run.cluster import Cluster


@pytest.fixture(scope="package")
def _cluster() -> Iterator[Cluster]:
    with Cluster() as cluster:
        yield cluster


@pytest.fixture
def cluster(_cluster: Cluster) -> Cluster:
    """The cluster, settled. Its database is its own and keeps what earlier tests did."""
    _cluster.settle()
    return _cluster
