"""The course of a match: from a command to the events, rows and money moves that it means.

Shared by the live tables (in memory, grouped commits) and by tasks and views (one transaction each).
Reads no clock and draws no dice: both are arguments.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from enum import Enum
from uuid import UUID

from django.db import transaction
from django.db.models.functions import Now

from games import stakes, standings, store
from games.dice_source import dice_for
from games.engine.forfeits import likeliest_loss
from games.info import MatchInfo, info_of, infos_of
from games.match import commands, events
from games.match.machine import away_due, deadline, decide, evolve, whose
from games.match.sides import Side
from games.match.state import BEFORE_PLAY, FINISHED, MatchState, Phase
from games.models import Adjudication, Match, Seat
from games.sealing import unseal


class Money(Enum):
    """What a commit does with the stakes."""

    NONE = "none"
    HOLD = "hold"
    PAY = "pay"
    REFUND = "refund"


@dataclass(frozen=True, slots=True)
class Advance:
    """What one command leads to. Nothing of it has happened before it is committed."""

    entry: store.Entry
    events: tuple[events.Event, ...]
    state: MatchState
    money: Money
    settlement: stakes.Settlement | None
    ends: bool

    @property
    def is_plain(self) -> bool:
        """Whether it may be committed in a group: no money moves and nothing happens to the seats."""
        return (
            self.money is Money.NONE
            and not self.ends
            and not any(isinstance(event, events.AbsenceEvent) for event in self.events)
        )


def no_dice(_: int) -> commands.Throw:
    """The dice before both players have revealed their seeds."""
    raise AssertionError("rolled before the seeds were agreed")


def dice_of(match_id: UUID, state: MatchState, server_seed: bytes) -> commands.Dice:
    """The rolls of this match by their number."""
    seeds = state.seeds
    light, dark = seeds.get(Side.LIGHT), seeds.get(Side.DARK)
    if light is None or dark is None:
        return no_dice
    return dice_for(match_id, server_seed, bytes.fromhex(light), bytes.fromhex(dark))


def fold(records: list[store.Record], state: MatchState | None = None) -> MatchState:
    """The state after these events."""
    for record in records:
        state = evolve(state, events.from_payload(record.kind, record.payload), record.at_ms)
    assert state is not None, "a match has at least its opening event"
    return state


def late_of(
    records: list[store.Record], state: MatchState, before: MatchState | None = None
) -> MatchState:
    """The state before the last decision; the state itself once all is over.

    Events of one commit have one time. Quiet events (switches, presence) decide nothing, so they move nobody on.
    """
    if state.phase in FINISHED:
        return state
    last = next((r for r in reversed(records) if r.version == state.decided_at), None)
    earlier = [r for r in records if last is not None and r.at_ms < last.at_ms]
    if not earlier:
        return state if before is None else before
    return fold(earlier, before)


def load(match_id: UUID) -> tuple[MatchInfo, MatchState, bytes, list[store.Record]]:
    """Everything about a match from the database: info, state, server seed, its events."""
    info = info_of(match_id)
    stakes.know_tariff(info.tariff)
    records = store.events_of(match_id)
    seed = unseal(store.sealed_seed(match_id), match_id)
    return info, fold(records), seed, records


@dataclass(frozen=True, slots=True)
class Loaded:
    """A match as it is stored now."""

    info: MatchInfo
    state: MatchState
    seed: bytes = field(repr=False)


def load_all(match_ids: Collection[UUID]) -> list[Loaded]:
    """What `load` reads, for several matches in few questions; without the events."""
    infos = infos_of(match_ids)
    for tariff in {info.tariff for info in infos.values()}:
        stakes.know_tariff(tariff)
    records = store.events_of_all(match_ids)
    seeds = store.sealed_seeds(match_ids)
    return [
        Loaded(infos[match_id], fold(records[match_id]), unseal(seeds[match_id], match_id))
        for match_id in match_ids
    ]


@dataclass(frozen=True, slots=True)
class Order:
    """A command with what goes with it: the time, the version its sender saw, the sender's message id."""

    command: commands.Command
    now_ms: int
    known: int | None = None
    ref: str | None = None


def advance(info: MatchInfo, state: MatchState, server_seed: bytes, order: Order) -> Advance:
    """Decides an order. Raises the refusals of games.match."""
    made: list[events.Event] = []
    after = _decided(info, state, server_seed, order, made)
    if after.phase is Phase.SEEDS and len(after.seeds) == len(Side):
        start = Order(command=commands.StartGame(), now_ms=order.now_ms)
        after = _decided(info, after, server_seed, start, made)
    money, settlement = _money(info, state, made)
    if settlement is not None:
        made.append(settlement.event())
        after = evolve(after, made[-1], order.now_ms)
    return Advance(
        entry=store.Entry(
            match_id=info.id, records=_records(state, made, order), head=head_of(after)
        ),
        events=tuple(made),
        state=after,
        money=money,
        settlement=settlement,
        ends=after.phase in FINISHED,
    )


def _decided(
    info: MatchInfo,
    state: MatchState,
    server_seed: bytes,
    order: Order,
    made: list[events.Event],
) -> MatchState:
    """Adds the events of the order to `made`; the state after them."""
    dice = dice_of(info.id, state, server_seed)
    for event in decide(
        state, order.command, now_ms=order.now_ms, dice=dice, known_version=order.known
    ):
        made.append(event)
        state = evolve(state, event, order.now_ms)
    return state


def _records(
    before: MatchState, made: list[events.Event], order: Order
) -> tuple[store.Record, ...]:
    by: Side | None = getattr(order.command, "by", None)
    return tuple(
        store.Record(
            version=before.version + n,
            kind=event.KIND,
            payload=events.to_payload(event),
            at_ms=order.now_ms,
            side=by.value if by is not None else "",
            ref=order.ref if n == 1 else None,
        )
        for n, event in enumerate(made, start=1)
    )


def _money(
    info: MatchInfo, before: MatchState, made: list[events.Event]
) -> tuple[Money, stakes.Settlement | None]:
    started = before.game > 0
    for event in made:
        if isinstance(event, events.GameStarted) and not started:
            return Money.HOLD, None
        if isinstance(event, events.MatchEnded):
            return Money.PAY, _settlement(info, event, made)
        if isinstance(event, events.MatchVoided) and started:
            return Money.REFUND, None
    return Money.NONE, None


REPEATS = 3
REPEATS_AMONG = 30


def expiry(state: MatchState, repeaters: frozenset[Side] = frozenset()) -> commands.Expire:
    """The command for a passed deadline; the engine says which loss of a forfeit is likeliest. Slow."""
    loser = _forfeiter(state, repeaters)
    if loser is None:
        return commands.Expire(kind=None)
    on_roll = state.on_roll is loser
    kind = likeliest_loss(state.position, loser_on_roll=on_roll, variant=state.terms.variant)
    return commands.Expire(kind=kind, forfeits=repeaters)


def _forfeiter(state: MatchState, repeaters: frozenset[Side]) -> Side | None:
    """Who may be about to forfeit a game whose kind of loss has to be judged."""
    if state.phase in BEFORE_PLAY or state.phase is Phase.ADJUDICATING or state.terms.blitz:
        return None
    away = away_due(state)
    clock = state.clock.due_ms
    if away is None or (clock is not None and clock <= away):
        return whose(state)
    gone = frozenset(state.away_since)
    return next(iter(gone)) if len(gone) == 1 and gone <= repeaters else None


def repeaters(info: MatchInfo) -> frozenset[Side]:
    """Sides that abandoned three or more of their last thirty matches (Table 6)."""
    found = set()
    for side, person in info.people.items():
        last = (
            Seat.objects.filter(user_id=person.user_id, match__started_at__isnull=False)
            .exclude(match_id=info.id)
            .order_by("-match__started_at")
            .values_list("abandoned", flat=True)[:REPEATS_AMONG]
        )
        if sum(last) >= REPEATS:
            found.add(side)
    return frozenset(found)


def head_of(state: MatchState) -> store.Head:
    """The hot row of a state."""
    return store.Head(
        version=state.version,
        phase=state.phase.value,
        position=position_text(state),
        due_ms=deadline(state),
    )


def position_text(state: MatchState) -> str:
    """The position as the checker compares it: mover's counts, other's counts, who is on roll, cube."""
    counts = "/".join(",".join(map(str, side)) for side in state.position)
    on_roll = state.on_roll.value if state.on_roll else "-"
    owner = state.cube_owner.value if state.cube_owner else "-"
    return f"{counts} {on_roll} {state.cube_value} {owner}"


def write(info: MatchInfo, step: Advance) -> None:
    """Commits one advance in its own transaction: events, head, seats and money, all or nothing.

    Raises store.Conflict, or the wallet's refusal when stakes cannot be held.
    """
    write_all([(info, step)])


def write_all(steps: Sequence[tuple[MatchInfo, Advance]]) -> None:
    """The same for several matches: all of them or none, with few more statements than for one."""
    with transaction.atomic():
        store.append(*(step.entry for _, step in steps))
        for info, step in steps:
            _write_match(info, step)
        _write_results(steps)
        _write_ends([info.id for info, step in steps if step.ends])
        _move_money(steps)


def _move_money(steps: Sequence[tuple[MatchInfo, Advance]]) -> None:
    paid: list[tuple[MatchInfo, stakes.Settlement]] = []
    for info, step in steps:
        if step.money is Money.HOLD:
            stakes.hold(info)
        elif step.money is Money.REFUND:
            stakes.refund(info)
        elif step.money is Money.PAY:
            assert step.settlement is not None
            paid.append((info, step.settlement))
    standings.record([(info, step.state) for info, step in steps if step.money is Money.PAY])
    stakes.pay(paid)


def _settlement(
    info: MatchInfo, ended: events.MatchEnded, made: list[events.Event]
) -> stakes.Settlement:
    verdict = next((event for event in made if isinstance(event, events.Adjudicated)), None)
    if verdict is not None:
        return stakes.settlement_by_verdict(info, verdict, winner=ended.winner)
    return stakes.settlement(info, winner=ended.winner, points=ended.points)


def _write_absence(info: MatchInfo, step: Advance) -> None:
    seats = Seat.objects.filter(match_id=info.id)
    for event in step.events:
        match event:
            case events.PlayerLost(side=side):
                seats.filter(side=side).update(away=True)
            case events.PlayerReturned(side=side):
                seats.filter(side=side).update(away=False)
            case events.Abandoned(light=light, dark=dark):
                gone = [side for side, left in ((Side.LIGHT, light), (Side.DARK, dark)) if left]
                seats.filter(side__in=gone).update(abandoned=True)
                Adjudication.objects.create(match_id=info.id)
            case events.SentToModerators():
                Adjudication.objects.filter(match_id=info.id).update(with_moderators=True)
            case _:
                pass


def _write_ends(match_ids: Collection[UUID]) -> None:
    if match_ids:
        Seat.objects.filter(match_id__in=match_ids).update(active=False)
        Adjudication.objects.filter(match_id__in=match_ids).update(done=True)


def _write_match(info: MatchInfo, step: Advance) -> None:
    match = Match.objects.filter(id=info.id)
    if step.money is Money.HOLD:
        match.update(started_at=Now())
    _write_absence(info, step)
    if not step.ends:
        return
    if step.settlement is None:
        ending = next(
            (e for e in step.events if isinstance(e, events.MatchCancelled | events.MatchVoided)),
            None,
        )
        match.update(finished_at=Now(), reason=ending.reason[:20] if ending else "")


def _write_results(steps: Sequence[tuple[MatchInfo, Advance]]) -> None:
    """How matches with a winner ended."""
    rows = []
    for info, step in steps:
        if step.settlement is not None:
            ended = next(e for e in step.events if isinstance(e, events.MatchEnded))
            paid = step.settlement
            rows.append((ended.winner.value, ended.reason, paid.win, paid.fee_each, info.id))
    store.write_results(rows)
