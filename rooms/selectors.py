"""What the lobby shows: rooms, open tables, running tables, heads. Reads only."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from functools import lru_cache
from uuid import UUID

from django.contrib.auth.models import AnonymousUser
from django.db.models import QuerySet
from django.db.models.functions import Now
from django.utils.translation import get_language

from accounts.models import User
from games import standings
from games.ratings import Rating, at_stake, game_of
from games.selectors import running_tables
from games.services import TableTerms, fee_quote
from rooms import presence, words
from rooms.errors import UnknownRoom
from rooms.models import Offer, OfferStatus, Room

SEATED_LATELY_S = 60
ROWS_KEPT = 10_000


@dataclass(frozen=True, slots=True)
class Listing:
    """What a room shows, in the language of the moment. `owners`: whose each open table is, never shown."""

    offers: tuple[words.OfferRow, ...]
    running: tuple[words.RunningRow, ...]
    owners: dict[str, int]


def open_rooms() -> QuerySet[Room]:
    """The rooms that players may enter, in their order."""
    return Room.objects.filter(is_open=True)


def room_named(slug: str) -> Room:
    """An open room. Raises UnknownRoom."""
    room = open_rooms().filter(slug=slug).first()
    if room is None:
        raise UnknownRoom
    return room


def open_offers(room: Room) -> QuerySet[Offer]:
    """The room's tables that wait for an opponent, the newest first."""
    return (
        Offer.objects.filter(room=room, status=OfferStatus.OPEN)
        .select_related("creator", "room")
        .order_by("-created_at", "pk")
    )


def open_offers_of(user: User | AnonymousUser) -> QuerySet[Offer]:
    """A player's own tables that wait for an opponent, in any room."""
    return Offer.objects.filter(creator_id=user.pk, status=OfferStatus.OPEN).select_related("room")


def listing(room: Room) -> Listing:
    """Everything that a room shows of its tables."""
    offers = list(open_offers(room))
    creators = {offer.creator_id for offer in offers}
    ratings = standings.all_ratings_of(creators, currency=room.currency)
    unfinished = standings.unfinished_of(creators)
    return Listing(
        offers=tuple(
            _row(offer, _rating_in(ratings, offer), unfinished[offer.creator_id])
            for offer in offers
        ),
        running=tuple(words.running_row(table, room) for table in running_tables(room.slug)),
        owners={str(offer.pk): offer.creator_id for offer in offers},
    )


def prospects(
    room: Room, user_ids: Collection[int], *, known: Mapping[int, Collection[str]] | None = None
) -> dict[int, dict[str, words.Prospect]]:
    """What each open table of a room would bring each of these players, by player and table.

    Own tables are left out, and those that a player has in `known`.
    """
    offers = list(open_offers(room))
    people = {offer.creator_id for offer in offers} | set(user_ids)
    ratings = standings.all_ratings_of(people, currency=room.currency)
    return {
        user_id: {
            str(offer.pk): _prospect(
                terms=offer.terms,
                column=room.column,
                own=ratings.get((user_id, game_of(offer.variant)), Rating()),
                theirs=_rating_in(ratings, offer),
                language=get_language(),
            )
            for offer in offers
            if offer.creator_id != user_id and str(offer.pk) not in (known or {}).get(user_id, ())
        }
        for user_id in user_ids
    }


def prospects_of(user: User | AnonymousUser, room: Room) -> dict[str, words.Prospect]:
    """The same for one reader; nothing for visitors."""
    return {} if user.pk is None else prospects(room, [user.pk])[user.pk]


def rating_of(user: User | AnonymousUser, *, variant: str, currency: str) -> Rating:
    """A player's rating in this game and currency; the first one for visitors."""
    if user.pk is None:
        return Rating()
    return standings.rating_of(user.pk, variant=variant, currency=currency)


def quote(room: Room, terms: TableTerms, user: User | AnonymousUser) -> words.Quote:
    """What a new table would bring its creator against somebody of the same rating."""
    rating = rating_of(user, variant=terms.variant, currency=terms.currency).counted
    fees = fee_quote(terms, room.column, (rating, rating))
    return words.quote(terms, fees=fees, is_money=room.is_money)


def seated_lately(user_id: int) -> list[UUID]:
    """Matches of the player's open tables that were joined in the last minute: their ready check may be on."""
    since = Now() - presence.seconds(SEATED_LATELY_S)
    taken = Offer.objects.filter(creator_id=user_id, status=OfferStatus.TAKEN, closed_at__gte=since)
    return [offer.match_id for offer in taken if offer.match_id is not None]


def _rating_in(ratings: dict[tuple[int, str], Rating], offer: Offer) -> Rating:
    return ratings.get((offer.creator_id, game_of(offer.variant)), Rating())


def _row(offer: Offer, rating: Rating, unfinished: int) -> words.OfferRow:
    return _row_of(
        offer_id=offer.pk,
        name="" if offer.room.anonymous else offer.creator.screen_name,
        terms=offer.terms,
        column=offer.room.column,
        rating=rating,
        unfinished=unfinished,
        language=get_language(),
    )


@lru_cache(maxsize=ROWS_KEPT)
def _row_of(  # noqa: PLR0913  all that a row shows is its key
    *,
    offer_id: UUID,
    name: str,
    terms: TableTerms,
    column: str,
    rating: Rating,
    unfinished: int,
    language: str | None,
) -> words.OfferRow:
    """Lists are read twice a second and their rows do not change, so each is made once."""
    fees = fee_quote(terms, column, (rating.counted, rating.counted))
    return words.offer_row(
        offer_id, name=name, terms=terms, fees=fees, rating=rating.shown, unfinished=unfinished
    )


@lru_cache(maxsize=ROWS_KEPT)
def _prospect(
    *, terms: TableTerms, column: str, own: Rating, theirs: Rating, language: str | None
) -> words.Prospect:
    """The exact fee depends on both ratings, and so do the rating points at stake."""
    fees = fee_quote(terms, column, (own.counted, theirs.counted))
    points = None if column == standings.UNRATED_COLUMN else at_stake(own, theirs, terms.length)
    return words.prospect(terms, fees=fees, points=points)
