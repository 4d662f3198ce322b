"""Works out every roll of finished matches again and compares it with what was played.

    manage.py verify_dice <match id> …
    manage.py verify_dice --all-finished
    manage.py verify_dice --file record.json

One line a match, one more for each finding; ends with 1 if there is any.
"""

import sys
from argparse import ArgumentParser
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any
from uuid import UUID

from django.core.management.base import BaseCommand, CommandError

from games import selectors
from games.errors import UnknownMatch
from games.fairness import BadRecord, DiceRecord, verify
from games.models import Match


class Command(BaseCommand):
    """Proves the dice of matches, or says what does not fit."""

    help = "Works out every roll of finished matches again and compares it with what was played."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("match_ids", nargs="*", type=UUID, metavar="match id")
        parser.add_argument("--all-finished", action="store_true", help="every finished match")
        parser.add_argument("--file", type=Path, help="a downloaded record")

    def handle(self, *args: Any, **options: Any) -> None:
        checked = doubted = 0
        for record in _records(options):
            checked += 1
            doubted += self._report(record)
        if checked != 1:
            self.stdout.write(f"{checked} matches checked, {doubted} with findings")
        if doubted:
            sys.exit(1)

    def _report(self, record: DiceRecord) -> bool:
        findings = verify(record)
        if not findings:
            self.stdout.write(f"{record.match_id}  ok  {record.drawn} rolls match")
            return False
        self.stdout.write(
            f"{record.match_id}  BAD  {len(findings)} findings in {record.drawn} rolls"
        )
        for finding in findings:
            self.stdout.write(f"  {finding}")
        return True


def _records(options: dict[str, Any]) -> Iterator[DiceRecord]:
    asked = [bool(options["match_ids"]), options["all_finished"], options["file"] is not None]
    if asked.count(True) != 1:
        raise CommandError("Give match ids, or --all-finished, or --file.")
    if options["file"] is not None:
        yield _from_file(options["file"])
    else:
        yield from _from_database(options["match_ids"] or selectors.finished_matches())


def _from_file(path: Path) -> DiceRecord:
    try:
        return DiceRecord.from_json(path.read_text())
    except (OSError, UnicodeDecodeError, BadRecord) as cause:
        raise CommandError(f"{path}: {cause}") from cause


def _from_database(match_ids: Iterable[UUID]) -> Iterator[DiceRecord]:
    for match_id in match_ids:
        try:
            yield selectors.dice_record(match_id)
        except Match.DoesNotExist as cause:
            raise CommandError(f"{match_id}: {UnknownMatch.text}") from cause
