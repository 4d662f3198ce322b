"""The arithmetic of fair dice: seeds, seals, rolls, and the check of a finished match. Knows no storage.

The exact bytes are written down in docs/fairness.md; static/verify/verify_dice.py and
static/js/dice/verify.js do the same arithmetic independently, and tests hold the three together.
"""

import hashlib
import hmac
import json
import secrets
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from enum import StrEnum
from functools import partial
from itertools import count, pairwise
from typing import Any, Final, NamedTuple
from uuid import UUID

SEED_BYTES: Final = 32
FACES: Final = 6
GOOD_BYTES: Final = 252
"""The largest multiple of six that fits in a byte: below it, every face has 42 bytes."""
COUNTER_BYTES: Final = 4
LAST_ROLL: Final = 2 ** (8 * COUNTER_BYTES) - 1
FORMAT: Final = "nardy-dice-1"


class Seed(bytes):
    """Thirty-two secret bytes that no log line, traceback or debug page shows."""

    __slots__ = ()

    def __repr__(self) -> str:
        return "<hidden seed>"

    def __str__(self) -> str:
        return repr(self)


class Thrown(NamedTuple):
    """Two dice in the order they fell. In an opening throw the first is light's, the second dark's."""

    first: int
    second: int


def new_seed() -> Seed:
    """Thirty-two bytes from the system's generator."""
    return Seed(secrets.token_bytes(SEED_BYTES))


def commitment(seed: bytes) -> str:
    """The seal that is shown before a seed is: its SHA-256, 64 lowercase hexadecimal digits."""
    return hashlib.sha256(seed).hexdigest()


def roll(server_seed: bytes, light_seed: bytes, dark_seed: bytes, match_id: UUID, n: int) -> Thrown:
    """Roll number `n` (from 1) of a match. The same arguments always give the same dice.

    HMAC-SHA256 under the server's seed of: light's seed (32 bytes), dark's seed (32), the match id
    (16, in the order it is written), `n` (4, highest byte first). Bytes of 252 and above are passed
    over; each other one is a die, byte mod 6 + 1. Should a digest hold fewer than two dice, more are
    taken from the HMAC of the same message with a block number 1, 2, … (4 bytes) after it.
    Raises ValueError for a seed that has not 32 bytes or an `n` outside 1 … 2^32 - 1.
    """
    _require_seeds(server_seed, light_seed, dark_seed)
    message = light_seed + dark_seed + match_id.bytes + _counter(n)
    return dice_of(_digests(server_seed, message))


def dice_of(digests: Iterator[bytes]) -> Thrown:
    """The first two dice that a stream of digests holds; reads no more of it than it must."""
    dice = (byte % FACES + 1 for digest in digests for byte in digest if byte < GOOD_BYTES)
    return Thrown(next(dice), next(dice))


def dice_for(
    match_id: UUID, server_seed: bytes, light_seed: bytes, dark_seed: bytes
) -> Callable[[int], Thrown]:
    """The rolls of one match as a function of their number."""
    _require_seeds(server_seed, light_seed, dark_seed)
    return partial(roll, Seed(server_seed), Seed(light_seed), Seed(dark_seed), match_id)


# --- the record of a match --------------------------------------------------------------------


class BadRecord(ValueError):
    """A text that is no dice record; says what is wrong with it."""


class ThrownBy(StrEnum):
    """Whose roll it was. BOTH: an opening throw, one die each."""

    LIGHT = "light"
    DARK = "dark"
    BOTH = "both"


class RecordedRoll(NamedTuple):
    """A roll as the players saw it. BOTH: light's die, then dark's; otherwise in either order."""

    n: int
    first: int
    second: int
    by: ThrownBy

    @property
    def thrown(self) -> Thrown:
        return Thrown(self.first, self.second)


@dataclass(frozen=True, slots=True, kw_only=True)
class DiceRecord:
    """All that proves the dice of a match. While it runs, the seeds are None.

    `drawn` is how many rolls the match drew, as its state counted them; `rolls` are those its events
    tell of. Commits are 64 lowercase hexadecimal digits, or None before that player accepted.
    """

    match_id: UUID
    server_commit: str
    light_commit: str | None
    dark_commit: str | None
    server_seed: bytes | None = field(default=None, repr=False)
    light_seed: bytes | None = field(default=None, repr=False)
    dark_seed: bytes | None = field(default=None, repr=False)
    drawn: int
    rolls: tuple[RecordedRoll, ...]

    @property
    def is_open(self) -> bool:
        """Whether all three seeds are in it, so that it can be checked."""
        return None not in (self.server_seed, self.light_seed, self.dark_seed)

    def as_dict(self) -> dict[str, Any]:
        """The record in JSON's types, as `to_json` writes it."""
        return {
            "format": FORMAT,
            "match_id": str(self.match_id),
            "server_commit": self.server_commit,
            "light_commit": self.light_commit,
            "dark_commit": self.dark_commit,
            "server_seed": _hex(self.server_seed),
            "light_seed": _hex(self.light_seed),
            "dark_seed": _hex(self.dark_seed),
            "drawn": self.drawn,
            "rolls": [
                {"n": one.n, "by": one.by.value, "dice": [one.first, one.second]}
                for one in self.rolls
            ],
        }

    def to_json(self) -> str:
        """The record as a person downloads it: a line for each field and each roll."""
        fields = self.as_dict()
        rolls = ",\n".join(f"  {json.dumps(one)}" for one in fields.pop("rolls"))
        lines = [f" {json.dumps(name)}: {json.dumps(value)}" for name, value in fields.items()]
        return "{\n" + ",\n".join([*lines, f' "rolls": [\n{rolls}\n ]']) + "\n}\n"

    @classmethod
    def from_json(cls, text: str) -> "DiceRecord":
        """The record that `to_json` wrote. Raises BadRecord for anything else."""
        try:
            return _read_record(cls, json.loads(text))
        except KeyError as cause:
            raise BadRecord(f"not a dice record: it has no {cause}") from cause
        except (AttributeError, TypeError, ValueError, RecursionError) as cause:
            raise BadRecord(f"not a dice record: {cause}") from cause


# --- checking a record ------------------------------------------------------------------------


class Problem(StrEnum):
    """What can be wrong with a record."""

    BAD_SERVER_COMMIT = "bad_server_commit"
    BAD_LIGHT_COMMIT = "bad_light_commit"
    BAD_DARK_COMMIT = "bad_dark_commit"
    SEED_MISSING = "seed_missing"
    WRONG_ROLL = "wrong_roll"
    MISSING_NUMBER = "missing_number"
    GAP = "gap"
    DUPLICATED_NUMBER = "duplicated_number"
    OUT_OF_ORDER = "out_of_order"
    UNEXPECTED_NUMBER = "unexpected_number"


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that is wrong. `n`: the roll; `until`: the last of a gap; `thrown`: the true dice."""

    problem: Problem
    n: int | None = None
    until: int | None = None
    thrown: Thrown | None = None

    def __str__(self) -> str:
        where = "" if self.n is None else f" {self.n}"
        upto = "" if self.until is None else f"-{self.until}"
        truth = "" if self.thrown is None else ": the seeds give {} and {}".format(*self.thrown)
        return f"{self.problem}{where}{upto}{truth}"


def verify(record: DiceRecord) -> list[Finding]:
    """Everything that is wrong with a finished match's record; an empty list proves its dice."""
    return [*_seal_findings(record), *_number_findings(record), *_roll_findings(record)]


def _seal_findings(record: DiceRecord) -> Iterator[Finding]:
    seals = (
        (record.server_seed, record.server_commit, Problem.BAD_SERVER_COMMIT),
        (record.light_seed, record.light_commit, Problem.BAD_LIGHT_COMMIT),
        (record.dark_seed, record.dark_commit, Problem.BAD_DARK_COMMIT),
    )
    if not record.is_open:
        yield Finding(Problem.SEED_MISSING)
    for seed, commit, problem in seals:
        if seed is not None and commitment(seed) != commit:
            yield Finding(problem)


def _number_findings(record: DiceRecord) -> Iterator[Finding]:
    seen: set[int] = set()
    highest = 0
    for n in (one.n for one in record.rolls):
        if n in seen:
            yield Finding(Problem.DUPLICATED_NUMBER, n)
        elif n > record.drawn:
            yield Finding(Problem.UNEXPECTED_NUMBER, n)
        elif n < highest:
            yield Finding(Problem.OUT_OF_ORDER, n)
        seen.add(n)
        highest = max(highest, n)
    known = sorted({0, record.drawn + 1} | {n for n in seen if n <= record.drawn})
    for before, after in pairwise(known):
        first, last = before + 1, after - 1
        if first == last:
            yield Finding(Problem.MISSING_NUMBER, first)
        elif first < last:
            yield Finding(Problem.GAP, first, until=last)


def _roll_findings(record: DiceRecord) -> Iterator[Finding]:
    if record.server_seed is None or record.light_seed is None or record.dark_seed is None:
        return
    dice = dice_for(record.match_id, record.server_seed, record.light_seed, record.dark_seed)
    for one in record.rolls:
        thrown = dice(one.n)
        if not _is_same(one, thrown):
            yield Finding(Problem.WRONG_ROLL, one.n, thrown=thrown)


def _is_same(recorded: RecordedRoll, thrown: Thrown) -> bool:
    if recorded.by is ThrownBy.BOTH:
        return recorded.thrown == thrown
    return sorted(recorded.thrown) == sorted(thrown)


# --- bytes and digits -------------------------------------------------------------------------


def _digests(key: bytes, message: bytes) -> Iterator[bytes]:
    yield hmac.digest(key, message, "sha256")
    for block in count(1):
        yield hmac.digest(key, message + _counter(block), "sha256")


def _counter(n: int) -> bytes:
    if not 1 <= n <= LAST_ROLL:
        raise ValueError(f"rolls are numbered from 1 to {LAST_ROLL}")
    return n.to_bytes(COUNTER_BYTES, "big")


def _require_seeds(*seeds: bytes) -> None:
    if any(len(seed) != SEED_BYTES for seed in seeds):
        raise ValueError(f"a seed has {SEED_BYTES} bytes")


def _hex(seed: bytes | None) -> str | None:
    return None if seed is None else seed.hex()


def _read_record(cls: type[DiceRecord], fields: dict[str, Any]) -> DiceRecord:
    if fields["format"] != FORMAT:
        raise ValueError(f"its format is not {FORMAT}")
    record = cls(
        match_id=_read_match_id(fields["match_id"]),
        server_commit=_read_digits(fields["server_commit"]),
        light_commit=_read_optional(fields["light_commit"]),
        dark_commit=_read_optional(fields["dark_commit"]),
        server_seed=_read_seed(fields["server_seed"]),
        light_seed=_read_seed(fields["light_seed"]),
        dark_seed=_read_seed(fields["dark_seed"]),
        drawn=_read_int(fields["drawn"], least=0, most=LAST_ROLL),
        rolls=tuple(_read_roll(one) for one in fields["rolls"]),
    )
    if fields != record.as_dict():
        raise ValueError("it holds more than a dice record does")
    return record


def _read_roll(fields: dict[str, Any]) -> RecordedRoll:
    n, by, (first, second) = fields["n"], fields["by"], fields["dice"]
    return RecordedRoll(
        n=_read_int(n, least=1, most=LAST_ROLL),
        first=_read_int(first, least=1, most=FACES),
        second=_read_int(second, least=1, most=FACES),
        by=ThrownBy(by),
    )


def _read_match_id(text: str) -> UUID:
    match_id = UUID(text)
    if str(match_id) != text:
        raise ValueError("a match id is written in lowercase with hyphens")
    return match_id


def _read_digits(text: str) -> str:
    if bytes.fromhex(text).hex() != text or len(text) != 2 * SEED_BYTES:
        raise ValueError(f"seeds and seals have {2 * SEED_BYTES} lowercase hexadecimal digits")
    return text


def _read_optional(text: str | None) -> str | None:
    return None if text is None else _read_digits(text)


def _read_seed(text: str | None) -> bytes | None:
    return None if text is None else Seed.fromhex(_read_digits(text))


def _read_int(number: int, *, least: int, most: int) -> int:
    if type(number) is not int or not least <= number <= most:
        raise ValueError(f"a number from {least} to {most} was expected")
    return number
