"""The checker's rounds: runs all laws, logs what it finds, and remembers the outcome for the figures."""

import logging
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.core.cache import cache
from django.utils import timezone

from wallet import payouts, reconcile
from wallet.models import CheckRun
from wallet.reconcile import Outcome

log = logging.getLogger(__name__)
TURN = "ledger-round"
LATEST = "ledger-round-latest"
KEPT = timedelta(days=3)
PAUSE_S = 50
"""Between two rounds, whoever asks for them and however often."""


@dataclass(frozen=True, slots=True)
class Round:
    """When a round began, seconds since the epoch, and how many findings each check had."""

    at: float
    findings: dict[str, int]


def check() -> bool:
    """One round, unless there was one just now. Whether all is well."""
    if not cache.add(TURN, True, PAUSE_S):  # noqa: FBT003  the cache's own order
        return True
    at = timezone.now()
    began = at.timestamp()
    outcomes = reconcile.run()
    for outcome in outcomes:
        for line in outcome.findings[: reconcile.MOST_LINES]:
            log.error("the checker found: %s: %s", outcome.name, line)
    counts = {outcome.name: len(outcome.findings) for outcome in outcomes}
    found = [f"{name} ({count})" for name, count in counts.items() if count]
    if found:
        payouts.freeze(f"the checker found: {', '.join(found)}")
    _keep(at, outcomes)
    cache.set(LATEST, {"at": began, "findings": counts}, timeout=None)
    return not any(counts.values())


def _keep(at: datetime, outcomes: Sequence[Outcome]) -> None:
    """For the admin's page; rounds that found nothing are let go after a while."""
    CheckRun.objects.create(
        at=at,
        took_ms=sum(outcome.took_ms for outcome in outcomes),
        found=sum(len(outcome.findings) for outcome in outcomes),
        outcomes=[
            {
                "name": outcome.name,
                "law": outcome.law,
                "found": len(outcome.findings),
                "took_ms": outcome.took_ms,
                "lines": list(outcome.findings[: reconcile.MOST_LINES]),
            }
            for outcome in outcomes
        ],
    )
    CheckRun.objects.filter(found=0, at__lt=at - KEPT).delete()


def latest() -> Round | None:
    """The last round that was finished, None if it is not known."""
    kept = cache.get(LATEST)
    return None if kept is None else Round(**kept)
