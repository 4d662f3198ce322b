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
    _insert([Entry(match_id=match.id, records=tuple(records), head=head)])


def write_results(rows: Sequence[tuple[str, str, int, int, UUID]]) -> None:
    """Winner, reason, win and fee of each, match: they have finished now. Needs a transaction around it."""
    as_stored = Match._meta.pk.get_db_prep_value
    with connection.cursor() as cursor:
        cursor.executemany(
            "UPDATE games_match SET finished_at=CURRENT_TIMESTAMP, winner=%s, reason=%s, win=%s, fee_each=%s"
            " WHERE id=%s",
            [(*values, as_stored(match_id, connection)) for *values, match_id in rows],
        )


def append(*entries: Entry) -> None:
    """Adds events to one match, or to several, inside the caller's transaction: all or nothing. Raises Conflict."""
    try:
        with transaction.atomic():
            _insert(entries)
            _update(entries)
    except IntegrityError as error:
        raise Conflict from error


def append_group(entries: Sequence[Entry]) -> list[Conflict | None]:
    """Adds events to many matches in one transaction; if that fails, to each in its own.

    One bad row never fails its neighbours: the answer has a Conflict at the place of each entry that lost.
    """
    try:
        with transaction.atomic():
            _insert(entries)
            _update(entries)
    except IntegrityError:
        return [_append_alone(entry) for entry in entries]
    return [None] * len(entries)


def _append_alone(entry: Entry) -> Conflict | None:
    try:
        with transaction.atomic():
            _insert([entry])
            _update([entry])
    except IntegrityError:
        return Conflict()
    return None


def _insert(entries: Sequence[Entry]) -> None:
    postgres = connection.vendor == "postgresql"
    row_sql = "(%s,%s,%s,%s::jsonb,%s,%s,%s)" if postgres else "(%s,%s,%s,%s,%s,%s,%s)"
    values: list[Any] = []
    count = 0
    for entry in entries:
        match_key = _key(entry.match_id)
        for record in entry.records:
            payload = orjson.dumps(record.payload).decode()
            values += (
                match_key,
                record.version,
                record.kind,
                payload,
                record.at_ms,
                record.side,
                record.ref,
            )
            count += 1
    rows = ",".join([row_sql] * count)
    sql = (
        "INSERT INTO games_matchevent (match_id, version, kind, payload, at_ms, side, ref)"  # noqa: S608  only placeholders are joined
        f" VALUES {rows}"
    )
    with connection.cursor() as cursor:
        cursor.execute(sql, values)


def _update(entries: Sequence[Entry]) -> None:
    # One match can stand twice in a group; the last head counts.
    heads = {entry.match_id: entry.head for entry in entries}
    with connection.cursor() as cursor:
        if connection.vendor != "postgresql":
            cursor.executemany(
                "UPDATE games_matchhead SET version=%s, phase=%s, position=%s, due_ms=%s WHERE match_id=%s",
                [
                    (head.version, head.phase, head.position, head.due_ms, _key(match_id))
                    for match_id, head in heads.items()
                ],
            )
            return
        values: list[Any] = []
        for match_id, head in heads.items():
            values += (match_id, head.version, head.phase, head.position, head.due_ms)
        rows = ",".join(["(%s::uuid,%s::int,%s,%s,%s::bigint)"] * len(heads))
        cursor.execute(
            "UPDATE games_matchhead AS h SET version=v.version, phase=v.phase, position=v.position,"  # noqa: S608  only placeholders are joined
            f" due_ms=v.due_ms FROM (VALUES {rows}) AS v(id, version, phase, position, due_ms)"
            " WHERE h.match_id = v.id",
            values,
        )


def _key(match_id: UUID) -> UUID | str:
    return match_id if connection.vendor == "postgresql" else match_id.hex
