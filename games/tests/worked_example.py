"""The match that the fair-dice page works through. Its seeds are the SHA-256 of plain words.

python -m games.tests.worked_example > static/verify/example.json
"""

import sys
from hashlib import sha256
from uuid import UUID

from games.fairness import DiceRecord
from games.tests.dice_records import record_of

DRAWN = 12


def example() -> DiceRecord:
    """Twelve rolls of a match that nobody played; the second one passes a byte over."""
    return record_of(
        server=_word("example server seed"),
        light=_word("example light seed"),
        dark=_word("example dark seed"),
        match_id=UUID(bytes=_word("example match 3")[:16], version=4),
        drawn=DRAWN,
    )


def _word(text: str) -> bytes:
    return sha256(text.encode()).digest()


if __name__ == "__main__":
    sys.stdout.write(example().to_json())
