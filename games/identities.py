"""Who plays at an anonymous table: told to staff who say why, and each time it is recorded (Rooms 1)."""

from dataclasses import dataclass
from typing import Final
from uuid import UUID

from django.db import transaction

from accounts import audit
from accounts.errors import Refused, gettext_noop
from accounts.models import User
from games.anonymity import is_anonymous
from games.errors import UnknownMatch
from games.models import Match, Seat

SEE: Final = "games.see_identities"
LONGEST_REASON: Final = 1000


class MayNotSee(Refused):
    """Somebody without the permission."""

    code = "may_not_see"
    text = gettext_noop("You may not see who plays at anonymous tables.")


class ReasonMissing(Refused):
    """Nobody looks without saying why."""

    code = "reason_missing"
    text = gettext_noop("Write why you have to know it, in at most %(most)s characters.")


class NotAnonymous(Refused):
    """A match whose players are known to everybody."""

    code = "not_anonymous"
    text = gettext_noop("The players of this match are no secret.")


@dataclass(frozen=True, slots=True)
class Identity:
    """A side of a match and whose it is."""

    side: str
    user: User


def reveal(match_id: UUID, *, by: User, why: str) -> list[Identity]:
    """Both players, light first. The audit row is written before anything is told.

    Raises MayNotSee, ReasonMissing, UnknownMatch, NotAnonymous.
    """
    if not by.has_perm(SEE):
        raise MayNotSee
    if not 0 < len(why.strip()) <= LONGEST_REASON:
        raise ReasonMissing(most=LONGEST_REASON)
    column = Match.objects.filter(id=match_id).values_list("column", flat=True).first()
    if column is None:
        raise UnknownMatch
    if not is_anonymous(column):
        raise NotAnonymous
    with transaction.atomic():
        audit.record(by=by, action="see_identities", why=why.strip(), about=f"match:{match_id}")
        seats = Seat.objects.filter(match_id=match_id).select_related("user").order_by("-side")
        return [Identity(side=seat.side, user=seat.user) for seat in seats]
