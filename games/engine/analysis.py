"""What a match's decisions cost: equity lost, luck, marks, better ways. For backgammon by bgsage.

Equities are in the value of the cube; in a series 1 and -1 are what winning and losing that value make of
the chance to win it. A play is ranked at a glance, the best few and the one that was played are searched
two turns deep, and where that finds an error, or a close choice, one turn deeper. What counts as a
decision is GNU Backgammon's rule: every play that was not forced, every use of the cube, and not doubling
where it was close. PR is the equity lost for each of them, times 500.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Final, assert_never

from games.engine import met, sage
from games.engine.decisions import Answered, Decision, Doubled, Rolled
from games.engine.questions import Whose
from games.engine.worth import Cube
from games.rules.board import Position
from games.rules.notation import format_turn
from games.rules.outcome import Win
from games.rules.scoresheet import LEFT, Seat
from games.rules.situation import Owner, Situation
from games.rules.turns import Move, Turn, TurnGraph, legal_turns

PPM: Final = 1_000_000
PR_FACTOR: Final = 500
CLOSE: Final = 0.16
"""A double that costs less than this is a decision, also if nobody thought of it."""

LOOKED_INTO: Final = 5
WITHIN: Final = 0.16
"""Of the plays ranked at a glance so many are searched, as far as they come this near to the best."""

DEEPER: Final = sage.PLY + 1
UNSURE: Final = 0.012
"""Searches two turns deep are this far from deeper ones, as a rule."""

SHOWN: Final = 4


class Mark(StrEnum):
    """How bad a decision was, by the equity it lost."""

    NONE = ""
    DOUBTFUL = "doubtful"
    ERROR = "error"
    BLUNDER = "blunder"


MARKS: Final = ((0.08, Mark.BLUNDER), (0.04, Mark.ERROR), (0.02, Mark.DOUBTFUL))


def mark_of(lost: float) -> Mark:
    """The mark for equity lost.

    >>> mark_of(0.05)
    <Mark.ERROR: 'error'>
    """
    return next((mark for least, mark in MARKS if lost >= least), Mark.NONE)


class Kind(StrEnum):
    """What was decided."""

    PLAY = "play"
    NO_DOUBLE = "no_double"
    DOUBLE = "double"
    TAKE = "take"
    DROP = "drop"


@dataclass(frozen=True, slots=True)
class Option:
    """A way that was open: the play as text, or the name of the use of the cube; what it costs beside the best."""

    text: str
    lost: float


@dataclass(frozen=True, slots=True)
class Judged:
    """One decision. `lost` is the equity it cost, `counts` whether it is one that PR is about.

    `n`: the moment at which it showed. `chance`: of seat 0 to win the match (a single game: the game)
    before the decision. `luck` of the roll, in equity, None where nothing was rolled. `options`: the
    best ways, and the one that was chosen, the best first.
    """

    n: int
    seat: Seat
    kind: Kind
    chosen: str
    lost: float
    counts: bool
    chance: float
    luck: float | None = None
    options: tuple[Option, ...] = ()

    @property
    def mark(self) -> Mark:
        return mark_of(self.lost) if self.counts else Mark.NONE

    def record(self) -> dict[str, Any]:
        """As JSON keeps it: equities and chances in millionths."""
        return {
            "n": self.n,
            "seat": self.seat,
            "kind": self.kind.value,
            "chosen": self.chosen,
            "lost": round(self.lost * PPM),
            "counts": self.counts,
            "chance": round(self.chance * PPM),
            "luck": None if self.luck is None else round(self.luck * PPM),
            "mark": self.mark.value,
            "options": [[option.text, round(option.lost * PPM)] for option in self.options],
        }


@dataclass(frozen=True, slots=True)
class Totals:
    """One player's sums over a match, in millionths."""

    decisions: int
    lost: int
    luck: int
    marks: dict[str, int]

    @property
    def pr_milli(self) -> int:
        """PR in thousandths: equity lost for each decision, times 500."""
        return (
            round(self.lost * PR_FACTOR / self.decisions / (PPM // 1000)) if self.decisions else 0
        )


def totals(records: Iterable[dict[str, Any]], seat: Seat) -> Totals:
    """Sums of the records of `Judged`."""
    mine = [record for record in records if record["seat"] == seat]
    counted = [record for record in mine if record["counts"]]
    marks = [record["mark"] for record in counted]
    return Totals(
        decisions=len(counted),
        lost=sum(record["lost"] for record in counted),
        luck=sum(record["luck"] or 0 for record in mine),
        marks={mark.value: marks.count(mark.value) for mark in Mark if mark},
    )


def judged(decision: Decision) -> Iterator[Judged]:
    """What the engine thinks of a decision; of a turn first of not doubling, then of the play."""
    match decision:
        case Rolled():
            yield from _of_turn(decision)
        case Doubled():
            yield _of_double(decision)
        case Answered():
            yield _of_answer(decision)
        case _:
            assert_never(decision)


# --- the cube -------------------------------------------------------------------------------


def _of_double(decision: Doubled) -> Judged:
    facts = _sure_facts(decision.situation)
    return _cube_choice(decision.n, decision.seat, decision.situation, facts, Kind.DOUBLE)


def _of_answer(decision: Answered) -> Judged:
    facts = _sure_facts(decision.situation)
    take, drop = facts.double_take, facts.double_drop
    kind = Kind.TAKE if decision.taken else Kind.DROP
    costs = {Kind.TAKE: max(0.0, take - drop), Kind.DROP: max(0.0, drop - take)}
    doubler = 1 - decision.seat
    return Judged(
        n=decision.n,
        seat=decision.seat,
        kind=kind,
        chosen=kind.value,
        lost=costs[kind],
        counts=True,
        chance=_chance(decision.situation, min(take, drop), facts, doubler),
        options=_sorted_options((each.value, cost) for each, cost in costs.items()),
    )


def _cube_choice(
    n: int, seat: Seat, situation: Situation, facts: sage.CubeFacts, kind: Kind
) -> Judged:
    doubling = min(facts.double_take, facts.double_drop)
    best = max(facts.no_double, doubling)
    costs = {Kind.NO_DOUBLE: best - facts.no_double, Kind.DOUBLE: best - doubling}
    return Judged(
        n=n,
        seat=seat,
        kind=kind,
        chosen=kind.value,
        lost=costs[kind],
        counts=kind is Kind.DOUBLE or costs[Kind.DOUBLE] < CLOSE,
        chance=_chance(situation, best, facts, seat),
        options=_sorted_options((each.value, cost) for each, cost in costs.items()),
    )


def _sorted_options(costs: Iterable[tuple[str, float]]) -> tuple[Option, ...]:
    return tuple(Option(text, cost) for text, cost in sorted(costs, key=lambda item: item[1]))


def _sure_facts(situation: Situation) -> sage.CubeFacts:
    """Searched deeper where the choice, or the answer, is close."""
    facts = _facts(situation, sage.PLY)
    doubling = min(facts.double_take, facts.double_drop)
    gaps = (facts.no_double - doubling, facts.double_take - facts.double_drop)
    return _facts(situation, DEEPER) if min(map(abs, gaps)) < CLOSE else facts


def _facts(situation: Situation, ply: int) -> sage.CubeFacts:
    return sage.cube_facts(sage.to_board(situation.position), game_of(situation), ply)


def may_double(situation: Situation) -> bool:
    """Whether the player on roll can turn the cube and gain by it (Backgammon 6)."""
    if situation.is_crawford or situation.cube_owner is Owner.THEIRS:
        return False
    if situation.cube >= situation.largest_cube:
        return False
    return not situation.length or situation.cube < situation.length - situation.score[0]


# --- a turn ---------------------------------------------------------------------------------


def _of_turn(decision: Rolled) -> Iterator[Judged]:
    situation = decision.situation
    has_choice = may_double(situation) and not decision.is_opening
    facts = _sure_facts(situation) if has_choice else _facts(situation, sage.PLY)
    choice = _cube_choice(decision.n, decision.seat, situation, facts, Kind.NO_DOUBLE)
    if has_choice:
        yield choice
    chance = (
        choice.chance if has_choice else _chance(situation, facts.no_double, facts, decision.seat)
    )
    yield _of_play(decision, _luck(decision, facts), chance)


def _luck(decision: Rolled, facts: sage.CubeFacts) -> float:
    """What the best play of this roll is worth beside the average of all rolls."""
    rolls = {
        roll: equity
        for roll, equity in facts.by_roll.items()
        if not (decision.is_opening and roll.is_double)
    }
    weights = {roll: 1 if roll.is_double else 2 for roll in rolls}
    average = sum(rolls[roll] * weights[roll] for roll in rolls) / sum(weights.values())
    return rolls[decision.roll] - average


def _of_play(decision: Rolled, luck: float, chance: float) -> Judged:
    graph = legal_turns(decision.situation.position, decision.roll)
    options: tuple[Option, ...] = ()
    lost, chosen = 0.0, ""
    if decision.turn is not None:
        chosen = format_turn(decision.turn)
        if len(graph.finals) > 1:
            options = _plays(decision.situation, graph, decision.turn)
            lost = next(option.lost for option in options if option.text == chosen)
    return Judged(
        n=decision.played_at,
        seat=decision.seat,
        kind=Kind.PLAY,
        chosen=chosen,
        lost=lost,
        counts=bool(options),
        chance=chance,
        luck=luck,
        options=options,
    )


def _plays(situation: Situation, graph: TurnGraph, turn: Turn) -> tuple[Option, ...]:
    """The best plays and the one that was made."""
    game = game_of(situation)
    by_board = {tuple(sage.to_board(end)): each for end, each in graph.finals.items()}
    made = tuple(sage.to_board(_end(graph, turn)))
    ranked = [
        (tuple(board), equity)
        for board, equity in sage.ranked(sage.to_board(situation.position), graph.roll, game)
        if tuple(board) in by_board
    ]
    best = ranked[0][1]
    wanted = {board for board, equity in ranked[:LOOKED_INTO] if best - equity < WITHIN} | {made}
    equities = {board: _equity(board, situation, game, sage.PLY) for board in wanted}
    _look_deeper(equities, made, situation, game)
    best = max(equities.values())
    names = {board: format_turn(by_board[board]) for board in wanted}
    names[made] = format_turn(turn)
    costs = _sorted_options((names[board], best - equities[board]) for board in sorted(wanted))
    return _shown(costs, names[made])


def _look_deeper(
    equities: dict[tuple[int, ...], float],
    made: tuple[int, ...],
    situation: Situation,
    game: sage.Game,
) -> None:
    """Searches the best plays and the made one again, so that what is compared is equally deep."""
    best = max(equities.values())
    close = {board for board, equity in equities.items() if best - equity < UNSURE} | {made}
    if len(close) == 1:
        return
    shift = None
    for board in sorted(close):
        found = _equity(board, situation, game, DEEPER)
        shift = found - equities[board] if shift is None else max(shift, found - equities[board])
        equities[board] = found
    for board in equities.keys() - close:
        equities[board] += shift or 0.0


def _shown(options: tuple[Option, ...], chosen: str) -> tuple[Option, ...]:
    kept = options[:SHOWN]
    if all(option.text != chosen for option in kept):
        kept = (*kept[: SHOWN - 1], next(option for option in options if option.text == chosen))
    return kept


def _end(graph: TurnGraph, turn: Turn) -> Position:
    """Where a turn leads: its own steps may come in another order than those of the graph."""
    return graph.resolve([Move(step.src, step.dst, step.hit) for step in turn])[1]


def _equity(board: tuple[int, ...], situation: Situation, game: sage.Game, ply: int) -> float:
    after = list(board)
    win = sage.won_by_mover(after)
    return _worth_of_win(situation, win) if win else sage.searched(after, game, ply)


# --- what is played for ------------------------------------------------------------------------


def game_of(situation: Situation) -> sage.Game:
    """What a situation is played for, as bgsage wants to know it."""
    owners = {Owner.NOBODY: None, Owner.MINE: Whose.MINE, Owner.THEIRS: Whose.THEIRS}
    mine, theirs = situation.score
    length = situation.length
    return sage.Game(
        cube=Cube(situation.cube, owners[situation.cube_owner]),
        i_need=length - mine if length else 0,
        they_need=length - theirs if length else 0,
        crawford=situation.is_crawford,
        jacoby=situation.has_jacoby,
        beavers=situation.has_beavers,
        highest=situation.largest_cube,
    )


def _worth_of_win(situation: Situation, win: int) -> float:
    """A win in the value of the cube."""
    if not situation.length:
        is_jacoby = situation.has_jacoby and situation.cube_owner is Owner.NOBODY
        return float(Win.SINGLE if is_jacoby else win)
    won, lost = _stakes(situation)
    return 2 * (_after(situation, situation.cube * win) - lost) / (won - lost) - 1


def _chance(situation: Situation, equity: float, facts: sage.CubeFacts, seat: Seat) -> float:
    """The chance of seat 0 to win what is played for; `equity` is that of `seat`, who is on roll."""
    if situation.length:
        won, lost = _stakes(situation)
        mine = lost + (equity + 1) / 2 * (won - lost)
    else:
        mine = facts.chances.win
    mine = min(1.0, max(0.0, mine))
    return mine if seat == LEFT else 1 - mine


def _stakes(situation: Situation) -> tuple[float, float]:
    """The chances to win the series once the value of the cube is won, and once it is lost."""
    return _after(situation, situation.cube), _after(situation, -situation.cube)


def _after(situation: Situation, points: int) -> float:
    """My chance to win the series after so many points for me, or for the other side if below 0."""
    mine, theirs = (situation.length - points for points in situation.score)
    is_over = situation.is_crawford or 1 in (mine, theirs)
    mine, theirs = (mine - points, theirs) if points > 0 else (mine, theirs + points)
    return met.chance(mine, theirs, crawford_is_over=is_over)
