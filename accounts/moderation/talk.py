"""What may be written in a chat: mutes, links of new accounts, words that are masked."""

import re
import time
from collections.abc import Collection
from datetime import timedelta
from functools import lru_cache
from typing import Final

from django.utils import timezone

from accounts import acquaintances, postal
from accounts.models import FilteredWord, User
from accounts.moderation import sanctions
from accounts.moderation.errors import LinksTooEarly, NotHeard

NEW_FOR: Final = timedelta(days=7)
MASK: Final = "*"
KEPT_S: Final = 15
"""How long a process keeps the list of words: a change is everywhere within that time."""
_LINK: Final = re.compile(
    r"https?:|www\.|\b[\w-]+(?:\.|\s*(?:\(dot\)|\[dot\]| dot )\s*)(?:com|net|org|ru|fi|io|me|gg|info|biz|xyz|top|site|online|app|link|club|рф)\b",
    re.IGNORECASE,
)
_WORD: Final = re.compile(r"\w+")


def checked(user_id: int, text: str, *, to: Collection[int] = ()) -> str:
    """The line as others may read it. `to`: the players at the table. The table's own limits come before this.

    Raises Muted, LinksTooEarly; NotHeard where one of the players and the writer have blocked each other.
    """
    sanctions.require_may_talk(user_id)
    if acquaintances.blocks_between(user_id, [other for other in to if other != user_id]):
        raise NotHeard
    if _LINK.search(text) and _is_new(user_id):
        raise LinksTooEarly
    return masked(text, _words(int(time.monotonic() // KEPT_S)))


def masked(text: str, words: re.Pattern[str] | None) -> str:
    """Filtered words as asterisks; compared without case and marks, so that "Dámn" is "damn"."""
    if words is None:
        return text

    def mask(found: re.Match[str]) -> str:
        word = found[0]
        return MASK * len(word) if words.fullmatch(postal.plain(word)) else word

    return _WORD.sub(mask, text)


def pattern(words: list[str]) -> re.Pattern[str] | None:
    """One expression for all words; a * at an end stands for any letters."""
    if not words:
        return None
    parts = (re.escape(postal.plain(word)).replace(r"\*", r"\w*") for word in words)
    return re.compile("|".join(parts))


@lru_cache(maxsize=1)
def _words(moment: int) -> re.Pattern[str] | None:
    return pattern(list(FilteredWord.objects.values_list("word", flat=True)))


def _is_new(user_id: int) -> bool:
    joined = User.objects.filter(pk=user_id).values_list("date_joined", flat=True).first()
    return joined is None or joined > timezone.now() - NEW_FOR
