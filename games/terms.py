"""What two players agree on before they sit down: game, kind, stake, limit, clock. Plain values, checked."""

from dataclasses import dataclass, replace

from games.errors import BadLength, BadLimit, BadStake, BadTerms, UnknownVariant
from games.match.terms import PRESETS, Terms, clock_terms

VARIANTS = ("backgammon", "long-nardy", "long-nardy-fnr")
WITH_CUBE = frozenset({"backgammon"})
KINDS = ("single", "series")
CURRENCIES = ("USD", "PLAY")
LIMIT_FACTORS = (3, 6, 12, 24, 192)
SERIES_LIMIT_FACTOR = 1
"""A series is played for its stake, whatever the games count (Backgammon 8)."""

DEFAULT_LIMIT_FACTOR = 12
SMALLEST_STAKE = {"USD": 10, "PLAY": 1}
LARGEST_STAKE = 100_000_000
LONGEST_SERIES = 25


@dataclass(frozen=True, slots=True)
class TableTerms:
    """Terms of a table. `stake` and `limit` in minor units; `limit` is the most either can lose."""

    variant: str
    kind: str
    length: int
    currency: str
    stake: int
    limit: int
    jacoby: bool
    beavers: bool
    crawford: bool
    clock: str
    blitz: bool

    @property
    def is_money(self) -> bool:
        """Whether real or test money is at stake, not chips."""
        return self.currency == "USD"

    @property
    def limit_factor(self) -> int:
        """How many stakes a player can lose."""
        return self.limit // self.stake


def whole(value: object) -> bool:
    """True for a real int; a bool is not a number here."""
    return isinstance(value, int) and not isinstance(value, bool)


def table_terms(  # noqa: PLR0913  each is named at every call
    *,
    variant: str = "backgammon",
    kind: str = "single",
    length: int = 1,
    currency: str,
    stake: int,
    limit_factor: int = DEFAULT_LIMIT_FACTOR,
    options: frozenset[str] = frozenset(),
    clock: str = "normal",
) -> TableTerms:
    """Checked terms. `options`: any of jacoby, beavers, no_crawford, blitz.

    A series to `length` points has no limit but its stake: `limit_factor` is for single games. Without a
    cube nothing costs more than the smallest limit, so that is what is held.
    Raises UnknownVariant, BadTerms, BadLength, BadStake, BadLimit.
    """
    if variant not in VARIANTS:
        raise UnknownVariant
    if kind not in KINDS or clock not in PRESETS or currency not in CURRENCIES:
        raise BadTerms
    _require_options(variant, options)
    _require_length(kind, length, options)
    least = SMALLEST_STAKE[currency]
    if not whole(stake) or not least <= stake <= LARGEST_STAKE:
        raise BadStake(least="$0.10" if currency == "USD" else "1")
    factor = _limit_factor(variant, kind, limit_factor)
    terms = TableTerms(
        variant=variant,
        kind=kind,
        length=length,
        currency=currency,
        stake=stake,
        limit=stake * factor,
        jacoby="jacoby" in options,
        beavers="beavers" in options,
        crawford=variant in WITH_CUBE and "no_crawford" not in options,
        clock=clock,
        blitz="blitz" in options,
    )
    return replace(terms, clock="blitz") if terms.blitz else terms


def _require_options(variant: str, options: frozenset[str]) -> None:
    """Raises BadTerms for unknown ones, and for those of the cube where there is none."""
    if not options <= {"jacoby", "beavers", "no_crawford", "blitz"}:
        raise BadTerms
    if variant not in WITH_CUBE and options & {"jacoby", "beavers"}:
        raise BadTerms


def _limit_factor(variant: str, kind: str, wanted: object) -> int:
    """How many stakes are held. Raises BadLimit."""
    if kind == "series":
        return SERIES_LIMIT_FACTOR
    if not whole(wanted) or wanted not in LIMIT_FACTORS:
        raise BadLimit
    return int(wanted) if variant in WITH_CUBE else LIMIT_FACTORS[0]


def _require_length(kind: str, length: object, options: frozenset[str]) -> None:
    """Raises BadLength, or BadTerms for what only single games have (Backgammon 6)."""
    if kind == "single":
        if not whole(length) or length != 1:
            raise BadTerms
        return
    if not whole(length) or not 1 <= length <= LONGEST_SERIES:  # type: ignore[operator]
        raise BadLength(most=LONGEST_SERIES)
    if options & {"jacoby", "beavers"}:
        raise BadTerms


def match_terms(terms: TableTerms) -> Terms:
    """The part of the terms that the match machine knows: no money, only how many stakes count."""
    single = terms.kind == "single"
    return Terms(
        variant=terms.variant,
        kind=terms.kind,  # type: ignore[arg-type]
        length=terms.length,
        jacoby=terms.jacoby,
        beavers=terms.beavers,
        crawford=terms.crawford,
        clock=clock_terms(terms.clock, terms.kind, terms.length),
        blitz=terms.blitz,
        cap_points=terms.limit_factor if single else None,
    )
