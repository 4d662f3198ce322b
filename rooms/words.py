"""What a reader sees of tables: amounts, games, rows of the lists, in the language of the moment.

The page and the socket use the same rows, so that both show the same. No identity leaves an anonymous room.
"""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from uuid import UUID

from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext, pgettext

from accounts.errors import Refused
from games.ratings import AtStake, hundredths
from games.selectors import TableRow
from games.services import FeeRow, TableTerms, money_text
from rooms.models import Offer

MINUS = "\N{MINUS SIGN}"


@dataclass(frozen=True, slots=True)
class OfferRow:
    """One open table as it is read. `variant`, `kind`, `stake_minor` and `points` are for filters.

    `points` is the rating as it is shown, 0 where nobody has one.

    `win` and `fee` are between equals; what they are for one reader is a Prospect.
    """

    id: str
    name: str
    profile: str
    rating: str
    unfinished: str
    what: str
    how: str
    stake: str
    per: str
    win: str
    fee: str
    lose: str
    variant: str
    kind: str
    stake_minor: int
    points: int


@dataclass(frozen=True, slots=True)
class Prospect:
    """What an open table would bring one reader: the win and the fee by both ratings, rating points at stake."""

    win: str
    fee: str
    points: str


@dataclass(frozen=True, slots=True)
class RunningRow:
    """One running table as it is read."""

    id: str
    url: str
    light: str
    dark: str
    what: str
    how: str
    stake: str
    variant: str
    kind: str
    stake_minor: int


@dataclass(frozen=True, slots=True)
class QuoteRow:
    """What one kind of win brings."""

    name: str
    fee: str
    gain: str


@dataclass(frozen=True, slots=True)
class Quote:
    """What a table would bring and cost at most."""

    rows: tuple[QuoteRow, ...]
    most: str
    note: str


@dataclass(frozen=True, slots=True)
class InvitationRow:
    """A table that a friend has opened for the reader."""

    id: str
    name: str
    what: str
    stake: str
    url: str


def as_json(
    row: OfferRow | RunningRow | QuoteRow | Prospect | InvitationRow,
) -> dict[str, str | int]:
    """A row for the wire."""
    return asdict(row)


def refusal_text(refusal: Refused) -> str:
    """The sentence of a refusal."""
    return _(refusal.text) % refusal.params


def amount_text(amount: int, currency: str) -> str:
    """Minor units for a reader: "$1,234.50", "10 chips"."""
    figures = money_text(amount, currency)
    if currency != "PLAY":
        return figures
    return ngettext("%(count)s chip", "%(count)s chips", amount) % {"count": figures}


def gain_text(amount: int, currency: str) -> str:
    """An amount won: "+$9.02"."""
    return f"+{amount_text(amount, currency)}"


def loss_text(amount: int, currency: str) -> str:
    """An amount lost, with a minus before it."""
    return f"{MINUS}{amount_text(amount, currency)}"


def span_text(least: int, most: int | None) -> str:
    """A range of ratings, inside a sentence."""
    if most is None:
        return _("%(least)s and more") % {"least": least}
    return _("%(least)s to %(most)s") % {"least": least, "most": most}


def variant_text(variant: str) -> str:
    """The game's name."""
    names = {
        "backgammon": _("Backgammon"),
        "long-nardy": _("Long nardy"),
        "long-nardy-fnr": _("Long nardy, federation rules"),
    }
    return names[variant]


def clock_text(clock: str) -> str:
    """The clock's name, inside a sentence."""
    names = {
        "blitz": pgettext("clock", "blitz"),
        "normal": pgettext("clock", "normal"),
        "slow": pgettext("clock", "slow"),
    }
    return names[clock]


def kind_text(kind: str, length: int) -> str:
    """A single game, or a series to so many points."""
    return _("series to %(length)s") % {"length": length} if kind == "series" else _("single game")


def how_text(terms: TableTerms) -> str:
    """Everything else about the game, in one line."""
    options = {
        _("Jacoby"): terms.jacoby,
        _("beavers"): terms.beavers,
        _("no Crawford"): terms.kind == "series" and not terms.crawford,
    }
    parts = [kind_text(terms.kind, terms.length), clock_text(terms.clock)]
    return ", ".join([*parts, *(name for name, on in options.items() if on)])


def win_text(win_kind: int, terms: TableTerms) -> str:
    """The name of a win of this kind."""
    if terms.kind == "series":
        return _("the series")
    backgammon = {1: _("single"), 2: _("gammon"), 3: _("backgammon")}
    nardy = {1: _("oin"), 2: _("mars")}
    return (backgammon if terms.variant == "backgammon" else nardy)[win_kind]


def points_text(points: AtStake) -> str:
    """Rating points at stake: what a win and what a loss would change."""
    win, lose = hundredths(points.win), -hundredths(points.lose)
    return f"+{win // 100}.{win % 100:02} / {MINUS}{lose // 100}.{lose % 100:02}"


def unfinished_text(count: int) -> str:
    """How many matches somebody has left for good; nothing for none."""
    if not count:
        return ""
    return ngettext("%(count)s unfinished", "%(count)s unfinished", count) % {"count": count}


def prospect(terms: TableTerms, *, fees: Sequence[FeeRow], points: AtStake | None) -> Prospect:
    """What an open table would bring one reader."""
    return Prospect(
        win=gain_text(fees[0].gain, terms.currency),
        fee=_fee_text(fees[0], terms.currency),
        points=_("rating %(points)s") % {"points": points_text(points)} if points else "",
    )


def offer_row(
    offer_id: UUID,
    *,
    name: str,
    terms: TableTerms,
    fees: Sequence[FeeRow],
    rating: str,
    unfinished: int,
) -> OfferRow:
    """An open table. name: empty where nobody is named. fees: what each kind of win brings, single first."""
    currency = terms.currency
    return OfferRow(
        id=str(offer_id),
        name=name or _("Anonymous"),
        profile=reverse("games:player", args=[name]) if name else "",
        rating=rating if name else "",
        unfinished=unfinished_text(unfinished),
        what=variant_text(terms.variant),
        how=how_text(terms),
        stake=amount_text(terms.stake, currency),
        per=_("a match") if terms.kind == "series" else _("a point"),
        win=gain_text(fees[0].gain, currency),
        fee=_fee_text(fees[0], currency),
        lose=loss_text(terms.limit, currency),
        variant=terms.variant,
        kind=terms.kind,
        stake_minor=terms.stake,
        points=int(rating.rstrip("*")) if name else 0,
    )


def invitation_row(offer: Offer) -> InvitationRow:
    """An invitation; `offer` has its creator."""
    terms = offer.terms
    return InvitationRow(
        id=str(offer.pk),
        name=offer.creator.screen_name,
        what=f"{variant_text(terms.variant)}, {how_text(terms)}",
        stake=amount_text(terms.stake, terms.currency),
        url=reverse("rooms:private", args=[offer.key]),
    )


def running_row(table: TableRow) -> RunningRow:
    """A running table."""
    return RunningRow(
        id=str(table.id),
        url=table.url,
        light=table.light_name,
        dark=table.dark_name,
        what=variant_text(table.variant),
        how=f"{kind_text(table.kind, table.length)}, {clock_text(table.clock)}",
        stake=amount_text(table.stake, table.currency),
        variant=table.variant,
        kind=table.kind,
        stake_minor=table.stake,
    )


def quote(terms: TableTerms, *, fees: Sequence[FeeRow], is_money: bool) -> Quote:
    """What a new table would bring; only a table for money has a fee."""
    rows = tuple(
        QuoteRow(
            name=win_text(row.win_kind, terms),
            fee=amount_text(row.fee, terms.currency) if row.fee else _("none"),
            gain=gain_text(row.gain, terms.currency),
        )
        for row in fees
    )
    note = _("The fee depends on both ratings; you see the exact one before you accept.")
    return Quote(
        rows=rows, most=loss_text(terms.limit, terms.currency), note=note if is_money else ""
    )


def heads_text(heads: Mapping[str, int]) -> str:
    """How many players are in the lobby."""
    players = sum(heads.values())
    return ngettext("%(count)s player here", "%(count)s players here", players) % {"count": players}


def tables_text(tables: int) -> str:
    """How many tables are running."""
    text = ngettext("%(count)s table running", "%(count)s tables running", tables)
    return text % {"count": tables}


def _fee_text(fee: FeeRow, currency: str) -> str:
    if not fee.fee:
        return _("no fee")
    return _("fee %(fee)s") % {"fee": amount_text(fee.fee, currency)}
