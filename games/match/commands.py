"""What a player, the house or the clock can ask of a match. Says nothing of whether it is granted."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol, TypeAlias

from games.match.sides import Side
from games.rules.outcome import Win
from games.rules.turns import Move


class Throw(Protocol):
    """Two dice as they fell, not sorted. In an opening throw the first is light's, the second dark's."""

    @property
    def first(self) -> int: ...

    @property
    def second(self) -> int: ...


Dice: TypeAlias = Callable[[int], Throw]
"""The throw with a number, counted from 1 in each match; the same number is always the same throw."""


@dataclass(frozen=True, slots=True)
class Accept:
    """Ready, with the SHA-256 (64 hex) of the seed that this player will reveal."""

    by: Side
    commit: str


@dataclass(frozen=True, slots=True)
class RevealSeed:
    """The seed (64 hex) behind the commitment."""

    by: Side
    seed: str


@dataclass(frozen=True, slots=True)
class Leave:
    """Gives the seat back before the game starts."""

    by: Side


@dataclass(frozen=True, slots=True)
class Roll:
    """Rolls the dice of the turn."""

    by: Side


@dataclass(frozen=True, slots=True)
class Double:
    """Offers the cube at twice its value."""

    by: Side


@dataclass(frozen=True, slots=True)
class Take:
    """Accepts an offered cube, or a beaver."""

    by: Side


@dataclass(frozen=True, slots=True)
class Drop:
    """Declines an offered cube, or a beaver, and loses the game."""

    by: Side


@dataclass(frozen=True, slots=True)
class Beaver:
    """Doubles the offered cube at once and keeps it."""

    by: Side


@dataclass(frozen=True, slots=True)
class PlayTurn:
    """A whole turn, in any order of its steps, also joined ones."""

    by: Side
    moves: tuple[Move, ...]


@dataclass(frozen=True, slots=True)
class OfferResign:
    """Offers to lose a single game, a gammon or a backgammon."""

    by: Side
    level: Win


@dataclass(frozen=True, slots=True)
class AnswerResign:
    """Accepts or refuses the opponent's resignation."""

    by: Side
    accept: bool


@dataclass(frozen=True, slots=True)
class ClaimTime:
    """Says that the opponent's time is out. Refused with NotDueYet, or TimeIsUp if it is true: then `Expire`."""

    by: Side


@dataclass(frozen=True, slots=True)
class SetSwitches:
    """What is to be done for this player without asking."""

    by: Side
    auto_roll: bool
    auto_forced: bool
    auto_bear_off: bool


@dataclass(frozen=True, slots=True)
class StartGame:
    """The stakes are held: begin."""


@dataclass(frozen=True, slots=True)
class HoldFailed:
    """The stakes could not be held: there is no match."""

    reason: str


@dataclass(frozen=True, slots=True)
class Expire:
    """The deadline has passed. `kind`: the likeliest of the losses, None if nobody has judged it.

    `forfeits`: sides that have left so many matches that they lose this one instead of an adjudication.
    """

    kind: Win | None
    forfeits: frozenset[Side] = frozenset()


@dataclass(frozen=True, slots=True)
class MarkLost:
    """The lease of a player's presence has run out; last seen at `since_ms`."""

    side: Side
    since_ms: int


@dataclass(frozen=True, slots=True)
class MarkReturned:
    """A player whose lease had run out is at the table again."""

    side: Side


@dataclass(frozen=True, slots=True)
class Adjudicate:
    """A verdict on an abandoned match: millionths of a stake that `side` gains, with its 95 % interval.

    Which end is paid follows from who left: the lower one to the one who left, the estimate if both did.
    """

    side: Side
    estimate: int
    low: int
    high: int
    engine: str
    detail: str


@dataclass(frozen=True, slots=True)
class Void:
    """Ends the match without a result."""

    reason: str


@dataclass(frozen=True, slots=True)
class Credit:
    """Gives back time in which the site could not be reached."""

    ms: int
    reason: str


SeatCommand: TypeAlias = Accept | RevealSeed | Leave | SetSwitches
"""A player's commands that do not depend on what the player saw, nor on the clock."""

TurnCommand: TypeAlias = Roll | PlayTurn | ClaimTime
CubeCommand: TypeAlias = Double | Take | Drop | Beaver
ResignCommand: TypeAlias = OfferResign | AnswerResign
GameCommand: TypeAlias = TurnCommand | CubeCommand | ResignCommand
"""A player's commands in a running game."""

PlayerCommand: TypeAlias = SeatCommand | GameCommand
AbsenceCommand: TypeAlias = MarkLost | MarkReturned | Adjudicate
HouseCommand: TypeAlias = StartGame | HoldFailed | Expire | Void | Credit | AbsenceCommand
Command: TypeAlias = PlayerCommand | HouseCommand
