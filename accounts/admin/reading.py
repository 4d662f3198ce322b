"""What pages of the staff have in common: they are read, and acted on through services only."""

from collections.abc import Callable
from typing import Any

from django.core.exceptions import PermissionDenied
from django.http import HttpRequest

from accounts.errors import Refused
from accounts.models import User
from accounts.moderation.errors import (
    NotAllowed,
    OwnAccount,
    OwnDeed,
    SecondPersonNeeded,
    StaffAccount,
)
from accounts.validators import sentence

CONFLICT = 409
FORBIDDEN = 403
FORBIDDEN_CODES = frozenset({NotAllowed.code, OwnAccount.code, OwnDeed.code, SecondPersonNeeded.code, StaffAccount.code})  # fmt: skip


class ReadOnly:
    """No adding, changing or deleting, whoever asks."""

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False


def staff(request: HttpRequest) -> User:
    """Who asks."""
    assert isinstance(request.user, User), "the admin lets nobody else in"
    return request.user


def text(request: HttpRequest, name: str) -> str:
    """A field of the form that was sent; empty if there is none."""
    return request.POST.get(name, "").strip()


def attempt(deed: Callable[[], object]) -> tuple[str, int]:
    """Does it. Answers why not, and the status of the page that says so; nothing and 200 if it is done.

    Raises PermissionDenied for somebody whose role does not allow it: that is a matter for the log.
    """
    try:
        deed()
    except NotAllowed:
        raise PermissionDenied from None
    except Refused as refused:
        return sentence(refused), FORBIDDEN if refused.code in FORBIDDEN_CODES else CONFLICT
    return "", 200
