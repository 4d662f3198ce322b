"""What the lobby shows: rooms, open tables, running tables, heads. Reads only."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from functools import lru_cache
from uuid import UUID

from django.contrib.auth.models import AnonymousUser
from django.db.models import QuerySet
from django.db.models.functions import Now
from django.utils.translation import get_language

from accounts.acquaintances import blocks_around
from accounts.models import User
from games import standings
from games.ratings import GAMES, Rating, at_stake, game_of
from games.selectors import (
    MOST_WATCHED,
    at_tables,
    is_finished,
    running_count,
    running_tables,
)
from games.services import TableTerms, fee_quote
from rooms import presence, words
from rooms.errors import UnknownOffer, UnknownRoom
from rooms.models import Access, Offer, OfferStatus, Room

SEATED_LATELY_S = 60
ROWS_KEPT = 10_000


@dataclass(frozen=True, slots=True)
class Listing:
    """What a room shows, in the language of the moment. `tables`: how many are running, listed or not. `owners`: whose each open table is, never shown.

    `apart`: for each owner those who do not meet them; empty in an anonymous room, where it would tell who they are.
    """

    offers: tuple[words.OfferRow, ...]
    running: tuple[words.RunningRow, ...]
    tables: int
    owners: dict[str, int]
    apart: dict[int, set[int]]


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
        Offer.objects.filter(room=room, status=OfferStatus.OPEN, access=Access.HALL)
        .select_related("creator", "room")
        .order_by("-created_at", "pk")
    )


def open_offers_of(user: User | AnonymousUser) -> QuerySet[Offer]:
    """A player's own tables that wait for an opponent, in any room, the newest first."""
    mine = Offer.objects.filter(creator_id=user.pk, status=OfferStatus.OPEN)
    return mine.select_related("room", "friend").order_by("-created_at")


def private_offer(key: str, user: User | AnonymousUser) -> Offer:
    """The private table behind a link, whatever became of it. Raises UnknownOffer, also where it is for somebody else."""
    found = Offer.objects.filter(key=key).select_related("room", "creator", "friend").first()
    if found is None:
        raise UnknownOffer
    for_one = found.access == Access.FRIEND
    if for_one and user.pk not in {found.friend_id, found.creator_id}:
        raise UnknownOffer
    return found


def invitations_of(user_id: int) -> list[words.InvitationRow]:
    """The tables that friends have opened for this player and that still wait, the newest first."""
    offers = Offer.objects.filter(
        friend_id=user_id, access=Access.FRIEND, status=OfferStatus.OPEN, room__is_open=True
    )
    return [
        words.invitation_row(offer)
        for offer in offers.select_related("creator").order_by("-created_at")
    ]


def here_of(user_ids: Collection[int]) -> set[int]:
    """Those of these players who are on the site now, in whatever room or at whatever table."""
    lobby = presence.present().filter(user_id__in=user_ids)
    return set(lobby.values_list("user_id", flat=True)) | at_tables(user_ids)


def own_ratings(user: User | AnonymousUser, room: Room) -> dict[str, int]:
    """A player's ratings by game, as they are shown, in the room's currency."""
    known = {} if user.pk is None else standings.all_ratings_of([user.pk], currency=room.currency)
    return {
        game: int(known.get((user.pk or 0, game), Rating()).shown.rstrip("*")) for game in GAMES
    }


def listing(room: Room) -> Listing:
    """Everything that a room shows of its tables."""
    offers = list(open_offers(room))
    creators = {offer.creator_id for offer in offers}
    ratings = standings.all_ratings_of(creators, currency=room.currency)
    unfinished = standings.unfinished_of(creators, column=room.column)
    running = running_tables(room.slug)
    return Listing(
        offers=tuple(
            _row(offer, _rating_in(ratings, offer), unfinished[offer.creator_id])
            for offer in offers
        ),
        running=tuple(words.running_row(table) for table in running),
        tables=running_count(room.slug) if len(running) >= MOST_WATCHED else len(running),
        owners={str(offer.pk): offer.creator_id for offer in offers},
        apart={} if room.anonymous else blocks_around(creators),
    )


def prospects(
    room: Room, asked: Mapping[int, Collection[str]]
) -> dict[int, dict[str, words.Prospect]]:
    """What open tables of a room would bring players, by player and table. asked: player to ids of tables.

    Own tables, and those that no longer wait, are left out.
    """
    wanted = {key for keys in asked.values() for key in keys}
    offers = list(open_offers(room).filter(pk__in=wanted))
    return _prospects(room, offers, asked)


def _prospects(
    room: Room, offers: list[Offer], asked: Mapping[int, Collection[str]]
) -> dict[int, dict[str, words.Prospect]]:
    people = {offer.creator_id for offer in offers} | set(asked)
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
            if offer.creator_id != user_id and str(offer.pk) in keys
        }
        for user_id, keys in asked.items()
    }


def prospects_of(user: User | AnonymousUser, room: Room) -> dict[str, words.Prospect]:
    """All open tables of a room for one reader; nothing for visitors."""
    if user.pk is None:
        return {}
    offers = list(open_offers(room))
    return _prospects(room, offers, {user.pk: {str(offer.pk) for offer in offers}})[user.pk]


def prospect_of(user: User | AnonymousUser, offer: Offer) -> words.Prospect:
    """What one table would bring one reader, who may be a visitor."""
    ratings = {"variant": offer.variant, "currency": offer.currency}
    return _prospect(
        terms=offer.terms,
        column=offer.room.column,
        own=rating_of(user, **ratings),
        theirs=rating_of(offer.creator, **ratings),
        language=get_language(),
    )


def shown_offer(offer: Offer) -> words.OfferRow:
    """One table, private or not, as a list would show it."""
    rating = rating_of(offer.creator, variant=offer.variant, currency=offer.currency)
    unfinished = standings.unfinished_of([offer.creator_id], column=offer.room.column)
    return _row(offer, rating, unfinished[offer.creator_id])


def rating_of(user: User | AnonymousUser, *, variant: str, currency: str) -> Rating:
    """A player's rating in this game and currency; the first one for visitors."""
    if user.pk is None:
        return Rating()
    return standings.rating_of(user.pk, variant=variant, currency=currency)


def quote(room: Room, terms: TableTerms, user: User | AnonymousUser) -> words.Quote:
    """What a new table would bring its creator against somebody of the same rating."""
    rating = rating_of(user, variant=terms.variant, currency=terms.currency).counted
    fees = fee_quote(terms, room.column, (rating, rating))
    return words.quote(terms, fees=fees, is_money=room.is_money and not room.anonymous)


def quote_against(offer: Offer, user: User | AnonymousUser) -> words.Quote:
    """What a table that waits would bring whoever sits down at it, by both ratings."""
    where = {"variant": offer.variant, "currency": offer.currency}
    ratings = rating_of(offer.creator, **where).counted, rating_of(user, **where).counted
    fees = fee_quote(offer.terms, offer.room.column, ratings)
    return words.quote(offer.terms, fees=fees, is_money=False)


def seated_lately(user_id: int) -> list[UUID]:
    """Matches of the player's open tables that were joined in the last minute and are not over: their ready check may be on."""
    since = Now() - presence.seconds(SEATED_LATELY_S)
    taken = Offer.objects.filter(creator_id=user_id, status=OfferStatus.TAKEN, closed_at__gte=since)
    joined = [offer.match_id for offer in taken if offer.match_id is not None]
    return [match_id for match_id in joined if not is_finished(match_id)]


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
