"""A course of training: generations of games, what is learned from them, and what is kept of it.

It goes by games and not by the clock, so the same options give the same network. What has been done can
be stored after any generation and gone on with, also towards another end.
"""

import json
import os
from collections import deque
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from games.engine.nardy import features
from games.engine.nardy.bearoff import Race
from games.engine.nardy.rulesets import LONG_NARDY_FNR
from games.engine.nardy.training import bearoff, generator, player
from games.engine.nardy.training.learner import (
    BATCH,
    Floats,
    Learner,
    Moments,
    fresh_moments,
    fresh_net,
)
from games.engine.nardy.training.player import Net

SMALL_GENERATION: Final = 150
GENERATION: Final = 600
GROWN_AFTER: Final = 10_000
"""Generations grow from the first size to the second over so many games."""
KEPT_GENERATIONS: Final = 8
PASSES: Final = 2.5
POSITIONS_A_GAME: Final = 130
"""Room, not a limit: there is as much for the longest games."""
GAME_SEEDS: Final = 1
BATCH_SEEDS: Final = 2
PARTS: Final = Net._fields


@dataclass(frozen=True, slots=True)
class Options:
    """What a network comes from. `games`: where the course ends; what is annealed goes by it.

    `start`: the name of a network to start from, of any ruleset; "" for small random weights.
    """

    ruleset: str
    seed: int
    games: int
    hidden: int = 192
    rate_from: float = 2e-3
    rate_to: float = 1e-4
    lambda_from: float = 0.9
    lambda_to: float = 0.6
    start: str = ""

    def rate(self, done: float) -> float:
        """Adam's rate when this share of the course is done."""
        return float(self.rate_from * (self.rate_to / self.rate_from) ** min(done, 1.0))

    def keep(self, done: float) -> float:
        """Lambda: falls over the first half."""
        return self.lambda_from + (self.lambda_to - self.lambda_from) * min(2 * done, 1.0)


@dataclass(slots=True)
class Generation:
    """Positions and their targets."""

    positions: NDArray[np.int8]
    targets: Floats


class Course:
    """The network as far as it has come."""

    def __init__(self, options: Options, start: Net | None = None) -> None:
        self.options = options
        self.generation = 0
        self.games = 0
        self.positions = 0
        self.cpu_s = 0.0
        self.error = 0.0
        net = start or fresh_net(options.hidden, np.random.default_rng(options.seed))
        self._learner = Learner(net, fresh_moments(net), self._fnr)
        self._replay: deque[Generation] = deque(maxlen=KEPT_GENERATIONS)
        self._homes = player.homes_of(Race(bearoff.solved()))
        self._work = generator.workspace()
        self._scratch = player.scratch(options.hidden)
        room = GENERATION * POSITIONS_A_GAME + player.MOST_TURNS
        self._room = Generation(
            np.zeros((room, 2, generator.PLACES), np.int8), np.zeros((room, 3), np.float32)
        )

    @property
    def net(self) -> Net:
        return self._learner.net

    @property
    def done(self) -> float:
        """The share of the course."""
        return self.games / self.options.games

    @property
    def _fnr(self) -> int:
        return int(self.options.ruleset == LONG_NARDY_FNR)

    def advance(self) -> None:
        """One generation: plays and learns."""
        games = self._next_games()
        chance = np.random.default_rng((self.options.seed, GAME_SEEDS, self.generation))
        room = self._room
        n = player.self_play(
            self.net,
            games,
            self._fnr,
            self.options.keep(self.done),
            self._homes,
            chance.integers(0, 1 << 63, 1, dtype=np.uint64),
            self._work,
            self._scratch,
            room.positions,
            room.targets,
        )
        self._replay.append(Generation(room.positions[:n].copy(), room.targets[:n].copy()))
        self._learn(n)
        self.generation += 1
        self.games += games
        self.positions += n

    def _next_games(self) -> int:
        grown = min(self.games / GROWN_AFTER, 1.0)
        games = round(SMALL_GENERATION + (GENERATION - SMALL_GENERATION) * grown)
        return min(games, max(self.options.games - self.games, 1))

    def _learn(self, fresh: int) -> None:
        positions = np.concatenate([generation.positions for generation in self._replay])
        targets = np.concatenate([generation.targets for generation in self._replay])
        chance = np.random.default_rng((self.options.seed, BATCH_SEEDS, self.generation))
        errors = []
        for _ in range(max(int(PASSES * fresh / BATCH), 1)):
            rows = chance.integers(0, len(positions), BATCH)
            errors.append(
                self._learner.step(positions, targets, rows, self.options.rate(self.done))
            )
        self.error = float(np.mean(errors))

    # what is kept

    def metadata(self) -> dict[str, Any]:
        """What a network must say of itself."""
        return {
            "features": features.NAME,
            "version": features.VERSION,
            "inputs": features.SIZE,
            "ruleset": self.options.ruleset,
            "options": asdict(self.options),
            "generation": self.generation,
            "games": self.games,
            "positions": self.positions,
            "cpu_s": round(self.cpu_s, 1),
        }

    def write_net(self, path: Path) -> None:
        """The network alone, with what it says of itself."""
        parts = dict(zip(PARTS, self.net, strict=True))
        _write(path, {**parts, "metadata": np.array(json.dumps(self.metadata()))})

    def write(self, path: Path) -> None:
        """All that is needed to go on as if nothing had happened."""
        moments = self._learner.moments
        kept: dict[str, Any] = {
            f"net_{name}": part for name, part in zip(PARTS, self.net, strict=True)
        }
        kept |= {f"first_{n}": part for n, part in zip(PARTS, moments.first, strict=True)}
        kept |= {f"second_{n}": part for n, part in zip(PARTS, moments.second, strict=True)}
        for at, generation in enumerate(self._replay):
            kept[f"positions_{at}"] = generation.positions
            kept[f"targets_{at}"] = generation.targets
        metadata = np.array(json.dumps(self.metadata()))
        _write(path, {**kept, "steps": moments.steps, "metadata": metadata})

    @classmethod
    def read(cls, path: Path, options: Options) -> "Course":
        """Goes on with what `write` wrote. Only the end of the course may be another one."""
        with np.load(path, allow_pickle=False) as stored:
            said = json.loads(str(stored["metadata"]))
            kept = Options(**said["options"])
            if asdict(kept) | {"games": 0} != asdict(options) | {"games": 0}:
                message = f"{path} was trained with other options: {kept}"
                raise ValueError(message)
            course = cls(options)
            course.generation, course.games = said["generation"], said["games"]
            course.positions, course.cpu_s = said["positions"], said["cpu_s"]
            net, first, second = (
                Net(*(stored[f"{kind}_{name}"] for name in PARTS))
                for kind in ("net", "first", "second")
            )
            moments = Moments(first, second, stored["steps"])
            course._learner = Learner(net, moments, course._fnr)
            for at in range(KEPT_GENERATIONS):
                if f"positions_{at}" in stored:
                    generation = Generation(stored[f"positions_{at}"], stored[f"targets_{at}"])
                    course._replay.append(generation)
        return course


def net_from(path: Path) -> Net:
    """The network that `write_net` wrote, or one that is shipped."""
    with np.load(path, allow_pickle=False) as stored:
        return Net(*(stored[part].astype(np.float32) for part in PARTS))


def _write(path: Path, parts: dict[str, Any]) -> None:
    """Whole or not at all."""
    path.parent.mkdir(parents=True, exist_ok=True)
    unfinished = path.with_suffix(".part")
    with unfinished.open("wb") as file:
        np.savez(file, **parts)
    os.replace(unfinished, path)
