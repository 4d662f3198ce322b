"""Where people are seen to be: noted when their address changes, looked at again every twenty minutes."""

import logging
from datetime import timedelta
from typing import Final

from django.db import transaction
from django.db.models import Q
from django.utils import timezone

from accounts import geoip, residence
from accounts.geoip import NOWHERE, Place
from accounts.models import Reason, User, Whereabouts
from accounts.moderation import cases, estates

log = logging.getLogger(__name__)
JUMP_HOURS: Final = 6
JUMP: Final = timedelta(hours=JUMP_HOURS)
"""Nobody is in one country and, so much later, in another, but by a tunnel or an aeroplane."""
LATELY: Final = timedelta(minutes=25)
AT_ONCE: Final = 500
WEIGHT: Final = 2


def seen(user: User, ip: str) -> None:
    """They came from this address just now."""
    place, now = geoip.locate(ip), timezone.now()
    first = {"ip": ip, "seen_at": now, "checked_at": now}
    with transaction.atomic():
        # Two tabs may come at once for the first time.
        Whereabouts.objects.get_or_create(user=user, defaults=first)
        row = Whereabouts.objects.select_for_update().get(user=user)
        if row.ip != ip:
            _note_jump(row, place)
        row.ip, row.seen_at, row.checked_at = ip, now, now
        row.country, row.us_state = place.country, place.us_state
        row.save()
    _tell(user, row)


def recheck() -> int:
    """Looks up again where everybody is who was here lately; the list, or the file, may have changed.

    Answers how many were looked at. Sitting down is always decided by what is known at that moment.
    """
    since = timezone.now() - LATELY
    looked_at, after = 0, 0
    while rows := list(
        Whereabouts.objects.filter(Q(seen_at__gte=since) | Q(user_id__in=estates.playing()), user_id__gt=after)
        .select_related("user")
        .order_by("user_id")[:AT_ONCE]
    ):  # fmt: skip
        for row in rows:
            _look_again(row)
        looked_at, after = looked_at + len(rows), rows[-1].user_id
    return looked_at


def is_jumping(row: Whereabouts) -> bool:
    """Whether their country changed faster than people travel, a short while ago."""
    return row.jumped_at is not None and row.jumped_at > timezone.now() - JUMP


def _look_again(row: Whereabouts) -> None:
    place = geoip.locate(row.ip)
    Whereabouts.objects.filter(user_id=row.user_id, ip=row.ip).update(
        country=place.country, us_state=place.us_state, checked_at=timezone.now()
    )
    row.country, row.us_state = place.country, place.us_state
    _tell(row.user, row)


def _note_jump(row: Whereabouts, place: Place) -> None:
    """Who returns to where they came from has turned the tunnel off: then nothing is left of it."""
    if not place.country or not row.country or place.country == row.country:
        return
    if place.country == row.jumped_from:
        row.jumped_from, row.jumped_at = "", None
    elif row.seen_at > timezone.now() - JUMP:
        row.jumped_from, row.jumped_at = row.country, timezone.now()


def _tell(user: User, row: Whereabouts) -> None:
    """A case, where somebody who plays for money now does so from a place they should not play from.

    The match goes on to its end: the other player has done nothing wrong.
    """
    place = Place(row.country, row.us_state)
    if place == NOWHERE:
        return
    restricted = residence.is_listed(place.country, place.us_state)
    if not (restricted or is_jumping(row)) or user.pk not in estates.playing([user.pk]):
        return
    where = "-".join(filter(None, (place.country, place.us_state)))
    came_from = f" from {row.jumped_from}" if row.jumped_from else ""
    day = timezone.localdate()
    cases.feed(
        suspect=user,
        source=cases.Detector("place", weight=WEIGHT),
        reason=Reason.RESIDENCE,
        about=f"place:{where}:{day}",
        text=f"Seen in {where}{came_from} while playing for money.",
    )
