"""Players who are gone: leases that ran out, and abandoned matches on their way to a verdict.

The match machine decides what an absence means; here the database is asked who is away, and an engine
is asked for its opinion. Any number of processes may do all of it at once.
"""

import logging
from datetime import timedelta
from uuid import UUID

from django.db import connection, transaction
from django.db.models import F, Q
from django.db.models.functions import Now

from accounts.errors import Refused
from games import course, house
from games.engine import verdicts
from games.match import commands
from games.match.sides import Side
from games.match.state import MatchState, Phase
from games.models import Adjudication, Seat
from games.presence import LEASE_S, MS

log = logging.getLogger(__name__)
AT_ONCE = 200
ASK_AGAIN = timedelta(seconds=30)


def mark_lost() -> int:
    """Every seat of a running match whose lease ran out. Answers how many were marked by this call."""
    gone = (
        Seat.objects.filter(active=True, away=False, match__started_at__isnull=False)
        .filter(seen_at__lt=Now() - timedelta(seconds=LEASE_S))
        .values_list("match_id", "side", "seen_at")[:AT_ONCE]
    )
    marked = 0
    for match_id, side, seen_at in gone:
        assert seen_at is not None, "an empty lease never runs out"
        command = commands.MarkLost(side=Side(side), since_ms=round(seen_at.timestamp() * MS))
        try:
            marked += house.advance(match_id, command)
        except Refused as refusal:
            log.info("not marked as lost: %s", refusal.code, extra={"match": str(match_id)})
    return marked


def due_for_verdict() -> list[UUID]:
    """Abandoned matches that nobody is asked about now; from this moment they are asked about."""
    now_away = Q(asked_at__isnull=True) | Q(asked_at__lt=Now() - ASK_AGAIN)
    with transaction.atomic():
        waiting = Adjudication.objects.filter(now_away, done=False, with_moderators=False)
        if connection.features.has_select_for_update_skip_locked:
            waiting = waiting.select_for_update(skip_locked=True)
        found = list(waiting.values_list("match_id", flat=True)[:AT_ONCE])
        Adjudication.objects.filter(match_id__in=found).update(
            asked_at=Now(), times_asked=F("times_asked") + 1
        )
    return found


def adjudicate(match_id: UUID) -> bool:
    """Asks the engine and settles. False if the match does not wait for a verdict (any more)."""
    _info, state, _seed, _records = course.load(match_id)
    if state.phase is not Phase.ADJUDICATING or state.with_moderators:
        return False
    side = _viewer(state)
    try:
        command = verdicts.verdict(state, side=side, seed=match_id.int & 0x7FFFFFFF)
        return house.advance(match_id, command)
    except Refused:
        return False
    except Exception as trouble:
        Adjudication.objects.filter(match_id=match_id).update(trouble=repr(trouble)[:2000])
        raise


def _viewer(state: MatchState) -> Side:
    """The verdict is given from the side of the one who left; light's if both did."""
    return next(iter(state.left)) if len(state.left) == 1 else Side.LIGHT
