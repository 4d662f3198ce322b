"""Sets the stage inside a site's database: people, tables, deadlines, abandoned matches. Asked one JSON line at a time.

    python -m tests.chaos.stage          with the site's environment; answers one JSON line for each

The only part of the chaos tests that imports the site, but for the bank's tellers.
"""

import json
import os
import secrets
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from hashlib import sha256
from typing import Any
from uuid import UUID, uuid4

import django

if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "nardysite.settings.test")
    django.setup()

from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY
from django.contrib.auth.models import Group
from django.contrib.sessions.backends.db import SessionStore
from django.db import InterfaceError, OperationalError, close_old_connections, transaction
from django.db.models.functions import Now

from accounts import keys, links
from accounts.models import User
from accounts.moderation import closing
from games import course, fairness, house, services, stakes, store
from games.dbclock import read_ms
from games.info import infos_of
from games.match import commands, events
from games.match.machine import deadline, evolve
from games.match.sides import Side
from games.match.state import MatchState, Phase
from games.match.terms import ClockTerms
from games.models import Match, MatchEvent, MatchHead, MatchSeed, Seat
from games.sealing import seal
from games.terms import match_terms, table_terms
from wallet import chart, ledger
from wallet.chart import Purpose
from wallet.money import Currency
from wallet.services import deposit_sandbox, open_wallet

BACKEND = "allauth.account.auth_backends.AuthenticationBackend"
AT_ONCE = 250
PATIENCE_S = 60
ROOMS = {"USD": "main", "PLAY": "practice"}


# --- people ---------------------------------------------------------------------------------------


def people(count: int, cents: int = 0) -> list[dict[str, Any]]:
    """New players with sessions: their id, name, session's key and cookie."""
    return [_person(cents) for _ in range(count)]


def _person(cents: int) -> dict[str, Any]:
    name = secrets.token_hex(6)
    with transaction.atomic():
        user = User(
            email=f"{name}@example.com", screen_name=name, country="FI", birth_date="1980-01-01"
        )
        user.set_unusable_password()
        user.save()
        open_wallet(user.pk)
        if cents:
            deposit_sandbox(user.pk, cents, key=name)
        session = SessionStore()
        session[SESSION_KEY] = str(user.pk)
        session[BACKEND_SESSION_KEY] = BACKEND
        session[HASH_SESSION_KEY] = user.get_session_auth_hash()
        session.save()
    cookie = f"sessionid={session.session_key}"
    return {"id": user.pk, "name": name, "session": session.session_key, "cookie": cookie}


def end_session(person: dict[str, Any]) -> None:
    """Signs out, as the page does."""
    SessionStore(person["session"]).flush()


def end_account(person: dict[str, Any]) -> None:
    """The account is closed."""
    User.objects.filter(pk=person["id"]).update(is_active=False)


def change_password(person: dict[str, Any]) -> None:
    """A new password, so the old sessions end."""
    user = User.objects.get(pk=person["id"])
    user.set_password(secrets.token_hex(12))
    user.save()


# --- tables ---------------------------------------------------------------------------------------


def open_table(light: int, dark: int, currency: str, stake: int, faster: int = 1) -> str:
    """A match of these two at its ready check, its clock so many times faster; the one they play, if there is one."""
    running = Seat.objects.filter(active=True, user_id=light, match__seats__user_id=dark)
    known = running.values_list("match_id", flat=True).first()
    if known is not None:
        return str(known)
    terms = table_terms(currency=currency, stake=stake, limit_factor=3, clock="normal")
    with _faster(faster):
        match_id = services.open_match(
            light=User.objects.get(pk=light),
            dark=User.objects.get(pk=dark),
            terms=terms,
            room=ROOMS[currency],
            column=ROOMS[currency],
        )
    return str(match_id)


@contextmanager
def _faster(times: int) -> Iterator[None]:
    """Clocks of matches opened here run out so many times sooner; the terms are stored with the match."""
    module: Any = sys.modules["games.terms"]
    plain = module.clock_terms

    def quick(preset: str, kind: str, length: int) -> ClockTerms:
        slow: ClockTerms = plain(preset, kind, length)
        return replace(slow, move_ms=slow.move_ms // times, reserve_ms=slow.reserve_ms // times)

    module.clock_terms = quick
    try:
        yield
    finally:
        module.clock_terms = plain


def start(match: str) -> None:
    """Both are ready and the game begins."""
    match_id = UUID(match)
    for command in _ready_check():
        house.advance(match_id, command)


def _ready_check() -> list[commands.Command]:
    seeds = {side: secrets.token_bytes(32) for side in Side}
    accepts: list[commands.Command] = [
        commands.Accept(side, sha256(seed).hexdigest()) for side, seed in seeds.items()
    ]
    return accepts + [commands.RevealSeed(side, seed.hex()) for side, seed in seeds.items()]


def abandon(match: str) -> None:
    """One player has been away for too long: the match waits for a verdict."""
    match_id = UUID(match)
    _info, state, _seed, _records = course.load(match_id)
    since = read_ms() - state.terms.window_ms - 1
    house.advance(match_id, commands.MarkLost(side=Side.LIGHT, since_ms=since))
    house.expire(match_id)  # or a worker of the site was quicker
    assert course.load(match_id)[1].phase not in {Phase.TO_ROLL, Phase.TO_MOVE}


def running(users: list[int], due_in_ms: list[int]) -> list[str]:
    """Started games for chips between neighbours of the list, whose times run out so far from now."""
    made: list[str] = []
    now_ms = read_ms()
    for first in range(0, len(due_in_ms), AT_ONCE):
        with transaction.atomic():
            made += _running(users, first, due_in_ms[first : first + AT_ONCE], now_ms)
    return made


def _running(users: list[int], first: int, due_in_ms: list[int], now_ms: int) -> list[str]:
    matches, seats, opened = [], [], {}
    for number, due_ms in enumerate(due_in_ms, start=first):
        terms = table_terms(currency="PLAY", stake=1, limit_factor=3)
        clock = ClockTerms(move_ms=due_ms // 2, reserve_ms=due_ms - due_ms // 2)
        match_id, seed = uuid4(), fairness.new_seed()
        event = events.MatchOpened(
            terms=replace(match_terms(terms), clock=clock), server_commit=fairness.commitment(seed)
        )
        match = Match(
            id=match_id, room="practice", column="practice", tariff=stakes.current_tariff(),
            variant=terms.variant, kind=terms.kind, length=1, currency="PLAY", stake=1, limit=3,
            clock=terms.clock, server_commit=event.server_commit,
        )  # fmt: skip
        matches.append(match)
        pair = users[2 * number % len(users)], users[(2 * number + 1) % len(users)]
        seats += [
            Seat(match=match, side=side.value, user_id=user, money=False)
            for side, user in zip(Side, pair, strict=True)
        ]
        opened[match_id] = (seed, event)
    Match.objects.bulk_create(matches)
    Seat.objects.bulk_create(seats)
    seals = [MatchSeed(match=one, sealed=seal(opened[one.id][0], one.id)) for one in matches]
    MatchSeed.objects.bulk_create(seals)
    entries = _started([match.id for match in matches], opened, now_ms)
    MatchHead.objects.bulk_create(
        MatchHead(match_id=entry.match_id, version=1, phase="ready", position="")
        for entry in entries
    )
    store.append(*entries)
    Match.objects.filter(id__in=opened).update(started_at=Now())
    # In one call, so that all accounts are locked in one order.
    ledger.move_many([move for seat in seats for move in _stakes(seat)])
    return [str(match.id) for match in matches]


def _started(
    match_ids: list[UUID], opened: dict[UUID, tuple[bytes, events.MatchOpened]], now_ms: int
) -> list[store.Entry]:
    """All that happens until the first turn, in one entry for each match."""
    infos = infos_of(match_ids)
    entries = []
    for match_id in match_ids:
        seed, event = opened[match_id]
        state = evolve(None, event, now_ms)
        records = [store.Record(1, event.KIND, events.to_payload(event), now_ms)]
        for command in _ready_check():
            order = course.Order(command=command, now_ms=now_ms)
            step = course.advance(infos[match_id], state, seed, order)
            records += step.entry.records
            state = step.state
        entries.append(store.Entry(match_id, tuple(records), course.head_of(state)))
    return entries


def _stakes(seat: Seat) -> list[ledger.Move]:
    return [
        ledger.Move(
            key=f"match:{seat.match_id}:stake:{seat.side}",
            source=chart.player(seat.user_id),
            target=chart.escrow(seat.match_id),
            amount=3,
            purpose=Purpose.STAKE,
            currency=Currency.PLAY,
        )
    ]


# --- what came of it ------------------------------------------------------------------------------

FIRED = ("time_expired", "abandoned", "sent_to_moderators")


def flags(matches: list[str] | None = None) -> list[dict[str, Any]]:
    """Every deadline that took effect: which match, when it was due and when it was written, ms."""
    rows = MatchEvent.objects.filter(kind__in=FIRED)
    if matches is not None:
        rows = rows.filter(match_id__in=matches)
    found: list[dict[str, Any]] = []
    for match_id in rows.values_list("match_id", flat=True).distinct():
        found += _flags(match_id)
    return found


def _flags(match_id: UUID) -> Iterator[dict[str, Any]]:
    state: MatchState | None = None
    for record in store.events_of(match_id):
        if record.kind in FIRED:
            assert state is not None
            yield {
                "match": str(match_id), "kind": record.kind, "at": record.at_ms,
                "due": deadline(state),
            }  # fmt: skip
        state = evolve(state, events.from_payload(record.kind, record.payload), record.at_ms)


# --- a closed account -----------------------------------------------------------------------------


def close_account(user: int) -> dict[str, str]:
    """Closed by support, its running matches void. Answers an alias of its mailbox."""
    whom = User.objects.get(pk=user)
    links.claim(whom)
    links.notice(whom, [keys.device(f"device of {user}")])
    helper = User.objects.create_user(
        f"{secrets.token_hex(6)}@example.net", screen_name=secrets.token_hex(6), is_staff=True
    )
    helper.groups.add(Group.objects.get(name="Support"))
    order = closing.Order("abuse", "chaos", "void", "hold")
    closing.close(whom, order, by=helper, seen=closing.preview(whom, order))
    return {"alias": whom.email.replace("@", "+again@").upper()}


def known_mailboxes(count: int) -> list[str]:
    """Confirmed addresses of as many new players."""
    found = []
    for person in people(count):
        user = User.objects.get(pk=person["id"])
        user.confirm_email()
        links.claim(user)
        found.append(user.email)
    return found


def accounts_called(names: list[str]) -> int:
    """How many accounts have one of these names."""
    return User.objects.filter(screen_name__in=names).count()


def is_held_by_device(closed: int) -> bool:
    """Whether a new account on the closed one's device waits with money play."""
    newcomer = User.objects.get(pk=_person(0)["id"])
    links.notice(newcomer, [keys.device(f"device of {closed}")])
    return links.held_because(newcomer) is not None


# --- the line ---------------------------------------------------------------------------------------

DEEDS: dict[str, Callable[..., Any]] = {
    deed.__name__: deed
    for deed in (
        people, end_session, end_account, change_password, open_table, start, abandon, running, flags,
        close_account, known_mailboxes, accounts_called, is_held_by_device,
    )
}  # fmt: skip


def insist(deed: Callable[..., Any], arguments: dict[str, Any]) -> Any:
    """Does it, however long the database is away."""
    limit = time.monotonic() + PATIENCE_S
    while True:
        try:
            return deed(**arguments)
        except (OperationalError, InterfaceError):
            if time.monotonic() > limit:
                raise
            close_old_connections()
            time.sleep(0.1)


def main() -> None:
    """Answers until there are no more lines."""
    for line in sys.stdin:
        name, arguments = json.loads(line)
        sys.stdout.write(json.dumps(insist(DEEDS[name], arguments)) + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
