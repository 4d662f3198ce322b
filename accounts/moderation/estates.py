"""What the other apps have of a person: matches, money, open tables. They tell this app how to ask and to act.

`accounts` stands below them and imports none of them; each registers itself from its AppConfig.ready.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol
from uuid import UUID

from accounts.models import User


@dataclass(frozen=True, slots=True)
class Running:
    """A match that is not over. `title` is for people; `held` is what both have at stake, in its currency."""

    match_id: UUID
    title: str
    opponent_id: int
    is_money: bool
    started: bool
    held: str


@dataclass(frozen=True, slots=True)
class Loss:
    """What one player has lost to another in all their money matches, in cents, above 0."""

    user_id: int
    amount: int


@dataclass(frozen=True, slots=True)
class Seen:
    """Whom a reporter means, under the name that the reporter sees; `quote` is what they said there."""

    user_id: int
    shown_name: str
    match_id: UUID
    quote: str = ""


@dataclass(frozen=True, slots=True)
class Played:
    """A match in a person's list, for staff. `result` is told from that person's side."""

    match_id: UUID
    at: datetime
    what: str
    opponent_id: int
    opponent: str
    result: str
    error_rate: str
    url: str
    admin_url: str


@dataclass(frozen=True, slots=True)
class Line:
    """Something said in the chat of a table."""

    line_id: int
    at: datetime
    who: str
    text: str
    match_id: UUID


@dataclass(frozen=True, slots=True)
class Incident:
    """A match left, time run out: what speaks of somebody's ways at the table."""

    at: datetime
    what: str
    match_id: UUID


@dataclass(frozen=True, slots=True)
class Flow:
    """Money of one match, or of one correction, between two people; cents, above 0 towards the first one."""

    at: datetime
    amount: int
    match_id: UUID | None
    reason: str


class Matches(Protocol):
    """Kept by games."""

    def recent(self, user_id: int, *, against: Collection[int] = ()) -> Sequence[Played]:
        """Their last matches, the newest first; of these opponents only, if any are named."""

    def lines(self, user_id: int) -> Sequence[Line]:
        """The last lines in the chats of their tables that they or their opponents wrote, the newest first."""

    def incidents(self, user_id: int) -> Sequence[Incident]:
        """The last ones, the newest first."""

    def person_at(self, match_id: UUID, side: str) -> Seen | None:
        """Who sits at this side of a match."""

    def said(self, line_id: int) -> Seen | None:
        """Who said this line of a table's chat, and what."""

    def export(self, user_id: int) -> Mapping[str, object]:
        """What is kept of a person's matches, as JSON has it: for themself."""

    def playing(self, among: Collection[int] | None = None) -> set[int]:
        """Who plays for money now; of these accounts, or of all."""

    def running(self, user_id: int) -> Sequence[Running]:
        """Matches of theirs that are not over, with those that wait for a verdict."""

    def void(self, match_id: UUID, *, by: User, why: str) -> None:
        """Ends a running match without a result. Raises its own refusals."""

    def end(self, user_id: int, how: str, *, reason: str) -> Mapping[UUID, str]:
        """Ends or lets go on what runs: `how` as in Closure.Matches. Answers what became of each."""


class Money(Protocol):
    """Kept by the wallet. Amounts in cents."""

    def balance(self, user_id: int) -> int:
        """What they could spend now."""

    def export(self, user_id: int) -> Mapping[str, object]:
        """Every line of their statements, as JSON has it: for themself."""

    def between(self, user_id: int, other_id: int) -> Sequence[Flow]:
        """The ledger of a pair: what moved between them, the newest first, with every match that is over."""

    def losses_to(self, user_id: int) -> Sequence[Loss]:
        """Who lost money to them, the most first."""

    def refund(
        self, user_id: int, refunds: Sequence[Loss], *, key: str, by: User, why: str
    ) -> None:
        """Pays the victims from the balance, all or none, once for each key."""

    def pay_out(self, user_id: int, *, key: str, by: User, why: str) -> int:
        """Sends the balance to its owner; answers how much. Once for each key."""


class Tables(Protocol):
    """Kept by rooms."""

    def withdraw_all(self, user_id: int) -> int:
        """Takes back their open tables; answers how many."""


@dataclass(slots=True)
class _Estates:
    matches: Matches | None = None
    money: Money | None = None
    tables: Tables | None = None


_estates = _Estates()


def register(
    *, matches: Matches | None = None, money: Money | None = None, tables: Tables | None = None
) -> None:
    """Called once by each app."""
    _estates.matches = matches or _estates.matches
    _estates.money = money or _estates.money
    _estates.tables = tables or _estates.tables


def matches() -> Matches:
    """Those of games."""
    assert _estates.matches is not None, "games has registered"
    return _estates.matches


def money() -> Money:
    """The wallet's."""
    assert _estates.money is not None, "the wallet has registered"
    return _estates.money


def tables() -> Tables:
    """Those of rooms."""
    assert _estates.tables is not None, "rooms has registered"
    return _estates.tables


def playing(among: Collection[int] | None = None) -> set[int]:
    """Who plays for money now."""
    return matches().playing(among)
