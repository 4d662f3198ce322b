"""The rows of the table of faults: each module has `run`, and its sizes `FULL` and `SHORT`."""

from types import ModuleType

from tests.chaos import bank, deadlines, purse

ROWS: dict[str, ModuleType] = {"bank": bank, "purse": purse, "deadlines": deadlines}
