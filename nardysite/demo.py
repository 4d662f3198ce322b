"""The players of the embedded way: made once, so that a visitor can sit down and play at once."""

from collections.abc import Sequence
from typing import NamedTuple

from django.contrib.auth import get_user_model
from django.db import transaction

from accounts.services import register_demo_player
from wallet.services import deposit_sandbox, fund_promotions_sandbox, open_wallet

PASSWORD = "nardy-demo"  # noqa: S105  printed on the screen; these accounts hold nothing real
SANDBOX_CENTS = 200_00
PROMOTION_CENTS = 1_000_00


class DemoPlayer(NamedTuple):
    screen_name: str
    country: str

    @property
    def email(self) -> str:
        return f"{self.screen_name.lower()}@example.com"


PLAYERS: Sequence[DemoPlayer] = (
    DemoPlayer("Anna", "FI"),
    DemoPlayer("Boris", "GE"),
    DemoPlayer("Carmen", "ES"),
    DemoPlayer("David", "GB"),
    DemoPlayer("Elena", "KZ"),
    DemoPlayer("Farid", "AZ"),
)


def seat_demo_players() -> None:
    """Each with chips, sandbox money and a verified address. Doing it again changes nothing."""
    for player in PLAYERS:
        with transaction.atomic():
            _seat(player)
    fund_promotions_sandbox(PROMOTION_CENTS, key="demo")


def _seat(player: DemoPlayer) -> None:
    users = get_user_model().objects
    user = users.filter(email=player.email).first() or register_demo_player(
        email=player.email,
        screen_name=player.screen_name,
        password=PASSWORD,
        country=player.country,
    )
    open_wallet(user.pk)
    deposit_sandbox(user.pk, SANDBOX_CENTS, key=f"demo:{user.pk}")
