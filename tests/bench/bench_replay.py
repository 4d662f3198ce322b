"""How long it takes to replay a match from its stored events, as a process does that takes a table over.

python -m tests.bench.bench_replay [--rounds 5]
"""

import argparse
import sys
from hashlib import sha256
from statistics import median
from time import perf_counter

from games.fairness import Thrown
from games.match import commands as c
from games.match.events import Event, from_payload, to_payload
from games.match.machine import decide, evolve, open_match, whose
from games.match.sides import Side
from games.match.state import FINISHED, MatchState, Phase
from games.match.terms import Terms, clock_terms
from games.rules.turns import Move

EVENTS = 400
GOAL_MS = 10.0
MS = 1_000
SEEDS = {Side.LIGHT: "11" * 32, Side.DARK: "22" * 32}


def dice(n: int) -> Thrown:
    """Some dice, always the same."""
    digest = sha256(n.to_bytes(4)).digest()
    return Thrown(digest[0] % 6 + 1, digest[1] % 6 + 1)


def stored() -> list[tuple[str, dict[str, object]]]:
    """The first events of a long series, as the database keeps them."""
    clock = clock_terms("slow", "series", 25)
    terms = Terms(
        variant="backgammon",
        kind="series",
        length=25,
        jacoby=False,
        beavers=False,
        crawford=True,
        clock=clock,
        blitz=False,
        cap_points=None,
    )
    log: list[Event] = list(open_match(terms, "aa" * 32))
    state = evolve(None, log[0], 0)
    orders: list[c.Command] = [
        *(c.Accept(side, sha256(bytes.fromhex(seed)).hexdigest()) for side, seed in SEEDS.items()),
        *(c.RevealSeed(side, seed) for side, seed in SEEDS.items()),
        c.StartGame(),
    ]
    while len(log) < EVENTS and state.phase not in FINISHED:
        for event in decide(state, orders.pop(0) if orders else _next(state), now_ms=0, dice=dice):
            log.append(event)
            state = evolve(state, event, 0)
    return [(event.KIND, to_payload(event)) for event in log[:EVENTS]]


def _next(state: MatchState) -> c.Command:
    side = whose(state)
    assert side is not None
    if state.phase is Phase.TO_ROLL:
        return c.Roll(side)
    assert state.turns is not None
    turn = next(iter(state.turns.finals.values()))
    return c.PlayTurn(side, tuple(Move(step.src, step.dst) for step in turn))


def main() -> None:
    """Prints the row."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=5)
    rounds = parser.parse_args().rounds
    log = stored()
    times = []
    for _ in range(rounds):
        started = perf_counter()
        state: MatchState | None = None
        for kind, payload in log:
            state = evolve(state, from_payload(kind, payload), 0)
        times.append(MS * (perf_counter() - started))
    took = median(times)
    label = f"replay of a match from {len(log)} events"
    sys.stdout.write(f"{label:<70}{took:>10.2f} ms      goal {GOAL_MS} ms {took / GOAL_MS:>6.2f}\n")


if __name__ == "__main__":
    main()
