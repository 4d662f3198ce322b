"""Alarm clocks of the wallet."""

from celery import shared_task

from wallet import rounds


@shared_task(ignore_result=True)
def check_ledger() -> bool:
    """Proves the laws of the ledger and of all matches. Harmless to ask for too often."""
    return rounds.check()
