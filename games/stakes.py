"""The one door to money: what a table costs, holding the stakes, paying the winner, giving back.

Nothing else in games knows the wallet. Every move has a key made from the match, so none happens twice.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import lru_cache
from typing import TypeAlias
from uuid import UUID

from django.conf import settings

from games.errors import BadStake, BalanceTooLow
from games.info import MatchInfo
from games.match import events
from games.match.sides import Side
from games.match.state import MatchState
from games.rules.outcome import Win
from games.terms import WITH_CUBE, TableTerms
from wallet import (
    captions,
    chart,
    editions,
    fees,
    ledger,
    reconcile,
    safeguards,
    selectors,
    services,
    tariffs,
)
from wallet.chart import Purpose
from wallet.money import Currency, format_amount, parse_amount
from wallet.promotions import facts

FEE_TABLES_KEPT = 4_096
MS = 1000
Ratings: TypeAlias = tuple[tariffs.Rating, tariffs.Rating]
"""Both as at the start, exact, counted from 1400 up (money.md 4)."""


@dataclass(frozen=True, slots=True)
class Settlement:
    """What the end of a match moves, in minor units. The winner pays both fees."""

    winner: Side
    win: int
    fee_each: int
    gain: int
    loss: int
    currency: str

    @property
    def fee(self) -> int:
        """Both players' fees together, never more than the win."""
        return self.win - self.gain

    def event(self) -> events.MatchSettled:
        """The settlement as the last event of the match."""
        return events.MatchSettled(
            winner=self.winner,
            win=self.win,
            fee=self.fee,
            gain=self.gain,
            loss=self.loss,
            currency=self.currency,
        )


@dataclass(frozen=True, slots=True)
class FeeRow:
    """What one kind of win would bring: `fee` is both players' together, `rate` of each, "" where there is none."""

    win_kind: int
    win: int
    fee: int
    gain: int
    rate: str = ""


# --- figures ----------------------------------------------------------------------------------


def parse_stake(text: str, currency: str) -> int:
    """A stake as a person wrote it, in minor units. Raises the wallet's BadAmount."""
    return parse_amount(text, Currency(currency))


def money_text(amount: int, currency: str) -> str:
    """An amount for people."""
    return format_amount(amount, Currency(currency))


def worth(terms: TableTerms, points: int) -> int:
    """What so many points are worth: never above the limit; a series is worth its stake."""
    if terms.kind == "series":
        return terms.stake
    return min(terms.stake * points, terms.limit)


def current_tariff() -> str:
    """The edition of the site's tariff that matches opened now will keep."""
    return editions.current(settings.TARIFF).edition


def know_tariff(tariff: str) -> None:
    """Reads the edition of a match while the database may be asked; its fees are then worked out without it."""
    editions.load(tariff)


def come_back_ms() -> int:
    """How long a player may be away in all in a match that is opened now, by the site's tariff."""
    return editions.current(settings.TARIFF).come_back_s * MS


def fees_of(
    terms: TableTerms,
    *,
    tariff: str,
    column: str,
    win: int,
    ratings: Ratings,
    adjudicated: bool = False,
) -> tuple[int, int, int]:
    """(fee of each, gain of the winner, loss of the loser) for a final win. Chips pay no fee."""
    quote = _quote(
        terms, tariff=tariff, column=column, win=win, ratings=ratings, adjudicated=adjudicated
    )
    return quote.fee_each, quote.winner_gain, quote.loser_loss


def _quote(
    terms: TableTerms,
    *,
    tariff: str,
    column: str,
    win: int,
    ratings: Ratings,
    adjudicated: bool = False,
) -> tariffs.Quote:
    if not terms.is_money or not win:
        return tariffs.Quote(0, winner_gain=win, loser_loss=win)
    return tariffs.quote(
        editions.load(tariff),
        room=column,
        kind=terms.kind,
        length=terms.length,
        stake=terms.stake,
        win=win,
        ratings=ratings,
        adjudicated=adjudicated,
    )


@lru_cache(maxsize=FEE_TABLES_KEPT)
def fee_table(
    terms: TableTerms, *, tariff: str, column: str, ratings: Ratings, cube: int = 1
) -> tuple[FeeRow, ...]:
    """The fee of each kind of win with the cube at `cube`; one row for a series."""
    kinds = _kinds_of_win(terms)
    rows = []
    for kind in kinds:
        win = worth(terms, int(kind) * cube)
        quote = _quote(terms, tariff=tariff, column=column, win=win, ratings=ratings)
        rate = "" if quote.rate is None else fees.percent(quote.rate)
        gain = quote.winner_gain
        rows.append(FeeRow(win_kind=int(kind), win=win, fee=win - gain, gain=gain, rate=rate))
    return tuple(rows)


def _kinds_of_win(terms: TableTerms) -> list[Win]:
    """What a game of these terms can be won by; without a cube only blitz counts triple (Nardy 7, Table 4)."""
    if terms.kind != "single":
        return [Win.SINGLE]
    is_triple = terms.variant in WITH_CUBE or terms.blitz
    return list(Win) if is_triple else [Win.SINGLE, Win.GAMMON]


def fee_rows(info: MatchInfo, cube: int = 1) -> list[dict[str, int | str]]:
    """The fee table of a match with the cube at `cube`, for the wire."""
    rows = fee_table(
        info.terms, tariff=info.tariff, column=info.column, ratings=_ratings(info), cube=cube
    )
    return [
        {
            "win_kind": row.win_kind,
            "win": row.win,
            "fee": row.fee,
            "gain": row.gain,
            "rate": row.rate,
        }
        for row in rows
    ]


def settlement(info: MatchInfo, *, winner: Side, points: int) -> Settlement:
    """What the end of this match pays."""
    win = worth(info.terms, points)
    fee_each, gain, loss = fees_of(
        info.terms, tariff=info.tariff, column=info.column, win=win, ratings=_ratings(info)
    )
    return Settlement(
        winner=winner,
        win=win,
        fee_each=fee_each,
        gain=gain,
        loss=loss,
        currency=info.terms.currency,
    )


def settlement_by_verdict(
    info: MatchInfo, verdict: events.Adjudicated, *, winner: Side
) -> Settlement:
    """What a verdict pays: its millionths of a stake, half up to a unit, at most what was held.

    The fee is that of the transfer, and never above it (money.md 5).
    """
    gained = abs(int(verdict.applied))
    win = min((2 * info.terms.stake * gained + events.PPM) // (2 * events.PPM), _held(info.terms))
    fee_each, gain, loss = fees_of(
        info.terms,
        tariff=info.tariff,
        column=info.column,
        win=win,
        ratings=_ratings(info),
        adjudicated=True,
    )
    return Settlement(
        winner=winner,
        win=win,
        fee_each=fee_each,
        gain=gain,
        loss=loss,
        currency=info.terms.currency,
    )


def offer_prices(info: MatchInfo, state: MatchState) -> dict[str, int | None]:
    """What taking and dropping an offered cube is worth in money; in a series nothing moves now."""
    if info.terms.kind == "series" or state.offered_value is None:
        return {"take_at": None, "drop_costs": None}
    return {
        "take_at": info.terms.stake * state.offered_value,
        "drop_costs": worth(info.terms, state.offered_value // 2),
    }


def result_money(info: MatchInfo, state: MatchState) -> dict[str, object] | None:
    """The result for the wire, with what was paid."""
    result = state.result
    if result is None:
        return None
    paid = (
        settlement(info, winner=result.winner, points=result.points)
        if state.verdict is None
        else settlement_by_verdict(info, state.verdict, winner=result.winner)
    )
    return {
        "winner": result.winner,
        "reason": result.reason,
        "win": result.win,
        "cube": result.cube,
        "points": result.points,
        "money": {
            "win": paid.win,
            "fee": paid.fee,
            "gain": paid.gain,
            "loss": paid.loss,
            "currency": paid.currency,
        },
    }


def _ratings(info: MatchInfo) -> Ratings:
    return info.people[Side.LIGHT].rating.counted, info.people[Side.DARK].rating.counted


# --- the purse ----------------------------------------------------------------------------------


def purse(user_id: int, currency: str) -> int:
    """What a player can put at stake now; opens the wallet on the first look."""
    services.open_wallet(user_id)
    return selectors.balance_of(user_id, Currency(currency))


HOUSE_CHIPS = 1_000_000
HOUSE_CHIPS_LEAST = 100_000


def stock_chips(user_id: int) -> None:
    """Sees to it that a house bot has chips for many tables."""
    services.stock_chips(user_id, below=HOUSE_CHIPS_LEAST, to=HOUSE_CHIPS)


def require_covers(user_id: int, terms: TableTerms) -> None:
    """Raises BalanceTooLow unless the player covers the most that this table can cost.

    Raises LossLimitReached where the player's own limit stands in the way.
    """
    needed = _held(terms)
    available = purse(user_id, terms.currency)
    if available < needed:
        raise BalanceTooLow(
            needed=money_text(needed, terms.currency),
            available=money_text(available, terms.currency),
        )
    if terms.is_money:
        safeguards.require_may_lose(user_id, needed)


def require_stake(terms: TableTerms, *, least: int | None, most: int | None) -> None:
    """Raises BadStake outside the room's stakes."""
    if least is not None and terms.stake < least:
        raise BadStake(least=money_text(least, terms.currency))
    if most is not None and terms.stake > most:
        raise BadStake(least=money_text(most, terms.currency))


def escrows_of(match_ids: Iterable[UUID]) -> dict[UUID, int]:
    """What each of these matches holds in escrow, in minor units."""
    return selectors.escrows_of(match_ids)


def held_by_both(terms: TableTerms) -> int:
    """What the escrow of a running match holds."""
    return 2 * _held(terms)


def register_captions(describe: captions.Describe) -> None:
    """Tells the wallet what a match is called in a statement."""
    captions.register(describe)


Played = facts.Played


def register_promotions(tell: facts.Tell) -> None:
    """Tells the wallet what promotions have to know of settled matches."""
    facts.register(tell)


def register_laws(*laws: Callable[[], Iterable[str]]) -> None:
    """Adds the laws of matches to those that the ledger's checker proves."""
    for law in laws:
        reconcile.register(law)


# --- moving -------------------------------------------------------------------------------------


def hold(info: MatchInfo) -> None:
    """Both stakes into escrow, both or neither. Raises InsufficientFunds, CannotStake; needs a transaction."""
    if info.terms.is_money:
        users = [person.user_id for person in info.people.values()]
        safeguards.require_may_stake(users, _held(info.terms), escrow=chart.escrow(info.id))
    ledger.move_many(
        [
            ledger.Move(
                key=f"match:{info.id}:stake:{side.value}",
                source=chart.player(person.user_id),
                target=chart.escrow(info.id),
                amount=_held(info.terms),
                purpose=Purpose.STAKE,
                currency=Currency(info.terms.currency),
            )
            for side, person in info.people.items()
        ]
    )


def pay(settled: Iterable[tuple[MatchInfo, Settlement]]) -> None:
    """Empties the escrows: the winner's stake and prize, the house's commission, the loser's rest."""
    moves = [move for info, paid in settled for move in _payments(info, paid)]
    if moves:
        ledger.move_many(moves)


def _payments(info: MatchInfo, paid: Settlement) -> list[ledger.Move]:
    held = _held(info.terms)
    winner = info.people[paid.winner].user_id
    loser = info.people[paid.winner.other].user_id
    parts = [
        ("prize", chart.player(winner), held + paid.gain, Purpose.PRIZE),
        ("commission", chart.commission(), paid.fee, Purpose.COMMISSION),
        ("back", chart.player(loser), held - paid.loss, Purpose.STAKE_BACK),
    ]
    return [
        ledger.Move(
            key=f"match:{info.id}:{name}",
            source=chart.escrow(info.id),
            target=target,
            amount=amount,
            purpose=purpose,
            currency=Currency(info.terms.currency),
        )
        for name, target, amount, purpose in parts
        if amount > 0
    ]


def refund(info: MatchInfo) -> None:
    """Both stakes back: the match was voided."""
    ledger.move_many(
        [
            ledger.Move(
                key=f"match:{info.id}:void:{side.value}",
                source=chart.escrow(info.id),
                target=chart.player(person.user_id),
                amount=_held(info.terms),
                purpose=Purpose.STAKE_BACK,
                currency=Currency(info.terms.currency),
            )
            for side, person in info.people.items()
        ]
    )


def _held(terms: TableTerms) -> int:
    return terms.stake if terms.kind == "series" else terms.limit
