"""Stripe Checkout: a page of Stripe's to pay at, signed events, and payouts as refunds of earlier payments.

Money goes back the way it came; what a player has won beyond that is paid by hand. Every request carries an
idempotency key made of our own ids, so that asking twice does once.
"""

import json
from collections.abc import Mapping
from typing import Any, Final
from uuid import UUID

import stripe
from django.conf import settings

from wallet.errors import PaymentsClosed
from wallet.providers.base import (
    BadEvent,
    Disputed,
    Event,
    News,
    NotPaid,
    Order,
    Paid,
    Payout,
    PayoutRefused,
    ProviderAway,
    Refunded,
    Started,
)

TOLERANCE_S: Final = 300
"""An event whose signature is older is taken for a replay; Stripe signs anew at every delivery."""

TIMEOUT_S: Final = 20
ASK_AGAIN: Final = 2
LONGEST_SAID: Final = 200
_AWAY: Final = (stripe.APIConnectionError, stripe.RateLimitError, stripe.APIError)


class Stripe:
    """Needs STRIPE_SECRET_KEY and STRIPE_WEBHOOK_SECRET."""

    name = "stripe"
    is_test_money = False
    pays_back = True
    checkout_origin = "https://checkout.stripe.com"

    def __init__(self, http: stripe.HTTPClient | None = None) -> None:
        self._http = http

    def require_open(self) -> None:
        """Raises PaymentsClosed without its keys."""
        if not settings.STRIPE_SECRET_KEY or not settings.STRIPE_WEBHOOK_SECRET:
            raise PaymentsClosed

    def start(self, order: Order) -> Started:
        """A page of Stripe's for this order; the same one when asked again. Raises ProviderAway."""
        ours = {"deposit": str(order.id)}
        try:
            session = self._client().v1.checkout.sessions.create(
                params={
                    "mode": "payment",
                    "client_reference_id": str(order.id),
                    "customer_email": order.email,
                    "success_url": order.back_paid,
                    "cancel_url": order.back_left,
                    "expires_at": int(order.pay_until.timestamp()),
                    "metadata": ours,
                    "payment_intent_data": {"metadata": ours},
                    "line_items": [
                        {
                            "quantity": 1,
                            "price_data": {
                                "currency": "usd",
                                "unit_amount": order.amount,
                                "product_data": {"name": "Deposit"},
                            },
                        }
                    ],
                },
                options={"idempotency_key": f"deposit:{order.id}"},
            )
        except stripe.StripeError as error:
            raise ProviderAway from error
        return Started(reference=session.id, url=session.url or "")

    def pay_out(self, payout: Payout) -> str:
        """Refunds the parts one by one. Raises ProviderAway, PayoutRefused."""
        refunds: dict[str, str] = {}
        for payment, amount in payout.parts:
            try:
                refunds[payment] = self._refund(payout.id, payment, amount)
            except _AWAY as error:
                raise ProviderAway from error
            except stripe.StripeError as error:
                says = str(error.user_message or error)[:LONGEST_SAID]
                raise PayoutRefused(says, done=tuple(refunds)) from error
        return ",".join(refunds.values())

    def read_event(self, payload: bytes, signature: str) -> Event:
        """Raises BadEvent for a signature that is forged, missing or old, and for what makes no sense."""
        try:
            text = payload.decode("utf-8")
            stripe.WebhookSignature.verify_header(
                text, signature, settings.STRIPE_WEBHOOK_SECRET, TOLERANCE_S
            )
            return _event(json.loads(text))
        except (stripe.SignatureVerificationError, ValueError, LookupError, TypeError) as error:
            raise BadEvent(str(error)) from error

    def _refund(self, withdrawal: UUID, payment: str, amount: int) -> str:
        refund = self._client().v1.refunds.create(
            params={
                "payment_intent": payment,
                "amount": amount,
                "metadata": {"withdrawal": str(withdrawal)},
            },
            options={"idempotency_key": f"withdrawal:{withdrawal}:{payment}"},
        )
        return refund.id

    def _client(self) -> stripe.StripeClient:
        http = self._http or stripe.RequestsClient(timeout=TIMEOUT_S)
        return stripe.StripeClient(
            settings.STRIPE_SECRET_KEY, http_client=http, max_network_retries=ASK_AGAIN
        )


# --- events -----------------------------------------------------------------------------------------


def _event(written: Any) -> Event:
    kind, told = _text(written, "type"), written["data"]["object"]
    if bool(written.get("livemode")) is not settings.REAL_MONEY:
        raise ValueError("an event of the other mode, live or test")
    return Event(id=_text(written, "id"), kind=kind, news=_news(kind, told))


def _news(kind: str, told: Mapping[str, Any]) -> News | None:
    match kind:
        case "checkout.session.completed" | "checkout.session.async_payment_succeeded":
            return _paid(told)
        case "checkout.session.async_payment_failed" | "checkout.session.expired":
            return NotPaid(_deposit(told), _text(told, "id"))
        case "charge.refunded":
            return Refunded(_text(told, "payment_intent"), _whole(told, "amount_refunded"))
        case "charge.dispute.created" | "charge.dispute.closed":
            return _disputed(told)
        case _:
            return None


def _paid(told: Mapping[str, Any]) -> Paid | None:
    """Completed is not paid yet where the bank takes its time; another event follows then."""
    if told["payment_status"] != "paid":
        return None
    return Paid(
        deposit=_deposit(told),
        reference=_text(told, "id"),
        payment=_text(told, "payment_intent"),
        amount=_whole(told, "amount_total"),
        currency=_text(told, "currency").upper(),
    )


def _disputed(told: Mapping[str, Any]) -> Disputed:
    status = _text(told, "status")
    return Disputed(
        payment=_text(told, "payment_intent"),
        dispute=_text(told, "id"),
        amount=_whole(told, "amount"),
        reason=_text(told, "reason"),
        won={"won": True, "lost": False, "warning_closed": True}.get(status),
    )


def _deposit(told: Mapping[str, Any]) -> UUID | None:
    try:
        return UUID(str(told.get("client_reference_id")))
    except ValueError:
        return None


def _text(told: Mapping[str, Any], key: str) -> str:
    found = told[key]
    if not isinstance(found, str) or not found:
        raise ValueError(f"{key} is no text")
    return found


def _whole(told: Mapping[str, Any], key: str) -> int:
    found = told[key]
    if type(found) is not int or found < 0:
        raise ValueError(f"{key} is no amount")
    return found
