"""Alarm clocks: what happens to matches without anybody asking."""

from uuid import UUID

from celery import shared_task

from games import abandonment, analyses, housebots, services

ENGINE_QUEUE = "engine"
ENGINE_SOFT_S = 60
ENGINE_HARD_S = 75
BOT_EXPIRES_S = 3.0


@shared_task(ignore_result=True)
def sweep_deadlines() -> int:
    """Lets every passed deadline take effect. Harmless to run twice, late, or side by side."""
    return services.sweep()


@shared_task(ignore_result=True)
def mark_lost() -> int:
    """Notes players whose lease of presence has run out."""
    return abandonment.mark_lost()


@shared_task(ignore_result=True)
def ask_for_verdicts() -> int:
    """Asks an engine about abandoned matches; asks again about those it has not answered."""
    waiting = abandonment.due_for_verdict()
    for match_id in waiting:
        adjudicate.apply_async((str(match_id),), queue=ENGINE_QUEUE)
    return len(waiting)


@shared_task(
    ignore_result=True,
    acks_late=True,
    soft_time_limit=ENGINE_SOFT_S,
    time_limit=ENGINE_HARD_S,
)
def adjudicate(match_id: str) -> bool:
    """One abandoned match. Settles it once, however often it runs."""
    return abandonment.adjudicate(UUID(match_id))


@shared_task(ignore_result=True)
def verify_finished_dice() -> int:
    """Proves the dice of every match that has ended since the last time."""
    return services.verify_dice()


@shared_task(ignore_result=True)
def ask_for_analyses() -> int:
    """Has the analyses worked on that somebody asked for; those that a dead worker held, too."""
    waiting = analyses.due()
    for match_id in waiting:
        analyse.apply_async((str(match_id),), queue=ENGINE_QUEUE)
    return len(waiting)


@shared_task(
    ignore_result=True,
    acks_late=True,
    soft_time_limit=ENGINE_SOFT_S,
    time_limit=ENGINE_HARD_S,
)
def analyse(match_id: str) -> bool:
    """Some seconds of one analysis; the rest of it is asked for again, after what waits meanwhile."""
    return analyses.work(UUID(match_id))


@shared_task(ignore_result=True)
def move_bots() -> int:
    """Has each house bot looked after whose match has gone on, and has bots play again with who asks them."""
    waiting = housebots.due()
    for match_id in waiting:
        play_for_house.apply_async((str(match_id),), expires=BOT_EXPIRES_S)
    housebots.want_rematches()
    return len(waiting)


@shared_task(ignore_result=True)
def play_for_house(match_id: str) -> bool:
    """One command of a house bot, if it has one to give."""
    return housebots.act(UUID(match_id))
