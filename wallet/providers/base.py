"""What a payment provider is to the wallet. Amounts in cents of USD; names of things are the provider's own."""

from dataclasses import dataclass
from datetime import datetime
from typing import ClassVar, Protocol, TypeAlias
from uuid import UUID

from accounts.errors import Refused, gettext_noop


class ProviderAway(Refused):
    """The provider did not answer, or not in time; the same may be asked again."""

    code: ClassVar[str] = "provider_away"
    text: ClassVar[str] = gettext_noop(
        "The payment service does not answer. Nothing was moved; please try again."
    )


class PayoutRefused(Exception):
    """The provider will not pay this out; the message is its own. `done`: payments that went back before it said so."""

    def __init__(self, says: str, *, done: tuple[str, ...] = ()) -> None:
        super().__init__(says)
        self.done = done


class BadEvent(Exception):
    """Not an event of this provider: a wrong signature, too old, or no sense in it."""


@dataclass(frozen=True, slots=True)
class Order:
    """A deposit as the provider gets to know it, the same however often; the addresses are to return the player to."""

    id: UUID
    amount: int
    email: str
    pay_until: datetime
    back_paid: str
    back_left: str


@dataclass(frozen=True, slots=True)
class Started:
    """A deposit the provider knows. Where `url` is empty it was paid at once, as `payment`."""

    reference: str
    url: str = ""
    payment: str = ""


Part: TypeAlias = tuple[str, int]
"""An earlier payment, and how many cents of it go back."""


@dataclass(frozen=True, slots=True)
class Payout:
    """A withdrawal to pay; asking twice pays once. `parts` make up the amount where money goes back as it came."""

    id: UUID
    amount: int
    parts: tuple[Part, ...] = ()


# --- events -----------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Paid:
    """A deposit was paid. `deposit` is what we told the provider to call it, None if it says nothing of us."""

    deposit: UUID | None
    reference: str
    payment: str
    amount: int
    currency: str


@dataclass(frozen=True, slots=True)
class NotPaid:
    """A deposit will not be paid: it expired or the payment failed."""

    deposit: UUID | None
    reference: str


@dataclass(frozen=True, slots=True)
class Refunded:
    """Of a payment so much has gone back in all."""

    payment: str
    in_all: int


@dataclass(frozen=True, slots=True)
class Disputed:
    """The payer's bank takes a payment back, or has decided whether it does; `won`: None while open."""

    payment: str
    dispute: str
    amount: int
    reason: str
    won: bool | None = None


News: TypeAlias = Paid | NotPaid | Refunded | Disputed


@dataclass(frozen=True, slots=True)
class Event:
    """One message of a provider; `news` is None where it is about something we do not use."""

    id: str
    kind: str
    news: News | None


class Provider(Protocol):
    """A way to pay in and out."""

    name: str
    is_test_money: bool
    pays_back: bool
    """Whether money goes out only as the return of earlier payments; what is beyond them is paid by hand."""
    checkout_origin: str
    """Where the player is sent to pay; empty if nowhere. The pages' content policy must allow it."""

    def require_open(self) -> None:
        """Raises the refusal that keeps this site from using the provider."""

    def start(self, order: Order) -> Started:
        """Makes the deposit known; asking again for the same order changes nothing. Raises ProviderAway."""

    def pay_out(self, payout: Payout) -> str:
        """Pays, and answers the provider's name for it. Raises ProviderAway (may have been paid), PayoutRefused."""

    def read_event(self, payload: bytes, signature: str) -> Event:
        """Verifies and reads. Raises BadEvent."""
