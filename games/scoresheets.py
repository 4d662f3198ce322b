"""The .mat file of a finished match: what other programs read, with XG's headers."""

from datetime import UTC, datetime
from typing import Final
from uuid import UUID

from games.errors import NothingWasPlayed
from games.finished import Finished, finished
from games.match.events import MatchSettled
from games.match.sides import Side
from games.match.written import written_games
from games.rules.importing import UNFINISHED
from games.rules.nardy_notation import format_nardy_turn
from games.rules.notation import format_turn
from games.rules.scoresheet import Sheet
from games.rules.sheetwriter import format_sheet
from games.stakes import money_text

MS: Final = 1000
VARIATIONS: Final = {
    "backgammon": "Backgammon",
    "long-nardy": "Long nardy",
    "long-nardy-fnr": "Long nardy (FNR)",
}
"""Other programs know the first one only."""
_SITE: Final = "Nardy"


def match_file(match_id: UUID) -> str:
    """The file's text. Names nobody where the players are anonymous.

    Raises UnknownMatch, MatchStillRunning or NothingWasPlayed.
    """
    return format_sheet(sheet_of(finished(match_id)))


def sheet_of(match: Finished) -> Sheet:
    """The match as headers and games. Raises NothingWasPlayed."""
    names = (_plain(match.name(Side.LIGHT)), _plain(match.name(Side.DARK)))
    is_backgammon = match.info.terms.variant == "backgammon"
    turn_text = format_turn if is_backgammon else format_nardy_turn
    games, is_unfinished = written_games(match.happened, names, turn_text)
    if not games:
        raise NothingWasPlayed
    terms = match.info.machine_terms
    headers = _headers(match, names)
    if is_unfinished:
        headers += ((UNFINISHED, _how_it_ended(match)),)
    return Sheet(headers, (), 0 if terms.is_single else terms.length, games, ())


def _headers(match: Finished, names: tuple[str, str]) -> tuple[tuple[str, str], ...]:
    """XG's, in its order; of the stakes it knows only what a point is worth and what the house takes."""
    terms, money = match.info.machine_terms, match.info.terms
    began = datetime.fromtimestamp(match.records[0].at_ms / MS, tz=UTC)
    onoff = {True: "On", False: "Off"}
    return (
        ("Site", _SITE),
        ("Match ID", str(match.info.id)),
        ("Player 1", names[0]),
        ("Player 2", names[1]),
        ("EventDate", f"{began:%Y.%m.%d}"),
        ("EventTime", f"{began:%H.%M}"),
        ("Match Length", str(0 if terms.is_single else terms.length)),
        ("Variation", VARIATIONS.get(money.variant, money.variant)),
        ("Crawford", onoff[terms.has_crawford]),
        ("Jacoby", onoff[terms.has_jacoby]),
        ("Beaver", onoff[terms.has_beavers]),
        ("CubeLimit", "64"),
        ("Stake", money_text(money.stake, money.currency)),
        ("Rake", _rake(match)),
    )


def _rake(match: Finished) -> str:
    settled = next((e for e in match.happened if isinstance(e, MatchSettled)), None)
    return money_text(settled.fee if settled else 0, match.info.terms.currency)


def _how_it_ended(match: Finished) -> str:
    ending = next(
        (e for e in reversed(match.happened) if e.KIND in {"adjudicated", "match_voided"}), None
    )
    return ending.KIND if ending else "unknown"


def _plain(name: str) -> str:
    """A name that cannot be taken for a score or the end of a header."""
    return " ".join(name.replace(":", " ").replace('"', " ").split())
