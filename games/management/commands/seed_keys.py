"""Tells how many stored server seeds need which of settings.SEED_KEYS.

One line a key, by its name; ends with 1 if the key of any seed is missing.
"""

import sys
from collections import Counter
from typing import Any

from django.core.management.base import BaseCommand

from games.models import MatchSeed
from games.sealing import key_name_of, key_names

BATCH = 2000


class Command(BaseCommand):
    """Shows which keys may go and which are missing."""

    help = "Tells how many stored server seeds need which of SEED_KEYS."

    def handle(self, *args: Any, **options: Any) -> None:
        sealed = MatchSeed.objects.values_list("sealed", flat=True).iterator(chunk_size=BATCH)
        needed = Counter(key_name_of(one) for one in sealed)
        first, *older = key_names()
        self.stdout.write(f"{first}  {needed.pop(first, 0)} matches, seals new ones")
        for name in older:
            self.stdout.write(f"{name}  {needed.pop(name, 0)} matches")
        for name, count in needed.items():
            self.stdout.write(f"{name}  {count} matches, MISSING in SEED_KEYS")
        if needed:
            sys.exit(1)
