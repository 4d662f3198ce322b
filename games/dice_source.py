"""Where a match gets its dice: from its three seeds, or, in tests only, from a file."""

import json
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path
from uuid import UUID

from django.conf import settings
from django.core.exceptions import ImproperlyConfigured

from games import fairness
from games.fairness import Thrown


def dice_for(
    match_id: UUID, server_seed: bytes, light_seed: bytes, dark_seed: bytes
) -> Callable[[int], Thrown]:
    """The rolls of one match as a function of their number.

    settings.DICE_SOURCE, the path of a file of fixed dice, takes the place of the seeds in tests, while
    there is such a file. Raises ImproperlyConfigured if it is set where real money is played.
    """
    if settings.DICE_SOURCE is not None and settings.REAL_MONEY:
        raise ImproperlyConfigured("DICE_SOURCE fixes the dice; real money needs fair ones.")
    if settings.DICE_SOURCE is None or not Path(settings.DICE_SOURCE).exists():
        return fairness.dice_for(match_id, server_seed, light_seed, dark_seed)
    return source_from_file(settings.DICE_SOURCE)


def source_from_file(path: str | Path) -> Callable[[int], Thrown]:
    """Fixed dice: {"rolls": [[first, second], …]}, then a stream that the file's bytes decide."""
    content = Path(path).read_bytes()
    fixed = [Thrown(first, second) for first, second in json.loads(content)["rolls"]]
    seed = sha256(content).digest()
    rest = fairness.dice_for(UUID(int=0), seed, seed, seed)

    def dice(n: int) -> Thrown:
        return fixed[n - 1] if n <= len(fixed) else rest(n)

    return dice
