"""The legal turns of a roll, and what a person's words for a turn mean among them.

The law is the same for every variant (Backgammon 3.4, Nardy 3.4): as many dice as possible, and of
two dice of which only one can be played the larger. The search for it is in search.py.
"""

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from typing import ClassVar, NamedTuple

from accounts.errors import gettext_noop
from games.rules.backgammon import BACKGAMMON
from games.rules.board import Position
from games.rules.dice import Roll
from games.rules.errors import IllegalTurn
from games.rules.outcome import is_over
from games.rules.packed import unpacked
from games.rules.search import Edge, Layer, ends, first_layer, graph, longest_lines
from games.rules.steps import Rules, Step, Turn, played

__all__ = [
    "AmbiguousTurn",
    "Edge",
    "IllegalTurn",
    "Move",
    "Step",
    "Turn",
    "TurnGraph",
    "legal_turns",
]


class Move(NamedTuple):
    """A checker's way as a person writes it: one step or several joined (13/7 with 4-2).

    `hit` True: it hits where it stops; False: it hits nowhere; None: nothing was said.
    """

    src: int
    dst: int
    hit: bool | None = None


class AmbiguousTurn(IllegalTurn):
    """What was written can be played in ways that hit different checkers."""

    code: ClassVar[str] = "ambiguous_turn"
    text: ClassVar[str] = gettext_noop(
        "This turn can be played in more than one way. Name each step, with * where it hits."
    )

    def __init__(self, readings: Mapping[Position, Turn]) -> None:
        super().__init__()
        self.readings = readings


class TurnGraph:
    """All legal turns of one roll. Positions are the mover's view throughout."""

    def __init__(self, position: Position, roll: Roll, layers: Sequence[Layer]) -> None:
        self.position = position
        self.roll = roll
        self.dice_used = len(layers) - 1
        self._layers = layers

    @cached_property
    def finals(self) -> dict[Position, Turn]:
        """Each position in which a legal turn ends, with one turn that leads there.

        Empty if there is no legal step. The order follows from the position and the roll alone.
        """
        if not self.dice_used:
            return {}
        turns = ends(self._layers)
        return dict(zip(unpacked(turns), turns.values(), strict=True))

    @cached_property
    def nodes(self) -> tuple[tuple[Edge, ...], ...]:
        """Every legal turn, in every order of its steps, as a graph.

        Node 0 is the start of the turn; a node without edges ends it. The last nodes are the
        `finals`, in their order.
        """
        return graph(self._layers)

    @property
    def is_forced(self) -> bool:
        """Whether all legal turns come to the same."""
        return len(self.finals) == 1

    def resolve(self, moves: Sequence[Move]) -> tuple[Turn, Position]:
        """The turn that `moves` describe, whatever their order, and the position it leads to.

        Every step on the way must be legal, die by die (Backgammon 3.5), and all dice that can
        be played must be. No moves at all are right only when there is no legal step.
        Raises IllegalTurn or AmbiguousTurn.
        """
        if not self.dice_used and not moves:
            return (), self.position
        # Step by step in the written order: every such line comes to the same position.
        if len(moves) == self.dice_used:
            turn = _as_written(self.nodes, 0, moves, ())
            if turn is not None:
                return turn, played(self.position, turn)
        readings = self._readings(moves)
        if not readings:
            raise IllegalTurn
        if len(readings) > 1:
            raise AmbiguousTurn(readings)
        ((end, turn),) = readings.items()
        return turn, end

    def _readings(self, moves: Sequence[Move]) -> dict[Position, Turn]:
        """What `moves` can mean: each position they can lead to with the first turn found."""
        readings: dict[Position, Turn] = {}
        if not moves or len(moves) > self.dice_used:
            return readings
        positions = list(self.finals)
        first_end = len(self.nodes) - len(positions)
        for node, turn in _lines(self.nodes, 0, tuple(moves), ()):
            readings.setdefault(positions[node - first_end], turn)
        return readings


def legal_turns(position: Position, roll: Roll, rules: Rules = BACKGAMMON) -> TurnGraph:
    """All legal turns of the player whose checkers are `mine`; none if the game is over.

    >>> from games.rules.board import START
    >>> len(legal_turns(START, Roll.of(3, 1)).finals)
    16
    """
    if is_over(position):
        return TurnGraph(position, roll, first_layer(position, roll))
    layers = longest_lines(position, roll, rules)
    relaxed = rules.relaxed(position, roll) if len(layers) <= len(roll.dice) else None
    if relaxed is not None:
        layers = max(layers, longest_lines(position, roll, relaxed), key=len)
    return TurnGraph(position, roll, layers)


def _lines(
    nodes: Sequence[Sequence[Edge]], node: int, moves: tuple[Move, ...], so_far: Turn
) -> Iterator[tuple[int, Turn]]:
    """The ends of all lines from `node` that play exactly `moves`; the written order first."""
    if not nodes[node] and not moves:
        yield node, so_far
    for at, move in enumerate(moves):
        others = moves[:at] + moves[at + 1 :]
        for src, dst, die, hit, to in nodes[node]:
            if src == move.src and _may_pass(move, dst, hit=bool(hit)):
                rest = () if dst == move.dst else (move._replace(src=dst),)
                yield from _lines(
                    nodes, to, rest + others, (*so_far, Step(src, dst, die, bool(hit)))
                )


def _as_written(
    nodes: Sequence[Sequence[Edge]], node: int, moves: Sequence[Move], so_far: Turn
) -> Turn | None:
    """The first line from `node` whose steps are `moves`, one each; None if there is none."""
    if not moves:
        return so_far
    move, *others = moves
    for src, dst, die, hit, to in nodes[node]:
        if (src, dst) == move[:2] and move.hit in (None, hit):
            turn = _as_written(nodes, to, others, (*so_far, Step(src, dst, die, bool(hit))))
            if turn is not None:
                return turn
    return None


def _may_pass(move: Move, dst: int, *, hit: bool) -> bool:
    """Whether a step to `dst` can be part of the way that `move` names."""
    if dst > move.dst:
        return not (hit and move.hit is False)
    return dst == move.dst and move.hit in (None, hit)
