"""What may be done in the lobby: open a table, take it back, sit down at one, clear what was abandoned.

Holds no money: whoever sits down only agrees to a ready check. Anonymous rooms are in rooms.draws.
"""

import secrets
from dataclasses import dataclass
from uuid import UUID

from django.db import transaction
from django.db.models import Exists, OuterRef, Q, QuerySet

from accounts.acquaintances import are_friends
from accounts.models import User
from games import housebots
from games import services as games
from games.engine.bots import Level
from games.rematches import Sitting
from games.services import TableTerms, table_terms
from rooms import pairing, presence, publish
from rooms.errors import (
    BadLength,
    CreatorCannotSit,
    DrawnByChance,
    NotYourFriend,
    OfferTaken,
    OwnOffer,
    PrivateNotHere,
    RoomClosed,
    StakeNotOffered,
    StakeOutsideRoom,
    TooManyOffers,
    UnknownOffer,
    VariantOutsideRoom,
)
from rooms.models import Access, Offer, OfferStatus, Room
from rooms.tables import close, locked, require_may_sit, require_rating, sit_down, stand_in_line
from rooms.words import amount_text

MOST_OPEN_OFFERS = 5
KEY_BYTES = 18


@dataclass(frozen=True, slots=True)
class Wish:
    """The table that a player asks for. `stake` in minor units, `options` as in games.terms."""

    variant: str
    kind: str
    length: int
    stake: int
    limit_factor: int
    clock: str
    options: frozenset[str] = frozenset()


def room_terms(room: Room, wish: Wish) -> TableTerms:
    """Terms that the site and this room allow.

    Raises RoomClosed, VariantOutsideRoom, BadLength, StakeOutsideRoom, StakeNotOffered and what table_terms raises.
    """
    if not room.is_open:
        raise RoomClosed
    if wish.variant not in room.variants:
        raise VariantOutsideRoom
    if wish.kind == "series" and not 1 <= wish.length <= room.longest_series:
        raise BadLength(most=room.longest_series)
    terms = table_terms(
        variant=wish.variant,
        kind=wish.kind,
        length=wish.length if wish.kind == "series" else 1,
        currency=room.currency,
        stake=wish.stake,
        limit_factor=wish.limit_factor,
        clock=wish.clock,
        options=wish.options | {"blitz"} if room.blitz else wish.options,
    )
    if not room.min_stake <= terms.stake <= room.max_stake:
        raise StakeOutsideRoom(
            least=amount_text(room.min_stake, room.currency),
            most=amount_text(room.max_stake, room.currency),
        )
    if room.stakes and terms.stake not in room.stakes:
        allowed = (amount_text(stake, room.currency) for stake in sorted(room.stakes))
        raise StakeNotOffered(stakes=", ".join(allowed))
    return terms


@dataclass(frozen=True, slots=True)
class Guests:
    """Whom a table is for: everybody in the room, whoever has its link, or one friend."""

    access: Access = Access.HALL
    friend: User | None = None


EVERYBODY = Guests()


def create_offer(
    *, user: User, room: Room, terms: TableTerms, token: str, guests: Guests = EVERYBODY
) -> Offer:
    """Opens a table. The same form (`token`), for everybody also the same terms again, give the table that is open already.

    Raises RoomClosed, RatingOutsideRoom, TooManyOffers, PrivateNotHere, NotYourFriend, CloseOthersFirst, NotTogether and what
    games.services.require_can_sit raises.
    """
    with transaction.atomic():
        stand_in_line(user.pk)
        mine = Offer.objects.filter(creator=user)
        if (sent := mine.filter(token=token).first()) is not None:
            return sent
        require_may_sit(user, room, terms)
        _require_guests(user, room, guests)
        is_open = guests.access == Access.HALL
        if is_open and (same := _with_terms(mine, room, terms).first()) is not None:
            return same
        if mine.filter(status=OfferStatus.OPEN).count() >= MOST_OPEN_OFFERS:
            raise TooManyOffers(most=MOST_OPEN_OFFERS)
        offer = Offer.objects.create(
            creator=user,
            room=room,
            token=token,
            currency=terms.currency,
            access=guests.access,
            friend=guests.friend,
            key=None if is_open else secrets.token_urlsafe(KEY_BYTES),
            **_columns(terms),
        )
        presence.renew({user.pk: room.pk})
        if is_open:
            publish.room_changed(room.slug)
        if guests.friend is not None:
            publish.invitations_changed(guests.friend.pk)
    return offer


def _require_guests(user: User, room: Room, guests: Guests) -> None:
    if guests.access == Access.HALL:
        return
    if room.anonymous:
        raise PrivateNotHere
    if guests.access == Access.FRIEND:
        if guests.friend is None or not are_friends(user.pk, guests.friend.pk):
            raise NotYourFriend
        pairing.require_may_meet(user.pk, guests.friend.pk, room)


@dataclass(frozen=True, slots=True)
class BotWish:
    """A game against the house: which, against whom, and to how many points; 0 for a single game."""

    variant: str
    level: Level
    length: int


def play_bot(*, user: User, room: Room, wish: BotWish) -> UUID:
    """Sits down with a house bot; the match awaits the player's ready check.

    Raises RoomClosed, VariantOutsideRoom and what games.housebots raises.
    """
    if not room.is_open:
        raise RoomClosed
    if wish.variant not in room.variants:
        raise VariantOutsideRoom
    terms = housebots.bot_terms(variant=wish.variant, length=wish.length)
    games.purse(user.pk, terms.currency)  # opens it: a guest has had no chips yet
    return housebots.sit_down(user=user, level=wish.level, terms=terms)


def withdraw_offer(*, user: User, offer_id: UUID) -> None:
    """Takes back an own open table; doing so twice changes nothing. Raises UnknownOffer, OfferTaken."""
    with transaction.atomic():
        stand_in_line(user.pk)
        offer = locked(Q(pk=offer_id, creator=user)).first()
        if offer is None:
            raise UnknownOffer
        if offer.status == OfferStatus.TAKEN:
            raise OfferTaken
        if offer.status == OfferStatus.OPEN:
            close([offer], OfferStatus.WITHDRAWN)


def accept_offer(*, user: User, offer_id: UUID) -> UUID:
    """Sits down at a table that is open to everybody, and returns the match.

    Raises UnknownOffer, OwnOffer and what rooms.tables.sit_down raises.
    """
    return _accept(user, Q(pk=offer_id, access=Access.HALL, room__anonymous=False))


def accept_private(*, user: User, key: str) -> UUID:
    """The same at a table that is open to whoever has its link, or to this player. Raises what accept_offer raises."""
    invited = Q(access=Access.LINK) | Q(access=Access.FRIEND, friend=user) | Q(creator=user)
    return _accept(user, Q(key=key) & invited)


def decline(*, user: User, key: str) -> None:
    """A friend does not want to play: the table that was opened for them is closed. Raises UnknownOffer."""
    with transaction.atomic():
        offer = locked(Q(key=key, access=Access.FRIEND, friend=user)).first()
        if offer is None:
            raise UnknownOffer
        if offer.status == OfferStatus.OPEN:
            close([offer], OfferStatus.WITHDRAWN)


def _accept(user: User, which: Q) -> UUID:
    offer = Offer.objects.filter(which).select_related("room").first()
    if offer is None:
        raise UnknownOffer
    if offer.creator_id == user.pk:
        raise OwnOffer
    try:
        with transaction.atomic():
            return sit_down(user, offer)
    except CreatorCannotSit:
        with transaction.atomic():
            close(locked(Q(pk=offer.pk, status=OfferStatus.OPEN)), OfferStatus.EXPIRED)
        raise


def require_welcome(sitting: Sitting) -> None:
    """What a room asks of whoever sits down in it again.

    Raises RoomClosed, RatingOutsideRoom, NotTogether; in an anonymous room always DrawnByChance.
    """
    room = Room.objects.filter(slug=sitting.room).first()
    if room is None or not room.is_open:
        raise RoomClosed
    if room.anonymous:
        raise DrawnByChance
    require_rating(sitting.user, room, sitting.terms)
    pairing.require_may_meet(sitting.user.pk, sitting.other_id, room)


def withdraw_all(match_id: UUID, players: tuple[int, int]) -> None:
    """Two players have sat down again: their open tables are withdrawn, their lobby pages show the way."""
    close(locked(Q(creator_id__in=players, status=OfferStatus.OPEN)), OfferStatus.WITHDRAWN)
    for player in players:
        publish.seated(user_id=player, match_id=match_id)


def withdraw(which: Q) -> int:
    """Withdraws these open tables, whoever's they are; needs a transaction. Returns how many."""
    return close(locked(which), OfferStatus.WITHDRAWN)


def expire_abandoned() -> int:
    """Closes the open tables whose creators have left the lobby; returns how many. Any number may run at once."""
    with transaction.atomic():
        abandoned = (
            Offer.objects.select_for_update(skip_locked=True, of=("self",))
            .select_related("room")
            .filter(status=OfferStatus.OPEN)
            .exclude(Exists(presence.present().filter(user_id=OuterRef("creator_id"))))
            .order_by("pk")
        )
        return close(abandoned, OfferStatus.EXPIRED)


def _columns(terms: TableTerms) -> dict[str, str | int | bool]:
    return {
        "variant": terms.variant,
        "kind": terms.kind,
        "length": terms.length,
        "stake": terms.stake,
        "limit_factor": terms.limit_factor,
        "jacoby": terms.jacoby,
        "beavers": terms.beavers,
        "crawford": terms.crawford,
        "clock": terms.clock,
        "blitz": terms.blitz,
    }


def _with_terms(offers: QuerySet[Offer], room: Room, terms: TableTerms) -> QuerySet[Offer]:
    open_here = offers.filter(room=room, status=OfferStatus.OPEN, access=Access.HALL)
    return open_here.filter(**_columns(terms))
