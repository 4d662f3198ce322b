"""The same terms again: two players of a finished match ask for it, the second one's wish opens the new match.

Whoever sits down again is asked what anybody is asked who sits down; the app that has the rooms adds its own
questions and hears of the new match (register).
"""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import timedelta
from typing import Final
from uuid import UUID

from django.db import transaction
from django.db.models import Q
from django.db.models.functions import Now

from accounts.errors import Refused
from accounts.models import User
from games import seating
from games.errors import NoRematch, OpponentCannotSit, UnknownMatch
from games.info import MatchInfo, info_of
from games.match.sides import SIDES, Side
from games.match.state import Phase
from games.models import Match, Rematch
from games.terms import TableTerms

WISH_LASTS: Final = timedelta(minutes=2)


@dataclass(frozen=True, slots=True)
class Sitting:
    """Somebody about to sit down, opposite whom, and where."""

    user: User
    other_id: int
    terms: TableTerms
    room: str


@dataclass(frozen=True, slots=True)
class Wishes:
    """Which sides want to play again now, and the match that came of it."""

    asked: frozenset[Side]
    next: UUID | None


Gate = Callable[[Sitting], None]
Seated = Callable[[UUID, tuple[int, int]], None]
_gates: list[Gate] = []
_seated: list[Seated] = []


def register(*, gate: Gate, seated: Seated) -> None:
    """`gate` raises the refusal that keeps somebody from sitting down; `seated` is told match and players.

    Called once by the app that knows rooms, from its AppConfig.ready; both run inside the transaction.
    """
    _gates.append(gate)
    _seated.append(seated)


def wishes(match_id: UUID) -> Wishes:
    """Who wants to play again at this moment."""
    row = Rematch.objects.filter(match_id=match_id).first()
    if row is None:
        return Wishes(frozenset(), None)
    fresh = frozenset(side for side in SIDES if _is_fresh(match_id, side))
    return Wishes(fresh, row.next_id)


def ask(match_id: UUID, side: Side, *, wants: bool) -> Wishes:
    """A player wants to play again, or does not (any more). Asking twice changes nothing.

    Raises UnknownMatch, NoRematch, OpponentCannotSit, and whatever keeps the player from such a table.
    """
    try:
        with transaction.atomic():
            return _asked(match_id, side, wants=wants)
    except OpponentCannotSit:
        Rematch.objects.filter(match_id=match_id).update(light=None, dark=None)
        raise


def _asked(match_id: UUID, side: Side, *, wants: bool) -> Wishes:
    try:
        info = info_of(match_id)
    except Match.DoesNotExist as error:
        raise UnknownMatch from error
    users = _stand_in_line(info)
    if not Match.objects.filter(id=match_id, head__phase=Phase.OVER.value).exists():
        raise NoRematch
    Rematch.objects.bulk_create([Rematch(match_id=match_id)], ignore_conflicts=True)
    row = Rematch.objects.select_for_update().get(match_id=match_id)
    if row.next_id is not None:
        return Wishes(frozenset(SIDES), row.next_id)
    if not wants:
        Rematch.objects.filter(match_id=match_id).update(light=None, dark=None)
        return Wishes(frozenset(), None)
    _require_welcome(info, users[side])
    Rematch.objects.filter(match_id=match_id).update(**{side.value: Now()})
    if not _is_fresh(match_id, side.other):
        return Wishes(frozenset({side}), None)
    return Wishes(frozenset(SIDES), _open(info, users, asker=side))


def _stand_in_line(info: MatchInfo) -> dict[Side, User]:
    """Both accounts, locked in the order of their ids, as everywhere where people sit down."""
    sides = {person.user_id: side for side, person in info.people.items()}
    rows = User.objects.select_for_update(no_key=True).filter(pk__in=sides).order_by("pk")
    return {sides[user.pk]: user for user in rows}


def _require_welcome(info: MatchInfo, user: User) -> None:
    (other_id,) = {person.user_id for person in info.people.values()} - {user.pk}
    for gate in _gates:
        gate(Sitting(user=user, other_id=other_id, terms=info.terms, room=info.room))
    seating.require_can_sit(user, info.terms, info.column)


def _is_fresh(match_id: UUID, side: Side) -> bool:
    since = Q(**{f"{side.value}__gt": Now() - WISH_LASTS})
    return Rematch.objects.filter(since, match_id=match_id).exists()


def _open(info: MatchInfo, users: dict[Side, User], *, asker: Side) -> UUID:
    try:
        _require_welcome(info, users[asker.other])
    except Refused as refusal:
        raise OpponentCannotSit from refusal
    light, dark = users[Side.LIGHT], users[Side.DARK]
    if _swaps_colours(info.terms):
        light, dark = dark, light
    match_id = seating.open_match(
        light=light, dark=dark, terms=info.terms, room=info.room, column=info.column
    )
    Rematch.objects.filter(match_id=info.id).update(next_id=match_id)
    for told in _seated:
        told(match_id, (light.pk, dark.pk))
    return match_id


def _swaps_colours(terms: TableTerms) -> bool:
    """In long nardy the colour is worth something (Table 7)."""
    return terms.variant != "backgammon"
