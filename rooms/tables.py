"""Open tables under lock: closing them, and sitting two people down at one. Called inside a transaction.

A player's own acts stand in line (their account row is locked first, two players in the order of their ids, then
offers), so no two of them can cross.
"""

from collections.abc import Iterable
from uuid import UUID

from django.db.models import Q, QuerySet
from django.db.models.functions import Now

from accounts.errors import Refused
from accounts.models import User
from games import services as games
from games.services import TableTerms
from rooms import pairing, publish
from rooms.errors import (
    CloseOthersFirst,
    CreatorCannotSit,
    OfferTaken,
    OfferWithdrawn,
    RatingOutsideRoom,
    RoomClosed,
)
from rooms.models import Access, Offer, OfferStatus, Room
from rooms.selectors import rating_of
from rooms.words import span_text


def stand_in_line(*user_ids: int) -> None:
    """Locks the accounts, in the order of their ids, until the transaction ends."""
    rows = User.objects.select_for_update(no_key=True).filter(pk__in=user_ids).order_by("pk")
    assert len(rows) == len(user_ids), "players exist"


def locked(which: Q) -> QuerySet[Offer]:
    """These offers, locked in one order."""
    offers = Offer.objects.select_for_update(of=("self",)).filter(which)
    return offers.select_related("room").order_by("pk")


def close(offers: Iterable[Offer], status: OfferStatus) -> int:
    """Closes offers that the caller has locked open; returns how many."""
    closing = list(offers)
    Offer.objects.filter(pk__in=[offer.pk for offer in closing]).update(
        status=status, closed_at=Now()
    )
    for slug in {offer.room.slug for offer in closing if offer.access == Access.HALL}:
        publish.room_changed(slug)
    for friend_id in {offer.friend_id for offer in closing if offer.friend_id is not None}:
        publish.invitations_changed(friend_id)
    return len(closing)


def sit_down(user: User, offer: Offer) -> UUID:
    """Seats the player opposite the creator of a table; the match awaits both players' ready check.

    `offer` has its room. Locks both accounts and the offer, and looks again. The one who joined may ask again
    and gets the same match. Raises OfferTaken, OfferWithdrawn, RoomClosed, RatingOutsideRoom, CloseOthersFirst, NotTogether,
    MetOften, CreatorCannotSit and what games.services.require_can_sit raises.
    """
    stand_in_line(offer.creator_id, user.pk)
    found = locked(Q(pk=offer.pk)).select_related("room", "creator").get()
    if found.match_id is not None and found.taken_by_id == user.pk:
        return found.match_id
    _require_open(found)
    match_id = _open_match(found, user)
    Offer.objects.filter(pk=found.pk).update(
        status=OfferStatus.TAKEN, closed_at=Now(), taken_by=user, match_id=match_id
    )
    players = (found.creator_id, user.pk)
    close(locked(Q(creator_id__in=players, status=OfferStatus.OPEN)), OfferStatus.WITHDRAWN)
    publish.room_changed(found.room.slug)
    if found.friend_id is not None:
        publish.invitations_changed(found.friend_id)
    for player in players:
        publish.seated(user_id=player, match_id=match_id)
    return match_id


def require_may_sit(user: User, room: Room, terms: TableTerms) -> None:
    """Raises RoomClosed, RatingOutsideRoom, CloseOthersFirst and what games.services.require_can_sit raises."""
    if not room.is_open:
        raise RoomClosed
    require_rating(user, room, terms)
    _require_one_world(user, room)
    games.require_can_sit(user, terms, room.column)


def require_rating(user: User, room: Room, terms: TableTerms) -> None:
    """Raises RatingOutsideRoom. The exact rating counts; it is said with decimals where rounding would hide why."""
    if room.min_rating is None and room.max_rating is None:
        return
    rating = rating_of(user, variant=terms.variant, currency=terms.currency)
    least, most = room.min_rating or 0, room.max_rating
    if rating.exact < least or (most is not None and rating.exact > most):
        edges = {str(least), str(most)}
        said = rating.shown_exactly if rating.shown in edges else rating.shown
        raise RatingOutsideRoom(rating=said, range=span_text(least, most))


def _require_one_world(user: User, room: Room) -> None:
    """Whoever sits down closes their other tables. A named one must not vanish at the moment an anonymous match begins.

    Raises CloseOthersFirst.
    """
    open_elsewhere = Offer.objects.filter(creator=user, status=OfferStatus.OPEN)
    if open_elsewhere.exclude(room__anonymous=room.anonymous).exists():
        raise CloseOthersFirst


def _open_match(offer: Offer, user: User) -> UUID:
    room, terms = offer.room, offer.terms
    require_may_sit(user, room, terms)
    pairing.require_may_meet(user.pk, offer.creator_id, room)
    try:
        require_may_sit(offer.creator, room, terms)
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
