"""What staff does to somebody's account short of closing it: papers seen, facts put right, signed out, made staff."""

from collections.abc import Mapping
from typing import Any, Final

from allauth.mfa.models import Authenticator
from django.contrib.auth.models import Group
from django.db import IntegrityError, transaction
from django.utils import timezone

from accounts import audit, links
from accounts.errors import Refused, SecondAccount, gettext_noop
from accounts.models import User
from accounts.moderation import cases, closing, letters
from accounts.moderation.errors import NotAllowed, StaffAccount

VERIFY: Final = "accounts.verify_user"
ADMINISTER: Final = "accounts.manage_staff"
CLOSE: Final = "accounts.close_account"
FIELDS: Final = {
    "verify_identity": ("identity_verified_at",),
    "verify_address": ("address_verified_at",),
    "unverify": ("identity_verified_at", "address_verified_at"),
}


class NoSuchRole(Refused):
    """None of the roles."""

    code = "bad_role"
    text = gettext_noop("There is no such role.")


class NothingToVerify(Refused):
    """An account of which nothing is known."""

    code = "nothing_to_verify"
    text = gettext_noop("The account has no name, birth date or address that papers could show.")


class NoFactor(Refused):
    """An account without a second factor."""

    code = "no_factor"
    text = gettext_noop("This account has no second factor.")


class MoneyLeft(Refused):
    """Staff cannot play for money: what they have and what runs comes first."""

    code = "money_left"
    text = gettext_noop(
        "This person plays for money, or has money on the account. Staff cannot: let them finish and withdraw first."
    )


def require(by: User, permission: str) -> None:
    """Raises NotAllowed."""
    if not by.has_perm(permission):
        raise NotAllowed


def verify(whom: User, deed: str, *, by: User, why: str) -> None:
    """Marks papers as seen, or takes the mark away. `deed` as in FIELDS.

    Raises NotAllowed, OwnAccount, ReasonMissing, NothingToVerify.
    """
    require(by, VERIFY)
    cases.require_deed(by=by, whom=whom, why=why)
    if deed != "unverify" and not (whom.full_name and whom.birth_date and whom.street):
        raise NothingToVerify
    moment = None if deed == "unverify" else timezone.now()
    with transaction.atomic():
        row = User.objects.select_for_update().get(pk=whom.pk)
        before = {name: str(getattr(row, name) or "") for name in FIELDS[deed]}
        User.objects.filter(pk=whom.pk).update(**dict.fromkeys(FIELDS[deed], moment))
        after = {name: str(moment or "") for name in FIELDS[deed]}
        change = audit.Change(before=before, after=after)
        audit.record(by=by, action=deed, why=why, whom=whom, change=change)


def correct(user: User, *, before: Mapping[str, Any], by: User, why: str) -> None:
    """Saves facts that an administrator has put right. Raises OwnAccount, ReasonMissing, SecondAccount."""
    cases.require_deed(by=by, whom=user, why=why)
    changed = [name for name, value in before.items() if getattr(user, name) != value]
    if not changed:
        return
    try:
        with transaction.atomic():
            user.save()
            links.claim(user)
            audit.record(
                by=by,
                action="correct_account",
                why=why,
                whom=user,
                change=audit.Change(
                    before={name: str(before[name] or "") for name in changed},
                    after={name: str(getattr(user, name) or "") for name in changed},
                ),
            )
    except IntegrityError:
        raise SecondAccount from None
    links.notice(user, links.own_keys(user))


def sign_out(whom: User, *, by: User, why: str) -> None:
    """Ends all sessions. Raises NotAllowed, OwnAccount, ReasonMissing."""
    require(by, CLOSE)
    cases.require_deed(by=by, whom=whom, why=why)
    with transaction.atomic():
        ended = closing.end_sessions(whom)
        change = audit.Change(after={"sessions": ended})
        audit.record(by=by, action="sign_out", why=why, whom=whom, change=change)


def reset_factor(whom: User, *, by: User, why: str) -> None:
    """Takes a lost second factor away, with all sessions; the owner is told.

    Raises NotAllowed, OwnAccount, StaffAccount, ReasonMissing, NoFactor.
    """
    require(by, VERIFY)
    cases.require_deed(by=by, whom=whom, why=why)
    if whom.is_staff and not by.has_perm(ADMINISTER):
        raise StaffAccount
    with transaction.atomic():
        taken, _ = Authenticator.objects.filter(user=whom).delete()
        if not taken:
            raise NoFactor
        closing.end_sessions(whom)
        audit.record(by=by, action="reset_factor", why=why, whom=whom)
        transaction.on_commit(lambda: letters.factor_reset(whom))


def set_role(whom: User, role: str, *, by: User, why: str) -> None:
    """Makes somebody staff with one role, or nobody's staff any more with "".

    Raises NotAllowed, OwnAccount, ReasonMissing, NoSuchRole, MoneyLeft.
    """
    require(by, ADMINISTER)
    cases.require_deed(by=by, whom=whom, why=why)
    groups = list(Group.objects.filter(name=role)) if role else []
    if role and not groups:
        raise NoSuchRole
    with transaction.atomic():
        row = User.objects.select_for_update().get(pk=whom.pk)
        if role and not row.is_staff and closing.has_money_business(row):
            raise MoneyLeft
        before = {
            "staff": row.is_staff,
            "roles": ", ".join(row.groups.values_list("name", flat=True)),
        }
        User.objects.filter(pk=row.pk).update(is_staff=bool(role), is_superuser=False)
        row.groups.set(groups)
        change = audit.Change(before=before, after={"staff": bool(role), "roles": role})
        audit.record(by=by, action="set_role", why=why, whom=whom, change=change)
        closing.end_sessions(row)
