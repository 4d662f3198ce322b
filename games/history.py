"""The course of a match in plain words, for people who have to judge it. Writes nothing."""

from dataclasses import dataclass
from datetime import UTC, datetime
from uuid import UUID

from games import store
from games.rules.notation import format_turn
from games.rules.turns import Step

MS = 1000
UNSAID = frozenset({"match_opened", "seed_revealed", "switches_set"})
WHO = ("side", "winner")
SHOWN = ("value", "level", "game", "points", "reason", "ms")


@dataclass(frozen=True, slots=True)
class Happened:
    """One event: its number, when, what, by whom and the rest of it."""

    version: int
    at: datetime
    what: str
    who: str
    more: str


def history(match_id: UUID, names: dict[str, str]) -> list[Happened]:
    """Every event but those that only the machine needs, the first one first."""
    return [
        Happened(
            version=record.version,
            at=datetime.fromtimestamp(record.at_ms / MS, tz=UTC),
            what=record.kind.replace("_", " "),
            who=_who(record, names),
            more=_more(record),
        )
        for record in store.events_of(match_id)
        if record.kind not in UNSAID
    ]


def _who(record: store.Record, names: dict[str, str]) -> str:
    if record.kind == "abandoned":
        return ", ".join(name for side, name in names.items() if record.payload[side])
    side = next((record.payload[key] for key in WHO if key in record.payload), "")
    return names.get(side, "")


def _more(record: store.Record) -> str:
    payload = record.payload
    match record.kind:
        case "rolled":
            return f"{payload['high']}-{payload['low']}"
        case "opening_rolled" | "colours_drawn":
            return f"{payload['light']}-{payload['dark']}"
        case "turn_played":
            return format_turn(tuple(Step(*step) for step in payload["steps"])) or "cannot move"
        case _:
            return ", ".join(f"{key} {payload[key]}" for key in SHOWN if key in payload)
