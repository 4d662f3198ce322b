"""Players, rooms and open tables for the lobby's tests."""

import itertools
import secrets
from datetime import timedelta
from typing import Any
from uuid import uuid4

from django.db import transaction
from django.db.models.functions import Now

from accounts.models import User
from games.services import TableTerms
from rooms import services
from rooms.models import Offer, Presence, Room
from rooms.services import Wish
from wallet import chart, ledger
from wallet.chart import Purpose
from wallet.money import Currency
from wallet.services import deposit_sandbox, open_wallet

NAMES = itertools.count(1)
ADULT = "1980-01-01"


def player(*, cents: int = 0, **fields: Any) -> User:
    """A player with chips and, if asked, test money."""
    name = f"Guest{next(NAMES)}"
    fields = {"country": "FI", "birth_date": ADULT} | fields
    user = User.objects.create_user(
        f"{name.lower()}@example.com", "a long pass phrase", screen_name=name, **fields
    )
    open_wallet(user.pk)
    if cents:
        deposit_sandbox(user.pk, cents, key=f"lobby-{name}")
    return user


def room(slug: str = "main") -> Room:
    """A shipped room."""
    return Room.objects.get(slug=slug)


def wish(stake: int = 500, **more: Any) -> Wish:
    """A single game with the usual limit."""
    usual = {"variant": "backgammon", "kind": "single", "length": 1, "limit_factor": 12}
    return Wish(stake=stake, **{**usual, "clock": "normal", **more})


def terms(stake: int = 500, *, slug: str = "main", **more: Any) -> TableTerms:
    """Checked terms for a room."""
    return services.room_terms(room(slug), wish(stake, **more))


def offered(creator: User, stake: int = 500, *, slug: str = "main", **more: Any) -> Offer:
    """An open table."""
    return services.create_offer(
        user=creator,
        room=room(slug),
        terms=terms(stake, slug=slug, **more),
        token=secrets.token_hex(16),
    )


def gone_for(user: User, seconds: float) -> None:
    """The player's lease was last renewed so long ago, by the database's clock."""
    Presence.objects.filter(user=user).update(seen_at=Now() - timedelta(seconds=seconds))


def spend(user: User, cents: int) -> None:
    """Money that went elsewhere."""
    with transaction.atomic():
        ledger.move(
            key=f"elsewhere:{user.pk}:{uuid4()}",
            source=chart.player(user.pk),
            target=chart.tournament(uuid4()),
            amount=cents,
            purpose=Purpose.ENTRY,
            currency=Currency.USD,
        )
