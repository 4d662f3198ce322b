"""What staff see of money, a file for each part; every deed is a service's."""

from wallet.admin import ledger, tariffs

__all__ = ["ledger", "tariffs"]
