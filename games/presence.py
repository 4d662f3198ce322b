"""Who is at the table: a lease renewed by heartbeats, never by connect and disconnect.

A seat is held by its account while any of its tabs, in any process, has sent a beat within the lease.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import NamedTuple
from uuid import UUID

from django.contrib.auth import get_user_model
from django.contrib.sessions.models import Session
from django.db.models.functions import Now
from django.utils import timezone

from accounts.models import User
from games.match.sides import Side
from games.models import Seat

BEAT_S = 5.0
LEASE_S = 15.0
MS = 1000


@dataclass(frozen=True, slots=True)
class Here:
    """Whether a player is at the table, and since when it has been so (ms, database's clock)."""

    here: bool
    since: int


def renew(seat_ids: Iterable[int]) -> None:
    """Renews the leases of these seats, by the database's clock."""
    Seat.objects.filter(id__in=list(seat_ids)).update(seen_at=Now())


def leases(match_ids: Iterable[UUID]) -> dict[UUID, dict[Side, int | None]]:
    """When each seat was last seen, ms since the epoch, None for never."""
    found: dict[UUID, dict[Side, int | None]] = {}
    rows = Seat.objects.filter(match_id__in=list(match_ids))
    for match_id, side, seen_at in rows.values_list("match_id", "side", "seen_at"):
        seen_ms = None if seen_at is None else round(seen_at.timestamp() * MS)
        found.setdefault(match_id, {})[Side(side)] = seen_ms
    return found


def here(seen_ms: int | None, now_ms: int, before: Here | None) -> Here:
    """The state of a seat's lease now; `since` stays while nothing changes."""
    is_here = seen_ms is not None and now_ms - seen_ms < LEASE_S * MS
    if before is not None and before.here == is_here:
        return before
    lost_at = now_ms if seen_ms is None else seen_ms
    return Here(here=is_here, since=now_ms if is_here else lost_at)


class Signed(NamedTuple):
    """How a socket is signed in: its session, its account, and the mark of its password and role (`mark`)."""

    session_key: str
    user_id: int
    auth_hash: str


def mark(auth_hash: str, user: User) -> str:
    """What a socket was let in with: the password's mark in its session, and whether it belongs to the staff."""
    role = "admin" if user.is_superuser else "staff" if user.is_staff else "player"
    return f"{role}:{auth_hash}" if auth_hash else ""


def ended(signed: Iterable[Signed]) -> set[Signed]:
    """Of these, those whose session, account or role has ended, or whose password was changed since."""
    asked = set(signed)
    sessions = set(
        Session.objects.filter(
            session_key__in={one.session_key for one in asked}, expire_date__gt=timezone.now()
        ).values_list("session_key", flat=True)
    )
    users = get_user_model().objects.filter(id__in={one.user_id for one in asked}, is_active=True)
    marks = {
        user.pk: {
            mark(auth_hash, user)
            for auth_hash in (user.get_session_auth_hash(), *user.get_session_auth_fallback_hash())
        }
        for user in users
    }
    return {
        one
        for one in asked
        if one.session_key not in sessions
        or one.user_id not in marks
        or (one.auth_hash and one.auth_hash not in marks[one.user_id])
    }
