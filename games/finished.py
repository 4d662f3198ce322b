"""Matches that are over, for whoever makes something of them: score sheets, replays, analyses. Writes nothing."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Final
from uuid import UUID

from games import store
from games.anonymity import is_anonymous, shown_name
from games.errors import MatchStillRunning, UnknownMatch
from games.info import MatchInfo, info_of
from games.match import events
from games.match.machine import evolve
from games.match.sides import Side
from games.match.state import FINISHED, MatchState
from games.models import Match

MS: Final = 1000


@dataclass(frozen=True, slots=True)
class Step:
    """One event, and the state after it."""

    record: store.Record
    event: events.Event
    state: MatchState


@dataclass(frozen=True, slots=True)
class Finished:
    """A match that has ended, from its first event to its last."""

    info: MatchInfo
    records: tuple[store.Record, ...]
    happened: tuple[events.Event, ...]

    @property
    def is_anonymous(self) -> bool:
        """Whether its players must not be named."""
        return is_anonymous(self.info.column)

    @property
    def ended_at(self) -> datetime:
        """When its last event happened."""
        return datetime.fromtimestamp(self.records[-1].at_ms / MS, tz=UTC)

    def name(self, side: Side) -> str:
        """A player as everybody may see them."""
        return shown_name(self.info.people[side].name, self.info.column)

    def steps(self) -> Iterator[Step]:
        """Every event with the state it led to."""
        state: MatchState | None = None
        for record, event in zip(self.records, self.happened, strict=True):
            state = evolve(state, event, record.at_ms)
            yield Step(record, event, state)


def finished(match_id: UUID) -> Finished:
    """A match that is over. Raises UnknownMatch, or MatchStillRunning."""
    try:
        info = info_of(match_id)
    except Match.DoesNotExist as error:
        raise UnknownMatch from error
    if not is_over(match_id):
        raise MatchStillRunning
    records = tuple(store.events_of(match_id))
    happened = tuple(events.from_payload(record.kind, record.payload) for record in records)
    return Finished(info, records, happened)


def is_over(match_id: UUID) -> bool:
    """Whether the match has ended in any way."""
    phases = [phase.value for phase in FINISHED]
    return Match.objects.filter(id=match_id, head__phase__in=phases).exists()
