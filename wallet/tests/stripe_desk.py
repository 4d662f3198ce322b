"""Stripe as the tests know it: recorded events, signed with a test secret, and answers to our requests."""

import hashlib
import hmac
import json
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs

import stripe
from django.test import Client

SECRET = "whsec_only_for_tests"
KEY = "sk_test_only_for_tests"
PAYLOADS = Path(__file__).with_name("payloads")
AT = "/wallet/events/stripe/"


def recorded(name: str, *, event_id: str = "", **changes: Any) -> dict[str, Any]:
    """A recorded event; `changes` are to the object it is about, `deposit` to what it calls our deposit."""
    event: dict[str, Any] = json.loads((PAYLOADS / f"{name}.json").read_text())
    deposit = changes.pop("deposit", None)
    told = event["data"]["object"]
    if deposit is not None:
        told |= {"client_reference_id": str(deposit), "metadata": {"deposit": str(deposit)}}
    told |= changes
    event["id"] = event_id or event["id"]
    return event


def signature(body: str, *, secret: str = SECRET, age_s: int = 0) -> str:
    """As Stripe signs: the time and the body, under the secret of the endpoint."""
    at = int(time.time()) - age_s
    mac = hmac.new(secret.encode(), f"{at}.{body}".encode(), hashlib.sha256).hexdigest()
    return f"t={at},v1={mac}"


def deliver(event: Mapping[str, Any], **how: Any) -> int:
    """Posts an event as Stripe does; answers the status."""
    body = json.dumps(event)
    return post(body, signature(body, **how))


def post(body: str | bytes, signed: str) -> int:
    """Posts anything with any signature."""
    client = Client(enforce_csrf_checks=True)
    answer = client.post(
        AT, body, content_type="application/json", headers={"Stripe-Signature": signed}
    )
    return answer.status_code


class Line(stripe.HTTPClient):
    """Stripe's end of the line: remembers what it was asked, answers an idempotency key always alike."""

    name = "tests"

    def __init__(self) -> None:
        super().__init__()
        self.asked: list[tuple[str, dict[str, str]]] = []
        self.answers: dict[str, tuple[str, int]] = {}
        self.refuses: dict[str, tuple[str, int]] = {}
        self.meant: dict[str, dict[str, str]] = {}
        self.dead = False

    def request(
        self, method: str, url: str, headers: Any, post_data: Any = None, *, _usage: Any = None
    ) -> Any:
        """One request and its answer."""
        if self.dead:
            raise stripe.APIConnectionError("nobody answers", should_retry=False)
        words = {name: found[0] for name, found in parse_qs(post_data or "").items()}
        path, key = url.removeprefix("https://api.stripe.com"), headers["Idempotency-Key"]
        self.asked.append((path, words))
        if self.meant.setdefault(key, words) != words:  # Stripe refuses a key with other words
            return (*REUSED, {})
        for word, refusal in self.refuses.items():
            if word in words.values():
                return (*refusal, {})
        if key not in self.answers:
            self.answers[key] = json.dumps(self._made(path, words, len(self.answers) + 1)), 200
        return (*self.answers[key], {})

    def close(self) -> None:
        """Nothing to close."""

    def _made(self, path: str, words: dict[str, str], number: int) -> dict[str, Any]:
        if path == "/v1/checkout/sessions":
            name = f"cs_test_{number}"
            page = f"https://checkout.stripe.com/c/pay/{name}"
            return {"id": name, "object": "checkout.session", "url": page}
        assert path == "/v1/refunds", path
        return {"id": f"re_{number}", "object": "refund", "status": "succeeded"}


DECLINED = (
    json.dumps(
        {"error": {"type": "invalid_request_error", "message": "Charge has been disputed."}}
    ),
    400,
)
REUSED = (json.dumps({"error": {"type": "idempotency_error", "message": "Keys differ."}}), 400)
