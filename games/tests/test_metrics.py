"""The figures of play."""

import pytest
from prometheus_client import REGISTRY

from accounts.errors import Refused
from games import metrics


def _value(name: str, **labels: str) -> float:
    return REGISTRY.get_sample_value(name, labels) or 0


def _counted(result: str) -> float:
    return _value("nardy_commands_total", command="Try", result=result)


def test_a_command_is_counted_by_its_outcome() -> None:
    before = {result: _counted(result) for result in ("done", "refused", "failed")}
    with metrics.command("Try"):
        pass
    with pytest.raises(Refused), metrics.command("Try"):
        raise Refused
    with pytest.raises(KeyError), metrics.command("Try"):
        raise KeyError
    assert Refused.code == "refused"
    assert {result: _counted(result) - before[result] for result in before} == {
        "done": 1,
        "refused": 1,
        "failed": 1,
    }


def test_lag_is_counted_in_seconds_and_is_never_negative() -> None:
    count, total = (_value(f"nardy_deadline_lag_seconds_{what}") for what in ("count", "sum"))
    metrics.deadline_written(10_000, 10_750)
    metrics.deadline_written(10_000, 9_999)
    metrics.deadline_written(None, 1)
    assert _value("nardy_deadline_lag_seconds_count") == count + 2
    assert _value("nardy_deadline_lag_seconds_sum") == pytest.approx(total + 0.75)
