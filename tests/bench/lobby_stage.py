"""Sets the lobby bench's stage, or keeps its lists changing. Prints JSON.

python -m tests.bench.lobby_stage people TABLES PEOPLE       open tables, and people with sessions
python -m tests.bench.lobby_stage changes SECONDS A_SECOND   tables opened and closed in turns: [[id, time of the commit], …]
"""

import json
import os
import secrets
import sys
import time
from collections import deque
from datetime import timedelta
from typing import Any

import django
from django.utils import timezone

ROOM = "practice"
FAR = timedelta(hours=1)
STAND = 8
"""So many of the new tables stand before the oldest goes: each is open for some seconds."""


def main(what: str, first: int, second: int) -> object:
    """The answer to one of the two questions."""
    return people(first, second) if what == "people" else changes(first, second)


def people(tables: int, guests: int) -> dict[str, Any]:
    """Every table has an owner of its own, who is there; guests have sessions."""
    from django.db import transaction

    from rooms.models import Offer, Presence, Room

    room = Room.objects.get(slug=ROOM)
    with transaction.atomic():
        owners = accounts(tables)
        Offer.objects.bulk_create(
            Offer(creator=owner, room=room, token=secrets.token_hex(8), **terms(number))
            for number, owner in enumerate(owners)
        )
        here = timezone.now() + FAR
        Presence.objects.bulk_create(
            Presence(user=owner, room=room, seen_at=here) for owner in owners
        )
        cookies = [session_of(guest) for guest in accounts(guests)]
    return {"cookies": cookies}


def changes(seconds: int, a_second: int) -> list[tuple[str, float]]:
    """At a steady pace: a new table, then an older one taken back."""
    from rooms import services
    from rooms.models import Room
    from wallet.services import open_wallet

    room = Room.objects.get(slug=ROOM)
    owners = deque(accounts(20))
    for owner in owners:
        open_wallet(owner.pk)
    opened: list[tuple[str, float]] = []
    standing: deque[tuple[Any, Any]] = deque()
    started = time.monotonic()
    for number in range(seconds * a_second):
        time.sleep(max(0.0, started + number / a_second - time.monotonic()))
        if number % 2 and len(standing) >= STAND:
            owner, offer = standing.popleft()
            services.withdraw_offer(user=owner, offer_id=offer.pk)
            continue
        owner = owners[0]
        owners.rotate()
        wish = services.Wish("backgammon", "single", 1, 1 + number % 50, 3, "normal")
        offer = services.create_offer(
            user=owner,
            room=room,
            terms=services.room_terms(room, wish),
            token=secrets.token_hex(8),
        )
        opened.append((str(offer.pk), time.time()))
        standing.append((owner, offer))
    return opened


def accounts(count: int) -> list[Any]:
    """Players who signed up in some other way."""
    from accounts.models import User

    made = []
    for _ in range(count):
        name = f"p{secrets.token_hex(7)}"
        user = User(email=f"{name}@example.com", screen_name=name, country="FI")
        user.set_unusable_password()
        user.look_like(name)
        made.append(user)
    return list(User.objects.bulk_create(made))


def session_of(user: Any) -> str:
    """The cookie of a session."""
    from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY
    from django.contrib.sessions.backends.db import SessionStore

    session = SessionStore()
    session[SESSION_KEY] = str(user.pk)
    session[BACKEND_SESSION_KEY] = "allauth.account.auth_backends.AuthenticationBackend"
    session[HASH_SESSION_KEY] = user.get_session_auth_hash()
    session.save()
    return f"sessionid={session.session_key}"


def terms(number: int) -> dict[str, Any]:
    """Of every kind some."""
    game = ("backgammon", "long-nardy", "long-nardy-fnr")[number % 3]
    series = number % 4 == 0
    return {
        "variant": game,
        "kind": "series" if series else "single",
        "length": 5 if series else 1,
        "currency": "PLAY",
        "stake": 1 + number % 40,
        "limit_factor": 1 if series else 12 if game == "backgammon" else 3,
        "crawford": game == "backgammon",
        "clock": "normal",
    }


if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "nardysite.settings.test")
    django.setup()
    sys.stdout.write(json.dumps(main(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]))))
