"""Keeps server seeds encrypted at rest. Knows keys and matches, not what a seed is for.

A sealed seed reads `1.<key name>.<base64 of nonce and ciphertext>`. It is AES-256-GCM with the match
id as associated data, so it opens only for the match it was made for. The key's name says which of
settings.SEED_KEYS sealed it: the first one seals, every one opens. docs/fairness.md tells how to
change keys.
"""

import secrets
from base64 import b64decode, urlsafe_b64encode
from collections.abc import Sequence
from functools import cache
from hashlib import sha256
from typing import Final, NamedTuple
from uuid import UUID

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from django.conf import settings
from django.core.exceptions import ImproperlyConfigured

from games.fairness import SEED_BYTES, Seed

VERSION: Final = "1"
NONCE_BYTES: Final = 12
NAME_DIGITS: Final = 8
LEAST_KEY_LENGTH: Final = 32


class SealBroken(Exception):
    """A sealed seed that was changed, moved to another match, or whose key is gone."""


def seal(seed: bytes, match_id: UUID) -> str:
    """`seed` encrypted for `match_id` with the first of settings.SEED_KEYS. Never twice the same."""
    if len(seed) != SEED_BYTES:
        raise ValueError(f"a seed has {SEED_BYTES} bytes")
    key = _keys()[0]
    nonce = secrets.token_bytes(NONCE_BYTES)
    hidden = nonce + AESGCM(key.secret).encrypt(nonce, bytes(seed), _label(match_id))
    return f"{VERSION}.{key.name}.{urlsafe_b64encode(hidden).decode()}"


def unseal(sealed: str, match_id: UUID) -> Seed:
    """The seed that `seal` hid for `match_id`. Raises SealBroken."""
    key, hidden = _opened(sealed)
    try:
        seed = AESGCM(key.secret).decrypt(
            hidden[:NONCE_BYTES], hidden[NONCE_BYTES:], _label(match_id)
        )
    except (InvalidTag, ValueError):
        raise SealBroken("it was changed, or sealed for another match") from None
    return Seed(seed)


def key_names() -> list[str]:
    """The names of settings.SEED_KEYS in their order; a name tells nothing of its key."""
    return [key.name for key in _keys()]


def key_name_of(sealed: str) -> str:
    """The name of the key that a sealed seed needs."""
    return sealed.split(".")[1]


class _Key(NamedTuple):
    name: str
    secret: bytes

    def __repr__(self) -> str:
        return f"<key {self.name}>"


def _opened(sealed: str) -> tuple[_Key, bytes]:
    version, _, rest = sealed.partition(".")
    name, _, text = rest.partition(".")
    if version != VERSION:
        raise SealBroken("it is not a sealed seed")
    for key in _keys():
        if key.name == name:
            return key, _decoded(text)
    raise SealBroken(f"settings.SEED_KEYS has no key named {name[:NAME_DIGITS]}")


def _decoded(text: str) -> bytes:
    try:
        return b64decode(text, altchars=b"-_", validate=True)
    except ValueError:
        raise SealBroken("it is not a sealed seed") from None


def _label(match_id: UUID) -> bytes:
    return b"nardy seed of match " + match_id.bytes


def _keys() -> Sequence[_Key]:
    return _derived(tuple(settings.SEED_KEYS))


@cache
def _derived(keys: tuple[str, ...]) -> tuple[_Key, ...]:
    if not keys or any(len(key) < LEAST_KEY_LENGTH for key in keys):
        raise ImproperlyConfigured(
            f"SEED_KEYS needs at least one key, each of {LEAST_KEY_LENGTH} characters or more."
        )
    return tuple(_derive(key) for key in keys)


def _derive(text: str) -> _Key:
    hkdf = HKDF(algorithm=SHA256(), length=32, salt=None, info=b"nardy seed sealing 1")
    secret = hkdf.derive(text.encode())
    return _Key(name=sha256(b"name of " + secret).hexdigest()[:NAME_DIGITS], secret=secret)
