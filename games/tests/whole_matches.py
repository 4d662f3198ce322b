"""Whole matches played at random by the machine, for tests of what is made of finished matches."""

from collections.abc import Callable
from random import Random

from games.match import commands as c
from games.match.events import Event
from games.match.machine import may, resign_levels, whose
from games.match.sides import Side
from games.match.state import FINISHED, MatchState
from games.match.terms import Terms
from games.rules.outcome import Win
from games.rules.turns import Move
from games.tests.match_table import COMMITS, SEEDS, MatchTable, Thrown

MOST_COMMANDS = 20_000
RARE = {"double": 0.15, "resign": 0.004}
MOVE_S = (1, 9)


def played_out(terms: Terms, chance: Random, *, expires: float = 0.0005) -> MatchTable:
    """A match from the ready check to its end: every way a game can end comes up among many."""
    table = _FairTable(terms)
    table.chance = Random(chance.random())
    for side in Side:
        table.do(c.Accept(side, COMMITS[side]))
    for side in Side:
        table.do(c.RevealSeed(side, SEEDS[side]))
    table.do(c.StartGame())
    for _ in range(MOST_COMMANDS):
        if table.state.phase in FINISHED:
            return table
        if chance.random() < expires:
            table.now = table.due
            table.do(c.Expire(kind=chance.choice(list(Win))))
            continue
        table.now += 1000 * chance.randint(*MOVE_S)
        if table.now >= table.due:
            table.now = table.due - 1
        table.do(command(table.state, chance))
    raise AssertionError("the match did not end")


class _FairTable(MatchTable):
    """Draws its dice instead of reading them from a list."""

    chance: Random

    def dice(self, number: int) -> Thrown:
        self.throws.append((self.chance.randint(1, 6), self.chance.randint(1, 6)))
        return super().dice(number)


def command(state: MatchState, chance: Random) -> c.PlayerCommand:
    """Something that is open to the player who must act."""
    side = whose(state)
    assert side is not None
    open_to = sorted(may(state, side) - {"claim", "switches"})
    if "play" in open_to and not (open_to != ["play"] and chance.random() < RARE["resign"]):
        return _turn(state, side, chance)
    weights = [RARE.get(name, 1.0) for name in open_to]
    (name,) = chance.choices(open_to, weights)
    match name:
        case "resign":
            return c.OfferResign(side, chance.choice(resign_levels(state, side)))
        case "answer":
            return c.AnswerResign(side, accept=chance.random() < 0.5)
        case "play":
            return _turn(state, side, chance)
        case _:
            return _PLAIN[name](side)


_PLAIN: dict[str, Callable[[Side], c.PlayerCommand]] = {
    "roll": c.Roll,
    "double": c.Double,
    "take": c.Take,
    "drop": c.Drop,
    "beaver": c.Beaver,
}


def _turn(state: MatchState, side: Side, chance: Random) -> c.PlayerCommand:
    assert state.turns is not None
    turns = list(state.turns.finals.values())
    turn = chance.choice(turns) if turns else ()
    return c.PlayTurn(side, tuple(Move(step.src, step.dst, step.hit) for step in turn))


def events_of(table: MatchTable) -> list[Event]:
    """What happened, in order."""
    return [event for event, _ in table.log]
