"""What is played without asking: turns that cannot be played, and what the players' switches say.

A cube decision is never taken for anybody, and nobody loses the right to one.
"""

from typing import Final

from games.match import cube
from games.match.sequel import Sequel
from games.match.state import MatchState, Phase
from games.rules.board import HOME, OFF, Position, is_bearing_off
from games.rules.turns import Turn, TurnGraph
from games.rules.variants import rules_of

ROLLS_AT_ONCE: Final = 64
"""No command rolls more often by itself: two closed boards would go on for ever. A whole race fits."""


def go_on(sequel: Sequel) -> None:
    """Plays on until somebody has to decide."""
    for _ in range(ROLLS_AT_ONCE):
        _play_unasked(sequel)
        side = sequel.state.on_roll
        if side is None or not _rolls_unasked(sequel.state):
            return
        sequel.roll(side)
    _play_unasked(sequel)


def _rolls_unasked(state: MatchState) -> bool:
    side = state.on_roll
    if side is None or state.phase is not Phase.TO_ROLL or not state.switches[side].auto_roll:
        return False
    return not cube.has_access(state, side)


def _play_unasked(sequel: Sequel) -> None:
    state = sequel.state
    if state.on_roll is None or state.turns is None:
        return
    turn = _turn_unasked(state, state.turns)
    if turn is not None:
        sequel.play(state.on_roll, turn, auto=True)


def _turn_unasked(state: MatchState, turns: TurnGraph) -> Turn | None:
    """The turn to be played without asking; None if the player decides."""
    assert state.on_roll is not None, "a roll is somebody's"
    if not turns.dice_used:
        return ()
    switches = state.switches[state.on_roll]
    if switches.auto_forced and turns.is_forced:
        return next(iter(turns.finals.values()))
    if switches.auto_bear_off and _is_race_home(state):
        return turns.finals[max(turns.finals, key=_borne_off)]
    return None


def _is_race_home(state: MatchState) -> bool:
    is_free = not rules_of(state.terms.variant).has_contact(state.position)
    return is_free and is_bearing_off(state.position.mine)


def _borne_off(final: Position) -> tuple[int, tuple[int, ...]]:
    """Prefers more checkers off, then fewer on the highest points."""
    farthest_first = final.mine[HOME:OFF:-1]
    return final.mine[OFF], tuple(-count for count in farthest_first)
