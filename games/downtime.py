"""Downtime of the site: noticed by a gap in its pulse, given back to every running clock, once.

Every process that serves sockets beats; when none did for a while (or the database was away), nobody
could have played in time.
"""

import logging
import threading
import time
from uuid import UUID

from django.db import IntegrityError, OperationalError, close_old_connections, transaction
from django.db.models.functions import Now

from accounts.errors import Refused
from games import house
from games.dbclock import read_ms
from games.match import commands
from games.match.state import FINISHED
from games.models import MatchEvent, MatchHead, Outage, Pulse, Seat

log = logging.getLogger(__name__)
WEB = "web"
BEAT_S = 1.0
SILENCE_MS = 4_000
"""A pulse that is this late was downtime; all of the gap is given back."""


def beat(part: str = WEB) -> None:
    """The site is alive. After a silence it records the outage, once, whoever else beats at the same time."""
    with transaction.atomic():
        now_ms = read_ms()
        last = Pulse.objects.select_for_update().filter(part=part).first()
        if last is None:
            try:
                with transaction.atomic():
                    Pulse.objects.create(part=part, at_ms=now_ms)
            except IntegrityError:
                return
            return
        gap = now_ms - last.at_ms
        if gap > SILENCE_MS:
            Outage.objects.create(part=part, from_ms=last.at_ms, until_ms=now_ms)
            Seat.objects.filter(active=True).update(seen_at=Now())
            log.warning("the %s was down for %d ms", part, gap)
        Pulse.objects.filter(part=part).update(at_ms=max(now_ms, last.at_ms))


def credit_open_outages() -> int:
    """Gives back to every running match what it has not been given back yet. Answers the outages closed."""
    outages = list(Outage.objects.filter(credited=False).order_by("id"))
    for outage in outages:
        for match_id in _running():
            _credit(match_id, outage)
        Outage.objects.filter(id=outage.id).update(credited=True)
    return len(outages)


def _running() -> list[UUID]:
    phases = [phase.value for phase in FINISHED]
    heads = MatchHead.objects.exclude(phase__in=phases).filter(due_ms__isnull=False)
    return list(heads.values_list("match_id", flat=True))


def _credit(match_id: UUID, outage: Outage) -> None:
    reason = f"outage:{outage.id}"
    known = MatchEvent.objects.filter(match_id=match_id, kind="credited")
    if known.filter(payload__reason=reason).exists():
        return
    ms = outage.until_ms - max(outage.from_ms, _given_back_until(outage))
    if ms <= 0:
        return
    try:
        house.advance(match_id, commands.Credit(ms=ms, reason=reason))
    except Refused:
        log.info("ended before its credit", extra={"match": str(match_id)})


def _given_back_until(outage: Outage) -> int:
    """Until when earlier outages, of whatever part, have been given back already."""
    earlier = Outage.objects.filter(id__lt=outage.id, until_ms__gt=outage.from_ms)
    return max(earlier.values_list("until_ms", flat=True), default=0)


def is_down() -> bool:
    """Whether no process has served sockets for a while; unknown (False) if none ever did."""
    last = Pulse.objects.filter(part=WEB).values_list("at_ms", flat=True).first()
    return last is not None and read_ms() - last > SILENCE_MS


def give_back() -> None:
    """Before anybody is flagged here: notices an outage that has just ended, and credits it."""
    if Pulse.objects.filter(part=WEB).exists():
        beat()
    credit_open_outages()


def beat_forever(part: str = WEB) -> None:
    """Beats from a thread of its own for as long as the process lives."""

    def run() -> None:
        while True:
            try:
                close_old_connections()
                beat(part)
            except OperationalError:
                log.warning("no pulse: the database is away")
            except Exception:
                log.exception("no pulse")
            time.sleep(BEAT_S)

    threading.Thread(target=run, name=f"pulse-{part}", daemon=True).start()
