"""Free text of people, made safe to show: one line, no control characters, nothing that turns the writing round."""

import unicodedata

_REFUSED = frozenset({"Cc", "Cs", "Co", "Cn"})
_TURNING = frozenset("\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
MOST_MARKS = 2


def one_line(text: str) -> str:
    """The text with single spaces, without control characters and heaps of combining marks."""
    kept: list[str] = []
    marks = 0
    for letter in " ".join(text.split()):
        category = unicodedata.category(letter)
        marks = marks + 1 if category.startswith("M") else 0
        if category in _REFUSED or letter in _TURNING or marks > MOST_MARKS:
            continue
        kept.append(letter)
    return " ".join("".join(kept).split())
