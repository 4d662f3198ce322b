"""What can be asked of a match without changing it: who must act, until when, and what is open to whom."""

from collections.abc import Callable, Mapping
from typing import Final

from accounts.errors import Refused
from games.match import cube
from games.match.errors import (
    AlreadyAccepted,
    AlreadyRevealed,
    BeingAdjudicated,
    CannotResignNow,
    DoubleBeforeRolling,
    GameOver,
    GameRunning,
    NotAccepted,
    NotDueYet,
    NothingToAnswer,
    NothingToPlay,
    NothingToRoll,
    NotStarted,
    NotYourTurn,
    ResignLevelRefused,
)
from games.match.score import counted_win
from games.match.sides import Side
from games.match.state import BEFORE_PLAY, FINISHED, MatchState, Phase
from games.rules.outcome import Win
from games.rules.variants import rules_of

READY_MS: Final = 60_000
SEEDS_MS: Final = 30_000
ADJUDICATION_MS: Final = 120_000
"""After so long without a verdict a person decides (Table 6)."""

CUBE_OFFERS: Final = frozenset({Phase.CUBE_ANSWER, Phase.BEAVER_ANSWER})
RESIGNING: Final = frozenset({Phase.TO_ROLL, Phase.TO_MOVE}) | CUBE_OFFERS


def whose(state: MatchState) -> Side | None:
    """Who must act now; None when both must, or nobody any more."""
    if state.phase in CUBE_OFFERS:
        assert state.offer is not None, "an answer has an offer"
        return state.offer.by.other
    if state.phase is Phase.RESIGN_ANSWER:
        assert state.resign is not None, "an answer has an offer"
        return state.resign.side.other
    return None if state.phase is Phase.ADJUDICATING else state.on_roll


def deadline(state: MatchState) -> int | None:
    """When the time is up, in milliseconds since the epoch: from then on `Expire` is granted."""
    if state.phase is Phase.READY:
        return state.since_ms + READY_MS
    if state.phase is Phase.SEEDS:
        return state.since_ms + SEEDS_MS
    if state.phase is Phase.ADJUDICATING:
        return None if state.with_moderators else state.since_ms + ADJUDICATION_MS
    dues = [due for due in (state.clock.due_ms, away_due(state)) if due is not None]
    return min(dues, default=None)


def away_due(state: MatchState) -> int | None:
    """When the first of those who are away has used up the time to come back."""
    if state.phase in FINISHED:
        return None
    dues = [
        since + max(0, state.terms.window_ms - state.away_ms[side])
        for side, since in state.away_since.items()
    ]
    return min(dues, default=None)


def may(state: MatchState, side: Side) -> frozenset[str]:
    """Names of what is open to `side` now. "claim" is granted only once the opponent's time is up."""
    if whose(state) is side.other:
        return _WAITING
    return frozenset(name for name in _ASKED[state.phase] if _passes(REQUIRE[name], state, side))


def resign_levels(state: MatchState, side: Side) -> tuple[Win, ...]:
    """The levels that `side` may offer now, lowest first (Backgammon 7)."""
    if state.phase not in RESIGNING or whose(state) is not side:
        return ()
    most = most_to_lose(state, side)
    return tuple(level for level in Win if state.refused[side] < level <= most)


def most_to_lose(state: MatchState, side: Side) -> Win:
    """The highest kind of loss that is still possible and would count."""
    return counted_win(state, rules_of(state.terms.variant).worst_loss(state.view_of(side)))


def require_running(state: MatchState) -> None:
    """Raises GameOver, BeingAdjudicated or NotStarted."""
    if state.phase in FINISHED:
        raise GameOver
    if state.phase is Phase.ADJUDICATING:
        raise BeingAdjudicated
    if state.phase in BEFORE_PLAY:
        raise NotStarted


def require_before_play(state: MatchState) -> None:
    """Raises GameOver or GameRunning."""
    if state.phase in FINISHED:
        raise GameOver
    if state.phase not in BEFORE_PLAY:
        raise GameRunning


def _passes(require: Callable[[MatchState, Side], None], state: MatchState, side: Side) -> bool:
    try:
        require(state, side)
    except Refused:
        return False
    return True


def _require_to_act(state: MatchState, side: Side) -> None:
    require_running(state)
    if whose(state) is not side:
        raise NotYourTurn


def _accept(state: MatchState, side: Side) -> None:
    require_before_play(state)
    if side in state.commits:
        raise AlreadyAccepted


def _reveal(state: MatchState, side: Side) -> None:
    require_before_play(state)
    if state.phase is not Phase.SEEDS:
        raise NotAccepted
    if side in state.seeds:
        raise AlreadyRevealed


def _leave(state: MatchState, _: Side) -> None:
    require_before_play(state)


def _roll(state: MatchState, side: Side) -> None:
    _require_to_act(state, side)
    if state.phase is not Phase.TO_ROLL:
        raise NothingToRoll


def _play(state: MatchState, side: Side) -> None:
    _require_to_act(state, side)
    if state.phase is not Phase.TO_MOVE:
        raise NothingToPlay


def _double(state: MatchState, side: Side) -> None:
    _require_to_act(state, side)
    if state.phase is not Phase.TO_ROLL:
        raise DoubleBeforeRolling
    cube.require_access(state, side)


def _answer_cube(state: MatchState, side: Side) -> None:
    _require_to_act(state, side)
    if state.phase not in CUBE_OFFERS:
        raise NothingToAnswer


def _beaver(state: MatchState, side: Side) -> None:
    _require_to_act(state, side)
    if state.phase is not Phase.CUBE_ANSWER:
        raise NothingToAnswer
    cube.require_beaver(state)


def _resign(state: MatchState, side: Side) -> None:
    require_running(state)
    if state.phase not in RESIGNING or whose(state) is not side:
        raise CannotResignNow
    if not resign_levels(state, side):
        raise ResignLevelRefused


def _answer_resignation(state: MatchState, side: Side) -> None:
    _require_to_act(state, side)
    if state.phase is not Phase.RESIGN_ANSWER:
        raise NothingToAnswer


def _claim(state: MatchState, side: Side) -> None:
    require_running(state)
    if whose(state) is side:
        raise NotDueYet


REQUIRE: Final[Mapping[str, Callable[[MatchState, Side], None]]] = {
    "accept": _accept,
    "reveal": _reveal,
    "leave": _leave,
    "roll": _roll,
    "play": _play,
    "double": _double,
    "take": _answer_cube,
    "drop": _answer_cube,
    "beaver": _beaver,
    "resign": _resign,
    "answer": _answer_resignation,
    "claim": _claim,
}
"""By the name of a command: raises what refuses it to a side now, whatever the command says more closely."""

_WAITING: Final = frozenset({"claim"})

_ASKED: Final[Mapping[Phase, tuple[str, ...]]] = {
    Phase.READY: ("accept", "leave"),
    Phase.SEEDS: ("reveal", "leave"),
    Phase.TO_ROLL: ("roll", "double", "resign"),
    Phase.TO_MOVE: ("play", "resign"),
    Phase.CUBE_ANSWER: ("take", "drop", "beaver", "resign"),
    Phase.BEAVER_ANSWER: ("take", "drop", "resign"),
    Phase.RESIGN_ANSWER: ("answer",),
    Phase.ADJUDICATING: (),
    Phase.OVER: (),
    Phase.CANCELLED: (),
    Phase.VOID: (),
}
"""What can be open to the one who has to act; all else would be refused anyway."""
