"""The house bots: accounts that play for chips with whoever has nobody to play with, by the same commands.

Nothing is remembered in a process. A bot's match has a row that says up to which version nothing was left
for the bot to do; a sweep finds those that have gone on since and has one command each given by a task. A
bot's seed follows from the match's id and a key of the site, so any process can go on where another died.
"""

import hashlib
import hmac
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import partial
from statistics import NormalDist
from typing import Final
from uuid import UUID

from django.conf import settings
from django.db import connection, transaction
from django.db.models import F, Q
from django.db.models.functions import Now

from accounts.errors import Refused
from accounts.models import User
from games import course, publish, rematches, seating, stakes, store
from games.dbclock import read_ms
from games.engine.bots import MINDS, Level, Mind
from games.errors import NoBotForThisGame
from games.match import commands as c
from games.match.machine import may
from games.match.sides import Side
from games.match.state import FINISHED, MatchState
from games.models import HouseBot, HouseSeat, Rematch, Seat
from games.rules.turns import Move
from games.terms import TableTerms, table_terms

ROOM: Final = "practice"
STAKE: Final = 10
LIMIT_FACTOR: Final = 12
PACE_MS: Final = 350
"""So long a bot lets everybody look at what happened last."""

ASK_AGAIN: Final = timedelta(seconds=3)
AT_ONCE: Final = 100
ALWAYS_HERE: Final = datetime(9999, 1, 1, tzinfo=UTC)
"""The lease of a seat that needs no heartbeat."""

NAMES: Final = {
    Level.EASY: "House bot easy",
    Level.MEDIUM: "House bot medium",
    Level.STRONG: "House bot strong",
}
_SEED_SALT: Final = b"games.housebots.seed"


def bot(level: Level) -> User:
    """The account of a level, made when first asked for. Nobody can sign in to it."""
    found = HouseBot.objects.filter(level=level.value).select_related("user").first()
    return found.user if found else _made(level)


def bot_terms(*, variant: str = "backgammon", length: int = 0) -> TableTerms:
    """A table for chips: a single game, or a series to `length` points.

    Raises NoBotForThisGame and what table_terms raises.
    """
    if variant not in MINDS:
        raise NoBotForThisGame
    return table_terms(
        variant=variant,
        kind="series" if length else "single",
        length=length or 1,
        currency="PLAY",
        stake=STAKE,
        limit_factor=LIMIT_FACTOR,
    )


def sit_down(*, user: User, level: Level, terms: TableTerms) -> UUID:
    """A match between a player and the bot of a level, at its ready check.

    Raises what games.seating.open_match raises: BotsPlayForChips, own_table, insufficient_funds.
    """
    house = bot(level)
    with transaction.atomic():
        stakes.stock_chips(house.pk)
        match_id = seating.open_match(light=user, dark=house, terms=terms, room=ROOM, column=ROOM)
        _take_seat(match_id, Side.DARK, level)
    return match_id


def due() -> list[UUID]:
    """Matches that have gone on since a bot last looked; from this moment a task is on its way."""
    changed = Q(match__head__version__gt=F("seen"))
    idle = Q(touched_at__isnull=True) | Q(touched_at__lt=Now() - ASK_AGAIN)
    with transaction.atomic():
        waiting = HouseSeat.objects.filter(changed, idle, over=False)
        if connection.features.has_select_for_update_skip_locked:
            waiting = waiting.select_for_update(skip_locked=True, of=("self",))
        found = list(waiting.values_list("match_id", flat=True)[:AT_ONCE])
        HouseSeat.objects.filter(match_id__in=found).update(touched_at=Now())
    return found


def act(match_id: UUID) -> bool:
    """The bot's next command in a match, if it is to give one. True if it gave one. Any number may run at once."""
    seat = HouseSeat.objects.filter(match_id=match_id, over=False).first()
    if seat is None:
        return False
    info, state, seed, records = course.load(match_id)
    rows = HouseSeat.objects.filter(match_id=match_id)
    if state.phase in FINISHED:
        rows.update(seen=state.version, over=True)
        return False
    now_ms = read_ms()
    if now_ms - records[-1].at_ms < PACE_MS:
        rows.update(touched_at=None)
        return False
    command = choice(match_id, state, Side(seat.side), Level(seat.level))
    if command is None:
        rows.update(seen=state.version, touched_at=None)
        return False
    order = course.Order(command, now_ms, known=state.version, ref=f"house-{state.version:08}")
    try:
        step = course.advance(info, state, seed, order)
        with transaction.atomic():
            course.write(info, step)
            told = [(match_id, step.entry.head.version)]
            transaction.on_commit(partial(publish.hint_now, told))
    except (Refused, store.Conflict):
        rows.update(touched_at=None)
        return False
    rows.update(touched_at=None)
    return True


def choice(match_id: UUID, state: MatchState, side: Side, level: Level) -> c.PlayerCommand | None:
    """What the bot does now; None if it is not its turn."""
    open_to = may(state, side)
    if side not in state.accepted and "accept" in open_to:
        return c.Accept(side, hashlib.sha256(_own_seed(match_id)).hexdigest())
    if side not in state.seeds and "reveal" in open_to:
        return c.RevealSeed(side, _own_seed(match_id).hex())
    mind = MINDS[state.terms.variant]
    noise = _Noise(match_id, state.version)
    if "answer" in open_to:
        assert state.resign is not None, "an answer has an offer"
        return c.AnswerResign(side, accept=mind.accepts(state, state.resign.level))
    if "take" in open_to or "drop" in open_to:
        return _answer(mind, state, side, level, noise)
    if "double" in open_to and mind.doubles(state, level, noise):
        return c.Double(side)
    if "roll" in open_to:
        return c.Roll(side)
    if "play" in open_to:
        return _play(mind, state, side, level, noise)
    return None


def want_rematches() -> int:
    """Bots play again with whoever asks them to; how many tables that opened."""
    since = Now() - rematches.WISH_LASTS
    asked = Rematch.objects.filter(
        Q(light__gt=since) | Q(dark__gt=since),
        next__isnull=True,
        match__house_seat__isnull=False,
    )
    seats = HouseSeat.objects.filter(match_id__in=asked.values("match_id"))
    return sum(_play_again(seat) for seat in seats)


def is_house(user: User) -> bool:
    """Whether this account is a bot's."""
    return HouseBot.objects.filter(user=user).exists()


def _play_again(seat: HouseSeat) -> bool:
    side = Side(seat.side)
    try:
        with transaction.atomic():
            stakes.stock_chips(bot(Level(seat.level)).pk)
            found = rematches.ask(seat.match_id, side, wants=True)
            if found.next is None or HouseSeat.objects.filter(match_id=found.next).exists():
                return False
            now_at = Seat.objects.get(match_id=found.next, user=bot(Level(seat.level)))
            _take_seat(found.next, Side(now_at.side), Level(seat.level))
    except Refused:
        return False
    publish.hint_rematch_now(seat.match_id)
    return True


def _take_seat(match_id: UUID, side: Side, level: Level) -> None:
    HouseSeat.objects.create(match_id=match_id, side=side.value, level=level.value)
    Seat.objects.filter(match_id=match_id, side=side.value).update(seen_at=ALWAYS_HERE)


def _answer(
    mind: Mind, state: MatchState, side: Side, level: Level, noise: "_Noise"
) -> c.PlayerCommand:
    """To a double; a beaver is always accepted, as it was the bot that doubled."""
    own_double = state.offered_by is not None and state.on_roll is side
    if own_double or mind.takes(state, level, noise):
        return c.Take(side)
    return c.Drop(side)


def _play(
    mind: Mind, state: MatchState, side: Side, level: Level, noise: "_Noise"
) -> c.PlayerCommand:
    assert state.turns is not None, "there are dice to play"
    if not state.turns.finals:
        return c.PlayTurn(side, ())
    turn = mind.turn(state, level, noise)
    return c.PlayTurn(side, tuple(Move(step.src, step.dst, step.hit) for step in turn))


@dataclass(frozen=True, slots=True)
class _Noise:
    """Numbers that follow from the match, the moment and a name."""

    match_id: UUID
    version: int

    def __call__(self, name: str) -> float:
        key = f"{self.match_id.hex}:{self.version}:{name}".encode()
        drawn = int.from_bytes(hashlib.blake2b(key, digest_size=6).digest())
        return _NORMAL.inv_cdf((drawn + 0.5) / 2**48)


_NORMAL: Final = NormalDist()


def _own_seed(match_id: UUID) -> bytes:
    """The bot's half of the dice: nobody can know it before the bot reveals it, and it is fixed from the start."""
    key = settings.SEED_KEYS[-1].encode()
    return hmac.new(key, _SEED_SALT + match_id.bytes, hashlib.sha256).digest()


def _made(level: Level) -> User:
    with transaction.atomic():
        user = User(email=f"house-bot-{level.name.lower()}@bots.invalid", screen_name=NAMES[level])
        user.set_unusable_password()
        user.save()
        HouseBot.objects.create(user=user, level=level.value)
    return user
