"""The matches of a closed account: what runs, what becomes of it, who plays for money now. Registers with accounts."""

from collections.abc import Collection
from uuid import UUID

from django.utils.translation import gettext

from accounts.errors import Refused
from accounts.models import Closure, User
from accounts.moderation import estates
from accounts.moderation.estates import Incident, Line, Played, Running, Seen
from games import course, dossiers, house, moderation, stakes
from games.anonymity import shown_name
from games.dbclock import read_ms
from games.match import commands
from games.match.sides import Side
from games.match.state import BEFORE_PLAY, FINISHED, MatchState, Phase
from games.models import ChatLine, Match, PlayerRating, Seat

TRIES = 3


class MatchesOfPeople:
    """What accounts may ask of matches."""

    def playing(self, among: Collection[int] | None = None) -> set[int]:
        """Who plays for money now."""
        seats = Seat.objects.filter(active=True, money=True)
        if among is not None:
            seats = seats.filter(user_id__in=among)
        return set(seats.values_list("user_id", flat=True))

    def recent(self, user_id: int, *, against: Collection[int] = ()) -> list[Played]:
        """Their last matches, the newest first."""
        return dossiers.recent(user_id, against=against)

    def lines(self, user_id: int) -> list[Line]:
        """What was last said at their tables, the newest first."""
        return dossiers.lines(user_id)

    def incidents(self, user_id: int) -> list[Incident]:
        """Matches left and times run out, the newest first."""
        return dossiers.incidents(user_id)

    def person_at(self, match_id: UUID, side: str) -> Seen | None:
        """Who sits at this side of a match."""
        seat = (
            Seat.objects.filter(match_id=match_id, side=side)
            .select_related("user", "match")
            .first()
        )
        if seat is None:
            return None
        return Seen(seat.user_id, _shown(seat), match_id)

    def said(self, line_id: int) -> Seen | None:
        """Who said this line of a table's chat, and what."""
        line = ChatLine.objects.filter(pk=line_id).select_related("user", "match").first()
        if line is None:
            return None
        name = shown_name(line.user.screen_name, line.match.column)
        return Seen(line.user_id, name, line.match_id, quote=line.text)

    def export(self, user_id: int) -> dict[str, object]:
        """What is kept of a person's matches, as JSON has it: for themself. Opponents by the name they were shown."""
        seats = Seat.objects.filter(user_id=user_id).select_related("match", "user")
        lines = ChatLine.objects.filter(user_id=user_id).order_by("id")
        ratings = PlayerRating.objects.filter(user_id=user_id)
        return {
            "matches": [_exported(seat) for seat in seats.order_by("match__created_at").iterator()],
            "ratings": list(ratings.values("game", "currency", "billionths", "experience")),
            "chat": [
                {"at": line.at.isoformat(), "match": str(line.match_id), "text": line.text}
                for line in lines.iterator()
            ],
        }

    def running(self, user_id: int) -> list[Running]:
        """Matches that are not over, the oldest first."""
        matches = (
            Match.objects.filter(seats__user_id=user_id, head__isnull=False)
            .exclude(head__phase__in=[phase.value for phase in FINISHED])
            .select_related("head")
            .prefetch_related("seats__user")
            .order_by("created_at")
        )
        return [_running(match, user_id) for match in matches]

    def void(self, match_id: UUID, *, by: User, why: str) -> None:
        """Both stakes go back. Raises what games.moderation raises."""
        moderation.void_running(match_id, by=by, reason=why)

    def end(self, user_id: int, how: str, *, reason: str) -> dict[UUID, str]:
        """What has not begun is left; what runs goes on, is broken off for an adjudication, or is void."""
        return {
            one.match_id: _end(one.match_id, user_id, how, reason) for one in self.running(user_id)
        }


def register() -> None:
    """Called once, from the app's start."""
    estates.register(matches=MatchesOfPeople())


def _shown(seat: Seat) -> str:
    """The name that others at the table see."""
    return shown_name(seat.user.screen_name, seat.match.column)


def _exported(seat: Seat) -> dict[str, object]:
    match = seat.match
    return {
        "match": str(match.pk),
        "room": match.room,
        "game": match.variant,
        "stake": match.stake,
        "currency": match.currency,
        "side": seat.side,
        "began": match.started_at.isoformat() if match.started_at else None,
        "ended": match.finished_at.isoformat() if match.finished_at else None,
        "won": match.winner == seat.side if match.winner else None,
        "reason": match.reason,
    }


def _running(match: Match, user_id: int) -> Running:
    other = next(seat for seat in match.seats.all() if seat.user_id != user_id)
    stake = stakes.money_text(match.stake, match.currency)
    started = match.started_at is not None
    held = 2 * (match.stake if match.kind == "series" else match.limit) if started else 0
    return Running(
        match_id=match.pk,
        title=gettext("%(stake)s against %(name)s")
        % {"stake": stake, "name": shown_name(other.user.screen_name, match.column)},
        opponent_id=other.user_id,
        is_money=match.currency == "USD",
        started=started,
        held=stakes.money_text(held, match.currency),
    )


def _end(match_id: UUID, user_id: int, how: str, reason: str) -> str:
    """The phase in which the match is afterwards. A move at the same moment is met by trying again."""
    for _ in range(TRIES):
        info, state, _seed, _records = course.load(match_id)
        side = info.side_of(user_id)
        assert side is not None, "a match of theirs"
        try:
            _act(match_id, state, side, how=how, reason=reason)
        except Refused:
            continue
        break
    return course.load(match_id)[1].phase.value


def _act(match_id: UUID, state: MatchState, side: Side, *, how: str, reason: str) -> None:
    if state.phase in FINISHED:
        return
    if state.phase in BEFORE_PLAY:
        house.advance(match_id, commands.Leave(by=side))
    elif how == Closure.Matches.VOID:
        house.advance(match_id, commands.Void(reason=reason))
    elif how == Closure.Matches.ADJUDICATE and state.phase is not Phase.ADJUDICATING:
        _break_off(match_id, state, side)


def _break_off(match_id: UUID, state: MatchState, side: Side) -> None:
    """As if they had been away for as long as anybody may; in blitz that is the end of the game."""
    if side in state.away_since:
        house.advance(match_id, commands.MarkReturned(side=side))
    long_ago = read_ms() - state.terms.window_ms - 1
    house.advance(match_id, commands.MarkLost(side=side, since_ms=long_ago))
    _info, state, _seed, _records = course.load(match_id)
    if state.phase not in FINISHED:
        house.advance(match_id, course.expiry(state, frozenset()))
