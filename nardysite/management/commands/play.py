"""The embedded way: the whole site in this one process, with players who can sit down at once."""

import socket
from argparse import ArgumentParser
from typing import Any

from daphne.endpoints import build_endpoint_description_strings
from daphne.server import Server
from django.conf import settings
from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError

from nardysite.celery import app as celery_app
from nardysite.embedded_worker import EmbeddedWorker

HOST = "127.0.0.1"
LARGEST_MESSAGE = 1024 * 1024
"""Counts for what is sent, too: far above the largest snapshot."""
LARGEST_FRAME = 64 * 1024
CONNECT_S = 20


class Command(BaseCommand):
    help = "Runs the whole site in one process on SQLite, with demo players. Never for real money."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--port", type=int, default=8000, help="default: 8000")

    def handle(self, *args: Any, port: int, **options: Any) -> None:
        if not settings.EMBEDDED or settings.REAL_MONEY:
            raise CommandError("This is for nardysite.settings.dev only: it refuses real money.")
        _require_free(port)
        self.stdout.write("Preparing the database …")
        call_command("compile_translations", verbosity=0)
        call_command("migrate", verbosity=0, interactive=False)
        self._seat_demo_players()
        self._serve(port)

    def _seat_demo_players(self) -> None:
        from nardysite.demo import seat_demo_players

        seat_demo_players()

    def _serve(self, port: int) -> None:
        from nardysite.asgi import application

        worker = EmbeddedWorker(celery_app)
        server = Server(
            application=application,
            endpoints=build_endpoint_description_strings(host=HOST, port=port),
            websocket_timeout=-1,
            websocket_connect_timeout=CONNECT_S,
            websocket_max_message_size=LARGEST_MESSAGE,
            websocket_max_frame_size=LARGEST_FRAME,
            application_close_timeout=2,
            ready_callable=lambda: self._welcome(port),
            server_name="nardysite",
        )
        worker.start()
        try:
            server.run()
        finally:
            self.stdout.write("\nStopping …")
            worker.stop()

    def _welcome(self, port: int) -> None:
        from nardysite.demo import PASSWORD, PLAYERS

        logins = "\n".join(f"    {player.email}" for player in PLAYERS)
        self.stdout.write(
            f"\n  Open http://{HOST}:{port}/\n\n"
            f"  Sign in as any of these, each with the password  {PASSWORD}\n{logins}\n\n"
            "  For two players at one table use two browsers, or a private window for the second.\n"
            "  Everybody has chips and 200.00 of sandbox dollars. This mode refuses real money:\n"
            "  nothing can be paid in or out. Ctrl-C stops it.\n"
        )
        self.stdout.flush()


def _require_free(port: int) -> None:
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((HOST, port))
        except (OSError, OverflowError) as error:
            raise CommandError(
                f"Port {port} cannot be used ({error}). Choose another one: make run PORT=8001"
            ) from error
