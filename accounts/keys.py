"""The keys by which one person, one device and one network are known again: keyed hashes of what was given.

A hash is made with a secret of its own (IDENTITY_SECRET), so that a copy of the database tells nobody which address
or device stands behind it, and it outlives the account: a closed one can never be opened a second time.
"""

import contextlib
import hmac
from dataclasses import dataclass
from datetime import date
from enum import StrEnum
from hashlib import sha256
from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network

from django.conf import settings

from accounts import postal

GMAIL = "gmail.com"
ALSO_GMAIL = ("googlemail.com",)
IPV4_NETWORK = 24
IPV6_NETWORK = 64


class Kind(StrEnum):
    """What a key was made of. The first two are hard: no second account; the others raise a question."""

    EMAIL = "email"
    PERSON = "person"
    NAME = "name"
    ADDRESS = "address"
    DEVICE = "device"
    BROWSER = "browser"
    IP = "ip"


HARD = (Kind.EMAIL, Kind.PERSON)


@dataclass(frozen=True, slots=True)
class Key:
    """`digest`: 64 hex digits."""

    kind: Kind
    digest: str


def email(address: str) -> Key:
    """Case, dots and everything from a + on in the part before the @ tell no two mailboxes apart."""
    return _key(Kind.EMAIL, canonical_email(address))


def canonical_email(address: str) -> str:
    """The form in which e-mail addresses are compared; never written to."""
    local, _, domain = postal.plain(address.strip()).rpartition("@")
    local = local.split("+", 1)[0].replace(".", "")
    domain = domain.rstrip(".")
    with contextlib.suppress(UnicodeError):  # no domain has such a name; it is still compared
        domain = domain.encode("idna").decode()
    return f"{local}@{GMAIL if domain in ALSO_GMAIL else domain}"


def person(*, name: str, born: date, home: str) -> Key:
    """One person: their name, date of birth and address (as `postal.address` makes it)."""
    return _key(Kind.PERSON, f"{postal.person_name(name)}|{born.isoformat()}|{home}")


def name_and_birth(*, name: str, born: date) -> Key:
    """The same name and birth date, wherever they live."""
    return _key(Kind.NAME, f"{postal.person_name(name)}|{born.isoformat()}")


def home(address: str) -> Key:
    """A postal address, as `postal.address` makes it."""
    return _key(Kind.ADDRESS, address)


def device(device_id: str) -> Key:
    """The id in the long-lived cookie of a browser."""
    return _key(Kind.DEVICE, device_id)


def browser(fingerprint: str, ip: str) -> Key | None:
    """What a browser says of itself, in the network it comes from: thousands of telephones are alike.

    None where the address says nothing, as in `network`.
    """
    address = _public(ip)
    if address is None:
        return None
    length = IPV4_NETWORK if isinstance(address, IPv4Address) else IPV6_NETWORK
    return _key(Kind.BROWSER, f"{fingerprint}|{ip_network(f'{address}/{length}', strict=False)}")


def network(ip: str) -> Key | None:
    """An address of the internet; of IPv6 the network that one household has. None for one that is not public."""
    address = _public(ip)
    if address is None:
        return None
    if isinstance(address, IPv6Address):
        return _key(Kind.IP, str(ip_network(f"{address}/{IPV6_NETWORK}", strict=False)))
    return _key(Kind.IP, str(address))


def _public(ip: str) -> IPv4Address | IPv6Address | None:
    try:
        address = ip_address(ip)
    except ValueError:
        return None
    return address if address.is_global else None


def _key(kind: Kind, text: str) -> Key:
    secret = settings.IDENTITY_SECRET.encode()
    return Key(kind, hmac.new(secret, f"{kind}:{text}".encode(), sha256).hexdigest())
