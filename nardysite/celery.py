"""The Celery application; tasks live in each app's tasks.py."""

import os
from typing import Any

from celery import Celery, signals
from prometheus_client import REGISTRY

from nardysite import metrics

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "nardysite.settings.dev")
app = Celery("nardysite")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()


@signals.beat_init.connect
def _tell_of_the_whole_site(**_: Any) -> None:
    REGISTRY.register(metrics.WholeSite(app))


signals.task_prerun.connect(metrics.task_begins)
signals.task_postrun.connect(metrics.task_ends)
