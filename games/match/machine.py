"""Decides what a command leads to. Pure: time, dice and what the player saw are arguments."""

import re
from hashlib import sha256
from typing import Final, assert_never

from games.match.automatic import go_on
from games.match.commands import (
    AbsenceCommand,
    Accept,
    Adjudicate,
    AnswerResign,
    Beaver,
    ClaimTime,
    Command,
    Credit,
    CubeCommand,
    Dice,
    Double,
    Drop,
    Expire,
    GameCommand,
    HoldFailed,
    HouseCommand,
    Leave,
    MarkLost,
    MarkReturned,
    OfferResign,
    PlayTurn,
    ResignCommand,
    RevealSeed,
    Roll,
    SeatCommand,
    SetSwitches,
    StartGame,
    Take,
    TurnCommand,
    Void,
)
from games.match.cube import STEP
from games.match.errors import (
    BadCommit,
    BadSeed,
    GameOver,
    NotAbandoned,
    NotDueYet,
    NothingToMark,
    NotStarted,
    ResignLevelImpossible,
    ResignLevelRefused,
    Stale,
    TimeIsUp,
    VersionAhead,
)
from games.match.events import (
    PPM,
    Abandoned,
    Adjudicated,
    BeaverAccepted,
    Beavered,
    Credited,
    DoubleDropped,
    DoubleOffered,
    DoubleTaken,
    Event,
    MatchCancelled,
    MatchEnded,
    MatchOpened,
    MatchVoided,
    PlayerAccepted,
    PlayerLost,
    PlayerReturned,
    ResignAccepted,
    ResignOffered,
    ResignRefused,
    SeedRevealed,
    SentToModerators,
    Signed,
    SwitchesSet,
    TimeExpired,
)
from games.match.evolve import evolve
from games.match.questions import (
    REQUIRE,
    away_due,
    deadline,
    may,
    most_to_lose,
    require_before_play,
    require_running,
    resign_levels,
    whose,
)
from games.match.score import counted_win
from games.match.sequel import Sequel
from games.match.sides import SIDES, Side
from games.match.state import BEFORE_PLAY, FINISHED, MatchState, Phase, Switches
from games.match.terms import Terms
from games.rules.outcome import Win
from games.rules.variants import rules_of

__all__ = [
    "away_due",
    "deadline",
    "decide",
    "evolve",
    "may",
    "open_match",
    "resign_levels",
    "whose",
]

HEX_64: Final = re.compile(r"[0-9a-f]{64}")


def open_match(terms: Terms, server_commit: str) -> tuple[Event, ...]:
    """The first events of a match; `server_commit` is the SHA-256 of the server's seed in hex."""
    return (MatchOpened(terms, server_commit),)


def decide(
    state: MatchState,
    command: Command,
    *,
    now_ms: int,
    dice: Dice,
    known_version: int | None = None,
) -> tuple[Event, ...]:
    """All events that `command` leads to, also what then happens by itself.

    `known_version`: of the board the player saw, None for the house. `dice` gives the throw of a
    number and always the same. Raises subclasses of Refused: those of games.match.errors, and
    IllegalTurn or AmbiguousTurn for what cannot be played.
    """
    if known_version is not None and known_version > state.version:
        raise VersionAhead
    sequel = Sequel(state, now_ms, dice)
    if isinstance(command, GameCommand):
        _require_current(state, known_version, now_ms)
        _decide_in_game(sequel, command)
        go_on(sequel)
    elif isinstance(command, SeatCommand):
        _decide_at_seat(sequel, command)
        if isinstance(command, SetSwitches) and not _is_due(state, now_ms):
            go_on(sequel)
    elif isinstance(command, HouseCommand):
        _decide_for_house(sequel, command, now_ms)
    else:
        assert_never(command)
    return tuple(sequel.events)


def _require_current(state: MatchState, known_version: int | None, now_ms: int) -> None:
    if state.phase in FINISHED:
        raise GameOver
    if _is_due(state, now_ms):
        raise TimeIsUp
    if known_version is not None and known_version < state.decided_at:
        raise Stale


def _is_due(state: MatchState, now_ms: int) -> bool:
    due_ms = deadline(state)
    return due_ms is not None and now_ms >= due_ms


def _decide_at_seat(sequel: Sequel, command: SeatCommand) -> None:
    state, side = sequel.state, command.by
    match command:
        case Accept(commit=commit):
            REQUIRE["accept"](state, side)
            if not HEX_64.fullmatch(commit) or commit == state.commits.get(side.other):
                raise BadCommit
            sequel.add(PlayerAccepted(side, commit))
        case RevealSeed(seed=seed):
            REQUIRE["reveal"](state, side)
            _require_seed(seed, state.commits[side])
            sequel.add(SeedRevealed(side, seed))
        case Leave():
            REQUIRE["leave"](state, side)
            sequel.add(MatchCancelled("left"))
        case SetSwitches(auto_roll=auto_roll, auto_forced=auto_forced, auto_bear_off=auto_bear_off):
            if state.phase in FINISHED:
                raise GameOver
            if state.switches[side] != Switches(auto_roll, auto_forced, auto_bear_off):
                sequel.add(SwitchesSet(side, auto_roll, auto_forced, auto_bear_off))
        case _:
            assert_never(command)


def _require_seed(seed: str, commit: str) -> None:
    if not HEX_64.fullmatch(seed) or sha256(bytes.fromhex(seed)).hexdigest() != commit:
        raise BadSeed


def _decide_in_game(sequel: Sequel, command: GameCommand) -> None:
    if isinstance(command, TurnCommand):
        _decide_turn(sequel, command)
    elif isinstance(command, CubeCommand):
        _decide_cube(sequel, command)
    elif isinstance(command, ResignCommand):
        _decide_resignation(sequel, command)
    else:
        assert_never(command)


def _decide_turn(sequel: Sequel, command: TurnCommand) -> None:
    state, side = sequel.state, command.by
    match command:
        case Roll():
            REQUIRE["roll"](state, side)
            sequel.roll(side)
        case PlayTurn(moves=moves):
            REQUIRE["play"](state, side)
            assert state.turns is not None, "there are dice to play"
            turn, _ = state.turns.resolve(moves)
            sequel.play(side, turn, auto=False)
        case ClaimTime():
            # Had the time been up, TimeIsUp would have been raised: then the house lets it take effect.
            REQUIRE["claim"](state, side)
            raise NotDueYet
        case _:
            assert_never(command)


def _decide_cube(sequel: Sequel, command: CubeCommand) -> None:
    state, side = sequel.state, command.by
    match command:
        case Double():
            REQUIRE["double"](state, side)
            sequel.add(DoubleOffered(side, state.cube_value * STEP))
        case Take():
            REQUIRE["take"](state, side)
            _accept_cube(sequel, command)
        case Drop():
            REQUIRE["drop"](state, side)
            sequel.add(DoubleDropped(side))
            sequel.end_game(side.other, Win.SINGLE, "drop")
        case Beaver():
            REQUIRE["beaver"](state, side)
            assert state.offer is not None, "a beaver answers a double"
            sequel.add(Beavered(side, state.offer.value * STEP))
        case _:
            assert_never(command)


def _accept_cube(sequel: Sequel, command: Take) -> None:
    state = sequel.state
    if state.phase is Phase.BEAVER_ANSWER:
        sequel.add(BeaverAccepted(command.by))
        return
    assert state.offer is not None, "only an offered cube is taken"
    sequel.add(DoubleTaken(command.by, state.offer.value))


def _decide_resignation(sequel: Sequel, command: ResignCommand) -> None:
    state, side = sequel.state, command.by
    match command:
        case OfferResign(level=level):
            REQUIRE["resign"](state, side)
            if level > most_to_lose(state, side):
                raise ResignLevelImpossible
            if level not in resign_levels(state, side):
                raise ResignLevelRefused
            sequel.add(ResignOffered(side, level.value))
        case AnswerResign(accept=True):
            REQUIRE["answer"](state, side)
            assert state.resign is not None, "an answer has an offer"
            sequel.add(ResignAccepted(side))
            sequel.end_game(side, state.resign.level, "resign")
        case AnswerResign():
            REQUIRE["answer"](state, side)
            sequel.add(ResignRefused(side))
        case _:
            assert_never(command)


def _decide_for_house(sequel: Sequel, command: HouseCommand, now_ms: int) -> None:
    state = sequel.state
    match command:
        case MarkLost() | MarkReturned() | Adjudicate():
            _decide_absence(sequel, command, now_ms)
        case StartGame():
            _start(sequel)
        case HoldFailed(reason=reason):
            require_before_play(state)
            sequel.add(MatchCancelled(reason))
        case Expire():
            _expire(sequel, command, now_ms)
        case Void(reason=reason):
            _require_open(state)
            sequel.add(MatchVoided(reason))
        case Credit(ms=ms, reason=reason):
            _require_open(state)
            sequel.add(Credited(ms, reason))
        case _:
            assert_never(command)


def _start(sequel: Sequel) -> None:
    require_before_play(sequel.state)
    if len(sequel.state.seeds) < len(SIDES):
        raise NotStarted
    sequel.start_game()
    go_on(sequel)


def _decide_absence(sequel: Sequel, command: AbsenceCommand, now_ms: int) -> None:
    match command:
        case MarkLost():
            _lose(sequel, command, now_ms)
        case MarkReturned(side=side):
            require_running(sequel.state)
            if side not in sequel.state.away_since:
                raise NothingToMark
            if _is_due(sequel.state, now_ms):
                raise TimeIsUp
            sequel.add(PlayerReturned(side))
        case Adjudicate():
            _adjudicate(sequel, command)
        case _:
            assert_never(command)


def _lose(sequel: Sequel, command: MarkLost, now_ms: int) -> None:
    """A lost lease. In blitz there is no time to come back (Table 5)."""
    state, side = sequel.state, command.side
    require_running(state)
    if side in state.away_since:
        raise NothingToMark
    sequel.add(PlayerLost(side, min(command.since_ms, now_ms)))
    if state.terms.blitz:
        sequel.end_game(side.other, Win.BACKGAMMON, "left")
        go_on(sequel)


def _adjudicate(sequel: Sequel, command: Adjudicate) -> None:
    """The one who left gets the lower end; if both did, the plain estimate (Table 6)."""
    state = sequel.state
    if state.phase is not Phase.ADJUDICATING:
        raise NotAbandoned
    applied = command.estimate
    if len(state.left) == 1:
        applied = command.low if command.side in state.left else command.high
    most = PPM * (state.terms.cap_points or 1)
    applied = max(-most, min(most, applied))
    sequel.add(
        Adjudicated(
            side=command.side,
            estimate=Signed(command.estimate),
            low=Signed(command.low),
            high=Signed(command.high),
            applied=Signed(applied),
            engine=command.engine,
            detail=command.detail,
        )
    )
    sequel.add(MatchEnded(_favoured(state, command.side, applied), 0, "adjudicated"))


def _favoured(state: MatchState, side: Side, applied: int) -> Side:
    """Who gains; if nobody does, the one who stayed."""
    if applied == 0 and len(state.left) == 1:
        (gone,) = state.left
        return gone.other
    return side if applied > 0 else side.other


def _require_open(state: MatchState) -> None:
    if state.phase in FINISHED:
        raise GameOver


def _expire(sequel: Sequel, command: Expire, now_ms: int) -> None:
    """The deadline's one effect: whoever comes second meets another state and is refused."""
    state = sequel.state
    _require_open(state)
    if not _is_due(state, now_ms):
        raise NotDueYet
    if state.phase in BEFORE_PLAY:
        sequel.add(MatchCancelled("not_ready" if state.phase is Phase.READY else "no_seeds"))
        return
    if state.phase is Phase.ADJUDICATING:
        sequel.add(SentToModerators())
        return
    if _is_abandoned(state, now_ms):
        _abandon(sequel, command)
        return
    loser = whose(state)
    assert loser is not None, "a running clock is somebody's"
    sequel.add(TimeExpired(loser))
    sequel.end_game(loser.other, _forfeited(state, loser, command.kind), "time")
    go_on(sequel)


def _is_abandoned(state: MatchState, now_ms: int) -> bool:
    """Whether the time to come back ran out first, before the clock."""
    away, clock = away_due(state), state.clock.due_ms
    return away is not None and away <= now_ms and (clock is None or away < clock)


def _abandon(sequel: Sequel, command: Expire) -> None:
    state = sequel.state
    gone = frozenset(state.away_since)
    sequel.add(Abandoned(light=Side.LIGHT in gone, dark=Side.DARK in gone))
    if len(gone) == 1 and gone <= command.forfeits:
        (loser,) = gone
        sequel.end_game(loser.other, _forfeited(state, loser, command.kind), "left")
        go_on(sequel)


def _forfeited(state: MatchState, loser: Side, kind: Win | None) -> Win:
    """In blitz a triple game; else the likeliest kind, at most what can still be lost (Table 4)."""
    if state.terms.blitz:
        return Win.BACKGAMMON
    worst = rules_of(state.terms.variant).worst_loss(state.view_of(loser))
    possible = min(kind or Win.SINGLE, worst)
    return counted_win(state, possible)
