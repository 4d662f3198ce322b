"""Applies what has happened to a match. Asks no rule whether it could happen: events are facts."""

from typing import Final, assert_never

from games.match.changing import changed
from games.match.clock import Clock
from games.match.events import (
    Abandoned,
    AbsenceEvent,
    Adjudicated,
    BeaverAccepted,
    Beavered,
    ColoursDrawn,
    Credited,
    CubeEvent,
    DoubleDropped,
    DoubleOffered,
    DoubleTaken,
    EndEvent,
    Event,
    GameEnded,
    GameStarted,
    MatchCancelled,
    MatchEnded,
    MatchOpened,
    MatchSettled,
    MatchVoided,
    OpeningRolled,
    PlayerAccepted,
    PlayerLost,
    PlayerReturned,
    PlayEvent,
    ResignAccepted,
    ResignEvent,
    ResignOffered,
    ResignRefused,
    Rolled,
    SeedRevealed,
    SentToModerators,
    SwitchesSet,
    TableEvent,
    TimeExpired,
    TurnPlayed,
)
from games.match.score import is_crawford_due, score_after
from games.match.sides import SIDES, BySide, Side
from games.match.state import (
    BEFORE_PLAY,
    LastTurn,
    MatchState,
    Offer,
    Phase,
    Resignation,
    Result,
    Switches,
)
from games.rules.dice import Roll
from games.rules.outcome import Win
from games.rules.steps import played
from games.rules.variants import rules_of

QUIET: Final = (SwitchesSet, Credited, MatchSettled, PlayerLost, PlayerReturned)
"""Events after which players may decide exactly what they could before."""

COLOURS_DRAWN: Final = frozenset({"long-nardy"})
"""Variants in which the opening throw decides who is white, not what is played (Nardy 2)."""

NOTHING_REFUSED: Final = BySide.both(0)


def evolve(state: MatchState | None, event: Event, at_ms: int) -> MatchState:
    """The state after `event`, which was decided at `at_ms`. The first event of a match has no state before it."""
    if state is None:
        assert isinstance(event, MatchOpened), "a match begins by being opened"
        return _opened(event, at_ms)
    version = state.version + 1
    decided_at = state.decided_at if isinstance(event, QUIET) else version
    return _after(changed(state, version=version, decided_at=decided_at), event, at_ms)


def _opened(event: MatchOpened, at_ms: int) -> MatchState:
    return MatchState(
        version=1,
        decided_at=1,
        phase=Phase.READY,
        since_ms=at_ms,
        terms=event.terms,
        server_commit=event.server_commit,
        commits={},
        seeds={},
        switches=BySide.both(Switches()),
        clock=Clock.of(event.terms.clock),
        game=0,
        score=BySide.both(0),
        crawford=False,
        crawford_played=False,
        position=rules_of(event.terms.variant).start,
        on_roll=None,
        roll=None,
        rolls_drawn=0,
        cube_value=1,
        cube_owner=None,
        offer=None,
        resign=None,
        refused=NOTHING_REFUSED,
        last_turn=None,
        last_game=None,
        result=None,
        closed_because=None,
    )


def _after(state: MatchState, event: Event, at_ms: int) -> MatchState:
    if isinstance(event, PlayEvent):
        return _after_play(state, event, at_ms)
    if isinstance(event, CubeEvent):
        return _after_cube(state, event, at_ms)
    if isinstance(event, ResignEvent):
        return _after_resignation(state, event, at_ms)
    if isinstance(event, EndEvent):
        return _after_end(state, event, at_ms)
    if isinstance(event, TableEvent):
        return _after_table(state, event, at_ms)
    if isinstance(event, AbsenceEvent):
        return _after_absence(state, event, at_ms)
    assert not isinstance(event, MatchOpened), "a match is opened once"
    assert_never(event)


def _after_table(state: MatchState, event: TableEvent, at_ms: int) -> MatchState:
    match event:
        case PlayerAccepted(side=side, commit=commit):
            commits = {**state.commits, side: commit}
            if len(commits) < len(SIDES):
                return changed(state, commits=commits)
            return changed(state, commits=commits, phase=Phase.SEEDS, since_ms=at_ms)
        case SeedRevealed(side=side, seed=seed):
            return changed(state, seeds={**state.seeds, side: seed})
        case SwitchesSet(side=side):
            chosen = Switches(event.auto_roll, event.auto_forced, event.auto_bear_off)
            return changed(state, switches=state.switches.changed(side, chosen))
        case Credited(ms=ms):
            if state.phase in BEFORE_PLAY:
                return changed(state, since_ms=max(state.since_ms, min(state.since_ms + ms, at_ms)))
            away = {side: min(since + ms, at_ms) for side, since in state.away_since.items()}
            return changed(state, clock=state.clock.credited(ms, at_ms), away_since=away)
    assert_never(event)


def _after_absence(state: MatchState, event: AbsenceEvent, at_ms: int) -> MatchState:
    match event:
        case PlayerLost(side=side, since_ms=since_ms):
            return changed(state, away_since={**state.away_since, side: since_ms})
        case PlayerReturned(side=side):
            return _returned(state, side, at_ms)
        case Abandoned():
            left = [side for side in SIDES if getattr(event, side.value)]
            return changed(
                state,
                phase=Phase.ADJUDICATING,
                since_ms=at_ms,
                left=frozenset(left),
                clock=state.clock.stopped(at_ms),
            )
        case SentToModerators():
            return changed(state, with_moderators=True)
        case Adjudicated():
            return changed(state, verdict=event)
    assert_never(event)


def _returned(state: MatchState, side: Side, at_ms: int) -> MatchState:
    away = dict(state.away_since)
    spent = max(0, at_ms - away.pop(side))
    away_ms = state.away_ms.changed(side, state.away_ms[side] + spent)
    return changed(state, away_since=away, away_ms=away_ms)


def _after_play(state: MatchState, event: PlayEvent, at_ms: int) -> MatchState:
    match event:
        case TurnPlayed(side=side, steps=steps):
            return changed(
                state,
                phase=Phase.TO_ROLL,
                position=played(state.position, steps).flipped(),
                on_roll=side.other,
                roll=None,
                refused=NOTHING_REFUSED,
                last_turn=LastTurn(side, steps),
                clock=state.clock.turn_of(side.other, at_ms),
            )
        case Rolled(high=high, low=low, roll_number=number):
            roll = Roll(high, low)
            return changed(state, phase=Phase.TO_MOVE, roll=roll, rolls_drawn=number)
        case OpeningRolled():
            return _after_opening(state, event, at_ms)
        case ColoursDrawn():
            return _after_draw(state, event, at_ms)
        case GameStarted(game=game):
            return _new_game(state, game, at_ms)
    assert_never(event)


def _new_game(state: MatchState, game: int, at_ms: int) -> MatchState:
    is_crawford = is_crawford_due(state)
    first = _first_without_throw(state)
    return changed(
        state,
        phase=Phase.TO_ROLL,
        since_ms=at_ms,
        game=game,
        crawford=is_crawford,
        crawford_played=state.crawford_played or is_crawford,
        position=rules_of(state.terms.variant).start,
        on_roll=first,
        first=first,
        roll=None,
        cube_value=1,
        cube_owner=None,
        refused=NOTHING_REFUSED,
        last_turn=None,
        clock=state.clock if first is None else state.clock.turn_of(first, at_ms),
    )


def _first_without_throw(state: MatchState) -> Side | None:
    """Nardy 2: in a series colours, and with them the first move, change hands from game to game."""
    if state.first is None or state.terms.variant not in COLOURS_DRAWN:
        return None
    return state.first.other


def _after_draw(state: MatchState, event: ColoursDrawn, at_ms: int) -> MatchState:
    if event.light == event.dark:
        return changed(state, rolls_drawn=event.roll_number)
    white = Side.LIGHT if event.light > event.dark else Side.DARK
    return changed(
        state,
        on_roll=white,
        first=white,
        rolls_drawn=event.roll_number,
        clock=state.clock.turn_of(white, at_ms),
    )


def _after_opening(state: MatchState, event: OpeningRolled, at_ms: int) -> MatchState:
    # Backgammon 2: whoever won the last game, the dice alone decide who starts this one.
    if event.light == event.dark:
        return changed(state, rolls_drawn=event.roll_number)
    starter = Side.LIGHT if event.light > event.dark else Side.DARK
    return changed(
        state,
        phase=Phase.TO_MOVE,
        on_roll=starter,
        first=starter,
        roll=Roll.of(event.light, event.dark),
        rolls_drawn=event.roll_number,
        clock=state.clock.turn_of(starter, at_ms),
    )


def _after_cube(state: MatchState, event: CubeEvent, at_ms: int) -> MatchState:
    match event:
        case DoubleOffered(side=side, value=value):
            return changed(
                state,
                phase=Phase.CUBE_ANSWER,
                offer=Offer(side, value),
                clock=state.clock.answer_of(side.other, at_ms),
            )
        case DoubleTaken(side=side, value=value):
            return changed(
                state,
                phase=Phase.TO_ROLL,
                offer=None,
                cube_value=value,
                cube_owner=side,
                clock=state.clock.back_to(side.other, at_ms),
            )
        case Beavered():
            return _beavered(state, event, at_ms)
        case BeaverAccepted(side=side):
            assert state.offer is not None, "a beaver was offered"
            value = state.offer.value
            return changed(state, phase=Phase.TO_ROLL, offer=None, cube_value=value)
        case DoubleDropped():
            return changed(state, offer=None)
    assert_never(event)


def _beavered(state: MatchState, event: Beavered, at_ms: int) -> MatchState:
    # The double itself is taken by it, so dropping the beaver pays the doubled value (Backgammon 6).
    assert state.offer is not None, "a beaver answers a double"
    return changed(
        state,
        phase=Phase.BEAVER_ANSWER,
        cube_value=state.offer.value,
        cube_owner=event.side,
        offer=Offer(event.side, event.value),
        clock=state.clock.answer_of(event.side.other, at_ms),
    )


def _after_resignation(state: MatchState, event: ResignEvent, at_ms: int) -> MatchState:
    match event:
        case ResignOffered(side=side, level=level):
            return changed(
                state,
                phase=Phase.RESIGN_ANSWER,
                resign=Resignation(side, Win(level), resumes=state.phase),
                clock=state.clock.answer_of(side.other, at_ms),
            )
        case ResignRefused(side=side):
            offered = state.resign
            assert offered is not None, "a resignation was offered"
            return changed(
                state,
                phase=offered.resumes,
                resign=None,
                refused=state.refused.changed(offered.side, offered.level.value),
                clock=state.clock.back_to(side.other, at_ms),
            )
        case ResignAccepted():
            return changed(state, resign=None)
    assert_never(event)


def _after_end(state: MatchState, event: EndEvent, at_ms: int) -> MatchState:
    match event:
        case TimeExpired(side=side):
            return changed(state, clock=state.clock.flagged(side, at_ms))
        case GameEnded():
            return _game_ended(state, event, at_ms)
        case MatchEnded():
            return _match_ended(state, event, at_ms)
        case MatchVoided(reason=reason):
            return _closed(state, Phase.VOID, reason, at_ms)
        case MatchCancelled(reason=reason):
            return _closed(state, Phase.CANCELLED, reason, at_ms)
        case MatchSettled():
            return state
    assert_never(event)


def _game_ended(state: MatchState, event: GameEnded, at_ms: int) -> MatchState:
    ended = Result(event.winner, event.win, event.cube, event.points, event.reason)
    score = score_after(state, event.winner, event.points)
    return changed(
        _put_away(state, at_ms),
        phase=Phase.TO_ROLL,
        score=state.score.changed(event.winner, score),
        last_game=ended,
    )


def _match_ended(state: MatchState, event: MatchEnded, at_ms: int) -> MatchState:
    if event.reason == "adjudicated":
        result = Result(event.winner, 0, state.cube_value, 0, event.reason)
        return changed(_put_away(state, at_ms), phase=Phase.OVER, result=result)
    assert state.last_game is not None, "a match ends with a game"
    last = state.last_game
    result = Result(event.winner, last.win, last.cube, event.points, event.reason)
    return changed(state, phase=Phase.OVER, result=result)


def _closed(state: MatchState, phase: Phase, reason: str, at_ms: int) -> MatchState:
    return changed(_put_away(state, at_ms), phase=phase, closed_because=reason)


def _put_away(state: MatchState, at_ms: int) -> MatchState:
    """Nobody is on roll and no clock runs; the board stays as it was."""
    return changed(
        state,
        position=state.view_of(Side.LIGHT),
        on_roll=None,
        roll=None,
        offer=None,
        resign=None,
        clock=state.clock.stopped(at_ms),
    )
