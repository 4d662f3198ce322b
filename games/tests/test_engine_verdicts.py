"""An engine that errs is not believed: its verdict must be one that can be (live-table 6)."""

from typing import Any

import pytest

from games.engine import verdicts
from games.engine.questions import Settings, Verdict
from games.match.events import PPM
from games.tests.match_table import LIGHT, MatchTable, series, single

SETTINGS = Settings("rollout", 1, 1, 1)


def told(monkeypatch: pytest.MonkeyPatch, measure: Any, *ends: float) -> None:
    """The engine says low, value, high; even what its own type does not allow."""
    found = Verdict(measure, 0.0, 0.0, 0.0, "engine", "1", SETTINGS)
    for name, end in zip(("low", "value", "high"), ends, strict=True):
        object.__setattr__(found, name, end)
    monkeypatch.setattr(verdicts, "evaluate", lambda question, *, seed: found)


@pytest.mark.parametrize(
    "ends",
    [
        (float("nan"),) * 3,
        (0.1, float("nan"), 0.3),
        (0.1, 0.2, float("inf")),
        (0.3, 0.2, 0.1),
        (0.1, 0.5, 0.3),
        (12.1, 12.1, 12.1),
        (-1e9, 0.0, 1e9),
    ],
)
def test_a_verdict_that_cannot_be_is_not_believed(
    monkeypatch: pytest.MonkeyPatch, ends: tuple[float, ...]
) -> None:
    told(monkeypatch, "points", *ends)
    with pytest.raises(verdicts.Implausible):
        verdicts.verdict(MatchTable.started(single()).state, side=LIGHT, seed=1)


@pytest.mark.parametrize("ends", [(0.4, 0.5, 1.1), (-0.2, 0.5, 0.6)])
def test_a_chance_lies_between_nothing_and_all(
    monkeypatch: pytest.MonkeyPatch, ends: tuple[float, ...]
) -> None:
    told(monkeypatch, "chance", *ends)
    with pytest.raises(verdicts.Implausible):
        verdicts.verdict(MatchTable.started(series(3)).state, side=LIGHT, seed=1)


@pytest.mark.parametrize("ends", [(-12.0, 0.0, 12.0), (0.1, 0.2, 0.3), (12.0, 12.0, 12.0)])
def test_a_verdict_within_the_limit_is_taken(
    monkeypatch: pytest.MonkeyPatch, ends: tuple[float, ...]
) -> None:
    told(monkeypatch, "points", *ends)
    found = verdicts.verdict(MatchTable.started(single()).state, side=LIGHT, seed=1)
    assert (found.low, found.estimate, found.high) == tuple(round(end * PPM) for end in ends)
