"""The two rulesets that have weights, by the names that tables and stored matches use."""

from typing import Final

LONG_NARDY: Final = "long-nardy"
LONG_NARDY_FNR: Final = "long-nardy-fnr"
RULESETS: Final = (LONG_NARDY, LONG_NARDY_FNR)
