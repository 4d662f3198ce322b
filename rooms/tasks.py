"""Timers of the lobby: alarm clocks that call one service."""

from celery import shared_task

from rooms import draws, services


@shared_task
def sweep_offers() -> None:
    """Closes the open tables whose creators have gone."""
    services.expire_abandoned()


@shared_task
def draw_pairs() -> None:
    """Pairs those who wait for the same in an anonymous room."""
    draws.pair_waiting()
