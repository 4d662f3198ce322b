"""The variants by the names that tables, stored matches and commands use."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import ClassVar, Final

from accounts.errors import Refused, gettext_noop
from games.rules.backgammon import BACKGAMMON
from games.rules.long_nardy import LONG_NARDY, LONG_NARDY_FNR
from games.rules.steps import Rules


class UnknownVariant(Refused):
    """A name that no variant has."""

    code: ClassVar[str] = "unknown_variant"
    text: ClassVar[str] = gettext_noop("There is no such variant.")


VARIANTS: Final[Mapping[str, Rules]] = MappingProxyType(
    {rules.name: rules for rules in (BACKGAMMON, LONG_NARDY, LONG_NARDY_FNR)}
)


def rules_of(name: str) -> Rules:
    """The rules called `name`. Raises UnknownVariant."""
    try:
        return VARIANTS[name]
    except KeyError:
        raise UnknownVariant from None
