"""Answers questions about the commission: JSON lines in, JSON lines out, amounts in cents.

    {"tariff": "play65-ru", "room": "main", "kind": "single", "length": 1, "stake": 500,
     "win": 1000, "rating_a": 1700, "rating_b": 1700}
    {"fee_each": 49, "winner_gain": 902, "loser_loss": 1000}

`tariff` may name an edition ("play65-ru@2026-01-01"); else it is the one in force. `"adjudicated": true`: the win
is a transfer that an engine found. A line that makes no sense is answered with {"error": "..."} and the next one is read.
"""

import json
import sys
from collections.abc import Mapping
from decimal import Decimal
from typing import Any

from django.core.management.base import BaseCommand
from django.db import DatabaseError

from wallet import editions, tariff_text
from wallet.tariffs import BadQuote, Tariff, UnknownTariff, quote

LONGEST_LINE = 65_536


class Command(BaseCommand):
    """Reads standard input to its end; every answer is written at once."""

    help = "Answer fee questions, one JSON object a line, until the input ends."
    requires_system_checks: list[str] = []

    def handle(self, *args: Any, **options: Any) -> None:
        """Bytes are read, so that a line in no known encoding is one bad line and not the end."""
        for line in sys.stdin.buffer:
            if line.strip():
                self.stdout.write(json.dumps(answer(line)))
                self.stdout.flush()


def answer(line: bytes) -> dict[str, Any]:
    """The fees for one line, or what is wrong with it."""
    try:
        asked = _question(line)
        found = quote(
            _tariff(asked.get("tariff")),
            room=asked.get("room", ""),
            kind=asked.get("kind", ""),
            length=asked.get("length", 1),
            stake=asked.get("stake", 0),
            win=asked.get("win", -1),
            ratings=_ratings(asked),
            adjudicated=asked.get("adjudicated") is True,
        )
    except BadQuote as problem:
        return {"error": str(problem)}
    except UnknownTariff:
        return {"error": "unknown tariff"}
    return {
        "fee_each": found.fee_each,
        "winner_gain": found.winner_gain,
        "loser_loss": found.loser_loss,
    }


def _question(line: bytes) -> Mapping[str, Any]:
    if len(line) > LONGEST_LINE:
        raise BadQuote("the line is too long")
    try:
        asked = json.loads(line, parse_float=Decimal, parse_constant=_no_such_number)
    except (ValueError, RecursionError) as error:
        raise BadQuote("not a JSON object") from error
    if not isinstance(asked, dict):
        raise BadQuote("not a JSON object")
    return asked


def _no_such_number(written: str) -> None:
    raise BadQuote(f"{written} is not a number")


def _tariff(name: object) -> Tariff:
    """Without a database, the newest edition that came with the programme."""
    if not isinstance(name, str):
        raise BadQuote("tariff must be a name")
    try:
        return editions.load(name)
    except DatabaseError:
        filed = tariff_text.editions_in_file(name.partition("@")[0])
        return next((one for one in filed if one.edition == name), filed[-1])


def _ratings(asked: Mapping[str, Any]) -> Any:
    """Both ways of writing them; `quote` judges what they hold."""
    if "ratings" in asked:
        return asked["ratings"]
    return asked.get("rating_a"), asked.get("rating_b")
