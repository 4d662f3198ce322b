"""The tests themselves: a site without the check of versions, and one without the keys, must be caught by them."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from tests.chaos import bank, twice
from tests.chaos.eye import once
from tests.chaos.report import Report
from tests.run.cluster import Cluster

ENVIRONMENT = {"DJANGO_SETTINGS_MODULE": "tests.chaos.settings"}
WEB = ("web1", "web2")
NUMBER_ONCE = "ALTER TABLE games_matchevent DROP CONSTRAINT games_event_number"
KEY_ONCE = "ALTER TABLE wallet_transfer DROP CONSTRAINT wallet_key_once"


@dataclass(frozen=True, slots=True)
class Size:
    """What is run against each mutant."""

    bank: bank.Size
    twice: twice.Size


FULL = Size(
    bank=bank.Size(seconds=8, accounts=40, tellers=4, crashes=0),
    twice=twice.Size(tables=4, turns=20),
)
SHORT = Size(
    bank=bank.Size(seconds=3, accounts=20, tellers=2, crashes=0),
    twice=twice.Size(tables=2, turns=6),
)


def run(report: Report, size: Size, cluster: Cluster) -> None:
    """The sound site first, which must not be found guilty of anything; then each mutant."""
    sound = _against(report, "sound", lambda inner: twice.run(inner, size.twice, cluster))
    report.none("found of the sound site", sound)
    _mutate(cluster, "no_message_id")
    found = _against(report, "no message ids", lambda inner: twice.run(inner, size.twice, cluster))
    _caught(report, "the idempotency key of a command", found)
    once(cluster.postgres.url, KEY_ONCE)  # from here on its database is spoilt
    found = _against(report, "no transfer keys", lambda inner: bank.run(inner, size.bank, cluster))
    _caught(report, "the idempotency key of a transfer", found)
    once(cluster.postgres.url, NUMBER_ONCE)
    _mutate(cluster, "no_version")
    found = _against(report, "no versions", lambda inner: twice.run(inner, size.twice, cluster))
    _caught(report, "the check of the version", found)


def _mutate(cluster: Cluster, fault: str) -> None:
    for name in WEB:
        cluster.roles[name].environment["CHAOS_FAULTS"] = fault
    cluster.kill(*WEB)
    cluster.settle()


def _against(report: Report, name: str, row: Callable[[Report], Any]) -> list[str]:
    """What the row finds, told aside: here it is wanted."""
    inner = Report(name, report.seed, tell=lambda _: None, is_short=report.is_short)
    try:
        row(inner)
    except Exception as failure:  # noqa: BLE001  a mutant may fail in any way
        return [*inner.broken, repr(failure)]
    return inner.broken


def _caught(report: Report, what: str, found: list[str]) -> None:
    report.progress(f"without {what}: {'; '.join(found) or 'nothing found'}")
    report.must(f"without {what}, found", len(found), "> 0", holds=bool(found))
