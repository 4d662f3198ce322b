"""Our verdicts are those of GNU Backgammon, on a few positions of every phase; the bench asks about 200."""

from statistics import fmean

from games.engine.adjudicate import Effort, Verdict, evaluate
from games.tests import gnubg_peer
from games.tests.engine_cases import questions, series_questions

SEED = 20_260_901
POSITIONS = 12
SERIES = 6
POINTS_APART = 0.03
CHANCE_APART = 0.01
QUICK = Effort(least=2, most=2)


def test_our_equities_are_those_of_gnubg() -> None:
    """Also its sign, wherever both are sure of it."""
    asked = [question for _, question in questions(SEED, POSITIONS)]
    apart = []
    for question, theirs in zip(asked, gnubg_peer.opinions(asked), strict=True):
        ours = evaluate(question, seed=SEED, effort=QUICK)
        assert not contradict(ours, theirs), (question, ours, theirs)
        apart.append(abs(ours.value - theirs.value))
    assert fmean(apart) <= POINTS_APART, apart


def test_our_chances_in_a_series_are_those_of_gnubg() -> None:
    asked = [question for _, question in series_questions(SEED, SERIES)]
    apart = [
        abs(evaluate(question, seed=SEED, effort=QUICK).value - theirs.value)
        for question, theirs in zip(asked, gnubg_peer.opinions(asked), strict=True)
    ]
    assert fmean(apart) <= CHANCE_APART, apart


def contradict(ours: Verdict, theirs: gnubg_peer.Opinion) -> bool:
    """One says that the asker gains and the other that it loses, and neither interval allows for both."""
    gains = ours.low > 0 and theirs.high < 0
    loses = ours.high < 0 and theirs.low > 0
    return gains or loses
