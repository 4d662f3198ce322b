"""Names and postal addresses brought to one form, however they were spelled. Pure: knows no database.

The form is for comparing only, never for showing: Latin letters without marks, lower case, the usual
abbreviations of English, Russian and Finnish addresses written out, words in alphabetical order.
"""

import re
import unicodedata
from typing import Final

_WORD: Final = re.compile(r"[^\W_]+")
_NUMBER_THEN_LETTER: Final = re.compile(r"(?<=\d)(?=[^\W\d_])|(?<=[^\W\d_])(?=\d)")
# "д. 5" and "к. 2": a lonely letter is an abbreviation only with its dot and a number behind it.
_HOUSE: Final = re.compile(r"(?<![^\W_])d\.\s*(?=\d)")
_BLOCK: Final = re.compile(r"(?<![^\W_])k\.\s*(?=\d)")
_SAME: Final = {
    "apartment": ("apt", "apartment", "appartment", "flat", "unit", "suite", "ste", "as", "asunto", "кв", "квартира"),
    "street": ("st", "str", "street", "ul", "ulitsa", "ул", "улица"),
    "avenue": ("ave", "av", "avenue", "prospekt", "pr", "prosp", "пр", "просп", "проспект"),
    "road": ("rd", "road"),
    "lane": ("ln", "lane", "per", "pereulok", "пер", "переулок"),
    "drive": ("dr", "drive"),
    "boulevard": ("blvd", "boulevard", "bulvar", "бул", "бульвар"),
    "square": ("sq", "square", "pl", "ploshchad", "пл", "площадь"),
    "place": ("place", "plc"),
    "court": ("ct", "court"),
    "house": ("house", "building", "bldg", "dom", "дом"),
    "block": ("block", "korpus", "korp", "корп", "корпус"),
    "north": ("n", "north"),
    "south": ("s", "south"),
    "east": ("e", "east"),
    "west": ("w", "west"),
}  # fmt: skip
# Words that some write and some leave out: they tell no two addresses apart.
_SILENT: Final = frozenset({"apartment", "house", "street", "no", "nr", "number", "the", "g", "gorod"})  # fmt: skip
_SAME_LETTER: Final = str.maketrans({"ß": "ss", "ø": "o", "æ": "ae", "œ": "oe", "ł": "l", "đ": "d", "ð": "d", "þ": "th"})  # fmt: skip
# As in a passport; what passports of other years write otherwise is made the same by _SAME_SOUND.
_LATIN: Final = str.maketrans(
    dict(zip("абвгдеёжзийклмнопрстуфхцчшщъыьэюя", ["a", "b", "v", "g", "d", "e", "e", "zh", "z", "i", "i", "k", "l", "m", "n", "o", "p", "r", "s", "t", "u", "f", "kh", "ts", "ch", "sh", "shch", "\u200b", "i", "\u200b", "e", "iu", "ia"], strict=True))
)  # fmt: skip
_SAME_SOUND: Final = (("\u200b", ""), ("shch", "sh"), ("sch", "sh"), ("kh", "h"), ("y", "i"), ("j", "i"), ("x", "ks"), ("ii", "i"))  # fmt: skip


def plain(text: str) -> str:
    """Compatibility forms undone, no marks on letters, lower case."""
    folded = unicodedata.normalize("NFKC", text).casefold().translate(_SAME_LETTER)
    apart = unicodedata.normalize("NFKD", folded)
    return "".join(c for c in apart if not unicodedata.combining(c))


def latin(text: str) -> str:
    """The same in Latin letters; "Сергей", "Sergey" and "Sergei" are one."""
    # Before the marks go: й is a letter of its own.
    written = unicodedata.normalize("NFKC", text).casefold().translate(_LATIN)
    sounds, before = plain(written), ""
    while sounds != before:
        before = sounds
        for one, other in _SAME_SOUND:
            sounds = sounds.replace(one, other)
    return sounds


_WHOLE: Final = {
    latin(short): whole for whole, all_of_them in _SAME.items() for short in all_of_them
}


def person_name(text: str) -> str:
    """ "Petrov, Iván", "Ivan PETROV" and "Иван Петров" are the same: the words of a name in alphabetical order."""
    return " ".join(sorted(_WORD.findall(latin(text))))


def street_address(text: str) -> str:
    """ "12 Main St., Apt 4-B", "12, main street #4B" and "apt. 4b 12 MAIN STR" are the same."""
    words: list[str] = []
    spelled = _BLOCK.sub("block ", _HOUSE.sub("house ", latin(text)))
    for word in _WORD.findall(_NUMBER_THEN_LETTER.sub(" ", spelled)):
        whole = _WHOLE.get(word, word)
        if whole not in _SILENT:
            words.append(whole)
    return " ".join(sorted(words))


def postcode(text: str) -> str:
    """Without spaces and hyphens; of a US ZIP+4 the first five digits."""
    code = "".join(_WORD.findall(plain(text)))
    is_zip_plus_four = re.fullmatch(r"\d{9}", code) is not None and "-" in text
    return code[:5] if is_zip_plus_four else code


def address(*, street: str, city: str, code: str, country: str) -> str:
    """One line for a whole address. A city is spelled in many ways: it counts where there is no postcode."""
    where = postcode(code) or person_name(city)
    return "|".join((country.upper(), where, street_address(street)))
