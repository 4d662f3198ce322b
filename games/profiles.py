"""What a player's page shows: ratings and their history, record, matches left for good, matches played. Writes nothing.

Nothing of an anonymous room is told: its matches are not rated, and in the player's own list the opponent has no name.
"""

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Final
from uuid import UUID

from django.db.models import Q
from django.urls import reverse
from django.utils.translation import gettext

from accounts import acquaintances, guests
from accounts.models import User
from games import rating_chart, standings
from games.achievements import Achievement, Played, achieved
from games.anonymity import is_anonymous, shown_name
from games.models import HouseBot, Match, PlayerRating, RatingChange, Seat
from games.rating_chart import RatingChart
from games.ratings import Rating, hundredths

DRAWN: Final = 300
LISTED: Final = 20
PAGE: Final = 30
MINUS: Final = "\N{MINUS SIGN}"


@dataclass(frozen=True, slots=True)
class Row:
    """A match in a list: whom against and at what rating, what was played, how it ended, what it changed."""

    at: datetime
    url: str
    opponent: str
    opponent_rating: str
    what: str
    won: bool | None
    how: str
    change: str
    after: str


@dataclass(frozen=True, slots=True)
class Card:
    """One rating of a player."""

    game: str
    currency: str
    shown: str
    experience: int
    won: int
    lost: int
    chart: RatingChart
    rows: tuple[Row, ...]


@dataclass(frozen=True, slots=True)
class Score:
    """Won and lost matches."""

    won: int
    lost: int


def cards_of(user: User) -> list[Card]:
    """A card for each rating, the most played first."""
    ratings = PlayerRating.objects.filter(user=user).order_by("-experience", "game", "currency")
    return [_card(user, row) for row in ratings]


def unfinished_of(user: User) -> int:
    """How many matches the player has left for good."""
    return standings.unfinished_of([user.pk])[user.pk]


def head_to_head(user: User, other: User) -> Score:
    """Rated matches between two players, as `user` sees them."""
    both = RatingChange.objects.filter(rating__user=user, match__seats__user=other)
    return Score(won=both.filter(won=True).count(), lost=both.filter(won=False).count())


def achievements_of(user: User) -> list[Achievement]:
    """What the player has reached, over all games and currencies, the newest first."""
    rows = RatingChange.objects.filter(rating__user=user).order_by("at", "id")
    history = (
        Played(at=at, won=won, length=length, after=after)
        for at, won, length, after in rows.values_list("at", "won", "length", "after")
    )
    return achieved(history)[::-1]


@dataclass(frozen=True, slots=True)
class Acquaintance:
    """What a reader may do with another player: `asked` by the reader, `asks` the reader, or are they friends already."""

    friends: bool
    asked: bool
    asks: bool
    blocked: bool


def acquaintance(user: User, other: User) -> Acquaintance | None:
    """How `user` stands to `other`; None where nobody can be anybody's friend: guests and house bots."""
    if guests.is_guest(user) or guests.is_guest(other):
        return None
    if HouseBot.objects.filter(user=other).exists():
        return None
    return Acquaintance(
        friends=acquaintances.are_friends(user.pk, other.pk),
        asked=other in acquaintances.requests_of(user),
        asks=other in acquaintances.requests_to(user),
        blocked=acquaintances.has_blocked(user.pk, other.pk),
    )


def matches_of(user: User, *, page: int) -> tuple[list[Row], bool]:
    """A page of the player's ended matches, the newest first, and whether there are more. For the player alone."""
    played = Match.objects.filter(
        seats__user=user, finished_at__isnull=False, started_at__isnull=False
    ).order_by("-finished_at", "id")
    found = list(played[(page - 1) * PAGE : page * PAGE + 1])
    shown = found[:PAGE]
    changes = {
        change.match_id: change
        for change in RatingChange.objects.filter(rating__user=user, match__in=shown)
    }
    rivals = _rivals(user, [match.id for match in shown])
    sides = dict(Seat.objects.filter(user=user, match__in=shown).values_list("match_id", "side"))
    rows = [
        _row(
            match,
            rivals[match.id],
            changes.get(match.id),
            won=(match.winner == sides[match.id]) if match.winner else None,
        )
        for match in shown
    ]
    return rows, len(found) > PAGE


def _card(user: User, row: PlayerRating) -> Card:
    steps = standings.steps_of(user.pk, game=row.game, currency=row.currency, last=DRAWN)
    changes = list(row.changes.select_related("match").order_by("-experience")[:LISTED])
    rivals = _rivals(user, [change.match_id for change in changes])
    before = [
        Rating(step.after.billionths - step.change, step.after.experience - step.length)
        for step in steps[:1]
    ]
    record = row.changes.values_list("won", flat=True)
    won = sum(record)
    return Card(
        game=game_text(row.game),
        currency=gettext("chips") if row.currency == "PLAY" else gettext("money"),
        shown=Rating(row.billionths).shown,
        experience=row.experience,
        won=won,
        lost=len(record) - won,
        chart=rating_chart.drawn([*before, *(step.after for step in steps)] or [Rating()]),
        rows=tuple(
            _row(change.match, rivals[change.match_id], change, won=change.won)
            for change in changes
        ),
    )


def _rivals(user: User, match_ids: Collection[UUID]) -> dict[UUID, Seat]:
    seats: Iterable[Seat] = Seat.objects.filter(~Q(user=user), match_id__in=match_ids)
    return {seat.match_id: seat for seat in seats.select_related("user")}  # type: ignore[attr-defined]


def _row(match: Match, rival: Seat, change: RatingChange | None, *, won: bool | None) -> Row:
    hidden = is_anonymous(match.column)
    assert match.finished_at is not None, "it has ended"
    return Row(
        at=match.finished_at,
        url=reverse("games:table", args=[match.id]),
        opponent=shown_name(rival.user.screen_name, match.column),
        opponent_rating="" if hidden else Rating(rival.rating).shown,
        what=_what(match),
        won=won,
        how=reason_text(change.reason if change else match.reason) if won is not None else "",
        change=_signed(change.change) if change else "",
        after=Rating(change.after).shown if change else "",
    )


def game_text(game: str) -> str:
    """The name of a game that has ratings."""
    return gettext("Backgammon") if game == "backgammon" else gettext("Long nardy")


def reason_text(reason: str) -> str:
    """How a match ended, in two or three words."""
    return {
        "borne_off": gettext("all checkers off"),
        "drop": gettext("double dropped"),
        "resign": gettext("resigned"),
        "time": gettext("out of time"),
        "left": gettext("forfeited by leaving"),
        "abandoned": gettext("match left"),
        "adjudicated": gettext("adjudicated"),
    }[reason]


def _what(match: Match) -> str:
    if match.kind == "series":
        return gettext("series to %(length)s") % {"length": match.length}
    return gettext("single game")


def _signed(billionths: int) -> str:
    change = hundredths(billionths)
    sign = MINUS if change < 0 else "+"
    return f"{sign}{abs(change) // 100}.{abs(change) % 100:02}"
