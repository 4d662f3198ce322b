"""Who may turn the cube, and how far (Backgammon 6). Knows no clock and no dice."""

from typing import Final

from accounts.errors import Refused
from games.match.errors import CrawfordGame, CubeAtLimit, CubeNotYours, DeadCube, NoBeavers, NoCube
from games.match.sides import SIDES, Side
from games.match.state import MatchState

LIMIT: Final = 64
STEP: Final = 2
WITH_CUBE: Final = frozenset({"backgammon"})
"""Variants that are played with a cube; long nardy has none (Nardy 7)."""


def require_access(state: MatchState, side: Side) -> None:
    """Refuses a double that `side` may not offer, whoever's turn it is.

    Raises NoCube, CrawfordGame, CubeNotYours, CubeAtLimit, DeadCube.
    """
    if state.terms.variant not in WITH_CUBE:
        raise NoCube
    if state.crawford:
        raise CrawfordGame
    if state.cube_owner is side.other:
        raise CubeNotYours
    if state.cube_value * STEP > LIMIT:
        raise CubeAtLimit(limit=LIMIT)
    if is_dead(state):
        raise DeadCube


def refused_code(state: MatchState, side: Side) -> str | None:
    """Why `side`, whose turn it is, may not double before rolling; None if it may."""
    try:
        require_access(state, side)
    except Refused as refusal:
        return refusal.code
    return None


def has_access(state: MatchState, side: Side) -> bool:
    """Whether `side` may double when it is its turn to roll."""
    try:
        require_access(state, side)
    except Refused:
        return False
    return True


def is_dead(state: MatchState) -> bool:
    """In a series: the cube as it stands already covers what both sides need.

    While the other side needs more than the cube, a double is legal even for a side that does not.
    """
    if state.terms.is_single:
        return False
    return all(state.cube_value >= state.terms.length - state.score[side] for side in SIDES)


def require_beaver(state: MatchState) -> None:
    """Refuses to beaver the offered double. Raises NoBeavers, CubeAtLimit."""
    if not state.terms.has_beavers:
        raise NoBeavers
    assert state.offer is not None, "a beaver answers an offer"
    if state.offer.value * STEP > LIMIT:
        raise CubeAtLimit(limit=LIMIT)
