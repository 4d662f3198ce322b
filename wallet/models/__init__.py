"""The wallet's tables: the ledger's two, and what stands around it. Private to the wallet."""

from wallet.models.ledger import (
    ACCOUNT_ONCE,
    BALANCE_IN_RANGE,
    KEY_ONCE,
    MAX_BALANCE,
    NO_OVERDRAFT,
    Account,
    Transfer,
)
from wallet.models.tariffs import TariffEdition

__all__ = [
    "ACCOUNT_ONCE",
    "BALANCE_IN_RANGE",
    "KEY_ONCE",
    "MAX_BALANCE",
    "NO_OVERDRAFT",
    "Account",
    "TariffEdition",
    "Transfer",
]
