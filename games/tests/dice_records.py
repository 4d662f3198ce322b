"""Dice records for tests: honest ones, and the ways to spoil one."""

from dataclasses import replace
from uuid import UUID

from hypothesis import settings
from hypothesis import strategies as st

from games.fairness import DiceRecord, RecordedRoll, Seed, ThrownBy, commitment, dice_for

some = settings(max_examples=100, derandomize=True, deadline=None)
MATCH = UUID("6f1c2f0a-9d3e-4b8a-8a51-0c7d5e2b9f44")


def record_of(
    *, server: bytes, light: bytes, dark: bytes, drawn: int = 40, match_id: UUID = MATCH
) -> DiceRecord:
    """An honest record: an opening throw for light and dark, then the two in turn, higher die first."""
    dice = dice_for(match_id, server, light, dark)
    rolls = []
    for n in range(1, drawn + 1):
        by = ThrownBy.BOTH if n == 1 else (ThrownBy.LIGHT, ThrownBy.DARK)[n % 2]
        first, second = dice(n) if by is ThrownBy.BOTH else sorted(dice(n), reverse=True)
        rolls.append(RecordedRoll(n, first, second, by))
    return DiceRecord(
        match_id=match_id,
        server_commit=commitment(server),
        light_commit=commitment(light),
        dark_commit=commitment(dark),
        server_seed=Seed(server),
        light_seed=light,
        dark_seed=dark,
        drawn=drawn,
        rolls=tuple(rolls),
    )


def honest() -> DiceRecord:
    """The same honest record each time."""
    return record_of(server=bytes(range(32)), light=bytes([5] * 32), dark=bytes([9] * 32))


def running() -> DiceRecord:
    """The honest record as it stands before the match is settled."""
    return replace(honest(), server_seed=None, light_seed=None, dark_seed=None)


seeds = st.binary(min_size=32, max_size=32)
honest_records = st.builds(
    record_of,
    server=seeds,
    light=seeds,
    dark=seeds,
    drawn=st.integers(0, 30),
    match_id=st.uuids(),
)


@st.composite
def spoiled_records(draw: st.DrawFn) -> DiceRecord:
    """An honest record with one thing changed."""
    record = draw(honest_records.filter(lambda one: one.drawn > 0))
    spoil = draw(st.sampled_from([_with_byte, _with_digit, _with_die, _without, _twice, _swapped]))
    return spoil(draw, record)


def _with_byte(draw: st.DrawFn, record: DiceRecord) -> DiceRecord:
    name = draw(st.sampled_from(["server_seed", "light_seed", "dark_seed"]))
    seed = bytearray(getattr(record, name))
    seed[draw(st.integers(0, 31))] ^= draw(st.integers(1, 255))
    return replace(record, **{name: bytes(seed)})


def _with_digit(draw: st.DrawFn, record: DiceRecord) -> DiceRecord:
    name = draw(st.sampled_from(["server_commit", "light_commit", "dark_commit"]))
    commit = getattr(record, name)
    at = draw(st.integers(0, 63))
    other = draw(st.sampled_from("0123456789abcdef".replace(commit[at], "")))
    return replace(record, **{name: commit[:at] + other + commit[at + 1 :]})


def _with_die(draw: st.DrawFn, record: DiceRecord) -> DiceRecord:
    at = draw(st.integers(0, record.drawn - 1))
    roll = record.rolls[at]
    other = draw(st.integers(1, 6).filter(lambda die: die != roll.first))
    return replace(
        record, rolls=(*record.rolls[:at], roll._replace(first=other), *record.rolls[at + 1 :])
    )


def _without(draw: st.DrawFn, record: DiceRecord) -> DiceRecord:
    at = draw(st.integers(0, record.drawn - 1))
    return replace(record, rolls=record.rolls[:at] + record.rolls[at + 1 :])


def _twice(draw: st.DrawFn, record: DiceRecord) -> DiceRecord:
    at = draw(st.integers(0, record.drawn - 1))
    return replace(record, rolls=record.rolls[: at + 1] + record.rolls[at:])


def _swapped(draw: st.DrawFn, record: DiceRecord) -> DiceRecord:
    if record.drawn == 1:
        return _without(draw, record)
    at = draw(st.integers(0, record.drawn - 2))
    one, two = record.rolls[at : at + 2]
    return replace(record, rolls=(*record.rolls[:at], two, one, *record.rolls[at + 2 :]))
