"""Which engine analyses which game. A game that is not here has no analysis yet."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from games.engine import analysis, sage
from games.engine.analysis import Judged
from games.engine.decisions import Decision
from games.engine.nardy import analysis as nardy
from games.engine.nardy.rulesets import RULESETS


@dataclass(frozen=True, slots=True)
class Analyst:
    """What judges the decisions of one game, and what it calls itself."""

    judged: Callable[[Decision], Iterator[Judged]]
    name: Callable[[], str]


def _sage() -> str:
    return f"{sage.ENGINE} {sage.engine_version()}"


def _nardy(ruleset: str) -> Analyst:
    return Analyst(
        lambda decision: nardy.judged(decision, ruleset), lambda: nardy.engine_name(ruleset)
    )


ANALYSTS: Final[Mapping[str, Analyst]] = MappingProxyType(
    {
        "backgammon": Analyst(analysis.judged, _sage),
        **{ruleset: _nardy(ruleset) for ruleset in RULESETS},
    }
)
