"""The record of what staff did: who, what, to whom or what, why, before and after. Only ever added to."""

from collections.abc import Mapping
from dataclasses import dataclass, field

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
