"""What does not change during a match: its terms, its two people, its seal. Read once, kept in memory."""

from collections.abc import Collection
from dataclasses import dataclass, field
from uuid import UUID

from games.anonymity import is_anonymous, told_name
from games.match.sides import Side
from games.match.terms import Terms
from games.models import HouseBot, Match, Seat
from games.ratings import Rating
from games.terms import TableTerms, match_terms


@dataclass(frozen=True, slots=True)
class Person:
    """A player as the other side may see them, and the row that is their seat.

    Name and country are empty where nobody may learn them (games.anonymity). `rating` and `unfinished`, the count of matches left for good, are those of the ready check.
    """

    user_id: int
    seat_id: int
    name: str
    country: str
    rating: Rating
    unfinished: int = 0


@dataclass(frozen=True, slots=True)
class MatchInfo:
    """The unchanging part of a match. `with_house`: a house bot plays in it."""

    id: UUID
    room: str
    column: str
    tariff: str
    terms: TableTerms
    machine_terms: Terms
    server_commit: str
    people: dict[Side, Person] = field(repr=False)
    with_house: bool = False

    def side_of(self, user_id: int | None) -> Side | None:
        """The seat of an account, None for a watcher."""
        for side, person in self.people.items():
            if person.user_id == user_id:
                return side
        return None


def terms_of(match: Match) -> TableTerms:
    """The agreed terms, as stored."""
    return TableTerms(
        variant=match.variant,
        kind=match.kind,
        length=match.length,
        currency=match.currency,
        stake=match.stake,
        limit=match.limit,
        jacoby=match.jacoby,
        beavers=match.beavers,
        crawford=match.crawford,
        clock=match.clock,
        blitz=match.blitz,
    )


def info_of(match_id: UUID) -> MatchInfo:
    """Reads the unchanging part. Raises Match.DoesNotExist."""
    found = infos_of([match_id])
    if match_id not in found:
        raise Match.DoesNotExist
    return found[match_id]


def infos_of(match_ids: Collection[UUID]) -> dict[UUID, MatchInfo]:
    """The same for several matches at once; those that do not exist are left out."""
    seats: dict[UUID, list[Seat]] = {match_id: [] for match_id in match_ids}
    for seat in Seat.objects.filter(match_id__in=match_ids).select_related("user"):
        seats[seat.match_id].append(seat)
    players = {seat.user_id for at_one in seats.values() for seat in at_one}
    bots = set(HouseBot.objects.filter(user_id__in=players).values_list("user_id", flat=True))
    matches = Match.objects.filter(id__in=match_ids)
    return {match.id: _info(match, seats[match.id], bots) for match in matches}


def _info(match: Match, seats: list[Seat], bots: set[int]) -> MatchInfo:
    terms = terms_of(match)
    hidden = is_anonymous(match.column)
    return MatchInfo(
        id=match.id,
        room=match.room,
        column=match.column,
        tariff=match.tariff,
        terms=terms,
        machine_terms=match_terms(terms),
        server_commit=match.server_commit,
        people={
            Side(seat.side): Person(
                user_id=seat.user_id,
                seat_id=seat.pk,
                name=told_name(seat.user.screen_name, match.column),
                country="" if hidden else seat.user.country,
                rating=Rating(seat.rating, seat.experience),
                unfinished=seat.unfinished,
            )
            for seat in seats
        },
        with_house=any(seat.user_id in bots for seat in seats),
    )
