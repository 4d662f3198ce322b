"""How old somebody is. Pure."""

from datetime import date


def age_on(day: date, born: date) -> int:
    """Whole years; who was born on 29 February is a year older on 1 March of a common year."""
    return day.year - born.year - ((day.month, day.day) < (born.month, born.day))
