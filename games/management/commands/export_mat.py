"""Writes the .mat file of a finished match.

manage.py export_mat <match id> [--out FILE]
"""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any
from uuid import UUID

from django.core.management.base import BaseCommand, CommandError

from accounts.errors import Refused
from games.protocol import sentence
from games.scoresheets import match_file


class Command(BaseCommand):
    """Exports one match."""

    help = "Writes the .mat file of a finished match."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("match_id", type=UUID)
        parser.add_argument("--out", type=Path, help="a file; else it is printed")

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            text = match_file(options["match_id"])
        except Refused as refusal:
            raise CommandError(f"{refusal.code}: {sentence(refusal)}") from refusal
        if options["out"] is None:
            self.stdout.write(text, ending="")
        else:
            options["out"].write_text(text, encoding="utf-8")
