"""What moderators do to abandoned matches that no engine could settle. Each deed leaves an audit row, or did not happen."""

import re
from dataclasses import asdict, dataclass
from decimal import Decimal
from typing import Any
from uuid import UUID

from django.db import transaction

from accounts import audit
from accounts.errors import Refused, gettext_noop
from accounts.models import User
from games import course, house, stakes
from games.anonymity import shown_name
from games.errors import Busy
from games.info import MatchInfo, info_of
from games.match import commands, events
from games.match.errors import GameOver, NotAbandoned
from games.match.sides import Side
from games.match.state import FINISHED, MatchState, Phase
from games.models import Seat
from games.rulings import MODERATOR, change_text, sum_text
from games.stakes import Settlement

SETTLE = "games.settle_match"
LONGEST_REASON = 1000
_AMOUNT = re.compile(r"[0-9]{1,3}(?:[.,][0-9]{1,6})?")


class NotAModerator(Refused):
    """Somebody without the permission."""

    code = "not_a_moderator"
    text = gettext_noop("Only moderators settle abandoned matches.")


class OwnMatch(Refused):
    """A moderator who plays in the match."""

    code = "own_match"
    text = gettext_noop("You play in this match yourself; another moderator has to settle it.")


class ReasonMissing(Refused):
    """Every deed of staff has a reason."""

    code = "reason_missing"
    text = gettext_noop(
        "Write the reason, in at most %(most)s characters; both players can read it."
    )


class BadShare(Refused):
    """An amount that is not a number of stakes within the limit."""

    code = "bad_share"
    text = gettext_noop("Write how many stakes, like 1.25: above 0 and at most %(most)s.")


class EngineAsked(Refused):
    """The two minutes of the engine are not over."""

    code = "engine_asked"
    text = gettext_noop("An engine is still being asked about this match.")


@dataclass(frozen=True, slots=True)
class Award:
    """What `side` gains: millionths of a stake, above 0."""

    side: Side
    ppm: int


@dataclass(frozen=True, slots=True)
class Preview:
    """What an award would pay, to the unit: as figures, and as a person reads it."""

    settlement: Settlement
    winner: str
    loser: str
    gain: str
    loss: str
    fee: str
    winner_gets: str
    loser_gets: str


def award(match_id: UUID, *, side: str, amount: str) -> Award:
    """Reads what a moderator wrote: a side and a number of stakes. Raises BadShare."""
    most = _most(info_of(match_id))
    if side not in tuple(Side) or _AMOUNT.fullmatch(amount.strip()) is None:
        raise BadShare(most=most)
    ppm = int(Decimal(amount.strip().replace(",", ".")) * events.PPM)
    if not 0 < ppm <= most * events.PPM:
        raise BadShare(most=most)
    return Award(side=Side(side), ppm=ppm)


def preview(match_id: UUID, award: Award) -> Preview:
    """What this award pays. The same figures as `settle` pays: nothing of a broken-off match can change."""
    info = info_of(match_id)
    paid = stakes.settlement_by_verdict(info, _verdict(award, reason=""), winner=award.side)
    held = stakes.held_by_both(info.terms) // 2
    currency = info.terms.currency
    return Preview(
        settlement=paid,
        winner=_name(info, paid.winner),
        loser=_name(info, paid.winner.other),
        gain=change_text(paid.gain, currency),
        loss=change_text(-paid.loss, currency),
        fee=sum_text(paid.fee, currency),
        winner_gets=sum_text(held + paid.gain, currency),
        loser_gets=sum_text(held - paid.loss, currency),
    )


def _name(info: MatchInfo, side: Side) -> str:
    return shown_name(info.people[side].name, info.column)


def settle(match_id: UUID, *, award: Award, by: User, reason: str) -> None:
    """Pays the award, once. Raises not_a_moderator, own_match, reason_missing, engine_asked, busy.

    not_abandoned or game_over when somebody was faster.
    """
    reason = _require(match_id, by=by, reason=reason)
    command = commands.Adjudicate(
        side=award.side,
        estimate=award.ppm,
        low=award.ppm,
        high=award.ppm,
        engine=MODERATOR,
        detail=reason,
    )
    with transaction.atomic():
        before = _waiting(match_id)
        _advance(match_id, command)
        _note(match_id, by, "settle_match", reason, before)


def void(match_id: UUID, *, by: User, reason: str) -> None:
    """Both stakes go back and nobody wins. Raises what settle raises."""
    reason = _require(match_id, by=by, reason=reason)
    with transaction.atomic():
        before = _waiting(match_id)
        _advance(match_id, commands.Void(reason=reason))
        _note(match_id, by, "void_match", reason, before)


def void_running(match_id: UUID, *, by: User, reason: str) -> None:
    """A match that runs, for a case of conduct: both stakes go back and nobody wins. Raises what settle raises."""
    reason = _require(match_id, by=by, reason=reason)
    with transaction.atomic():
        info, state, _seed, _records = course.load(match_id)
        if state.phase in FINISHED:
            raise GameOver
        _advance(match_id, commands.Void(reason=reason))
        _note(match_id, by, "void_match", reason, _record(info, state))


def require_may_settle(match_id: UUID, by: User) -> None:
    """Raises NotAModerator or OwnMatch."""
    if not by.has_perm(SETTLE):
        raise NotAModerator
    if Seat.objects.filter(match_id=match_id, user_id=by.pk).exists():
        raise OwnMatch


def require_reason(reason: str) -> None:
    """Raises ReasonMissing."""
    if not 0 < len(reason.strip()) <= LONGEST_REASON:
        raise ReasonMissing(most=LONGEST_REASON)


def _require(match_id: UUID, *, by: User, reason: str) -> str:
    require_may_settle(match_id, by)
    require_reason(reason)
    return reason.strip()


def _waiting(match_id: UUID) -> dict[str, Any]:
    """What is recorded of the match before. Raises unless it waits for a moderator."""
    info, state, _seed, _records = course.load(match_id)
    if state.phase in FINISHED:
        raise GameOver
    if state.phase is not Phase.ADJUDICATING:
        raise NotAbandoned
    if not state.with_moderators:
        raise EngineAsked
    return _record(info, state)


def _advance(match_id: UUID, command: commands.Command) -> None:
    if not house.advance(match_id, command):
        raise Busy


def _note(match_id: UUID, by: User, action: str, reason: str, before: dict[str, Any]) -> None:
    info, state, _seed, _records = course.load(match_id)
    after = _record(info, state)
    if state.verdict is not None and state.result is not None:
        paid = stakes.settlement_by_verdict(info, state.verdict, winner=state.result.winner)
        after |= asdict(paid)
    change = audit.Change(before=before, after=after)
    audit.record(by=by, action=action, why=reason, about=f"match:{match_id}", change=change)


def _record(info: MatchInfo, state: MatchState) -> dict[str, Any]:
    held = 0 if state.phase in FINISHED else stakes.held_by_both(info.terms)
    return {"phase": state.phase.value, "version": state.version, "held": held}


def _verdict(award: Award, *, reason: str) -> events.Adjudicated:
    ppm = events.Signed(award.ppm)
    return events.Adjudicated(
        side=award.side,
        estimate=ppm,
        low=ppm,
        high=ppm,
        applied=ppm,
        engine=MODERATOR,
        detail=reason,
    )


def _most(info: MatchInfo) -> int:
    """The most stakes that can be lost; 1 in a series."""
    return info.machine_terms.cap_points or 1
