"""Ratings in the database: how players stand, what a match puts at stake, what its end changed.

A change is written in the transaction that settles its match, once for each match. Its size follows from the
ratings that both saw at the ready check, so that what was promised there holds; it is added to whatever the rating
is by then, so that matches of one player may end at once and in any order.
"""

from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final, TypeAlias
from uuid import UUID

from django.db import connection
from django.db.models import Count, Q, Sum

from games.anonymity import DARK_COLUMN, is_anonymous
from games.info import MatchInfo
from games.match.sides import SIDES, Side
from games.match.state import MatchState
from games.models import PlayerRating, RatingChange, Seat
from games.ratings import START, AtStake, Rating, at_stake, game_of, hundredths

UNRATED_COLUMN: Final = DARK_COLUMN
"""Where nobody has a name nothing may tell who played."""

ABANDONED: Final = "abandoned"
"""The reason of a change where the loser had left and an engine or a moderator found what was paid."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a match counts for the ratings: who has won it there, how it ended, what each side gains, in billionths."""

    winner: Side
    reason: str
    changes: dict[Side, int]


# --- how players stand ----------------------------------------------------------------------------


def rating_of(user_id: int, *, variant: str, currency: str) -> Rating:
    """A player's rating in the game of this variant and this currency; the first one until a match was rated."""
    return ratings_of([user_id], variant=variant, currency=currency)[user_id]


def ratings_of(user_ids: Collection[int], *, variant: str, currency: str) -> dict[int, Rating]:
    """The ratings of several players in one game and currency."""
    rows = PlayerRating.objects.filter(
        user_id__in=user_ids, game=game_of(variant), currency=currency
    )
    found = {row.user_id: Rating(row.billionths, row.experience) for row in rows}
    return {user_id: found.get(user_id, Rating()) for user_id in user_ids}


def all_ratings_of(user_ids: Collection[int], *, currency: str) -> dict[tuple[int, str], Rating]:
    """By player and game; players who have none there are left out."""
    rows = PlayerRating.objects.filter(user_id__in=user_ids, currency=currency)
    return {(row.user_id, row.game): Rating(row.billionths, row.experience) for row in rows}


def unfinished_of(user_ids: Collection[int], *, column: str = "") -> dict[int, int]:
    """How many matches each of these players has left for good (Table 6), as a table with this column shows it.

    Anonymous tables count those of anonymous tables, all others count the others: a number that is seen
    in both places would tell who somebody is.
    """
    rows = Seat.objects.filter(user_id__in=user_ids, abandoned=True)
    hidden = Q(match__column=DARK_COLUMN)
    rows = rows.filter(hidden if is_anonymous(column) else ~hidden)
    found = dict(rows.values_list("user_id").annotate(n=Count("id")).order_by())
    return {user_id: found.get(user_id, 0) for user_id in user_ids}


def shown_rating(info: MatchInfo, user_id: int) -> str | None:
    """A player's rating now in what this match is about, as it is shown; None where the match is not rated."""
    if not is_rated(info):
        return None
    terms = info.terms
    return rating_of(user_id, variant=terms.variant, currency=terms.currency).shown


# --- a match --------------------------------------------------------------------------------------


def is_rated(info: MatchInfo) -> bool:
    """Whether the match counts for ratings: not where nobody has a name, not against a house bot (ADR 21)."""
    return info.column != UNRATED_COLUMN and not info.with_house


def stake_of(info: MatchInfo, side: Side) -> AtStake | None:
    """What a side can win and lose of its rating; None where the match is not rated."""
    if not is_rated(info):
        return None
    own, other = info.people[side], info.people[side.other]
    return at_stake(own.rating, other.rating, info.terms.length)


def outcome(info: MatchInfo, state: MatchState) -> Outcome | None:
    """How an ended match counts. Who has left loses, whatever an engine gives for the position (Rooms 3).

    None if the match has no winner or is not rated.
    """
    if state.result is None or not is_rated(info):
        return None
    winner, reason = state.result.winner, str(state.result.reason)
    if state.verdict is not None and len(state.left) == 1:
        (gone,) = state.left
        winner, reason = gone.other, ABANDONED
    changes = {}
    for side in SIDES:
        stake = stake_of(info, side)
        assert stake is not None, "the match is rated"
        changes[side] = stake.of(won=side is winner)
    return Outcome(winner=winner, reason=reason, changes=changes)


Key: TypeAlias = tuple[int, str, str]
"""A player's id, the game, the currency."""


def record(ended: Iterable[tuple[MatchInfo, MatchState]]) -> None:
    """Writes what the ends of these matches changed, inside the transaction that settles them."""
    counted = [(info, outcome(info, state)) for info, state in ended]
    rated = [(info, found) for info, found in counted if found is not None]
    if not rated:
        return
    rows = _locked([_key(info, side) for info, _ in rated for side in SIDES])
    changes = []
    for info, found in rated:
        for side in SIDES:
            row = rows[_key(info, side)]
            changes.append(_change(info, found, side, row))
            row.billionths += found.changes[side]
            row.experience += info.terms.length
    RatingChange.objects.bulk_create(changes)
    _write([rows[key] for key in {_key(info, side) for info, _ in rated for side in SIDES}])


def _write(rows: Collection[PlayerRating]) -> None:
    """The new values of ratings that are locked."""
    if connection.vendor != "postgresql":
        PlayerRating.objects.bulk_update(rows, ["billionths", "experience"])
        return
    values = ",".join(["(%s::bigint,%s::bigint,%s::int)"] * len(rows))
    with connection.cursor() as cursor:
        cursor.execute(
            "UPDATE games_playerrating AS r SET billionths = v.billionths, experience = v.experience"  # noqa: S608  only placeholders are joined
            f" FROM (VALUES {values}) AS v(id, billionths, experience) WHERE r.id = v.id",
            [value for row in rows for value in (row.pk, row.billionths, row.experience)],
        )


def _key(info: MatchInfo, side: Side) -> Key:
    return info.people[side].user_id, game_of(info.terms.variant), info.terms.currency


def _change(info: MatchInfo, counted: Outcome, side: Side, row: PlayerRating) -> RatingChange:
    change = counted.changes[side]
    return RatingChange(
        rating=row,
        match_id=info.id,
        won=side is counted.winner,
        reason=counted.reason,
        before=row.billionths,
        change=change,
        after=row.billionths + change,
        experience=row.experience,
        length=info.terms.length,
    )


def _locked(keys: Collection[Key]) -> dict[Key, PlayerRating]:
    """These ratings, made if missing, locked in the order of their keys: ends that cross never wait in a ring."""
    PlayerRating.objects.bulk_create(
        [
            PlayerRating(user_id=user_id, game=game, currency=currency)
            for user_id, game, currency in sorted(set(keys))
        ],
        ignore_conflicts=True,
    )
    users, games, currencies = (set(part) for part in zip(*keys, strict=True))
    rows = PlayerRating.objects.select_for_update().filter(
        user_id__in=users, game__in=games, currency__in=currencies
    )
    return {
        (row.user_id, row.game, row.currency): row
        for row in rows.order_by("user_id", "game", "currency")
    }


def outcome_json(info: MatchInfo, state: MatchState) -> dict[str, Any] | None:
    """The changes for the wire, in hundredths of a point."""
    counted = outcome(info, state)
    if counted is None:
        return None
    changes = {side.value: hundredths(change) for side, change in counted.changes.items()}
    return {"winner": counted.winner, "reason": counted.reason, **changes}


def stake_json(info: MatchInfo, side: Side) -> dict[str, int] | None:
    """What is at stake for the wire, in hundredths of a point."""
    stake = stake_of(info, side)
    if stake is None:
        return None
    return {"win": hundredths(stake.win), "lose": hundredths(stake.lose)}


# --- history --------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Step:
    """One rated match in the history of a rating."""

    at: datetime
    match_id: UUID
    won: bool
    reason: str
    length: int
    change: int
    after: Rating


def steps_of(user_id: int, *, game: str, currency: str, last: int = 500) -> list[Step]:
    """The last changes of a rating, oldest first."""
    rows = RatingChange.objects.filter(
        rating__user_id=user_id, rating__game=game, rating__currency=currency
    ).order_by("-experience")[:last]
    return [
        Step(
            at=row.at,
            match_id=row.match_id,
            won=row.won,
            reason=row.reason,
            length=row.length,
            change=row.change,
            after=Rating(row.after, row.experience + row.length),
        )
        for row in reversed(rows)
    ]


def ratings_follow_from_their_history() -> Iterator[str]:
    """A rating is 1500 and all its changes, its experience the length of its matches: a law of the checker."""
    rows = PlayerRating.objects.annotate(moved=Sum("changes__change"), grown=Sum("changes__length"))
    for row in rows:
        expected = (START + (row.moved or 0), row.grown or 0)
        if (row.billionths, row.experience) != expected:
            yield f"rating {row.pk}: {row.billionths} after {row.experience}, {expected} expected"
