"""Form tokens: the server chooses the idempotency key of a payment, one for each form shown."""

from typing import Final
from uuid import uuid4

from django.core.signing import BadSignature, TimestampSigner

from wallet.errors import FormExpired

LASTS_S: Final = 24 * 60 * 60
_SALT: Final = "wallet.form"


def issue(user_id: int) -> str:
    """A token for one form and one person."""
    return TimestampSigner(salt=_SALT).sign(f"{user_id}:{uuid4().hex}")


def read(user_id: int, token: str) -> str:
    """The key inside. Raises FormExpired if it is not ours, not this person's, or a day old."""
    try:
        owner, _, key = TimestampSigner(salt=_SALT).unsign(token, max_age=LASTS_S).partition(":")
    except BadSignature as error:
        raise FormExpired from error
    if owner != str(user_id):
        raise FormExpired
    return key
