"""What a person may be refused, as an exception with a code and a sentence. Knows no framework."""

from typing import ClassVar


def gettext_noop(text: str) -> str:
    """Marks a sentence for translation; the edge that shows it calls gettext."""
    return text


class Refused(Exception):
    """A request that cannot be granted; nothing was changed. `params` fill the sentence."""

    code: ClassVar[str] = "refused"
    text: ClassVar[str] = gettext_noop("This is not possible.")

    def __init__(self, **params: object) -> None:
        super().__init__(self.code)
        self.params = params


class SecondAccount(Refused):
    """The person who signs up has an account, perhaps a closed one."""

    code = "second_account"
    text = gettext_noop(
        "This person has an account here already, and everybody can have one. Sign in to it, or choose a "
        "new password; if you have never had one, write to support."
    )
