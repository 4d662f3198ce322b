"""A moment of a match as the exchange formats and the engines know it: position, dice, cube, score."""

from typing import Final

from games.match.state import MatchState, Phase
from games.rules.situation import Owner, Situation

PLAYING: Final = frozenset({Phase.TO_ROLL, Phase.TO_MOVE, Phase.CUBE_ANSWER})


def situation_of(state: MatchState) -> Situation | None:
    """Seen by the player on roll; None where nobody is to roll, to play or to answer a double."""
    side = state.on_roll
    if side is None or state.phase not in PLAYING:
        return None
    terms = state.terms
    owners = {None: Owner.NOBODY, side: Owner.MINE, side.other: Owner.THEIRS}
    return Situation(
        position=state.position,
        roll=state.roll,
        cube=state.cube_value,
        cube_owner=owners[state.cube_owner],
        is_doubled=state.phase is Phase.CUBE_ANSWER,
        score=(0, 0) if terms.is_single else (state.score[side], state.score[side.other]),
        length=0 if terms.is_single else terms.length,
        is_crawford=state.crawford,
        has_jacoby=terms.has_jacoby,
        has_beavers=terms.has_beavers,
    )
