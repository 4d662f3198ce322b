"""Demo players for a cluster on one's own machine; the embedded way seats them by itself."""

from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError


class Command(BaseCommand):
    help = "Makes the demo players, whose password everybody knows. Never for real money."

    def handle(self, *args: Any, **options: Any) -> None:
        from nardysite.demo import PASSWORD, PLAYERS, seat_demo_players

        if settings.REAL_MONEY or settings.SESSION_COOKIE_SECURE:
            raise CommandError("Their password is known: this is for TLS=0, and no real money.")
        seat_demo_players()
        for player in PLAYERS:
            self.stdout.write(f"{player.email} {PASSWORD}")
