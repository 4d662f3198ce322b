"""How the networks of long nardy are made: the compiled twins, the course of training, the arena."""

import signal
import subprocess
import sys
from dataclasses import replace
from itertools import islice
from pathlib import Path
from random import Random

import numpy as np
import pytest

from games.engine.nardy import evaluator as ev
from games.engine.nardy.rulesets import LONG_NARDY, LONG_NARDY_FNR, RULESETS
from games.engine.nardy.training import duel, encoding, generator, player
from games.engine.nardy.training.arena import net_of, row
from games.engine.nardy.training.course import Course, Options, net_from
from games.engine.nardy.training.ship import ship_net
from games.tests import long_nardy_cases
from games.tests.long_nardy_cases import PHASES, Case, turns
from games.tests.long_nardy_inputs import inputs_of

TINY = Options(LONG_NARDY, seed=3, games=450, hidden=8)
PROJECT = Path(__file__).parents[2]


def cases(number: int) -> list[Case]:
    chance = Random(11)
    found = [case for phase in PHASES for case in islice(phase(chance), number // len(PHASES))]
    return [case for case in found if 15 not in (case.mine[24], case.theirs[24])]


def boards(found: list[Case]) -> "np.ndarray[tuple[int, ...], np.dtype[np.int8]]":
    return np.array([[case.mine, case.theirs] for case in found], np.int8)


@pytest.mark.parametrize("ruleset", RULESETS)
def test_the_compiled_generator_has_the_finals_of_the_law(ruleset: str) -> None:
    chance, work = Random(12), generator.workspace()
    for case in cases(1_000):
        low, high = sorted(long_nardy_cases.roll(chance))
        mine, theirs = boards([case])[0]
        n, used = generator.finals(mine, theirs, high, low, int(ruleset == LONG_NARDY_FNR), work)
        ends = [tuple(end) for end in work.found[2, :n].tolist()]
        assert len(ends) == len(set(ends))
        assert (used, set(ends)) == turns(case, (high, low), ruleset), (case, high, low)


def test_the_compiled_inputs_are_those_described() -> None:
    found = cases(1_000)
    expected = np.array([inputs_of(case.mine, case.theirs) for case in found])
    np.testing.assert_allclose(encoding.encoded(boards(found)), expected, atol=1e-6)


@pytest.mark.parametrize("ruleset", RULESETS)
def test_the_compiled_values_are_those_of_the_site(ruleset: str) -> None:
    """Both one by one and as the finals of a roll, where inputs are only changed."""
    fnr = int(ruleset == LONG_NARDY_FNR)
    net = net_of(ev.WEIGHTS / f"{ruleset}.npz", ruleset)
    judge = ev.Evaluator(ruleset, ev.evaluator(ruleset).net, ev.race())
    homes, work = player.homes_of(ev.race()), generator.workspace()
    scratch, value = player.scratch(len(net.b1)), np.zeros(3, np.float32)
    for x, y in boards(cases(300)):
        player.value_of(net, x, y, fnr, homes, scratch, value)
        np.testing.assert_allclose(judge.values(x[None], y[None])[0], value, atol=1e-5)
        n, _ = generator.finals(x, y, 5, 3, fnr, work)
        player.value_finals(net, y, n, fnr, homes, work, scratch)
        mine = work.found[2, :n]
        expected = judge.values_of_mover(mine, np.repeat(y[None], n, axis=0))
        np.testing.assert_allclose(scratch.values[:n], expected, atol=1e-5)


# the course


def test_the_same_options_make_the_same_network() -> None:
    first, second = Course(TINY), Course(TINY)
    for course in (first, second):
        course.advance()
    assert all(np.array_equal(a, b) for a, b in zip(first.net, second.net, strict=True))
    other = Course(replace(TINY, seed=4))
    other.advance()
    assert not np.array_equal(other.net.w1, first.net.w1)


@pytest.mark.parametrize("ruleset", RULESETS)
def test_a_course_goes_on_as_if_it_had_not_been_stopped(ruleset: str, tmp_path: Path) -> None:
    options = replace(TINY, ruleset=ruleset)
    through, stopped = Course(options), Course(options)
    for _ in range(3):
        through.advance()
    stopped.advance()
    stopped.write(tmp_path / "course.npz")
    again = Course.read(tmp_path / "course.npz", options)
    assert again.games == stopped.games > 0
    again.advance()
    again.advance()
    assert again.games == through.games == options.games
    assert all(np.array_equal(a, b) for a, b in zip(again.net, through.net, strict=True))


def test_a_course_does_not_go_on_with_other_options(tmp_path: Path) -> None:
    Course(TINY).write(tmp_path / "course.npz")
    with pytest.raises(ValueError, match="other options"):
        Course.read(tmp_path / "course.npz", replace(TINY, hidden=16))
    assert Course.read(tmp_path / "course.npz", replace(TINY, games=900)).options.games == 900


def test_training_that_is_interrupted_keeps_what_it_has(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "games.engine.nardy.training", "--games", "100000"]
    command += ["--hidden", "8", "--tell-every", "0", "--out", str(tmp_path)]
    with subprocess.Popen(command, cwd=PROJECT, stdout=subprocess.PIPE, text=True) as run:
        assert run.stdout is not None
        assert "games" in run.stdout.readline()
        run.send_signal(signal.SIGINT)
        run.stdout.read()
    assert run.returncode == 0
    kept = ev.read_net(tmp_path / LONG_NARDY / "net.npz", LONG_NARDY)
    options = Options(LONG_NARDY, seed=1, games=100_000, hidden=8)
    course = Course.read(tmp_path / LONG_NARDY / "course.npz", options)
    assert course.games == kept.said["games"] > 0
    assert np.array_equal(course.net.w1, kept.w1)


def test_half_as_wide_numbers_say_nearly_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    course = Course(TINY)
    course.advance()
    course.write_net(tmp_path / "net.npz")
    monkeypatch.setattr("games.engine.nardy.training.ship.WEIGHTS", tmp_path / "shipped")
    shipped = ev.read_net(ship_net(tmp_path / "net.npz"), LONG_NARDY)
    inputs = encoding.encoded(boards(cases(200)))
    whole = ev.read_net(tmp_path / "net.npz", LONG_NARDY)
    np.testing.assert_allclose(shipped.chances(inputs), whole.chances(inputs), atol=3e-3)
    assert np.array_equal(net_from(tmp_path / "net.npz").w1, whole.w1)


# the arena


def shipped() -> duel.Player:
    return duel.Player(duel.NET, net_of(ev.WEIGHTS / f"{LONG_NARDY}.npz", LONG_NARDY))


@pytest.mark.parametrize("fnr", [0, 1])
def test_nobody_is_stronger_than_himself(fnr: int) -> None:
    """Duplicate dice with sides swapped: every pair comes to nothing."""
    result = duel.duel(shipped(), shipped(), 5, 1, fnr, player.homes_of(ev.race()))
    assert not result.points.any()
    wins, mars, losses, lost_mars = result.ends
    assert (wins, mars) == (losses, lost_mars)
    assert result.ends.sum() == 10


def test_the_shipped_network_beats_the_heuristics() -> None:
    """Far below what the arena measures (docs/engine.md), so that chance cannot fail it."""
    homes = player.homes_of(ev.race())
    for kind, least in ((duel.RANDOM, 1.6), (duel.PIPS, 0.7), (duel.CAREFUL, 0.5)):
        result = duel.duel(shipped(), duel.heuristic(kind), 60, 1, 0, homes)
        assert result.points.mean() > least
        assert "120 games" in row("a name", result)


def test_two_plies_are_played_too() -> None:
    deep = duel.Player(duel.DEEP, shipped().net)
    result = duel.duel(deep, duel.heuristic(duel.RANDOM), 2, 1, 0, player.homes_of(ev.race()))
    assert result.points.mean() > 0.5
