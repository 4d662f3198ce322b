"""Alarm clocks: what happens to matches without anybody asking."""

from celery import shared_task

from games import services


@shared_task(ignore_result=True)
def sweep_deadlines() -> int:
    """Lets every passed deadline take effect. Harmless to run twice, late, or side by side."""
    return services.sweep()


@shared_task(ignore_result=True)
def verify_finished_dice() -> int:
    """Proves the dice of every match that has ended since the last time."""
    return services.verify_dice()
