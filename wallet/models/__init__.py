"""The wallet's tables: the ledger's two, and what stands around it. Private to the wallet."""

from wallet.models.books import CheckRun, Correction
from wallet.models.ledger import (
    ACCOUNT_ONCE,
    BALANCE_IN_RANGE,
    KEY_ONCE,
    MAX_BALANCE,
    NO_OVERDRAFT,
    Account,
    Transfer,
)
from wallet.models.payments import Deposit, PaymentTask, ProviderEvent, Withdrawal
from wallet.models.promotions import (
    Award,
    Campaign,
    CampaignStep,
    Credit,
    PromotedMatch,
    PromotionCursor,
    Score,
)
from wallet.models.tariffs import TariffEdition

__all__ = [
    "ACCOUNT_ONCE",
    "BALANCE_IN_RANGE",
    "KEY_ONCE",
    "MAX_BALANCE",
    "NO_OVERDRAFT",
    "Account",
    "Award",
    "Campaign",
    "CampaignStep",
    "CheckRun",
    "Correction",
    "Credit",
    "Deposit",
    "PaymentTask",
    "PromotedMatch",
    "PromotionCursor",
    "ProviderEvent",
    "Score",
    "TariffEdition",
    "Transfer",
    "Withdrawal",
]
