"""Reads what the environment says; what must be said and is not is told all at once."""

import os
from collections.abc import Mapping

from django.core.exceptions import ImproperlyConfigured

TRUE = frozenset({"1", "true", "yes", "on"})
FALSE = frozenset({"0", "false", "no", "off", ""})


class Environment:
    """Typed reading of variables. Values are never part of a message: some are secrets."""

    def __init__(self, variables: Mapping[str, str] = os.environ) -> None:
        self._variables = variables

    def require(self, *names: str) -> None:
        """Raises ``ImproperlyConfigured`` that names every variable that is missing or empty."""
        missing = [name for name in names if not self._variables.get(name, "").strip()]
        if missing:
            raise ImproperlyConfigured(
                f"Set {', '.join(missing)} in the environment; docs/settings.md says what they are."
            )

    def text(self, name: str, default: str = "") -> str:
        return self._variables.get(name, default).strip()

    def secret(self, name: str, *, least: int) -> str:
        """Raises ``ImproperlyConfigured`` for one shorter than ``least`` characters."""
        value = self.text(name)
        if len(value) < least:
            raise ImproperlyConfigured(f"{name} must have at least {least} characters.")
        return value

    def secrets(self, name: str, *, least: int) -> list[str]:
        """Separated by commas, the newest first."""
        values = self.names(name)
        if any(len(value) < least for value in values):
            raise ImproperlyConfigured(f"Each of {name} must have at least {least} characters.")
        return values

    def names(self, name: str, default: str = "") -> list[str]:
        return [part.strip() for part in self.text(name, default).split(",") if part.strip()]

    def number(self, name: str, default: int) -> int:
        value = self.text(name, str(default))
        if not value.isascii() or not value.isdigit():
            raise ImproperlyConfigured(f"{name} must be a whole number.")
        return int(value)

    def flag(self, name: str, *, default: bool) -> bool:
        value = self.text(name, str(default)).lower()
        if value not in TRUE | FALSE:
            raise ImproperlyConfigured(f"{name} must be 1 or 0.")
        return value in TRUE
