"""What must hold between matches, their events and the ledger; the checker proves it (manage.py check_ledger)."""

from collections.abc import Iterator
from datetime import timedelta
from uuid import UUID

from django.conf import settings
from django.db.models import Count, F, Max, Min
from django.utils import timezone

from games import course, selectors, stakes, standings, store
from games.fairness import verify
from games.info import terms_of
from games.match.sides import SIDES
from games.match.state import FINISHED
from games.models import Match, MatchEvent, MatchHead

RECENT = timedelta(days=1)
AT_ONCE = 500


def events_are_contiguous() -> Iterator[str]:
    """The events of a match are numbered from 1 without gaps, up to its head's version."""
    rows = (
        MatchEvent.objects.values("match_id")
        .annotate(first=Min("version"), last=Max("version"), n=Count("id"))
        .values_list("match_id", "first", "last", "n", "match__head__version")
    )
    for match_id, first, last, n, head in rows.exclude(
        first=1, last=F("n"), match__head__version=F("last")
    ):
        yield f"{match_id}: events {first} to {last}, {n} of them, the head says {head}"


def ended_escrows_are_empty() -> Iterator[str]:
    """The escrow of a match that has ended is paid out whole."""
    for chunk in _chunks(_ids(ended=True)):
        for match_id, held in stakes.escrows_of(chunk).items():
            if held:
                yield f"{match_id}: {held} left in escrow"


def running_escrows_cover_the_most() -> Iterator[str]:
    """The escrow of a running match covers the most that both can lose; before the start it is empty."""
    for chunk in _chunks(_ids(ended=False)):
        held = stakes.escrows_of(chunk)
        for match in Match.objects.filter(id__in=chunk):
            due = stakes.held_by_both(terms_of(match)) if match.started_at else 0
            if held[match.id] != due:
                yield f"{match.id}: {held[match.id]} in escrow, {due} are due"


def matches_are_settled_once() -> Iterator[str]:
    """A match with a winner has exactly one settlement, any other none."""
    rows = (
        MatchEvent.objects.filter(kind="match_settled").values("match_id").annotate(n=Count("id"))
    )
    for match_id, n in rows.filter(n__gt=1).values_list("match_id", "n"):
        yield f"{match_id}: settled {n} times"
    unsettled = Match.objects.exclude(winner="").exclude(events__kind="match_settled")
    for match_id in unsettled.values_list("id", flat=True):
        yield f"{match_id}: won but never settled"


def replay_equals_the_stored_position() -> Iterator[str]:
    """Replaying the events of running and recent matches gives the stored position, version and phase."""
    for match_id in _recent():
        state = course.fold(store.events_of(match_id))
        head = MatchHead.objects.get(match_id=match_id)
        if (head.version, head.phase, head.position) != (
            state.version,
            state.phase.value,
            course.position_text(state),
        ):
            yield f"{match_id}: stored {head.position!r} v{head.version}, replayed v{state.version}"


def dice_of_recent_matches_verify() -> Iterator[str]:
    """The dice of every match that ended lately follow from its seeds."""
    for match_id in _recent():
        if not selectors.is_finished(match_id):
            continue
        record = selectors.dice_record(match_id)
        if record.rolls:
            yield from (f"{match_id}: {finding}" for finding in verify(record))


def no_dice_were_found_wrong() -> Iterator[str]:
    """The job that verifies the dice of ended matches has found none wrong."""
    for match_id in Match.objects.filter(dice_verified=False).values_list("id", flat=True):
        yield f"{match_id}: its dice do not verify"


def every_rated_match_changed_both_ratings() -> Iterator[str]:
    """A match with a winner, where ratings are kept, changed the two ratings of its players, once each.

    Not against a house bot (ADR 21); early ones were rated.
    """
    ended = Match.objects.exclude(winner="").exclude(column=standings.UNRATED_COLUMN)
    rows = ended.filter(house_seat__isnull=True)
    for match_id, n in (
        rows.annotate(n=Count("rating_changes")).exclude(n=len(SIDES)).values_list("id", "n")
    ):
        yield f"{match_id}: won, and {n} ratings changed"


def register() -> None:
    """Adds these laws to the checker; those of dice only where dice come from seeds, not from a file as in some tests."""
    if settings.DICE_SOURCE is None:
        stakes.register_laws(dice_of_recent_matches_verify, no_dice_were_found_wrong)
    stakes.register_laws(
        events_are_contiguous,
        ended_escrows_are_empty,
        running_escrows_cover_the_most,
        matches_are_settled_once,
        replay_equals_the_stored_position,
        standings.ratings_follow_from_their_history,
        every_rated_match_changed_both_ratings,
    )


def _ids(*, ended: bool) -> list[UUID]:
    phases = [phase.value for phase in FINISHED]
    heads = MatchHead.objects
    rows = heads.filter(phase__in=phases) if ended else heads.exclude(phase__in=phases)
    return list(rows.order_by("match_id").values_list("match_id", flat=True))


def _recent() -> list[UUID]:
    since = timezone.now() - RECENT
    running = _ids(ended=False)
    ended = Match.objects.filter(finished_at__gte=since).values_list("id", flat=True)
    return [*running, *ended]


def _chunks(ids: list[UUID]) -> Iterator[list[UUID]]:
    for start in range(0, len(ids), AT_ONCE):
        yield ids[start : start + AT_ONCE]
