"""The record of what staff did: who, what, to whom or what, why, before and after. Only ever added to."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from django.db.models import QuerySet
from django.utils.translation import gettext

from accounts.models import StaffAction, User


@dataclass(frozen=True, slots=True)
class Change:
    """What a deed changed, as JSON knows it."""

    before: Mapping[str, object] = field(default_factory=dict)
    after: Mapping[str, object] = field(default_factory=dict)


NO_CHANGE = Change()


def record(
    *,
    by: User,
    action: str,
    why: str,
    whom: User | None = None,
    about: str = "",
    change: Change = NO_CHANGE,
) -> StaffAction:
    """Writes one row; call it in the transaction of the deed itself, so that neither is without the other.

    `about` names an object: "match:<id>".
    """
    return StaffAction.objects.create(
        by=by,
        action=action,
        why=why,
        whom=whom,
        about=about,
        before=dict(change.before),
        after=dict(change.after),
    )


NOTHING = "\N{EN DASH}"


def readable_by(reader: User) -> QuerySet[StaffAction]:
    """Every row but those about the reader, the newest first."""
    return StaffAction.objects.exclude(whom=reader).select_related("by", "whom").order_by("-id")


def in_words(row: StaffAction) -> str:
    """What a deed changed, for people: "on: no → yes; why: …"."""
    names = dict.fromkeys([*row.before, *row.after])
    parts = []
    for name in names:
        before, after = _said(row.before.get(name)), _said(row.after.get(name))
        change = after if before == "" else f"{before} → {after or NOTHING}"
        if change not in ("", NOTHING):
            parts.append(f"{name.replace('_', ' ')}: {change}")
    return "; ".join(parts)


def _said(value: object) -> str:
    match value:
        case None:
            return ""
        case bool():
            return gettext("yes") if value else gettext("no")
        case list():
            return ", ".join(map(_said, value))
        case dict():
            return " ".join(
                f"{name.replace('_', ' ')} {_said(part)}" for name, part in value.items()
            )
        case _:
            return str(value)
