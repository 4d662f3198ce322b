"""What a player has reached, read from the rated matches: so nothing of anonymous tables and house bots counts."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from django.utils.translation import gettext, ngettext

from games.ratings import UNIT

WINS: Final = (1, 10, 100, 1_000)
IN_A_ROW: Final = (5, 10, 20)
RATINGS: Final = (1_600, 1_800, 2_000)
LONG_SERIES: Final = 11


@dataclass(frozen=True, slots=True)
class Played:
    """One rated match as one player has it. `after`: the rating, in billionths."""

    at: datetime
    won: bool
    length: int
    after: int


@dataclass(frozen=True, slots=True)
class Achievement:
    """Something reached, in the reader's language, and when."""

    code: str
    name: str
    says: str
    at: datetime


def achieved(history: Iterable[Played]) -> list[Achievement]:
    """Everything that a history, oldest first, has in it; each once, in the order of its time.

    >>> [each.code for each in achieved([Played(datetime(2026, 1, 1), True, 1, 1510 * UNIT)])]
    ['wins-1']
    """
    found: dict[str, Achievement] = {}
    wins = streak = 0
    for match in history:
        wins += match.won
        streak = streak + 1 if match.won else 0
        for code, name, says in _reached(match, wins, streak):
            found.setdefault(code, Achievement(code, name, says, match.at))
    return list(found.values())


def _reached(match: Played, wins: int, streak: int) -> Iterator[tuple[str, str, str]]:
    if match.won and wins in WINS:
        yield f"wins-{wins}", *_wins(wins)
    if streak in IN_A_ROW:
        name = gettext("%(count)s in a row") % {"count": streak}
        yield f"row-{streak}", name, gettext("rated matches won one after the other")
    if match.won and match.length >= LONG_SERIES:
        yield (
            "long",
            gettext("Long distance"),
            gettext("won a series to %(length)s or more") % {"length": LONG_SERIES},
        )
    for points in RATINGS:
        if match.after >= points * UNIT:
            name = gettext("%(points)s points") % {"points": points}
            yield f"rating-{points}", name, gettext("a rating reached")


def _wins(wins: int) -> tuple[str, str]:
    if wins == 1:
        return gettext("First win"), gettext("in a rated match")
    text = ngettext("%(count)s win", "%(count)s wins", wins) % {"count": wins}
    return text, gettext("in rated matches")
