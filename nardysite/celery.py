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


@signals.celeryd_after_setup.connect
def _read_the_engine(instance: Any, **_: Any) -> None:
    """The first player whose time is out shall not wait until the engine has been read from the disk."""
    if (
        instance.pool_cls.__module__ != "celery.concurrency.thread"
    ):  # children read it for themselves
        return
    from games.engine.backgammon import likeliest_loss
    from games.rules.backgammon import BACKGAMMON

    likeliest_loss(BACKGAMMON.start, loser_on_roll=True)


signals.task_prerun.connect(metrics.task_begins)
signals.task_postrun.connect(metrics.task_ends)
