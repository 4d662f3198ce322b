"""Timers of the lobby: alarm clocks that call one service."""

from celery import shared_task

from rooms import services


@shared_task
def sweep_offers() -> None:
    """Closes the open tables whose creators have gone."""
    services.expire_abandoned()
