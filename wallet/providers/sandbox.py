"""Test money: paid in and out at once, clearly marked, refused where real money is on."""

from django.conf import settings

from wallet.errors import SandboxClosed
from wallet.providers.base import BadEvent, Event, Order, Payout, Started


class Sandbox:
    """Says yes to everything."""

    name = "sandbox"
    is_test_money = True
    pays_back = False
    checkout_origin = ""

    def require_open(self) -> None:
        """Raises SandboxClosed."""
        if settings.REAL_MONEY:
            raise SandboxClosed

    def start(self, order: Order) -> Started:
        """Paid at once."""
        return Started(reference=f"sandbox-{order.id}", payment=f"sandbox-{order.id}")

    def pay_out(self, payout: Payout) -> str:
        """Paid at once, to nowhere."""
        return f"sandbox-{payout.id}"

    def read_event(self, payload: bytes, signature: str) -> Event:
        """The sandbox sends none."""
        raise BadEvent("the sandbox sends no events")
