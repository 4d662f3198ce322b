"""Alarm clocks: what happens to matches without anybody asking."""

from celery import shared_task

from games import services


@shared_task(ignore_result=True)
def sweep_deadlines() -> int:
    """Lets every passed deadline take effect. Harmless to run twice, late, or side by side."""
    return services.sweep()
