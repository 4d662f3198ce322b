"""Warnings, mutes and table bans: laid on and lifted by moderators, in force until their end."""

from datetime import timedelta
from typing import Final

from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.functional import lazy
from django.utils.translation import gettext

from accounts import audit
from accounts.models import Case, Sanction, User
from accounts.moderation import cases, letters
from accounts.moderation.errors import Muted, NotAllowed, StaffAccount, TableBanned

SANCTION: Final = "accounts.sanction_player"
ADMINISTER: Final = "accounts.manage_staff"
Kind = Sanction.Kind
SPANS: Final = {
    "hour": timedelta(hours=1),
    "day": timedelta(days=1),
    "week": timedelta(weeks=1),
    "month": timedelta(days=30),
    "ever": None,
}


def lay(
    kind: str, whom: User, *, by: User, why: str, span: str, case: Case | None = None
) -> Sanction:
    """Lays a sanction on a player, who is told. A warning has no span.

    Raises NotAllowed, OwnAccount, StaffAccount, ReasonMissing.
    """
    _require(whom, by=by, why=why)
    lasts = SPANS[span]
    until = timezone.now() + lasts if lasts is not None and kind != Kind.WARNING else None
    with transaction.atomic():
        sanction = Sanction.objects.create(
            user=whom, kind=kind, why=why.strip(), until=until, by=by, case=case
        )
        audit.record(
            by=by,
            action=kind,
            why=why.strip(),
            whom=whom,
            about=f"sanction:{sanction.pk}",
            change=audit.Change(after={"until": until.isoformat() if until else span}),
        )
        transaction.on_commit(lambda: letters.sanctioned(sanction))
    return sanction


def lift(sanction_id: int, *, by: User, why: str) -> bool:
    """Ends a sanction before its time; False if it had ended. Raises what lay raises."""
    with transaction.atomic():
        sanction = (
            Sanction.objects.select_for_update(of=("self",))
            .select_related("user")
            .get(pk=sanction_id)
        )
        _require(sanction.user, by=by, why=why)
        if sanction.lifted_at is not None:
            return False
        sanction.lifted_at, sanction.lifted_by = timezone.now(), by
        sanction.save(update_fields=["lifted_at", "lifted_by"])
        audit.record(
            by=by,
            action="lift_sanction",
            why=why.strip(),
            whom=sanction.user,
            about=f"sanction:{sanction.pk}",
            change=audit.Change(before={"kind": sanction.kind}, after={"lifted": True}),
        )
    return True


def in_force(user_id: int, kind: str) -> Sanction | None:
    """The one that lasts longest; None without any."""
    found = list(_in_force().filter(user_id=user_id, kind=kind))
    for_ever = next((one for one in found if one.until is None), None)
    return for_ever or max(found, key=lambda one: one.until or one.at, default=None)


def all_in_force(user_id: int) -> list[Sanction]:
    """Mutes and bans of a player that have not ended, and warnings they have not read."""
    unread = Q(kind=Kind.WARNING, seen_at=None)
    return list(_in_force().filter(~Q(kind=Kind.WARNING) | unread, user_id=user_id))


def read_by(user: User) -> list[Sanction]:
    """What is in force, for the player; warnings count as read from now on."""
    found = all_in_force(user.pk)
    unread = [one.pk for one in found if one.seen_at is None]
    Sanction.objects.filter(pk__in=unread).update(seen_at=timezone.now())
    return found


def require_may_talk(user_id: int) -> None:
    """Raises Muted, with until when and why."""
    mute = in_force(user_id, Kind.MUTE)
    if mute is not None:
        raise Muted(until=_until(mute), why=mute.why)


def require_may_sit(user_id: int) -> None:
    """Raises TableBanned, with until when and why."""
    ban = in_force(user_id, Kind.TABLE_BAN)
    if ban is not None:
        raise TableBanned(until=_until(ban), why=ban.why)


def until_text(sanction: Sanction) -> str:
    """Until when, for people."""
    if sanction.until is None:
        return gettext("further notice")
    return date_format(timezone.localtime(sanction.until), "DATETIME_FORMAT")


_until = lazy(until_text, str)  # put into words where the reader's language is known


def _in_force() -> QuerySet[Sanction]:
    lasts = Q(until=None) | Q(until__gt=timezone.now())
    return Sanction.objects.filter(lasts, lifted_at=None).order_by("-id")


def _require(whom: User, *, by: User, why: str) -> None:
    if not by.has_perm(SANCTION):
        raise NotAllowed
    cases.require_deed(by=by, whom=whom, why=why)
    if whom.is_staff and not by.has_perm(ADMINISTER):
        raise StaffAccount
