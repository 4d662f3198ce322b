"""Reads a match file, replays it by the rules and says what score it comes to, or where it goes wrong.

    manage.py import_mat FILE

Ends with 1 and the code of the refusal if the file is not taken.
"""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from games.protocol import sentence
from games.rules.importing import import_match
from games.rules.matfile import LARGEST_FILE, BadMatchFile, Match


class Command(BaseCommand):
    """Imports one match file."""

    help = "Reads a .mat file, replays it by the rules and says its score, or where it goes wrong."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", type=Path)

    def handle(self, *args: Any, **options: Any) -> None:
        match = _read(options["file"])
        length = f"to {match.length}" if match.length else "without a length"
        rolls = sum(ply.roll is not None for game in match.games for ply in game.plies)
        self.stdout.write(
            f"{match.players[0]} - {match.players[1]}, {length}: "
            f"{match.score[0]}-{match.score[1]} in {len(match.games)} games, {rolls} rolls"
        )
        for oddity in match.oddities:
            place = f"game {oddity.game}" + (f", entry {oddity.ply}" if oddity.ply else "")
            self.stdout.write(f"  {oddity.kind} in {place}: {oddity.text}".rstrip(": "))


def _read(path: Path) -> Match:
    try:
        with path.open("rb") as file:
            return import_match(file.read(LARGEST_FILE + 1))
    except OSError as cause:
        raise CommandError(f"{path}: {cause.strerror}") from cause
    except BadMatchFile as refusal:
        raise CommandError(f"{refusal.code}: {sentence(refusal)}") from refusal
