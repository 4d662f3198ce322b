"""Questions about matches for pages and rooms. Writes nothing."""

from collections.abc import Collection
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any, NamedTuple
from uuid import UUID

from django.db import IntegrityError, transaction
from django.db.models import Count, Min, QuerySet
from django.db.models.functions import Now
from django.urls import reverse
from django.utils.translation import gettext

from accounts.models import User
from games import course, fairness, store
from games.anonymity import DARK_COLUMN, shown_name, told_name
from games.dbclock import read_ms
from games.match.sides import Side
from games.match.state import FINISHED, Phase
from games.models import Adjudication, ChatLine, Match, MatchHead, Seat
from games.sealing import unseal

CHAT_SHOWN = 30
MOST_WATCHED = 200
A_DAY = timedelta(days=1)
LEASE = timedelta(seconds=15)
MS = 1000


@dataclass(frozen=True, slots=True)
class TableRow:
    """A running table as a list shows it, with the names that everybody may see.

    `own_side`: the side of the player whose list it is, empty in other lists.
    """

    id: UUID
    light_name: str
    dark_name: str
    variant: str
    kind: str
    length: int
    currency: str
    stake: int
    limit: int
    clock: str
    phase: str
    url: str
    own_side: str = field(default="", compare=False)

    @property
    def opponent(self) -> str:
        """The name across the table, for the player whose list it is."""
        return self.dark_name if self.own_side == Side.LIGHT else self.light_name


def running_tables(room: str, limit: int = MOST_WATCHED) -> list[TableRow]:
    """Tables of a room where a game is being played, the newest first, at most so many."""
    matches = (
        _running_in(room)
        .select_related("head")
        .prefetch_related("seats__user")
        .order_by("-created_at")[:limit]
    )
    return [_row(match) for match in matches]


def running_count(room: str) -> int:
    """How many tables of a room are being played."""
    return _running_in(room).count()


def _running_in(room: str) -> QuerySet[Match]:
    return Match.objects.filter(room=room, finished_at__isnull=True, started_at__isnull=False)


def my_running(user: User) -> list[TableRow]:
    """The matches that wait for this player, the newest first."""
    matches = (
        Match.objects.filter(seats__user=user, seats__active=True)
        .select_related("head")
        .prefetch_related("seats__user")
        .order_by("-created_at")
    )
    return [_row(match, user) for match in matches]


def _row(match: Match, user: User | None = None) -> TableRow:
    seats = match.seats.all()
    names = {seat.side: shown_name(seat.user.screen_name, match.column) for seat in seats}
    own = [seat.side for seat in seats if user is not None and seat.user_id == user.pk]
    return TableRow(
        id=match.id,
        light_name=names[Side.LIGHT],
        dark_name=names[Side.DARK],
        variant=match.variant,
        kind=match.kind,
        length=match.length,
        currency=match.currency,
        stake=match.stake,
        limit=match.limit,
        clock=match.clock,
        phase=match.head.phase,
        url=reverse("games:table", args=[match.id]),
        own_side=own[0] if own else "",
    )


@dataclass(frozen=True, slots=True)
class Standing:
    """How a running match stands for a player who is elsewhere on the site.

    `left_ms`: how much longer they may be away, None when that is not counted.
    """

    is_broken_off: bool
    clock_runs: bool
    blitz: bool
    left_ms: int | None


def standing(match_id: UUID, side: Side) -> Standing:
    """From the events; one match, so cheap enough for a banner."""
    state = course.fold(store.events_of(match_id))
    counts = state.game > 0 and state.phase is not Phase.ADJUDICATING and not state.terms.blitz
    left = None
    if counts:
        gone = state.away_since.get(side)
        now_away = 0 if gone is None else max(0, read_ms() - gone)
        left = max(0, state.terms.window_ms - state.away_ms[side] - now_away)
    return Standing(
        is_broken_off=state.phase is Phase.ADJUDICATING,
        clock_runs=state.clock.running is side,
        blitz=state.terms.blitz and state.game > 0,
        left_ms=left,
    )


def with_moderators() -> int:
    """How many abandoned matches wait for a person."""
    return Adjudication.objects.filter(done=False, with_moderators=True).count()


def at_tables(user_ids: Collection[int]) -> set[int]:
    """Those of these players whose page of a running match is open, whichever match it is."""
    seats = Seat.objects.filter(user_id__in=user_ids, active=True, seen_at__gt=Now() - LEASE)
    return set(seats.values_list("user_id", flat=True))


def watchable(user_ids: Collection[int]) -> dict[int, str]:
    """Where each of these players can be watched now, those who can; never at an anonymous table."""
    seats = Seat.objects.filter(user_id__in=user_ids, active=True, match__started_at__isnull=False)
    named = seats.exclude(match__column=DARK_COLUMN).order_by("match__created_at")
    return {
        user_id: reverse("games:table", args=[match_id])
        for user_id, match_id in named.values_list("user_id", "match_id")
    }


def is_seated(user_id: int, match_id: UUID) -> bool:
    """Whether the account has a seat in the match."""
    return Seat.objects.filter(match_id=match_id, user_id=user_id).exists()


def side_of(user_id: int, match_id: UUID) -> str | None:
    """The side of the account in the match, None if it has no seat there."""
    seats = Seat.objects.filter(match_id=match_id, user_id=user_id)
    return seats.values_list("side", flat=True).first()


def exists(match_id: UUID) -> bool:
    """Whether there is such a match."""
    return Match.objects.filter(id=match_id).exists()


def variant_of(match_id: UUID) -> str | None:
    """The variant that is played at a table, None if there is no such match."""
    return Match.objects.filter(id=match_id).values_list("variant", flat=True).first()


def is_finished(match_id: UUID) -> bool:
    """Whether the match has ended in any way."""
    return Match.objects.filter(
        id=match_id, head__phase__in=[phase.value for phase in FINISHED]
    ).exists()


class Pending(NamedTuple):
    """How many matches have not ended, and how long ago the oldest open deadline passed; 0 for none."""

    running: int
    overdue_ms: int


def pending() -> Pending:
    """What the clock still has to do."""
    heads = MatchHead.objects.filter(due_ms__isnull=False)
    found = heads.aggregate(running=Count("due_ms"), oldest=Min("due_ms"))
    oldest: int | None = found["oldest"]
    overdue_ms = 0 if oldest is None else max(0, read_ms() - oldest)
    return Pending(found["running"], overdue_ms)


def meetings(user_id: int, others: Collection[int], *, column: str) -> dict[int, int]:
    """How often this player has sat down with each of `others` in the last 24 hours at tables with this column.

    Matches that never began count too.
    """
    seats = Seat.objects.filter(
        user_id__in=others,
        match__column=column,
        match__created_at__gt=Now() - A_DAY,
        match__in=Seat.objects.filter(user_id=user_id).values("match_id"),
    )
    found = dict(seats.values_list("user_id").annotate(n=Count("id")).order_by())
    return {other: found.get(other, 0) for other in others}


def finished_matches() -> list[UUID]:
    """Every match that was played to an end or voided after seeds were agreed."""
    return list(
        Match.objects.filter(finished_at__isnull=False, started_at__isnull=False)
        .order_by("created_at")
        .values_list("id", flat=True)
    )


def unverified_matches(limit: int) -> list[UUID]:
    """Ended matches whose dice nobody has verified yet, the oldest first."""
    rows = Match.objects.filter(
        finished_at__isnull=False, started_at__isnull=False, dice_verified__isnull=True
    )
    return list(rows.order_by("finished_at").values_list("id", flat=True)[:limit])


def captions(user_id: int, match_ids: Collection[UUID]) -> dict[UUID, str]:
    """What each match is called in this user's statement: the opponent's name, where there is one to tell."""
    seats = Seat.objects.filter(match_id__in=match_ids).exclude(user_id=user_id)
    return {
        seat.match_id: gettext("against %(name)s")
        % {"name": shown_name(seat.user.screen_name, seat.match.column)}
        for seat in seats.select_related("user", "match")
    }


def names_of(match_id: UUID) -> dict[str, str]:
    """The name of each side, as everybody may see it."""
    seats = Seat.objects.filter(match_id=match_id).select_related("user", "match")
    return {seat.side: shown_name(seat.user.screen_name, seat.match.column) for seat in seats}


class Said(NamedTuple):
    """A line of chat before it is stored."""

    match_id: UUID
    user_id: int
    side: Side | None
    text: str


def store_line(said: Said, ref: str | None) -> tuple[int, bool]:
    """Stores a line once for each ref; its id, and whether it is new."""
    side = said.side.value if said.side else ""
    try:
        with transaction.atomic():
            line = ChatLine.objects.create(
                match_id=said.match_id, user_id=said.user_id, side=side, text=said.text, ref=ref
            )
    except IntegrityError:
        known = ChatLine.objects.get(match_id=said.match_id, user_id=said.user_id, ref=ref)
        return known.pk, False
    return line.pk, True


def chat_of(match_id: UUID) -> list[dict[str, Any]]:
    """The last lines of the chat, oldest first, as the wire has them."""
    lines = ChatLine.objects.filter(match_id=match_id).select_related("user", "match")
    return [_line_json(line) for line in reversed(lines.order_by("-id")[:CHAT_SHOWN])]


def whole_chat(match_id: UUID) -> list[dict[str, Any]]:
    """Every line between the two players, oldest first, as the wire has them."""
    lines = ChatLine.objects.filter(match_id=match_id).exclude(side="")
    lines = lines.select_related("user", "match")
    return [_line_json(line) for line in lines.order_by("id")]


def chat_line(line: int) -> dict[str, Any]:
    """One line, as the wire has it."""
    return _line_json(ChatLine.objects.select_related("user", "match").get(id=line))


def _line_json(line: ChatLine) -> dict[str, Any]:
    return {
        "n": line.pk,
        "at": round(line.at.timestamp() * MS),
        "from": line.side or None,
        "name": told_name(line.user.screen_name, line.match.column),
        "text": line.text,
    }


def dice_record(match_id: UUID, *, late: bool = False) -> fairness.DiceRecord:
    """The dice of a match as anybody may check them: seeds only once it has ended.

    `late`: as watchers of a money match see it, one move behind. Raises Match.DoesNotExist.
    """
    match = Match.objects.select_related("head", "seed").get(id=match_id)
    records = store.events_of(match_id)
    state = course.fold(records)
    if late:
        state = course.late_of(records, state)
        records = records[: state.version]
    ended = state.phase in FINISHED
    seeds = {side: bytes.fromhex(seed) for side, seed in state.seeds.items() if ended}
    return fairness.DiceRecord(
        match_id=match_id,
        server_commit=match.server_commit,
        server_seed=unseal(match.seed.sealed, match_id) if ended else None,
        light_commit=state.commits.get(Side.LIGHT),
        dark_commit=state.commits.get(Side.DARK),
        light_seed=seeds.get(Side.LIGHT),
        dark_seed=seeds.get(Side.DARK),
        drawn=state.rolls_drawn,
        rolls=tuple(roll for record in records if (roll := _roll_of(record)) is not None),
    )


def _roll_of(record: store.Record) -> fairness.RecordedRoll | None:
    payload = record.payload
    match record.kind:
        case "opening_rolled" | "colours_drawn":
            by, first, second = fairness.ThrownBy.BOTH, payload["light"], payload["dark"]
        case "rolled":
            by, first, second = fairness.ThrownBy(payload["side"]), payload["high"], payload["low"]
        case _:
            return None
    return fairness.RecordedRoll(n=payload["roll_number"], first=first, second=second, by=by)
