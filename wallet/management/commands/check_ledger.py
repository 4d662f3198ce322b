"""Proves that the money is where the ledger says: one row for each law, exit code 1 on a finding."""

import sys
from typing import Any

from django.core.management.base import BaseCommand

from wallet import reconcile
from wallet.reconcile import MOST_LINES, Outcome


class Command(BaseCommand):
    """Reads only, on one snapshot; safe beside a running site."""

    help = "Check the laws of the ledger and of everything that registered a check."

    def handle(self, *args: Any, **options: Any) -> None:
        """Prints the table, then each finding."""
        outcomes = reconcile.run()
        width = max(len(outcome.name) for outcome in outcomes)
        for outcome in outcomes:
            self.stdout.write(_row(outcome, width))
        found = [outcome for outcome in outcomes if outcome.findings]
        for outcome in found:
            self._list(outcome)
        if found:
            total = sum(len(outcome.findings) for outcome in found)
            self.stderr.write(self.style.ERROR(f"{total} findings in {len(found)} checks."))
            sys.exit(1)
        self.stdout.write(self.style.SUCCESS(f"{len(outcomes)} checks, nothing found."))

    def _list(self, outcome: Outcome) -> None:
        self.stderr.write(f"\n{outcome.name} - {outcome.law}")
        for line in outcome.findings[:MOST_LINES]:
            self.stderr.write(f"  {line}")
        if len(outcome.findings) > MOST_LINES:
            self.stderr.write(f"  and {len(outcome.findings) - MOST_LINES} more")


def _row(outcome: Outcome, width: int) -> str:
    verdict = f"{len(outcome.findings)} found" if outcome.findings else "ok"
    return f"{outcome.name:<{width}}  {verdict:<10} {outcome.took_ms:>6} ms  {outcome.law}"
