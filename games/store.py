"""Reads and writes the course of matches: the only writer of MatchEvent and MatchHead. Knows no rules."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

import orjson
from django.db import IntegrityError, connection, transaction

from games.models import Match, MatchEvent, MatchHead, MatchSeed


@dataclass(frozen=True, slots=True)
class Record:
    """One event as a row. `payload` is what games.match.events.to_payload made."""

    version: int
    kind: str
    payload: dict[str, Any]
    at_ms: int
    side: str = ""
    ref: str | None = None


@dataclass(frozen=True, slots=True)
class Head:
    """Where the match stands after the records."""

    version: int
    phase: str
    position: str
    due_ms: int | None


@dataclass(frozen=True, slots=True)
class Entry:
    """What one command adds to one match: all of it or nothing."""

    match_id: UUID
    records: tuple[Record, ...]
    head: Head


class Conflict(Exception):
    """Somebody else wrote one of these numbers, or the same command, first. Nothing was written."""


def events_of(match_id: UUID, *, after: int = 0) -> list[Record]:
    """The events of a match in order, without gaps, those after version `after`."""
    rows = MatchEvent.objects.filter(match_id=match_id, version__gt=after).order_by("version")
    return [
        Record(
            version=row.version,
            kind=row.kind,
            payload=row.payload,
            at_ms=row.at_ms,
            side=row.side,
            ref=row.ref,
        )
        for row in rows
    ]


def events_of_all(match_ids: Iterable[UUID]) -> dict[UUID, list[Record]]:
    """The same for several matches at once."""
    found: dict[UUID, list[Record]] = {}
    rows = MatchEvent.objects.filter(match_id__in=list(match_ids)).order_by("match_id", "version")
    for match_id, *values in rows.values_list(
        "match_id", "version", "kind", "payload", "at_ms", "side", "ref"
    ):
        found.setdefault(match_id, []).append(Record(*values))
    return found


def versions_of(match_ids: Iterable[UUID]) -> dict[UUID, int]:
    """The current version of each match."""
    rows = MatchHead.objects.filter(match_id__in=list(match_ids))
    return dict(rows.values_list("match_id", "version"))


def due_matches(now_ms: int, limit: int) -> list[UUID]:
    """Matches whose deadline has passed, ours until this transaction ends; those that others hold are skipped.

    What is locked is their seeds' rows, which nobody writes: no command at a table waits for a sweep, nor in a ring.
    """
    rows = MatchSeed.objects.filter(match__head__due_ms__lte=now_ms)
    if connection.features.has_select_for_update_skip_locked:
        rows = rows.select_for_update(skip_locked=True, of=("self",))
    return list(rows.order_by("match__head__due_ms").values_list("match_id", flat=True)[:limit])


def sealed_seed(match_id: UUID) -> str:
    """The sealed server seed."""
    return MatchSeed.objects.get(match_id=match_id).sealed


def sealed_seeds(match_ids: Iterable[UUID]) -> dict[UUID, str]:
    """The same for several matches at once."""
    rows = MatchSeed.objects.filter(match_id__in=list(match_ids))
    return dict(rows.values_list("match_id", "sealed"))


def create(match: Match, *, sealed: str, records: Sequence[Record], head: Head) -> None:
    """Writes a new match with its first events. Needs a transaction around it."""
    match.save(force_insert=True)
    MatchSeed.objects.create(match=match, sealed=sealed)
    MatchHead.objects.create(
        match=match,
        version=head.version,
        phase=head.phase,
        position=head.position,
        due_ms=head.due_ms,
    )
    _write([Entry(match_id=match.id, records=tuple(records), head=head)])


def write_results(rows: Sequence[tuple[str, str, int, int, UUID]]) -> None:
    """Winner, reason, win and fee of each, match: they have finished now. Needs a transaction around it."""
    as_stored = Match._meta.pk.get_db_prep_value
    with connection.cursor() as cursor:
        cursor.executemany(
            "UPDATE games_match SET finished_at=CURRENT_TIMESTAMP, winner=%s, reason=%s, win=%s, fee_each=%s"
            " WHERE id=%s",
            [
                (winner, reason, win, fee, as_stored(match_id, connection))
                for winner, reason, win, fee, match_id in rows
            ],
        )


def append(*entries: Entry) -> None:
    """Adds events to one match, or to several, inside the caller's transaction: all or nothing. Raises Conflict."""
    try:
        with transaction.atomic():
            _write(entries)
    except IntegrityError as error:
        raise Conflict from error


def append_group(entries: Sequence[Entry]) -> list[Conflict | None]:
    """Adds events to many matches in one transaction; if that fails, to each in its own.

    One bad row never fails its neighbours: the answer has a Conflict at the place of each entry that lost.
    """
    try:
        _write_whole(entries)
    except IntegrityError:
        return [_append_alone(entry) for entry in entries]
    return [None] * len(entries)


def _append_alone(entry: Entry) -> Conflict | None:
    try:
        _write_whole([entry])
    except IntegrityError:
        return Conflict()
    return None


def _write_whole(entries: Sequence[Entry]) -> None:
    """All or nothing. One statement is a transaction of its own, without the ways there and back of two more."""
    if _has_json_rows() and not connection.in_atomic_block:
        _write(entries)
        return
    with transaction.atomic():
        _write(entries)


def _write(entries: Sequence[Entry]) -> None:
    if not _has_json_rows():
        _insert(entries)
        _update(entries)
        return
    events = [(entry.match_id, record) for entry in entries for record in entry.records]
    rows = [
        {
            "match_id": match_id,
            "version": record.version,
            "kind": record.kind,
            "payload": record.payload,
            "at_ms": record.at_ms,
            "side": record.side,
            "ref": record.ref,
        }
        for match_id, record in events
    ]
    # One match can stand twice in a group; the last head counts.
    heads = {
        entry.match_id: {
            "match_id": entry.match_id,
            "version": entry.head.version,
            "phase": entry.head.phase,
            "position": entry.head.position,
            "due_ms": entry.head.due_ms,
        }
        for entry in entries
    }
    with connection.cursor() as cursor:
        cursor.execute(
            _WRITE, [orjson.dumps(rows).decode(), orjson.dumps(list(heads.values())).decode()]
        )


_WRITE = """
WITH added AS (
    INSERT INTO games_matchevent (match_id, version, kind, payload, at_ms, side, ref)
    SELECT match_id, version, kind, payload, at_ms, side, ref
    FROM json_to_recordset(%s) AS e(
        match_id uuid, version int, kind text, payload jsonb, at_ms bigint, side text, ref text
    )
)
UPDATE games_matchhead AS h
SET version = v.version, phase = v.phase, position = v.position, due_ms = v.due_ms
FROM json_to_recordset(%s) AS v(
    match_id uuid, version int, phase text, position text, due_ms bigint
)
WHERE h.match_id = v.match_id
"""
"""Always the same text, however many rows: they come as two JSON arrays, which PostgreSQL takes apart."""


def _has_json_rows() -> bool:
    return connection.vendor == "postgresql"


def _insert(entries: Iterable[Entry]) -> None:
    """The events, row by row (SQLite)."""
    with connection.cursor() as cursor:
        cursor.executemany(
            "INSERT INTO games_matchevent (match_id, version, kind, payload, at_ms, side, ref)"
            " VALUES (%s,%s,%s,%s,%s,%s,%s)",
            [
                (
                    entry.match_id.hex,
                    record.version,
                    record.kind,
                    orjson.dumps(record.payload).decode(),
                    record.at_ms,
                    record.side,
                    record.ref,
                )
                for entry in entries
                for record in entry.records
            ],
        )


def _update(entries: Iterable[Entry]) -> None:
    """The heads, row by row (SQLite)."""
    with connection.cursor() as cursor:
        cursor.executemany(
            "UPDATE games_matchhead SET version=%s, phase=%s, position=%s, due_ms=%s WHERE match_id=%s",
            [
                (
                    entry.head.version,
                    entry.head.phase,
                    entry.head.position,
                    entry.head.due_ms,
                    entry.match_id.hex,
                )
                for entry in entries
            ],
        )
