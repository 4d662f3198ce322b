"""The door to bgsage: its boards, its networks and its rollouts. Loads the weights when first asked.

The networks look one turn ahead ("1 ply" in bgsage's words) and know nothing of the cube; the
rollouts play on from a position with variance reduction and cube decisions of their own.
"""

from collections.abc import Callable
from functools import lru_cache
from importlib.metadata import version
from threading import Lock
from typing import Any, Final, NamedTuple, TypeAlias

from games.engine.questions import Whose
from games.engine.worth import Cube
from games.rules.board import BAR, OFF, Position, facing
from games.rules.dice import Roll

ENGINE: Final = "bgsage"

Board: TypeAlias = list[int]
"""1-24 by the mover's points, below 0 the other side; 25 and 0 are the two bars."""

Progress: TypeAlias = Callable[[int, int], None]
"""Called after each trial with how many are done and how many there are; what it raises ends the rollout."""

TRIALS: Final = 36
"""Trials of one batch: each first roll once."""

DEPTH: Final = 5
"""Turns that a trial plays before the position is judged by a search."""

PLY: Final = 2
"""bgsage's depth of search for the first turn, for the cube and at the end of a trial."""


class Probabilities(NamedTuple):
    """Of the one who has just moved; gammons include backgammons."""

    win: float
    gammon_win: float
    backgammon_win: float
    gammon_loss: float
    backgammon_loss: float

    def flipped(self) -> "Probabilities":
        """The same for the other side."""
        win, gammon_win, backgammon_win, gammon_loss, backgammon_loss = self
        return Probabilities(1 - win, gammon_loss, backgammon_loss, gammon_win, backgammon_win)


class Game(NamedTuple):
    """What a rollout is played for, as bgsage knows it. No points to go: a single game."""

    cube: Cube
    i_need: int = 0
    they_need: int = 0
    crawford: bool = False
    jacoby: bool = False
    beavers: bool = False
    highest: int = 0

    def flipped(self) -> "Game":
        return self._replace(cube=self.cube.flipped(), i_need=self.they_need, they_need=self.i_need)


class CubeEquities(NamedTuple):
    """Equities in bgsage's unit, the value of the cube: without a double, and with one that is taken."""

    no_double: float
    double_take: float


def engine_version() -> str:
    return version(ENGINE)


def to_board(position: Position) -> Board:
    """The position as bgsage wants it."""
    board = [0] * (BAR + 1)
    for point in range(OFF + 1, BAR):
        board[point] = position.mine[point] - position.theirs[facing(point)]
    board[BAR] = position.mine[BAR]
    board[0] = position.theirs[BAR]
    return board


def flipped(board: Board) -> Board:
    """The board as the other side sees it."""
    turned = [-count for count in reversed(board)]
    turned[0], turned[BAR] = board[BAR], board[0]
    return turned


def plays(board: Board, roll: Roll) -> list[Board]:
    """The boards after each legal turn; the board itself if none can be played."""
    found: list[Board] = _loaded().bindings.possible_moves(board, roll.high, roll.low)
    return found or [board]


def won_by_mover(board: Board) -> int:
    """The kind of win if this turn has ended the game, else 0."""
    kind: int = _loaded().bindings.check_game_over(board)
    return kind


def after_turn(board: Board, before: Board) -> tuple[Probabilities, float]:
    """What the networks think of the board after a turn, and its equity without a cube."""
    found = _loaded().one_ply.evaluate_board(board, before)
    return Probabilities(*found["probs"]), found["equity"]


def cube_life(board: Board, chances: Probabilities) -> float:
    """How much of a live cube's worth the cube has here, from 0 to 1 (Janowski's x)."""
    bindings = _loaded().bindings
    pips = bindings.pip_counts(board)
    life: float = bindings.cube_efficiency(list(chances), bindings.is_race(board), *pips)
    return life


class CubeFacts(NamedTuple):
    """Before a roll, in the value of the cube: what each use of it is worth, and each roll without a double.

    `double_take` is after the best answer that is no drop, so after a beaver where that is better.
    """

    chances: Probabilities
    no_double: float
    double_take: float
    double_drop: float
    by_roll: dict[Roll, float]


def searched(board: Board, game: Game, ply: int = PLY) -> float:
    """The equity after a turn of ours by bgsage's search, in the value of the cube."""
    loaded = _loaded()
    other = game.flipped()
    equity: float = loaded.bindings.cubeful_equity_nply(
        flipped(board), _owner(other.cube), loaded.one_ply, ply, **_match(other)
    )
    return -equity


def ranked(board: Board, roll: Roll, game: Game) -> list[tuple[Board, float]]:
    """The boards after each legal turn with their equity at a glance, the best first."""
    loaded = _loaded()
    match = _match(game)
    options = {name: match.pop(name) for name in ("jacoby", "beaver")}
    asked = {
        **match,
        "board": board,
        "die1": roll.high,
        "die2": roll.low,
        "cube_owner": _owner(game.cube),
    }
    (found,) = loaded.bindings.batch_checker_play([asked], loaded.one_ply, _ALL, 1.0, 1, **options)
    return [(list(move["board"]), move["equity"]) for move in found["moves"]]


_ALL: Final = 1_000


def cube_facts(board: Board, game: Game, ply: int = PLY) -> CubeFacts:
    """What bgsage's search finds before the roll of the player on roll."""
    loaded = _loaded()
    found = loaded.bindings.cube_decision_nply_unified(
        board,
        owner=_owner(game.cube),
        n_plies=ply,
        strategy_type=loaded.networks[0],
        weight_paths=loaded.networks[1],
        hidden_sizes=loaded.networks[2],
        n_threads=1,
        bearoff_db=loaded.bearoffs,
        max_cube_value=game.highest,
        incl_2ply_details=True,
        **_match(game),
    )
    return CubeFacts(
        chances=Probabilities(*found["probs"]),
        no_double=found["equity_nd"],
        double_take=found["equity_dt"],
        double_drop=found["equity_dp"],
        by_roll={
            Roll.of(each["die1"], each["die2"]): each["cubeful_equity"]
            for each in found["details"]["nd"]
        },
    )


def rolled_out(board: Board, game: Game, seed: int, progress: Progress) -> CubeEquities:
    """One batch before the roll of the player on roll."""
    loaded = _loaded()
    with loaded.lock:
        found = _fresh(loaded, seed).cube_decision(
            board, owner=_owner(game.cube), progress=progress, **_stakes(game)
        )
    double_take = found["equity_dt"]
    if found["is_beaver"]:
        double_take /= 2  # then bgsage tells the equity after the beaver
    return CubeEquities(found["equity_nd"], double_take)


def rolled_out_after_turn(board: Board, game: Game, seed: int, progress: Progress) -> float:
    """One batch after a turn of ours: the other side may double, then rolls."""
    loaded = _loaded()
    with loaded.lock:
        found = _fresh(loaded, seed).cubeful_evaluate_board(
            board, board, owner=_owner(game.cube), progress=progress, **_stakes(game)
        )
    equity: float = found["cubeful_equity"]
    return equity


def _match(game: Game) -> dict[str, Any]:
    return {
        "cube_value": game.cube.value,
        "away1": game.i_need,
        "away2": game.they_need,
        "is_crawford": game.crawford,
        "jacoby": game.jacoby,
        "beaver": game.beavers,
    }


def _stakes(game: Game) -> dict[str, Any]:
    return {**_match(game), "max_cube_value": game.highest}


class _Loaded(NamedTuple):
    bindings: Any
    one_ply: Any
    rollout: Any
    lock: Lock
    networks: tuple[Any, Any, Any]
    bearoffs: Any


@lru_cache(maxsize=1)
def _loaded() -> _Loaded:
    import bgbot_cpp as bindings  # type: ignore[import-not-found]
    from bgsage.weights import bearoff_db_path, default_weights

    weights = default_weights()
    networks = (weights.strategy_type, weights.weight_paths_list, weights.hidden_sizes_list)
    bearoffs = bindings.BearoffDB()
    assert bearoffs.load(bearoff_db_path()), "bgsage comes with its table of bear-offs"
    search = bindings.TrialEvalConfig(ply=PLY)
    rollout = bindings.create_rollout(
        *networks,
        n_trials=TRIALS,
        truncation_depth=DEPTH,
        decision_ply=PLY,
        truncation_ply=PLY,
        late_ply=1,
        late_threshold=1,
        cube=search,
        cube_late=search,
        ultra_late_threshold=_NEVER,
        n_threads=1,
        parallelize_trials=False,
    )
    bindings.rollout_set_bearoff_db(rollout, bearoffs)
    one_ply = bindings.BearoffStrategy(bindings.create_strategy(*networks), bearoffs)
    return _Loaded(bindings, one_ply, rollout, Lock(), networks, bearoffs)


_NEVER: Final = 9999


def _fresh(loaded: _Loaded, seed: int) -> Any:
    """The rollout as if it had never been asked before."""
    loaded.rollout.clear_internal_caches()
    loaded.rollout.reset_cancel()
    loaded.rollout.set_seed(seed)
    return loaded.rollout


def _owner(cube: Cube) -> Any:
    owners = _loaded().bindings.CubeOwner
    if cube.owner is None:
        return owners.CENTERED
    return owners.PLAYER if cube.owner is Whose.MINE else owners.OPPONENT
