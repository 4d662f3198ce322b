"""Who is in the lobby: leases by the database's clock, renewed in batches by the processes.

A page beats every few seconds; nothing depends on a socket saying goodbye.
"""

from collections.abc import Mapping
from datetime import timedelta

from django.db.models import Count, QuerySet
from django.db.models.functions import Now

from rooms.models import Presence

BEAT_S = 5
LEASE_S = 15


def seconds(count: float) -> timedelta:
    """A span of the database's clock."""
    return timedelta(seconds=count)


def renew(room_of: Mapping[int, int]) -> None:
    """Renews the leases of these users. room_of: user id to the id of the room they look at."""
    # One order for everybody, so that two processes with the same users cannot lock crosswise.
    leases = [
        Presence(user_id=user_id, room_id=room_of[user_id], seen_at=Now())
        for user_id in sorted(room_of)
    ]
    if leases:
        Presence.objects.bulk_create(
            leases,
            update_conflicts=True,
            unique_fields=["user"],
            update_fields=["room", "seen_at"],
        )


def present() -> QuerySet[Presence]:
    """Leases that are not lost."""
    return Presence.objects.filter(seen_at__gte=Now() - seconds(LEASE_S))


def heads() -> dict[str, int]:
    """How many players are in each room that has any, by the room's slug."""
    counted = present().values_list("room__slug").annotate(Count("user_id")).order_by()
    return dict(counted)
