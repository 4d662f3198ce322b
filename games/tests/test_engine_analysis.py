"""Analysis: PR beside GNU Backgammon's and bgsage's own, in small; the whole comparison is a bench."""

import shutil
from pathlib import Path
from random import Random

import pytest

from games.engine.analysis import Kind, Mark, judged, mark_of, may_double, totals
from games.engine.decisions import Answered, Doubled, Rolled, decisions_in, decisions_of
from games.match.machine import evolve
from games.match.written import written_games
from games.rules.board import START, Position, side
from games.rules.dice import Roll
from games.rules.importing import import_match
from games.rules.matfile import Match
from games.rules.scoresheet import Sheet
from games.rules.sheetwriter import format_sheet
from games.rules.situation import Owner, Situation
from games.rules.turns import Step
from games.tests import gnubg_program, rules_cases
from games.tests.match_table import series, single
from games.tests.whole_matches import played_out

WITHIN = 0.15


def match_of(name: str) -> Match:
    return import_match((rules_cases.MATCHES / name).read_bytes())


def test_error_rates_agree_with_gnu_backgammon(tmp_path: Path) -> None:
    """PR of both sides within 15 %, on the shortest of the bench's matches."""
    match = match_of("m002.txt")
    records = [each.record() for d in decisions_of(match) for each in judged(d)]
    file = tmp_path / "m002.mat"
    shutil.copy(rules_cases.MATCHES / "m002.txt", file)
    for seat, theirs in enumerate(gnubg_program.error_rates(file)):
        ours = totals(records, seat).pr_milli / 1000
        assert ours == pytest.approx(theirs, rel=WITHIN)


def test_error_rates_agree_with_bgsage_itself() -> None:
    """Its public analyser at 3 plies for everything, which takes a minute, found these."""
    records = [each.record() for d in decisions_of(match_of("m004.txt")) for each in judged(d)]
    for seat, theirs in enumerate((11.517, 11.651)):
        ours = totals(records, seat).pr_milli / 1000
        assert ours == pytest.approx(theirs, rel=WITHIN)


def step(src: int, dst: int, die: int) -> Step:
    return Step(src, dst, die, hit=False)


def rolled(position: Position, roll: Roll, turn: tuple[Step, ...], **more: object) -> Rolled:
    return Rolled(1, 0, Situation(position, **more), roll, turn, 2)


def test_a_forced_play_is_no_decision() -> None:
    position = Position(side({1: 1}), side({1: 2}))
    *_, play = judged(rolled(position, Roll.of(6, 5), (step(1, 0, 5),)))
    assert (play.counts, play.lost, play.options) == (False, 0.0, ())


def test_a_blunder_is_marked_and_the_better_ways_are_named() -> None:
    """3-1 from the start: 24/23 13/10 instead of making the five point."""
    turn = (step(24, 23, 1), step(13, 10, 3))
    *_, play = judged(rolled(START, Roll.of(3, 1), turn, cube_owner=Owner.THEIRS))
    assert play.options[0].text == "8/5 6/5"
    assert play.options[0].lost == 0
    assert play.mark is Mark.BLUNDER
    assert play.chosen == "24/23 13/10"
    assert any(option.text == play.chosen for option in play.options)


def test_the_best_roll_of_the_opening_is_lucky_and_the_worst_is_not() -> None:
    def luck(roll: Roll, turn: tuple[Step, ...]) -> float:
        opening = Rolled(1, 0, Situation(START), roll, turn, 2, is_opening=True)
        (play,) = judged(opening)
        assert play.luck is not None
        return play.luck

    good = luck(Roll.of(3, 1), (step(8, 5, 3), step(6, 5, 1)))
    bad = luck(Roll.of(4, 1), (step(24, 23, 1), step(13, 9, 4)))
    assert good > 0.05 > 0 > bad


def test_a_wrong_take_and_a_missed_double_cost() -> None:
    """A race that is as good as lost."""
    won = Position(side({1: 2}), side({6: 5, 5: 5}))
    (answer,) = judged(Answered(1, 1, Situation(won), taken=True))
    assert answer.kind is Kind.TAKE
    assert answer.mark is Mark.BLUNDER
    missed, _ = judged(rolled(won, Roll.of(6, 5), (step(1, 0, 6), step(1, 0, 5))))
    assert missed.kind is Kind.NO_DOUBLE
    assert (missed.lost, missed.counts) == (0.0, True)
    (double,) = judged(Doubled(1, 0, Situation(START)))
    assert double.mark is Mark.BLUNDER


@pytest.mark.parametrize(
    ("situation", "may"),
    [
        (Situation(START), True),
        (Situation(START, cube_owner=Owner.THEIRS), False),
        (Situation(START, cube=64, cube_owner=Owner.MINE), False),
        (Situation(START, length=5, score=(4, 2), is_crawford=True), False),
        (Situation(START, length=5, score=(2, 4)), True),
        (Situation(START, length=5, score=(4, 2)), False),
        (Situation(START, length=5, score=(1, 0), cube=4, cube_owner=Owner.MINE), False),
    ],
)
def test_only_who_can_gain_by_the_cube_decides_about_it(situation: Situation, *, may: bool) -> None:
    """Backgammon 6: access, the Crawford game, dead cubes, 64."""
    assert may_double(situation) is may


def test_marks() -> None:
    lost = [0.0, 0.019, 0.02, 0.04, 0.08, 1.0]
    assert [mark_of(each) for each in lost] == [
        Mark.NONE,
        Mark.NONE,
        Mark.DOUBTFUL,
        Mark.ERROR,
        Mark.BLUNDER,
        Mark.BLUNDER,
    ]


@pytest.mark.parametrize("seed", range(6))
def test_a_match_and_its_file_have_the_same_decisions(seed: int) -> None:
    """Whether they are read off the events or off the exported file."""
    terms = series(3) if seed % 2 else single(cap_points=192)
    table = played_out(terms, Random(seed))
    steps, state = [], None
    for n, (event, at_ms) in enumerate(table.log, start=1):
        state = evolve(state, event, at_ms)
        steps.append((n, event, state))
    games, _ = written_games([event for event, _ in table.log], ("Ann", "Bob"))
    headers = (("Crawford", "On" if terms.has_crawford else "Off"),)
    sheet = Sheet(headers, (), 0 if terms.is_single else terms.length, games, ())
    ours, theirs = (
        [_plain(decision) for decision in found]
        for found in (decisions_in(steps), decisions_of(import_match(format_sheet(sheet).encode())))
    )
    assert ours == theirs


def _plain(decision: Rolled | Doubled | Answered) -> tuple[object, ...]:
    """All but the number of the moment."""
    match decision:
        case Rolled():
            turn = decision.turn and sorted((s.src, s.dst) for s in decision.turn)
            return (decision.seat, decision.situation, decision.roll, turn, decision.is_opening)
        case Doubled():
            return (decision.seat, decision.situation)
        case Answered():
            return (decision.seat, decision.situation, decision.taken)
