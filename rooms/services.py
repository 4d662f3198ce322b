"""What may be done in the lobby: open a table, take it back, sit down at one, clear what was abandoned.

Holds no money: whoever sits down only agrees to a ready check. A player's own acts stand in line (their account
row is locked first, two players in the order of their ids, then offers), so no two of them can cross.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from uuid import UUID

from django.db import transaction
from django.db.models import Exists, OuterRef, Q, QuerySet
from django.db.models.functions import Now

from accounts.errors import Refused
from accounts.models import User
from games import housebots
from games import services as games
from games.engine.bots import Level
from games.rematches import Sitting
from games.services import TableTerms, table_terms
from rooms import presence, publish
from rooms.errors import (
    BadLength,
    CreatorCannotSit,
    OfferTaken,
    OfferWithdrawn,
    OwnOffer,
    RatingOutsideRoom,
    RoomClosed,
    StakeOutsideRoom,
    TooManyOffers,
    UnknownOffer,
    VariantOutsideRoom,
)
from rooms.models import Offer, OfferStatus, Room
from rooms.selectors import rating_of
from rooms.words import amount_text, span_text

MOST_OPEN_OFFERS = 5


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

    Raises RoomClosed, VariantOutsideRoom, BadLength, StakeOutsideRoom and what table_terms raises.
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
    return terms


def create_offer(*, user: User, room: Room, terms: TableTerms, token: str) -> Offer:
    """Opens a table. The same form (`token`) or the same terms again give the table that is open already.

    Raises RoomClosed, RatingOutsideRoom, TooManyOffers and what games.services.require_can_sit raises.
    """
    with transaction.atomic():
        _stand_in_line(user.pk)
        mine = Offer.objects.filter(creator=user)
        if (sent := mine.filter(token=token).first()) is not None:
            return sent
        _require_may_sit(user, room, terms)
        if (same := _with_terms(mine, room, terms).first()) is not None:
            return same
        if mine.filter(status=OfferStatus.OPEN).count() >= MOST_OPEN_OFFERS:
            raise TooManyOffers(most=MOST_OPEN_OFFERS)
        offer = Offer.objects.create(
            creator=user, room=room, token=token, currency=terms.currency, **_columns(terms)
        )
        presence.renew({user.pk: room.pk})
        publish.room_changed(room.slug)
    return offer


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
        _stand_in_line(user.pk)
        offer = _locked(Q(pk=offer_id, creator=user)).select_related("room").first()
        if offer is None:
            raise UnknownOffer
        if offer.status == OfferStatus.TAKEN:
            raise OfferTaken
        if offer.status == OfferStatus.OPEN:
            _close([offer], OfferStatus.WITHDRAWN)


def accept_offer(*, user: User, offer_id: UUID) -> UUID:
    """Sits down at an open table and returns the match, which awaits both players' ready check.

    The one who joined may ask again and gets the same match. Raises UnknownOffer, OwnOffer, OfferTaken,
    OfferWithdrawn, RoomClosed, RatingOutsideRoom, CreatorCannotSit and what games.services.require_can_sit raises.
    """
    try:
        with transaction.atomic():
            return _sit_down(user, offer_id)
    except CreatorCannotSit:
        with transaction.atomic():
            _close(_locked(Q(pk=offer_id, status=OfferStatus.OPEN)), OfferStatus.EXPIRED)
        raise


def require_welcome(sitting: Sitting) -> None:
    """What a room asks of whoever sits down in it again. Raises RoomClosed, RatingOutsideRoom."""
    room = Room.objects.filter(slug=sitting.room).first()
    if room is None or not room.is_open:
        raise RoomClosed
    _require_rating(sitting.user, room, sitting.terms)


def withdraw_all(match_id: UUID, players: tuple[int, int]) -> None:
    """Two players have sat down again: their open tables are withdrawn, their lobby pages show the way."""
    _close(
        _locked(Q(creator_id__in=players, status=OfferStatus.OPEN)).select_related("room"),
        OfferStatus.WITHDRAWN,
    )
    for player in players:
        publish.seated(user_id=player, match_id=match_id)


def withdraw(which: Q) -> int:
    """Withdraws these open tables, whoever's they are; needs a transaction. Returns how many."""
    return _close(_locked(which).select_related("room"), OfferStatus.WITHDRAWN)


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
        return _close(abandoned, OfferStatus.EXPIRED)


def _sit_down(user: User, offer_id: UUID) -> UUID:
    creator_id = Offer.objects.filter(pk=offer_id).values_list("creator_id", flat=True).first()
    if creator_id is None:
        raise UnknownOffer
    if creator_id == user.pk:
        raise OwnOffer
    _stand_in_line(creator_id, user.pk)
    offer = _locked(Q(pk=offer_id)).select_related("room", "creator").get()
    if offer.match_id is not None and offer.taken_by_id == user.pk:
        return offer.match_id
    _require_open(offer)
    match_id = _open_match(offer, user)
    Offer.objects.filter(pk=offer.pk).update(
        status=OfferStatus.TAKEN, closed_at=Now(), taken_by=user, match_id=match_id
    )
    others = Q(creator_id__in=(creator_id, user.pk), status=OfferStatus.OPEN)
    _close(_locked(others).select_related("room"), OfferStatus.WITHDRAWN)
    publish.room_changed(offer.room.slug)
    publish.seated(user_id=creator_id, match_id=match_id)
    publish.seated(user_id=user.pk, match_id=match_id)
    return match_id


def _open_match(offer: Offer, user: User) -> UUID:
    room, terms = offer.room, offer.terms
    _require_may_sit(user, room, terms)
    try:
        _require_may_sit(offer.creator, room, terms)
    except Refused as refusal:
        raise CreatorCannotSit from refusal
    return games.open_match(
        light=offer.creator, dark=user, terms=terms, room=room.slug, column=room.column
    )


def _require_open(offer: Offer) -> None:
    if offer.status == OfferStatus.TAKEN:
        raise OfferTaken
    if offer.status != OfferStatus.OPEN:
        raise OfferWithdrawn


def _require_may_sit(user: User, room: Room, terms: TableTerms) -> None:
    if not room.is_open:
        raise RoomClosed
    _require_rating(user, room, terms)
    games.require_can_sit(user, terms, room.column)


def _require_rating(user: User, room: Room, terms: TableTerms) -> None:
    """Raises RatingOutsideRoom. The exact rating counts; it is said with decimals where rounding would hide why."""
    if room.min_rating is None and room.max_rating is None:
        return
    rating = rating_of(user, variant=terms.variant, currency=terms.currency)
    least, most = room.min_rating or 0, room.max_rating
    if rating.exact < least or (most is not None and rating.exact > most):
        edges = {str(least), str(most)}
        said = rating.shown_exactly if rating.shown in edges else rating.shown
        raise RatingOutsideRoom(rating=said, range=span_text(least, most))


def _stand_in_line(*user_ids: int) -> None:
    """Locks the accounts, in the order of their ids, until the transaction ends."""
    rows = User.objects.select_for_update(no_key=True).filter(pk__in=user_ids).order_by("pk")
    assert len(rows) == len(user_ids), "players exist"


def _locked(which: Q) -> QuerySet[Offer]:
    return Offer.objects.select_for_update(of=("self",)).filter(which).order_by("pk")


def _close(offers: Iterable[Offer], status: OfferStatus) -> int:
    """Closes offers that the caller has locked open; returns how many."""
    closing = list(offers)
    Offer.objects.filter(pk__in=[offer.pk for offer in closing]).update(
        status=status, closed_at=Now()
    )
    for slug in {offer.room.slug for offer in closing}:
        publish.room_changed(slug)
    return len(closing)


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
    return offers.filter(room=room, status=OfferStatus.OPEN, **_columns(terms))
