"""Anonymous rooms: whoever asks for a table is paired by chance with somebody who waits for the same, or waits too.

Joining a table that is shown means asking for its terms, not for its owner. What comes of it never says why somebody
was passed over: a block, an earlier match and an empty room look the same.
"""

from collections import defaultdict
from uuid import UUID, uuid4

from django.db import transaction
from django.db.models import Q

from accounts.errors import Refused
from accounts.models import User
from games.services import TableTerms
from rooms import pairing, tables
from rooms.errors import (
    CreatorCannotSit,
    MetOften,
    NotTogether,
    OfferTaken,
    OfferWithdrawn,
    OwnOffer,
    UnknownOffer,
)
from rooms.models import Access, Offer, OfferStatus, Room
from rooms.services import create_offer

TRIES = 5
GONE = (OfferTaken, OfferWithdrawn, NotTogether, MetOften, CreatorCannotSit)
"""Whoever was drawn cannot be had any more: another is drawn."""


def ask(*, user: User, room: Room, terms: TableTerms, token: str) -> UUID | None:
    """Pairs the player with somebody who waits for these terms. None: nobody suits, their own table waits now.

    Raises what create_offer raises.
    """
    assert room.anonymous, "elsewhere people choose"
    if Offer.objects.filter(creator=user, token=token).exists():
        return None
    with transaction.atomic():
        tables.stand_in_line(user.pk)
        tables.require_may_sit(user, room, terms)
    for _ in range(TRIES):
        waiting = _waiting_for(user, room, terms)
        if not waiting:
            break
        try:
            with transaction.atomic():
                return tables.sit_down(user, pairing.drawn(waiting))
        except GONE:
            continue
    create_offer(user=user, room=room, terms=terms, token=token)
    return None


def ask_like(*, user: User, offer_id: UUID) -> UUID | None:
    """The same for the terms of a table that is shown, whether or not it still waits.

    Raises UnknownOffer, OwnOffer and what `ask` raises.
    """
    shown = Offer.objects.filter(pk=offer_id, room__anonymous=True).select_related("room").first()
    if shown is None:
        raise UnknownOffer
    if shown.creator_id == user.pk:
        raise OwnOffer
    return ask(user=user, room=shown.room, terms=shown.terms, token=uuid4().hex)


def pair_waiting() -> int:
    """Pairs those who wait for the same and found nobody when they came; returns how many matches that opened."""
    groups: dict[tuple[object, ...], list[Offer]] = defaultdict(list)
    waiting = Offer.objects.filter(status=OfferStatus.OPEN, room__anonymous=True)
    for offer in waiting.select_related("room", "creator"):
        groups[offer.room_id, offer.terms].append(offer)
    return sum(_pair(pairing.shuffled(group)) for group in groups.values() if len(group) > 1)


def _pair(group: list[Offer]) -> int:
    opened = 0
    while len(group) > 1:
        own = group.pop()
        fit = pairing.suitable(own.creator_id, [each.creator_id for each in group], own.room)
        rivals = [each for each in group if each.creator_id in fit]
        if not rivals:
            continue
        rival = pairing.drawn(rivals)
        try:
            with transaction.atomic():
                tables.sit_down(own.creator, rival)
        except GONE:
            continue
        except Refused:
            _expire(own)
            continue
        group.remove(rival)
        opened += 1
    return opened


def _waiting_for(user: User, room: Room, terms: TableTerms) -> list[Offer]:
    offers = Offer.objects.filter(room=room, status=OfferStatus.OPEN, access=Access.HALL)
    same = [offer for offer in offers.select_related("room") if offer.terms == terms]
    fit = pairing.suitable(user.pk, {offer.creator_id for offer in same}, room)
    return [offer for offer in same if offer.creator_id in fit]


def _expire(own: Offer) -> None:
    """Whoever cannot sit down any more waits in vain."""
    with transaction.atomic():
        tables.close(tables.locked(Q(pk=own.pk, status=OfferStatus.OPEN)), OfferStatus.EXPIRED)
