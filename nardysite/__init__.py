"""The site: wiring of the apps, no behaviour of its own."""

from nardysite.celery import app as celery_app

__all__ = ["celery_app"]
