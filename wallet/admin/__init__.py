"""What staff see of money, a file for each part; every deed is a service's."""

from wallet.admin import books, ledger, payments, promotions, tariffs

__all__ = ["books", "ledger", "payments", "promotions", "tariffs"]
