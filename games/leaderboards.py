"""The leaderboards (Rooms 3): by rating, by wins of the month, by error rate. Nothing of anonymous tables is in them.

House bots are in none. The two that add up many rows are worked out once a minute for everybody.
"""

from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from django.core.cache import cache
from django.db.models import Count, Q, QuerySet, Sum
from django.utils import timezone

from accounts.models import User
from games.anonymity import DARK_COLUMN
from games.engine.analysis import PPM, PR_FACTOR
from games.match.sides import SIDES
from games.models import HouseBot, PlayerRating, RatingChange, Seat
from games.ratings import Rating, game_of
from games.terms import VARIANTS

LISTED: Final = 100
FEWEST_ANALYSED: Final = 20
KEPT_S: Final = 60
HUNDRED: Final = 100


@dataclass(frozen=True, slots=True)
class Row:
    """A place on a board. `figure` as people read it; `more`: out of how much."""

    place: int
    name: str
    figure: str
    more: int


@dataclass(frozen=True, slots=True)
class Board:
    """The first places, and the reader's own if it is among all."""

    rows: tuple[Row, ...]
    own: Row | None


def by_rating(game: str, currency: str, reader: User | None) -> Board:
    """The highest ratings; `more` is the experience."""
    ratings = PlayerRating.objects.filter(game=game, currency=currency, experience__gt=0)
    ratings = _people(ratings, "user").order_by("-billionths", "user_id")
    rows = [
        _rating_row(place, row)
        for place, row in enumerate(ratings.select_related("user")[:LISTED], start=1)
    ]
    mine = ratings.select_related("user").filter(user=reader).first() if reader else None
    own = None
    if mine is not None:
        ahead = Q(billionths__gt=mine.billionths)
        ahead |= Q(billionths=mine.billionths, user_id__lt=mine.user_id)
        own = _rating_row(ratings.filter(ahead).count() + 1, mine)
    return Board(tuple(rows), own)


def by_wins(game: str, currency: str, reader: User | None, *, now: datetime | None = None) -> Board:
    """The most rated matches won since the month began, in UTC; `more` is how many were played."""
    since = (now or timezone.now()).replace(day=1, hour=0, minute=0, second=0, microsecond=0)
    key = f"leaders:wins:{game}:{currency}:{since:%Y-%m}"
    return _board(_kept(key, lambda: _wins(game, currency, since)), reader)


def by_errors(game: str, reader: User | None) -> Board:
    """The lowest error rates over 20 analysed matches or more; `more` is how many."""
    return _board(_kept(f"leaders:errors:{game}", lambda: _errors(game)), reader)


Standing = tuple[int, str, str, int]
"""A player's id, name, figure, and out of how much."""


def _board(standings: list[Standing], reader: User | None) -> Board:
    rows = [
        (user_id, Row(place, name, figure, more))
        for place, (user_id, name, figure, more) in enumerate(standings, start=1)
    ]
    own = next((row for user_id, row in rows if reader and user_id == reader.pk), None)
    return Board(tuple(row for _, row in rows[:LISTED]), own)


def _kept(key: str, work_out: Callable[[], list[Standing]]) -> list[Standing]:
    found: list[Standing] | None = cache.get(key)
    if found is None:
        found = work_out()
        cache.set(key, found, KEPT_S)
    return found


def _rating_row(place: int, row: PlayerRating) -> Row:
    return Row(place, row.user.screen_name, Rating(row.billionths).shown, row.experience)


def _wins(game: str, currency: str, since: datetime) -> list[Standing]:
    changes = RatingChange.objects.filter(
        rating__game=game, rating__currency=currency, at__gte=since
    )
    people = (
        _people(changes, "rating__user")
        .values_list("rating__user_id", "rating__user__screen_name")
        .annotate(wins=Count("id", filter=Q(won=True)), played=Count("id"))
        .filter(wins__gt=0)
        .order_by("-wins", "played", "rating__user_id")
    )
    return [(user_id, name, str(wins), played) for user_id, name, wins, played in people]


def _errors(game: str) -> list[Standing]:
    variants = [variant for variant in VARIANTS if game_of(variant) == game]
    seats = Seat.objects.filter(match__analysis__finished=True, match__variant__in=variants)
    seats = _people(seats.exclude(match__column=DARK_COLUMN), "user")
    sums: dict[tuple[int, str], list[int]] = defaultdict(lambda: [0, 0, 0])
    for side in SIDES:
        people = seats.filter(side=side.value).values_list("user_id", "user__screen_name")
        rows: Any = people.annotate(
            n=Count("pk"),
            decisions=Sum(f"match__analysis__{side.value}_decisions"),
            lost=Sum(f"match__analysis__{side.value}_lost"),
        )
        for user_id, name, n, decisions, lost in rows.order_by():
            before = sums[user_id, name]
            sums[user_id, name] = [before[0] + n, before[1] + decisions, before[2] + lost]
    found = [
        (lost * PR_FACTOR * HUNDRED // (decisions * PPM), user_id, name, matches)
        for (user_id, name), (matches, decisions, lost) in sums.items()
        if matches >= FEWEST_ANALYSED and decisions
    ]
    return [
        (user_id, name, f"{rate // HUNDRED}.{rate % HUNDRED:02}", matches)
        for rate, user_id, name, matches in sorted(found)
    ]


def _people(rows: QuerySet[Any], user: str) -> QuerySet[Any]:
    """Those whose account is open, and no house bots."""
    bots = HouseBot.objects.values("user_id")
    return rows.filter(**{f"{user}__is_active": True}).exclude(**{f"{user}__in": bots})
