"""The checker's rounds."""

from itertools import count

import pytest
from django.core.cache import cache

from wallet import reconcile, rounds


@pytest.fixture(autouse=True)
def _nothing_remembered() -> None:
    cache.delete_many([rounds.TURN, rounds.LATEST])


@pytest.mark.django_db
def test_a_round_remembers_what_each_check_found() -> None:
    assert rounds.latest() is None
    assert rounds.check()
    last = rounds.latest()
    assert last is not None
    assert last.findings["accounts_sum_to_zero"] == 0


@pytest.mark.django_db
def test_a_finding_is_logged_and_counted(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def nothing_is_amiss() -> list[str]:
        """Nothing is amiss."""
        return ["a cent is missing"]

    monkeypatch.setitem(reconcile._checks, "nothing_is_amiss", nothing_is_amiss)
    assert not rounds.check()
    last = rounds.latest()
    assert last is not None
    assert last.findings["nothing_is_amiss"] == 1
    assert "nothing_is_amiss: a cent is missing" in caplog.text


@pytest.mark.django_db
def test_two_beats_cause_one_round(monkeypatch: pytest.MonkeyPatch) -> None:
    numbers = count()

    def numbered() -> list[reconcile.Outcome]:
        return [reconcile.Outcome(f"round {next(numbers)}", "", (), 0)]

    monkeypatch.setattr(reconcile, "run", numbered)
    rounds.check()
    rounds.check()
    last = rounds.latest()
    assert last is not None
    assert last.findings == {"round 0": 0}
