"""Which accounts may be one person's: keys are noted as they are seen, shared ones link two accounts.

A hard key refuses the second account. A soft one (a device, an address, a network) asks a question: the younger
account waits with money play until staff has answered, and so does any account that shares one with a closed account.
"""

from collections.abc import Iterable
from datetime import timedelta
from typing import Final

from allauth.account.models import EmailAddress
from django.conf import settings
from django.db import IntegrityError, transaction
from django.db.models import Exists, OuterRef, Q
from django.utils import timezone
from django.utils.translation import gettext_noop

from accounts import audit, keys, postal
from accounts.keys import HARD, Key, Kind
from accounts.models import AccountLink, Case, IdentityKey, MoneyHold, Reason, User
from accounts.moderation import cases

SAME_NETWORK: Final = timedelta(days=90)
"""Addresses of the internet go from one household to another: after so long they say nothing any more."""
UNCONFIRMED_FOR: Final = timedelta(hours=1)
LOOK_AGAIN: Final = timedelta(days=1)
MOST_LINKS: Final = 20
WEIGHTS: Final = {Kind.NAME: 5, Kind.DEVICE: 4, Kind.BROWSER: 2, Kind.ADDRESS: 3, Kind.IP: 1}
SHARES: Final = gettext_noop("it shares a device, an address or a network with another account")
MOVED: Final = gettext_noop("where you say you live has changed")


def hard_keys(user: User) -> list[Key]:
    """What no other account may have; of a person only if all of it is known."""
    found = [keys.email(user.email)]
    if user.full_name and user.birth_date and user.street:
        home = home_of(user)
        found.append(keys.person(name=user.full_name, born=user.birth_date, home=home))
    return found


def own_keys(user: User) -> list[Key]:
    """The soft keys in what a person says of themself."""
    found = []
    if user.full_name and user.birth_date:
        found.append(keys.name_and_birth(name=user.full_name, born=user.birth_date))
    if user.street:
        found.append(keys.home(home_of(user)))
    return found


def soft_keys(*, device: str, fingerprint: str, ip: str) -> list[Key]:
    """The keys of a browser; an address inside a network says nothing."""
    found = [
        keys.device(device) if device else None,
        keys.browser(fingerprint, ip) if fingerprint else None,
        keys.network(ip),
    ]
    return [key for key in found if key is not None]


def home_of(user: User) -> str:
    """Their postal address in the form in which addresses are compared."""
    return postal.address(
        street=user.street, city=user.city, code=user.postcode, country=user.country
    )


def is_taken(key: Key, *, but: User | None = None) -> bool:
    """Whether another account has it, closed ones among them."""
    others = IdentityKey.objects.filter(kind=key.kind, digest=key.digest).exclude(_never_entered())
    return others.exclude(user=but).exists() if but is not None else others.exists()


def claim(user: User) -> None:
    """Writes the account's hard keys, in the transaction that writes the account. Raises IntegrityError for a taken one."""
    for key in hard_keys(user):
        stale = IdentityKey.objects.filter(kind=key.kind, digest=key.digest).exclude(user=user)
        stale.filter(_never_entered()).delete()
        if not IdentityKey.objects.filter(user=user, kind=key.kind, digest=key.digest).exists():
            IdentityKey.objects.create(user=user, kind=key.kind, digest=key.digest)


def notice(user: User, seen: Iterable[Key]) -> None:
    """These soft keys were seen with this account: new ones, and those not seen for long, are compared with the others'."""
    for key in seen:
        if _note(user, key):
            for other in _holders(user, key):
                _link(user, other, key.kind)


def clear(user: User, *, by: User, why: str) -> None:
    """Staff has looked: the linked accounts are different people. Money play is open again, the case is closed.

    Raises ReasonMissing, OwnAccount.
    """
    cases.require_deed(by=by, whom=user, why=why)
    with transaction.atomic():
        now = timezone.now()
        open_links = AccountLink.objects.filter(Q(first=user) | Q(second=user), cleared_at=None)
        cleared = open_links.update(cleared_at=now, cleared_by=by)
        lifted = MoneyHold.objects.filter(user=user, lifted_at=None).update(
            lifted_at=now, lifted_by=by
        )
        cases.close(user, Case.Kind.LINK, by=by, confirmed=False, decision=why)
        change = audit.Change(
            before={"held": bool(lifted)}, after={"held": False, "links": cleared}
        )
        audit.record(by=by, action="clear_links", why=why, whom=user, change=change)


def hold(user: User, why: str) -> bool:
    """Closes money play until staff lifts it. False if it is closed already."""
    _, is_new = MoneyHold.objects.get_or_create(user=user, lifted_at=None, defaults={"why": why})
    return is_new


def held_because(user: User) -> str | None:
    """Why money play waits for staff, to be translated; None if it does not."""
    return MoneyHold.objects.filter(user=user, lifted_at=None).values_list("why", flat=True).first()


def _never_entered() -> Q:
    """Keys of accounts whose mailbox nobody has confirmed for an hour: a slip of the pen must not lock its owner out."""
    confirmed = EmailAddress.objects.filter(user_id=OuterRef("user_id"), verified=True)
    long_ago = timezone.now() - UNCONFIRMED_FOR
    return Q(
        ~Exists(confirmed),
        user__date_joined__lt=long_ago,
        user__is_active=True,
        user__last_login=None,
    )


def _note(user: User, key: Key) -> bool:
    """Whether it is worth comparing: new, or not seen for a day."""
    assert key.kind not in HARD, "hard keys are claimed"
    now = timezone.now()
    known = IdentityKey.objects.filter(user=user, kind=key.kind, digest=key.digest)
    last = known.values_list("last_seen", flat=True).first()
    if last is not None:
        known.update(last_seen=now)
        return last < now - LOOK_AGAIN
    try:
        with transaction.atomic():
            IdentityKey.objects.create(user=user, kind=key.kind, digest=key.digest)
    except IntegrityError:  # another request of theirs was faster, and compares
        return False
    return True


def _holders(user: User, key: Key) -> list[User]:
    """Others who have it, those seen last first."""
    rows = IdentityKey.objects.filter(kind=key.kind, digest=key.digest).exclude(user=user)
    if key.kind in (Kind.IP, Kind.BROWSER):
        rows = rows.filter(last_seen__gt=timezone.now() - SAME_NETWORK)
    found = rows.select_related("user").order_by("-last_seen")[:MOST_LINKS]
    return [row.user for row in found]


def _link(user: User, other: User, kind: Kind) -> None:
    """One link for two accounts and a kind; what staff has cleared stays cleared."""
    first, second = sorted((user, other), key=lambda one: one.pk)
    with transaction.atomic():
        _, is_new = AccountLink.objects.get_or_create(first=first, second=second, kind=kind)
        if not is_new:
            return
        suspect = second if second.is_active else first
        if suspect.is_active and settings.HOLD_LINKED_ACCOUNTS:
            hold(suspect, SHARES)
        cases.feed(
            suspect=suspect,
            kind=Case.Kind.LINK,
            source=cases.Detector("link", weight=WEIGHTS[kind]),
            reason=Reason.SECOND_ACCOUNT,
            about=f"{kind}:{(first if suspect is second else second).pk}",
        )
