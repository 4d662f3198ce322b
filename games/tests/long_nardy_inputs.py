"""The inputs of the network of long nardy as features.py describes them, in plain words, one position at a time."""

from games.tests.long_nardy_cases import Counts


def inputs_of(to_roll: Counts, other: Counts) -> list[float]:
    """All 236."""
    (x_tactics, x_rear), (y_tactics, y_rear) = _tactics(to_roll, other), _tactics(other, to_roll)
    x, y = _scalars(to_roll), _scalars(other)
    return [
        *_raw(to_roll),
        *_raw(other),
        *x,
        *y,
        (y[0] - x[0]) * 2,
        *x_tactics,
        *y_tactics,
        float(x_rear >= 12 and y_rear >= 12),
    ]


def _raw(own: Counts) -> list[float]:
    planes = [(n >= 1, n >= 2, max(0, n - 2) / 4) for n in own[:24]]
    return [float(value) for plane in planes for value in plane] + [own[24] / 15]


def _scalars(own: Counts) -> list[float]:
    home, off = sum(own[18:24]), own[24]
    return [
        sum(own[p] * (24 - p) for p in range(24)) / 100,
        float(own[0] > 0),
        own[0] / 15,
        home / 15,
        float(off > 0),
        float(home + off > 0),
        float(home + off == 15),
        sum(own[p] * (18 - p) for p in range(18)) / 60,
        sum(own[:6]) / 15,
        sum(own[6:12]) / 15,
        sum(own[12:18]) / 15,
        float(own[0] > 3),
    ]


def _tactics(own: Counts, opp: Counts) -> tuple[list[float], int]:
    there = [own[(q + 12) % 24] > 0 for q in range(24)]
    here = [opp[(p + 12) % 24] > 0 for p in range(24)]
    rear, their_rear = _rear(own), _rear(opp)
    length, start = _longest_run(there, their_rear)
    found = [float(length >= n) for n in range(3, 7)]
    found.append(sum(opp[:start]) / 15 if length >= 3 else 0)
    found.append(max([sum(there[q : q + 6]) for q in range(their_rear + 1, 19)], default=0) / 6)
    found.append(sum(opp[q] * sum(there[q + 1 : q + 7]) for q in range(24)) / 30)
    found += [float(own[0] > 0 and here[die]) for die in range(1, 7)]
    steps = [_steps(own, here, die) for die in range(1, 7)]
    found += [n / 5 for n in steps] + [float(n == 0) for n in steps]
    found += [rear / 24, sum(here[rear + 1 : rear + 7]) / 6]
    held = [count > 0 for count in own[:24]]
    found += [sum(held) / 10, sum(held[:6]) / 6, sum(held[6:12]) / 6, sum(held[12:18]) / 6]
    return [*found, max(own[:24]) / 8], rear


def _rear(own: Counts) -> int:
    return next((p for p in range(24) if own[p]), 24)


def _longest_run(there: list[bool], their_rear: int) -> tuple[int, int]:
    """Its length, up to six, and where the last one so long begins."""
    longest, at = 0, 0
    for start in range(their_rear + 1, 24):
        length = 0
        while length < 6 and start + length < 24 and there[start + length]:
            length += 1
        if length and length >= longest:
            longest, at = length, start
    return longest, at


def _steps(own: Counts, here: list[bool], die: int) -> int:
    inside = sum(1 for p in range(24 - die) if own[p] and not here[p + die])
    is_home = not any(own[:18]) and any(own[18:24])
    bears_off = is_home and (own[24 - die] > 0 or not any(own[: 24 - die]))
    return inside + bears_off
