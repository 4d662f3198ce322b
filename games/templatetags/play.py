"""How well somebody plays, for pages about people."""

from decimal import Decimal
from typing import Any

from django import template

from games import analyses

register = template.Library()
THOUSAND = 1_000


@register.simple_tag
def error_rates(user_id: int) -> list[dict[str, Any]]:
    """One for each game of which matches of this player were analysed: `variant`, `matches`, `pr`, `luck`."""
    return [
        {
            "variant": found["variant"],
            "matches": found["matches"],
            "pr": Decimal(found["pr_milli"]) / THOUSAND,
            "luck": Decimal(found["luck_milli"]) / THOUSAND,
        }
        for found in analyses.averages(user_id)
    ]
