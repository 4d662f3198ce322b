"""The second factor: secrets are kept encrypted, and staff need one for the admin."""

from base64 import urlsafe_b64encode
from typing import Final

from allauth.account.internal.flows.login import get_authentication_records
from allauth.mfa.adapter import DefaultMFAAdapter
from allauth.mfa.models import Authenticator
from cryptography.fernet import Fernet
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from django.conf import settings
from django.http import HttpRequest

from accounts.models import User

KEY_BYTES: Final = 32


class MfaAdapter(DefaultMFAAdapter):  # type: ignore[misc]
    """allauth's, with secrets that a copy of the database does not tell."""

    def encrypt(self, text: str) -> str:
        """As it is stored."""
        return _box().encrypt(text.encode()).decode()

    def decrypt(self, encrypted_text: str) -> str:
        """What `encrypt` made."""
        return _box().decrypt(encrypted_text.encode()).decode()

    def get_totp_label(self, user: User) -> str:
        """What the app on the telephone calls it."""
        return user.screen_name


def has_one(user: User) -> bool:
    """Whether the account has an authenticator app."""
    found: bool = Authenticator.objects.filter(user=user, type=Authenticator.Type.TOTP).exists()
    return found


def was_used(request: HttpRequest) -> bool:
    """Whether this session was signed in with a second factor, not with a password alone."""
    records = get_authentication_records(request, request.user)
    return any(record.get("method") == "mfa" for record in records)


def _box() -> Fernet:
    """A key made of IDENTITY_SECRET, which never changes: SECRET_KEY does, and telephones would stop opening accounts."""
    derive = HKDF(algorithm=SHA256(), length=KEY_BYTES, salt=None, info=b"second factor")
    return Fernet(urlsafe_b64encode(derive.derive(settings.IDENTITY_SECRET.encode())))
