"""Accounts of visitors who want to play for chips before they sign up: a name, chips, and nothing else.

A guest has no address and no birth date, so money play is closed to them; nobody can sign in to the account
again once its session has ended.
"""

import secrets
from typing import Final

from django.contrib.auth import login
from django.core.cache import cache
from django.core.exceptions import ValidationError
from django.http import HttpRequest

from accounts.errors import Refused, gettext_noop
from accounts.identity import client_ip
from accounts.models import User

MOST_AN_HOUR: Final = 10
HOUR_S: Final = 60 * 60
TRIES: Final = 20
NUMBERS: Final = 1_000_000
DOMAIN: Final = "guests.invalid"
_BACKEND: Final = "allauth.account.auth_backends.AuthenticationBackend"


class TooManyGuests(Refused):
    """More guests from one address than a household makes."""

    code = "too_many_guests"
    text = gettext_noop("Please sign up or sign in: this address has had enough guests for now.")


def enter(request: HttpRequest) -> User:
    """Makes a guest of a visitor and signs the session in. Raises TooManyGuests."""
    key = f"guests:{client_ip(request)}"
    cache.add(key, 0, HOUR_S)
    if cache.incr(key) > MOST_AN_HOUR:
        raise TooManyGuests
    user = _guest()
    login(request, user, backend=_BACKEND)
    return user


def is_guest(user: User) -> bool:
    """Whether this account is a guest's."""
    return user.email.endswith(f"@{DOMAIN}")


def _guest() -> User:
    """A new account under a name that nobody has."""
    for _ in range(TRIES):
        name = f"Guest {secrets.randbelow(NUMBERS):06}"
        try:
            return User.objects.create_user(
                f"guest-{secrets.token_hex(12)}@{DOMAIN}", screen_name=name
            )
        except ValidationError:
            continue
    raise TooManyGuests
