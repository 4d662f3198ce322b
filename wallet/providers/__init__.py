"""Payment providers: they take money in, tell what happened, and pay out. They record, they never decide."""

from django.conf import settings

from wallet.providers.base import Provider
from wallet.providers.sandbox import Sandbox
from wallet.providers.stripe import Stripe

PROVIDERS: dict[str, Provider] = {provider.name: provider for provider in (Sandbox(), Stripe())}


class UnknownProvider(KeyError):
    """No provider of this name."""


def named(name: str) -> Provider:
    """Raises UnknownProvider."""
    try:
        return PROVIDERS[name]
    except KeyError as error:
        raise UnknownProvider(name) from error


def current() -> Provider:
    """The one that this site uses (setting PAYMENTS)."""
    return named(settings.PAYMENTS)
