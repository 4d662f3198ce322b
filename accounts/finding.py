"""Finds people by anything that support is told: a name, an e-mail, an address, a device, an IP address, a number."""

from ipaddress import ip_address
from typing import Final

from django.db.models import Q, QuerySet

from accounts import keys, names, postal
from accounts.keys import Key, Kind
from accounts.models import IdentityKey, User

LONGEST_NUMBER: Final = 9
DEVICE: Final = "device:"
DEVICE_DIGITS: Final = 12
"""A device is shown to staff by so many digits of its key."""


def people(among: QuerySet[User], said: str) -> QuerySet[User]:
    """Those of `among` who match; all of them for an empty search."""
    said = said.strip()
    if not said:
        return among
    return among.filter(_question(said))


def _question(said: str) -> Q:
    if said.isdigit():
        return Q(pk=int(said)) if len(said) <= LONGEST_NUMBER else Q(pk=None)
    if _is_ip(said):
        return _has(keys.network(said)) | Q(whereabouts__ip=said)
    if "@" in said:
        return _has(keys.email(said)) | Q(email__icontains=said.lower())
    if said.startswith(DEVICE):
        digits = said.removeprefix(DEVICE).strip()
        devices = IdentityKey.objects.filter(kind=Kind.DEVICE, digest__startswith=digits)
        return Q(pk__in=devices.values("user_id")) if digits else Q(pk=None)
    return _by_words(said)


def _by_words(said: str) -> Q:
    """A part of a name or address as written, a name that looks like it, the words in another order."""
    looks = names.looks(said)
    found = (
        Q(screen_name__icontains=said)
        | Q(look_small=looks.small)
        | Q(full_name__icontains=said)
        | Q(email__istartswith=said)
        | Q(street__icontains=said)
        | Q(city__iexact=said)
    )
    words = postal.plain(said).replace(",", " ").split()
    if len(words) > 1:
        in_any_order = Q()
        for word in words:
            in_any_order &= (
                Q(full_name__icontains=word) | Q(street__icontains=word) | Q(city__icontains=word)
            )
        found |= in_any_order
    return found


def device_of(key: IdentityKey) -> str:
    """How staff calls a device."""
    return key.digest[:DEVICE_DIGITS]


def _has(key: Key | None) -> Q:
    if key is None:
        return Q(pk=None)
    holders = IdentityKey.objects.filter(kind=key.kind, digest=key.digest)
    return Q(pk__in=holders.values("user_id"))


def _is_ip(said: str) -> bool:
    try:
        ip_address(said)
    except ValueError:
        return False
    return True
