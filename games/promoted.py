"""What promotions have to know of matches that were won for money: stars, stakes, whether anybody was named (Money 7)."""

from collections.abc import Collection, Mapping
from uuid import UUID

from games.anonymity import is_anonymous
from games.models import Match, MatchEvent
from games.stakes import Played
from games.standings import UNRATED_COLUMN


def played(match_ids: Collection[UUID]) -> Mapping[UUID, Played]:
    """Those of these matches that have a winner."""
    won = Match.objects.filter(id__in=match_ids, currency="USD").exclude(winner="")
    games = MatchEvent.objects.filter(match_id__in=match_ids, kind="game_ended").order_by("version")
    wins = {row.match_id: int(row.payload["win"]) for row in games}
    found = {}
    for match in won.prefetch_related("seats"):
        people = {seat.side: seat.user_id for seat in match.seats.all()}
        winner = people.pop(match.winner)
        (loser,) = people.values()
        assert match.finished_at is not None, "a match with a winner has ended"
        found[match.id] = Played(
            winner_id=winner,
            loser_id=loser,
            stars=_stars(match, wins.get(match.id, 1)),
            stake=match.stake,
            is_dark=is_anonymous(match.column),
            ended_at=match.finished_at,
        )
    return found


def _stars(match: Match, win: int) -> int:
    """One for a single win, two for a gammon, three for a backgammon; a series: its points. Rated wins only."""
    if match.column == UNRATED_COLUMN or not match.win:
        return 0
    return match.length if match.kind == "series" else win
