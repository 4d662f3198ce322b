"""Which tables hide who plays there, and what is shown instead (Rooms 1). Knows no people."""

from typing import Final

from django.utils.translation import gettext

DARK_COLUMN: Final = "dark"
"""The tariff column of anonymous rooms. A match keeps its column, so it stays anonymous for good."""


def is_anonymous(column: str) -> bool:
    """Whether nobody but the staff may learn who sat at a table with this column."""
    return column == DARK_COLUMN


def shown_name(name: str, column: str) -> str:
    """The name of a player at such a table, as everybody else may see it."""
    return gettext("Anonymous") if is_anonymous(column) else name


def told_name(name: str, column: str) -> str:
    """The same for the wire: empty where nobody is named, and the page says so in its reader's language."""
    return "" if is_anonymous(column) else name
