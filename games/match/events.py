"""What has happened in a match, as values, and their JSON form. Knows no rules and decides nothing."""

from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, fields
from typing import Any, ClassVar, Final, Literal, NamedTuple, TypeAlias, cast, get_args

from games.match.sides import Side
from games.match.terms import ClockTerms, Kind, Terms
from games.rules.turns import Step, Turn

Reason = Literal["borne_off", "drop", "resign", "time", "left", "adjudicated"]
"""Why a game ended."""


class Signed(int):
    """A whole number that may be below zero."""


PPM: Final = 1_000_000
"""Verdicts are counted in millionths of a stake."""

WINS: Final = (1, 2, 3)
"""Single, gammon, backgammon."""


@dataclass(frozen=True, slots=True)
class MatchOpened:
    """Two players have sat down; the server has committed to its seed."""

    KIND: ClassVar[str] = "match_opened"
    terms: Terms
    server_commit: str


@dataclass(frozen=True, slots=True)
class PlayerAccepted:
    """A player is ready and has committed to a seed."""

    KIND: ClassVar[str] = "player_accepted"
    side: Side
    commit: str


@dataclass(frozen=True, slots=True)
class SeedRevealed:
    """A player's seed is known to the server. The wire hides it until the match has ended."""

    KIND: ClassVar[str] = "seed_revealed"
    side: Side
    seed: str


@dataclass(frozen=True, slots=True)
class SwitchesSet:
    """A player has chosen what is done without asking."""

    KIND: ClassVar[str] = "switches_set"
    side: Side
    auto_roll: bool
    auto_forced: bool
    auto_bear_off: bool


@dataclass(frozen=True, slots=True)
class GameStarted:
    """A game begins, counted from 1. With the first one the stakes are held."""

    KIND: ClassVar[str] = "game_started"
    game: int


@dataclass(frozen=True, slots=True)
class OpeningRolled:
    """One die each (Backgammon 2). Equal dice decide nothing; else the higher plays both."""

    KIND: ClassVar[str] = "opening_rolled"
    light: int
    dark: int
    roll_number: int


@dataclass(frozen=True, slots=True)
class ColoursDrawn:
    """One die each (Nardy 2). Equal dice decide nothing; else the higher is white, moves first and rolls anew."""

    KIND: ClassVar[str] = "colours_drawn"
    light: int
    dark: int
    roll_number: int


@dataclass(frozen=True, slots=True)
class Rolled:
    """The dice of a turn."""

    KIND: ClassVar[str] = "rolled"
    side: Side
    high: int
    low: int
    roll_number: int


@dataclass(frozen=True, slots=True)
class TurnPlayed:
    """A whole turn in its one canonical order; no steps if none was legal. `auto`: without being asked."""

    KIND: ClassVar[str] = "turn_played"
    side: Side
    steps: Turn
    auto: bool


@dataclass(frozen=True, slots=True)
class DoubleOffered:
    """`value`: what the cube would show."""

    KIND: ClassVar[str] = "double_offered"
    side: Side
    value: int


@dataclass(frozen=True, slots=True)
class DoubleTaken:
    """`side` owns the cube now."""

    KIND: ClassVar[str] = "double_taken"
    side: Side
    value: int


@dataclass(frozen=True, slots=True)
class DoubleDropped:
    """A double or a beaver was declined."""

    KIND: ClassVar[str] = "double_dropped"
    side: Side


@dataclass(frozen=True, slots=True)
class Beavered:
    """The doubled player doubles again and keeps the cube; the doubler has to answer."""

    KIND: ClassVar[str] = "beavered"
    side: Side
    value: int


@dataclass(frozen=True, slots=True)
class BeaverAccepted:
    """The doubler plays on at the beaver's value."""

    KIND: ClassVar[str] = "beaver_accepted"
    side: Side


@dataclass(frozen=True, slots=True)
class ResignOffered:
    """`level`: 1 single, 2 gammon, 3 backgammon."""

    KIND: ClassVar[str] = "resign_offered"
    side: Side
    level: int


@dataclass(frozen=True, slots=True)
class ResignRefused:
    """`side` wants to play on."""

    KIND: ClassVar[str] = "resign_refused"
    side: Side


@dataclass(frozen=True, slots=True)
class ResignAccepted:
    """`side` has won the game at the level that was offered."""

    KIND: ClassVar[str] = "resign_accepted"
    side: Side


@dataclass(frozen=True, slots=True)
class TimeExpired:
    """Nothing is left on the clock of `side`."""

    KIND: ClassVar[str] = "time_expired"
    side: Side


@dataclass(frozen=True, slots=True)
class GameEnded:
    """`win`: what it counted as, 1 to 3; `points`: win times cube, within the limit of a single game."""

    KIND: ClassVar[str] = "game_ended"
    winner: Side
    win: int
    cube: int
    points: int
    reason: Reason

    def __post_init__(self) -> None:
        if self.win not in WINS or not 0 < self.points <= self.win * self.cube:
            raise ValueError(self)


@dataclass(frozen=True, slots=True)
class MatchEnded:
    """`points`: of the game in a single game, the winner's score in a series; 0 if it was adjudicated."""

    KIND: ClassVar[str] = "match_ended"
    winner: Side
    points: int
    reason: Reason


@dataclass(frozen=True, slots=True)
class MatchSettled:
    """What was paid, in minor units; `fee` is both players' together. Changes nothing in the play."""

    KIND: ClassVar[str] = "match_settled"
    winner: Side
    win: int
    fee: int
    gain: int
    loss: int
    currency: str


@dataclass(frozen=True, slots=True)
class MatchVoided:
    """Ended without a result after it had begun, or before."""

    KIND: ClassVar[str] = "match_voided"
    reason: str


@dataclass(frozen=True, slots=True)
class MatchCancelled:
    """Never began."""

    KIND: ClassVar[str] = "match_cancelled"
    reason: str


@dataclass(frozen=True, slots=True)
class Credited:
    """So much time was given back to the side whose clock runs, because the site was down."""

    KIND: ClassVar[str] = "credited"
    ms: int
    reason: str


@dataclass(frozen=True, slots=True)
class PlayerLost:
    """The lease of a player's presence ran out; away since `since_ms`."""

    KIND: ClassVar[str] = "player_lost"
    side: Side
    since_ms: int


@dataclass(frozen=True, slots=True)
class PlayerReturned:
    """The player is at the table again."""

    KIND: ClassVar[str] = "player_returned"
    side: Side


@dataclass(frozen=True, slots=True)
class Abandoned:
    """The time to come back is used up; whoever was away then has left the match. An engine decides now."""

    KIND: ClassVar[str] = "abandoned"
    light: bool
    dark: bool


@dataclass(frozen=True, slots=True)
class SentToModerators:
    """No engine has answered in time: a person decides."""

    KIND: ClassVar[str] = "sent_to_moderators"


@dataclass(frozen=True, slots=True)
class Adjudicated:
    """What an engine or a moderator found. All four figures are millionths of a stake that `side` gains.

    `low` and `high` are the ends of the 95 % interval of `estimate`; `applied` is what is paid.
    """

    KIND: ClassVar[str] = "adjudicated"
    side: Side
    estimate: Signed
    low: Signed
    high: Signed
    applied: Signed
    engine: str
    detail: str


PlayEvent: TypeAlias = GameStarted | OpeningRolled | ColoursDrawn | Rolled | TurnPlayed
CubeEvent: TypeAlias = DoubleOffered | DoubleTaken | DoubleDropped | Beavered | BeaverAccepted
ResignEvent: TypeAlias = ResignOffered | ResignRefused | ResignAccepted
EndEvent: TypeAlias = (
    TimeExpired | GameEnded | MatchEnded | MatchSettled | MatchVoided | MatchCancelled
)
TableEvent: TypeAlias = PlayerAccepted | SeedRevealed | SwitchesSet | Credited
AbsenceEvent: TypeAlias = PlayerLost | PlayerReturned | Abandoned | SentToModerators | Adjudicated
Event: TypeAlias = (
    MatchOpened | TableEvent | AbsenceEvent | PlayEvent | CubeEvent | ResignEvent | EndEvent
)

KINDS: Final[Mapping[str, type[Event]]] = {event.KIND: event for event in get_args(Event)}
"""Every event by the name that the store and the wire use."""


class BadPayload(ValueError):
    """Stored values that are no event."""


def to_payload(event: Event) -> dict[str, Any]:
    """The event's fields as JSON can hold them; its kind is not among them."""
    return {name: form.plain(getattr(event, name)) for name, form in _FORMS[event.KIND].items()}


def from_payload(kind: str, payload: Mapping[str, Any]) -> Event:
    """The event that `to_payload` was given. Raises BadPayload."""
    forms = _FORMS.get(kind)
    if forms is None:
        raise BadPayload(kind)
    if payload.keys() != forms.keys():
        raise BadPayload(kind, sorted(payload))
    try:
        return KINDS[kind](**{name: form.read(payload[name]) for name, form in forms.items()})
    except (KeyError, TypeError, ValueError) as error:
        raise BadPayload(kind, dict(payload)) from error


class _Form(NamedTuple):
    """How values of one type are stored and read back; `read` raises ValueError or TypeError."""

    plain: Callable[[Any], Any]
    read: Callable[[Any], Any]


def _unchanged(value: Any) -> Any:
    return value


def _number(value: object) -> int:
    if type(value) is not int or value < 0:
        raise ValueError(value)
    return value


def _signed(value: object) -> Signed:
    if type(value) is not int:
        raise TypeError(value)
    return Signed(value)


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise TypeError(value)
    return value


def _flag(value: object) -> bool:
    if not isinstance(value, bool):
        raise TypeError(value)
    return value


def _reason(value: object) -> Reason:
    if value not in get_args(Reason):
        raise ValueError(value)
    return cast("Reason", value)


def _plain_steps(turn: Turn) -> list[list[Any]]:
    return [list(step) for step in turn]


def _steps(value: list[list[Any]]) -> Turn:
    return tuple(
        Step(_number(src), _number(dst), _number(die), _flag(hit)) for src, dst, die, hit in value
    )


def _terms(value: dict[str, Any]) -> Terms:
    if value["kind"] not in get_args(Kind):
        raise ValueError(value)
    return Terms(**{**value, "clock": ClockTerms(**value["clock"])})


_FORM_OF_TYPE: Final[Mapping[Any, _Form]] = {
    int: _Form(_unchanged, _number),
    Signed: _Form(int, _signed),
    str: _Form(_unchanged, _text),
    bool: _Form(_unchanged, _flag),
    Side: _Form(str, Side),
    Reason: _Form(_unchanged, _reason),
    Turn: _Form(_plain_steps, _steps),
    Terms: _Form(asdict, _terms),
}

_FORMS: Final[Mapping[str, Mapping[str, _Form]]] = {
    kind: {field.name: _FORM_OF_TYPE[field.type] for field in fields(event)}
    for kind, event in KINDS.items()
}
