"""What views, rooms and tasks may ask of matches: sit two people down, move the clock on, void.

The live tables in memory have games.floor; both write by the same numbers.
"""

import logging
from uuid import UUID

from games import downtime, fairness, house, selectors, stakes
from games.house import advance, expire
from games.match import commands
from games.match.state import Phase
from games.models import Match
from games.seating import open_match, require_can_sit
from games.stakes import FeeRow, money_text, parse_stake, purse
from games.terms import SMALLEST_STAKE, TableTerms, table_terms

log = logging.getLogger(__name__)
SWEEP_AT_ONCE = 50

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
    terms: TableTerms, column: str, ratings: stakes.Ratings = (1500, 1500)
) -> tuple[FeeRow, ...]:
    """What a single, a gammon and a backgammon bring at the first cube by the site's tariff."""
    return stakes.fee_table(terms, tariff=stakes.current_tariff(), column=column, ratings=ratings)


def sweep() -> int:
    """Every match whose deadline has passed. Any number of these may run at once; answers how many it ended.

    While no process serves sockets nobody is flagged: that time will be given back.
    """
    downtime.credit_open_outages()
    if downtime.is_down():
        return 0
    ended = 0
    while (swept := house.expire_due(SWEEP_AT_ONCE)).ended:
        ended += swept.ended
        if swept.found < SWEEP_AT_ONCE:
            break
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
