"""Screen names: what they may be made of, and the key by which two of them look alike. Knows no database."""

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

from confusable_homoglyphs import categories, confusables

from accounts.errors import Refused, gettext_noop

SHORTEST = 3
LONGEST = 20
LONGEST_KEY = 255
# Unicode's table keeps the dot of i apart from the strokes 1, I, l and |; people do not.
ONE_STROKE = str.maketrans({"i": "1", "l": "1", "0": "o", "O": "o"})
# Between letters, one at a time, never first or last.
SEPARATORS = " _-."
# Names that would be taken for the house or its staff.
RESERVED = ("admin", "administrator", "moderator", "support", "staff", "system", "nardy", "house")


class NameLengthWrong(Refused):
    code = "name_length"
    text = gettext_noop("A screen name has %(shortest)s to %(longest)s characters.")


class NameCharacterWrong(Refused):
    code = "name_character"
    text = gettext_noop(
        "A screen name is made of letters and the digits 0 to 9. A space, a dot, a hyphen or an underscore "
        "may stand between them, one at a time."
    )


class NameNeedsLetter(Refused):
    code = "name_needs_letter"
    text = gettext_noop("A screen name needs at least one letter.")


class NameMixesScripts(Refused):
    code = "name_mixes_scripts"
    text = gettext_noop(
        "All letters of a screen name must belong to one alphabet, for example Latin or Cyrillic."
    )


class NameReserved(Refused):
    code = "name_reserved"
    text = gettext_noop("This screen name is kept for the people who run the site.")


class NameTaken(Refused):
    code = "name_taken"
    text = gettext_noop("This screen name is in use, or looks too much like one that is.")


def checked(text: str) -> str:
    """The name as it will be shown: NFKC, no spaces at the ends. Raises one of the refusals above but NameTaken."""
    name = unicodedata.normalize("NFKC", text).strip()
    if not SHORTEST <= len(name) <= LONGEST:
        raise NameLengthWrong(shortest=SHORTEST, longest=LONGEST)
    if not _well_formed(name):
        raise NameCharacterWrong
    scripts = set(_scripts(name))
    if not scripts:
        raise NameNeedsLetter
    if len(scripts) > 1:
        raise NameMixesScripts
    return name


@dataclass(frozen=True, slots=True)
class Looks:
    """A name's skeletons. Two names look alike if they share one of the three."""

    shown: str
    small: str
    large: str


def looks(name: str) -> Looks:
    """How the name looks as it is shown, in small letters and in capitals (`вера` is like `bepa` in capitals only)."""
    return Looks(skeleton(name), skeleton(name.lower()), skeleton(name.upper()))


def skeleton(text: str) -> str:
    """The same for all texts that look alike: UTS 39 section 4, without separators, and with `i` as one more `l`."""
    prototypes = _prototypes()
    plain = unicodedata.normalize("NFD", unicodedata.normalize("NFKC", text))
    key = "".join(prototypes.get(c, c) for c in plain if c not in SEPARATORS)
    return key.translate(ONE_STROKE)[:LONGEST_KEY]


def is_reserved(name: str) -> bool:
    """Whether the name looks like one of the house's own."""
    mine = looks(name)
    return any(
        mine.small == looks(kept).small or mine.large == looks(kept).large for kept in RESERVED
    )


def _well_formed(name: str) -> bool:
    shape = "".join("a" if _is_letter(c) else "9" if c in "0123456789" else c for c in name)
    return re.fullmatch(rf"[a9]+(?:[{re.escape(SEPARATORS)}][a9]+)*", shape) is not None


def _is_letter(character: str) -> bool:
    return unicodedata.category(character)[0] in "LM"


def _scripts(name: str) -> Iterator[str]:
    """The script of each letter; a mark that fits any script counts as a script of its own."""
    return (categories.alias(character) for character in name if _is_letter(character))


@cache
def _prototypes() -> dict[str, str]:
    """For each character, the least of all that it can be confused with; `rn` for `m`."""
    family: dict[str, str] = {}

    def head(member: str) -> str:
        while member in family:
            member = family[member]
        return member

    for one, likes in confusables.confusables_data.items():
        for like in likes:
            first, second = sorted((head(_shown(one)), head(_shown(like["c"]))), key=_rank)
            if first != second:
                family[second] = first
    single = {member: head(member) for member in family if len(member) == 1}
    return {member: "".join(single.get(c, c) for c in found) for member, found in single.items()}


def _shown(text: str) -> str:
    """Without the direction marks that the Unicode table wraps right-to-left characters in."""
    return text.replace("\u200e", "")


def _rank(member: str) -> tuple[int, str]:
    """A pair of characters comes before a single one: only singles are replaced."""
    return -len(member), member
