"""Analyses of finished matches: who may ask for one, working it out in slices, what it says.

An analysis is one row that any number of workers may find: one takes it up, works for some seconds, writes
down how far it came, and lets go, so that an abandoned match never waits behind one. What a dead worker had
not written is worked out again.
"""

import logging
import time
from collections.abc import Sequence
from datetime import timedelta
from typing import Any, Final
from uuid import UUID

from django.db import IntegrityError, connection, transaction
from django.db.models import F, Q, Sum
from django.db.models.functions import Now

from accounts.models import User
from games.anonymity import DARK_COLUMN
from games.engine.analysis import PPM, PR_FACTOR, totals
from games.engine.analysts import ANALYSTS
from games.engine.decisions import SEATS, Decision, decisions_in
from games.errors import FinishYourMatchFirst, NotAnalysable, NothingWasPlayed, NotYourMatch
from games.finished import Finished, finished
from games.match.sides import SIDES, Side
from games.models import Analysis, Seat

log = logging.getLogger(__name__)

SLICE_S: Final = 6.0
WRITE_S: Final = 1.5
ASK_AGAIN: Final = timedelta(seconds=30)
MOST_TRIES: Final = 200
AT_ONCE: Final = 20
AVERAGED: Final = 100
"""An average is over so many of a player's last analysed matches."""


def request(match_id: UUID, *, user: User) -> Analysis:
    """Asks for an analysis; a second time gives the same one.

    Raises NotYourMatch (also where there is no such match), MatchStillRunning, FinishYourMatchFirst, NothingWasPlayed or
    NotAnalysable.
    """
    match = _own(match_id, user)
    if Seat.objects.filter(user=user, active=True, match__started_at__isnull=False).exists():
        raise FinishYourMatchFirst
    if (known := Analysis.objects.filter(match_id=match_id).first()) is not None:
        return known
    analyst = ANALYSTS.get(match.info.terms.variant)
    if analyst is None:
        raise NotAnalysable
    total = len(_decisions(match))
    if not total:
        raise NothingWasPlayed
    try:
        with transaction.atomic():
            return Analysis.objects.create(
                match_id=match_id, asked_by=user, total=total, engine=analyst.name()
            )
    except IntegrityError:
        return Analysis.objects.get(match_id=match_id)


def of_match(match_id: UUID) -> dict[str, Any] | None:
    """How far it is, and all of it once it is done; None if nobody has asked for it."""
    found = Analysis.objects.filter(match_id=match_id).first()
    if found is None:
        return None
    shown: dict[str, Any] = {
        "done": found.done,
        "total": found.total,
        "finished": found.finished,
        "failed": bool(found.trouble) and found.tries >= MOST_TRIES,
        "engine": found.engine,
    }
    if found.finished:
        shown["records"] = found.records
        shown["players"] = {side.value: _player(found.records, side) for side in SIDES}
    return shown


def due() -> list[UUID]:
    """Analyses that nobody works on now; from this moment somebody is asked to."""
    idle = Q(touched_at__isnull=True) | Q(touched_at__lt=Now() - ASK_AGAIN)
    with transaction.atomic():
        waiting = Analysis.objects.filter(idle, finished=False, tries__lt=MOST_TRIES)
        if connection.features.has_select_for_update_skip_locked:
            waiting = waiting.select_for_update(skip_locked=True)
        found = list(waiting.order_by("asked_at").values_list("match_id", flat=True)[:AT_ONCE])
        Analysis.objects.filter(match_id__in=found).update(touched_at=Now(), tries=F("tries") + 1)
    return found


def work(match_id: UUID, *, slice_s: float = SLICE_S) -> bool:
    """Works on an analysis for some seconds. True once it is finished. Slow."""
    row = Analysis.objects.filter(match_id=match_id, finished=False).first()
    if row is None:
        return True
    try:
        return _work_on(row, _decisions(finished(match_id)), time.monotonic() + slice_s)
    except Exception as trouble:
        Analysis.objects.filter(match_id=match_id).update(trouble=repr(trouble)[:2000])
        raise


def _work_on(row: Analysis, decisions: Sequence[Decision], until: float) -> bool:
    """Loses nothing to another worker on the same row: who writes a stretch first has it."""
    judged = ANALYSTS[row.match.variant].judged
    while row.done < row.total:
        write_at = min(until, time.monotonic() + WRITE_S)
        done, fresh = row.done, list[dict[str, Any]]()
        while done < row.total and (done == row.done or time.monotonic() < write_at):
            fresh += [each.record() for each in judged(decisions[done])]
            done += 1
        if not _write(row, done, fresh):
            return False
        if time.monotonic() >= until:
            break
    if row.done < row.total:
        Analysis.objects.filter(match_id=row.match_id, done=row.done).update(touched_at=None)
    return row.done >= row.total


def _write(row: Analysis, done: int, fresh: list[dict[str, Any]]) -> bool:
    """One stretch. False if somebody else was faster."""
    records = [*row.records, *fresh]
    sums: dict[str, Any] = {}
    if done >= row.total:
        sums = {"finished": True, "trouble": ""}
        for side in SIDES:
            found = totals(records, SEATS[side])
            sums |= {
                f"{side.value}_decisions": found.decisions,
                f"{side.value}_lost": found.lost,
                f"{side.value}_luck": found.luck,
            }
    written = Analysis.objects.filter(match_id=row.match_id, done=row.done, finished=False).update(
        done=done, records=records, touched_at=Now(), tries=0, **sums
    )
    row.done, row.records = done, records
    return bool(written)


def averages(user_id: int) -> list[dict[str, Any]]:
    """A player's error rate and luck by game, over their last analysed matches.

    Each: `variant`, `matches`, `pr_milli` (equity lost for each decision times 500, in thousandths) and
    `luck_milli` (equity for a match, in thousandths).
    """
    return [found for variant in ANALYSTS if (found := _average(user_id, variant)) is not None]


def _average(user_id: int, variant: str) -> dict[str, Any] | None:
    mine = Analysis.objects.filter(finished=True, match__variant=variant)
    mine = mine.exclude(
        match__column=DARK_COLUMN
    )  # where nobody has a name, nothing is told of anybody
    matches = decisions = lost = luck = 0
    for side in SIDES:
        last = mine.filter(match__seats__user_id=user_id, match__seats__side=side.value).order_by(
            "-match__finished_at"
        )[:AVERAGED]
        sums = Analysis.objects.filter(pk__in=list(last.values_list("pk", flat=True))).aggregate(
            decisions=Sum(f"{side.value}_decisions"),
            lost=Sum(f"{side.value}_lost"),
            luck=Sum(f"{side.value}_luck"),
        )
        matches += len(last)
        decisions += sums["decisions"] or 0
        lost += sums["lost"] or 0
        luck += sums["luck"] or 0
    if not decisions:
        return None
    return {
        "variant": variant,
        "matches": matches,
        "pr_milli": round(lost * PR_FACTOR / decisions / (PPM // 1000)),
        "luck_milli": round(luck / matches / (PPM // 1000)),
    }


def _player(records: list[dict[str, Any]], side: Side) -> dict[str, Any]:
    found = totals(records, SEATS[side])
    return {
        "decisions": found.decisions,
        "pr_milli": found.pr_milli,
        "lost": found.lost,
        "luck": found.luck,
        "marks": found.marks,
    }


def _own(match_id: UUID, user: User) -> Finished:
    """A finished match of this player. Raises NotYourMatch or MatchStillRunning."""
    if not Seat.objects.filter(match_id=match_id, user=user).exists():
        raise NotYourMatch
    return finished(match_id)


def _decisions(match: Finished) -> list[Decision]:
    return decisions_in((step.record.version, step.event, step.state) for step in match.steps())
