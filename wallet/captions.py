"""What a match is called in a statement. The wallet knows no games: the app above tells it."""

from collections.abc import Callable, Collection, Mapping
from typing import TypeAlias
from uuid import UUID

Describe: TypeAlias = Callable[[int, Collection[UUID]], Mapping[UUID, str]]
"""(user id, match ids) -> a short caption each, in the active language, as that user may see it:
"series to 5 against Anders"."""


def _nothing(user_id: int, match_ids: Collection[UUID]) -> Mapping[UUID, str]:
    return {}


_describe: list[Describe] = [_nothing]


def register(describe: Describe) -> None:
    """Called once by the app that knows matches, from its AppConfig.ready."""
    _describe[0] = describe


def of(user_id: int, match_ids: Collection[UUID]) -> Mapping[UUID, str]:
    """The captions that are known; a match may have none."""
    return _describe[0](user_id, match_ids) if match_ids else {}
