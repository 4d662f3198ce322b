"""Timers of accounts: alarm clocks that call one service each."""

from celery import shared_task

from accounts import whereabouts
from accounts.moderation import closing


@shared_task
def recheck_places() -> None:
    """Looks up again where everybody is who was here lately."""
    whereabouts.recheck()


@shared_task
def settle_closures() -> None:
    """Takes up closed accounts of which something was left to do."""
    closing.finish_all()
