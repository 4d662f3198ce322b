"""What views, rooms and tasks may ask of matches: sit two people down, move the clock on, void.

The live tables in memory have games.floor; both write by the same numbers.
"""

import logging
from uuid import UUID, uuid4

from django.db import IntegrityError, transaction

from accounts.models import User
from accounts.permissions import require_money_play
from games import course, downtime, fairness, selectors, stakes, store
from games.dbclock import read_ms
from games.errors import AlreadyPlaying, BadStake, SameSeat
from games.house import advance, expire
from games.match import commands, events
from games.match.machine import evolve
from games.match.sides import Side
from games.match.state import Phase
from games.models import Match, Seat
from games.sealing import seal
from games.stakes import FeeRow, money_text, parse_stake, purse
from games.terms import SMALLEST_STAKE, TableTerms, match_terms, table_terms

log = logging.getLogger(__name__)
SWEEP_AT_ONCE = 200

__all__ = [
    "SMALLEST_STAKE",
    "FeeRow",
    "TableTerms",
    "advance",
    "expire",
    "fee_quote",
    "money_text",
    "open_match",
    "parse_stake",
    "purse",
    "require_can_sit",
    "sweep",
    "table_terms",
    "verify_dice",
    "void",
]


def fee_quote(
    terms: TableTerms, column: str, ratings: tuple[int, int] = (1500, 1500)
) -> tuple[FeeRow, ...]:
    """What a single, a gammon and a backgammon bring at the first cube by the site's tariff."""
    return stakes.fee_table(terms, tariff=stakes.current_tariff(), column=column, ratings=ratings)


def require_can_sit(user: User, terms: TableTerms, column: str) -> None:
    """Raises the refusal that keeps this player from a table with these terms.

    residence_restricted and the like for money, already_playing, insufficient_funds.
    """
    if terms.stake < SMALLEST_STAKE[terms.currency]:
        raise BadStake(least=money_text(SMALLEST_STAKE[terms.currency], terms.currency))
    if terms.is_money:
        require_money_play(user)
        if Seat.objects.filter(user=user, active=True, money=True).exists():
            raise AlreadyPlaying
    stakes.require_covers(user.pk, terms)


def open_match(*, light: User, dark: User, terms: TableTerms, room: str, column: str) -> UUID:
    """Seats two people; both then see the ready check. Nothing is held yet.

    Raises what require_can_sit raises for either, and own_table.
    """
    if light.pk == dark.pk:
        raise SameSeat
    for user in (light, dark):
        require_can_sit(user, terms, column)
    match_id = uuid4()
    seed = fairness.new_seed()
    commit = fairness.commitment(seed)
    opened = events.MatchOpened(terms=match_terms(terms), server_commit=commit)
    with transaction.atomic():
        now_ms = read_ms()
        state = evolve(None, opened, now_ms)
        match = Match(
            id=match_id,
            room=room,
            column=column,
            tariff=stakes.current_tariff(),
            variant=terms.variant,
            kind=terms.kind,
            length=terms.length,
            currency=terms.currency,
            stake=terms.stake,
            limit=terms.limit,
            jacoby=terms.jacoby,
            beavers=terms.beavers,
            crawford=terms.crawford,
            clock=terms.clock,
            blitz=terms.blitz,
            server_commit=commit,
        )
        record = store.Record(
            version=1, kind=opened.KIND, payload=events.to_payload(opened), at_ms=now_ms
        )
        store.create(
            match, sealed=seal(seed, match_id), records=[record], head=course.head_of(state)
        )
        _seat(match, terms, {Side.LIGHT: light, Side.DARK: dark})
    return match_id


def _seat(match: Match, terms: TableTerms, users: dict[Side, User]) -> None:
    try:
        with transaction.atomic():
            Seat.objects.bulk_create(
                Seat(match=match, side=side.value, user=user, money=terms.is_money)
                for side, user in users.items()
            )
    except IntegrityError as error:
        raise AlreadyPlaying from error


def sweep() -> int:
    """Every match whose deadline has passed. Any number of these may run at once; answers how many it ended.

    While no process serves sockets nobody is flagged: that time will be given back.
    """
    downtime.credit_open_outages()
    if downtime.is_down():
        return 0
    with transaction.atomic():
        due = store.due_matches(read_ms(), SWEEP_AT_ONCE)
    ended = 0
    for match_id in due:
        try:
            ended += expire(match_id)
        except Exception:
            log.exception("a deadline failed", extra={"match": str(match_id)})
    return ended


def verify_dice(at_once: int = 500) -> int:
    """Verifies the dice of matches that ended since the last time; answers how many were wrong."""
    wrong = 0
    for match_id in selectors.unverified_matches(at_once):
        found = fairness.verify(selectors.dice_record(match_id))
        Match.objects.filter(id=match_id).update(dice_verified=not found)
        if found:
            wrong += 1
            log.error("dice do not verify: %s", found[0], extra={"match": str(match_id)})
    return wrong


def void(match_id: UUID, *, reason: str) -> None:
    """Ends a match without a result; stakes that were held go back. Raises game_over."""
    advance(match_id, commands.Void(reason=reason))


def is_running(match_id: UUID) -> bool:
    """Whether the match has not ended yet. Raises Match.DoesNotExist."""
    ended = (Phase.OVER, Phase.CANCELLED, Phase.VOID)
    return Match.objects.select_related("head").get(id=match_id).head.phase not in ended
