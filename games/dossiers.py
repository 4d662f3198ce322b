"""What staff reads of a person's play: matches with error rates, what was said, what went wrong. Writes nothing.

Whom somebody met in the Dark Room is not told here: games.identities tells it, to who says why.
"""

from collections.abc import Collection
from typing import Final
from uuid import UUID

from django.db.models import Q
from django.urls import reverse
from django.utils.translation import gettext

from accounts.models import User
from accounts.moderation.estates import Incident, Line, Played
from games import stakes
from games.anonymity import DARK_COLUMN, is_anonymous, shown_name
from games.models import Analysis, ChatLine, Match, MatchEvent, Seat
from games.profiles import reason_text

LISTED: Final = 30
PR_FACTOR: Final = 500
PPM: Final = 1_000_000


def recent(user_id: int, *, against: Collection[int] = ()) -> list[Played]:
    """Their last matches, the newest first; of these opponents only, if any are named."""
    mine = Seat.objects.filter(user_id=user_id)
    if against:
        shared = Seat.objects.filter(user_id__in=against)
        mine = mine.filter(match_id__in=shared.values("match_id"))
        mine = mine.exclude(match__column=DARK_COLUMN)
    newest = mine.select_related("match").order_by("-match__created_at")[:LISTED]
    sides = {seat.match_id: seat.side for seat in newest}
    others = Seat.objects.filter(~Q(user_id=user_id), match_id__in=sides).select_related("user")
    rivals = {seat.match_id: seat for seat in others}
    rates = _error_rates(sides)
    return [
        _played(seat.match, seat.side, rivals[seat.match_id], rates.get(seat.match_id, ""))
        for seat in newest
    ]


def lines(user_id: int) -> list[Line]:
    """What was last said at tables where they sat, by both, the newest first."""
    tables = Seat.objects.filter(user_id=user_id).order_by("-id").values("match_id")[:LISTED]
    found = ChatLine.objects.filter(match_id__in=list(tables.values_list("match_id", flat=True)))
    return [
        Line(line.pk, line.at, _name(line.user, user_id, line.match), line.text, line.match_id)
        for line in found.select_related("user", "match").order_by("-id")[: 2 * LISTED]
    ]


def incidents(user_id: int) -> list[Incident]:
    """Matches they left for good, and those they lost on time, the newest first."""
    seats = Seat.objects.filter(user_id=user_id).select_related("match")
    left = seats.filter(abandoned=True).order_by("-id")[:LISTED]
    found = [
        Incident(seat.match.created_at, gettext("left the match for good"), seat.match_id)
        for seat in left
    ]
    on_time = seats.filter(match__reason="time").order_by("-id")[:LISTED]
    found += [
        Incident(seat.match.created_at, gettext("lost on time"), seat.match_id)
        for seat in on_time
        if seat.match.winner and seat.match.winner != seat.side
    ]
    lost_lines = MatchEvent.objects.filter(kind="player_lost", match_id__in=_last_matches(user_id))
    sides = dict(seats.filter(match_id__in=_last_matches(user_id)).values_list("match_id", "side"))
    counts: dict[UUID, int] = {}
    for event in lost_lines:
        if event.payload.get("side") == sides.get(event.match_id):
            counts[event.match_id] = counts.get(event.match_id, 0) + 1
    created = dict(Match.objects.filter(pk__in=counts).values_list("pk", "created_at"))
    found += [
        Incident(created[pk], gettext("connection lost, times: %(count)s") % {"count": n}, pk)
        for pk, n in counts.items()
    ]
    return sorted(found, key=lambda one: one.at, reverse=True)


def _last_matches(user_id: int) -> list[UUID]:
    seats = Seat.objects.filter(user_id=user_id).order_by("-id")
    return list(seats.values_list("match_id", flat=True)[:LISTED])


def _name(user: User, about_id: int, match: Match) -> str:
    """The one whom the page is about is named; at an anonymous table nobody else."""
    return user.screen_name if user.pk == about_id else shown_name(user.screen_name, match.column)


def _played(match: Match, side: str, rival: Seat, rate: str) -> Played:
    stake = stakes.money_text(match.stake, match.currency)
    return Played(
        match_id=match.pk,
        at=match.created_at,
        what=f"{match.room}, {match.variant}, {stake}",
        opponent_id=0 if is_anonymous(match.column) else rival.user_id,
        opponent=shown_name(rival.user.screen_name, match.column),
        result=_result(match, side),
        error_rate=rate,
        url=reverse("games:replay" if match.winner else "games:table", args=[match.pk]),
        admin_url=reverse("admin:games_match_change", args=[match.pk]),
    )


def _result(match: Match, side: str) -> str:
    if match.finished_at is None:
        return gettext("runs")
    if not match.winner:
        return gettext("void, or never begun")
    amount = stakes.money_text(match.win or 0, match.currency)
    said = gettext("won %(amount)s") if match.winner == side else gettext("lost %(amount)s")
    return f"{said % {'amount': amount}}, {reason_text(match.reason)}"


def _error_rates(sides: dict[UUID, str]) -> dict[UUID, str]:
    """Equity lost for each decision times 500, of those matches that were analysed."""
    rates = {}
    for row in Analysis.objects.filter(match_id__in=sides, finished=True):
        side = sides[row.match_id]
        decisions, lost = getattr(row, f"{side}_decisions"), getattr(row, f"{side}_lost")
        if decisions:
            rates[row.match_id] = f"{lost * PR_FACTOR / decisions / PPM:.1f}"
    return rates
