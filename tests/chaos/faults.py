"""Faults that a process of the site can be started with. CHAOS_FAULTS: their names, separated by commas.

Mutants, which the tests must catch: `no_version`, `no_message_id`. An engine that `hangs`, or `lies`
in one way after the other. `quick_verdicts`: rollouts are short and a verdict is waited for eight seconds, not 120.
"""

import itertools
import os
import time
from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from typing import Any

from django.apps import AppConfig


class FaultsConfig(AppConfig):
    """Puts the faults in, once everything is loaded."""

    name = "tests.chaos"
    label = "chaos"

    def ready(self) -> None:
        for name in filter(None, os.environ.get("CHAOS_FAULTS", "").split(",")):
            FAULTS[name]()


def no_version() -> None:
    """Whoever decides believes what is in memory; the number's law has to be dropped in the database, too."""
    from games.match import errors, machine

    module: Any = machine
    plain = module._require_current

    def careless(*arguments: Any) -> None:
        try:
            plain(*arguments)
        except errors.Stale:
            return

    module._require_current = careless


def no_message_id() -> None:
    """A message that is sent again is a new one."""
    from games.live import LiveTables

    plain = LiveTables.act

    async def forgetful(
        self: LiveTables, match_id: Any, command: Any, *, ref: Any, known: Any
    ) -> Any:
        return await plain(self, match_id, command, ref=None, known=known)

    LiveTables.act = forgetful  # type: ignore[method-assign]


def hangs() -> None:
    """The engine does not come back, and does not listen either."""

    def for_ever(*_: Any, **__: Any) -> Any:
        while True:
            try:
                time.sleep(3_600)
            except BaseException:  # noqa: BLE001, S112  that is the fault
                continue

    _instead_of_the_engine(for_ever)


def lies() -> None:
    """Verdicts that cannot be: not a number, endless, upside down, beyond what is at stake, nothing at all."""
    plain = _verdicts().evaluate
    lies_in_turn = itertools.cycle(
        [
            {"value": float("nan")},
            {"value": float("inf"), "high": float("inf")},
            {"low": 3.0, "high": -3.0},
            {"value": 1e9, "low": 1e9, "high": 1e9},
            {"value": "much"},
            None,
        ]
    )

    def liar(question: Any, *, seed: int) -> Any:
        lie = next(lies_in_turn)
        return None if lie is None else _unchecked(plain(question, seed=seed), lie)

    _instead_of_the_engine(liar)


def _unchecked(found: Any, lie: dict[str, Any]) -> Any:
    for name, value in lie.items():
        object.__setattr__(found, name, value)
    return found


def _verdicts() -> Any:
    from games.engine import verdicts

    return verdicts


def _instead_of_the_engine(evaluate: Callable[..., Any]) -> None:
    _verdicts().evaluate = evaluate


def quick_verdicts() -> None:
    """Small rollouts and little patience."""
    from games import abandonment
    from games.engine import rollouts
    from games.match import questions

    plain = _verdicts().evaluate
    least = rollouts.FIRST_LOOK

    def quick(question: Any, *, seed: int) -> Any:
        effort = replace(rollouts.Effort(), least=least, most=least)
        return plain(question, seed=seed, effort=effort)

    _instead_of_the_engine(quick)
    questions.ADJUDICATION_MS = 8_000  # type: ignore[misc]
    abandonment.ASK_AGAIN = timedelta(seconds=2)


FAULTS: dict[str, Callable[[], None]] = {
    fault.__name__: fault for fault in (no_version, no_message_id, hangs, lies, quick_verdicts)
}
