"""Which edition of a tariff is in force: those that came as files, and those administrators have made since.

An edition never changes, so one that was read is remembered; what is in force is asked anew every few seconds.
"""

from datetime import date
from functools import lru_cache
from time import monotonic
from typing import Final

from django.db import IntegrityError, transaction
from django.utils import timezone

from accounts import audit
from accounts.models import User
from wallet import tariff_text
from wallet.errors import EditionInThePast, EditionTaken
from wallet.models import TariffEdition
from wallet.tariffs import Tariff, UnknownTariff

KEPT: Final = 64
FRESH_S: Final = 5.0
"""A process may go by the former edition so long; the match keeps whichever it was opened with."""

_newest: dict[str, tuple[float, date, str]] = {}


def current(name: str) -> Tariff:
    """The edition in force today (UTC). Raises UnknownTariff."""
    today, now = timezone.now().date(), monotonic()
    known = _newest.get(name)
    if known is None or known[0] < now or known[1] != today:
        known = (now + FRESH_S, today, _edition_on(name, today))
        _newest[name] = known
    return load(known[2])


def load(name: str) -> Tariff:
    """A given edition, "play65-ru@2026-01-01"; of a bare name the one in force. Raises UnknownTariff."""
    return _load(name) if "@" in name else current(name)


def publish(*, name: str, since: date, text: str, why: str, by: User) -> Tariff:
    """A new edition from that day on; matches that were opened before keep theirs.

    Raises UnknownTariff, BadTariff, EditionInThePast, EditionTaken (two at the same moment).
    """
    tariff_text.editions_in_file(name)
    if since < timezone.now().date():
        raise EditionInThePast
    tariff_text.read(name, since.isoformat(), 1, text)
    try:
        with transaction.atomic():
            before = _edition_on(name, since)
            row = TariffEdition.objects.create(
                name=name, since=since, number=_number(name, since), text=text, why=why, by=by
            )
            change = audit.Change(before={"edition": before}, after={"edition": _name_of(row)})
            audit.record(by=by, action="tariff", why=why, about=f"tariff:{name}", change=change)
    except IntegrityError as error:
        raise EditionTaken from error
    transaction.on_commit(forget)
    return tariff_text.read(name, since.isoformat(), row.number, text)


def forget() -> None:
    """What is in force is asked anew by this process."""
    _newest.clear()


def _edition_on(name: str, day: date) -> str:
    filed = [one for one in tariff_text.editions_in_file(name) if one.since <= day.isoformat()]
    found = [((one.since, one.number), one.edition) for one in filed]
    made = TariffEdition.objects.filter(name=name, since__lte=day).first()
    if made is not None:
        found.append(((made.since.isoformat(), made.number), _name_of(made)))
    if not found:
        raise UnknownTariff(name)
    return max(found)[1]


@lru_cache(KEPT)
def _load(edition: str) -> Tariff:
    name = edition.partition("@")[0]
    for tariff in tariff_text.editions_in_file(name):
        if tariff.edition == edition:
            return tariff
    for row in TariffEdition.objects.filter(name=name):
        if _name_of(row) == edition:
            return tariff_text.read(name, row.since.isoformat(), row.number, row.text)
    raise UnknownTariff(edition)


def _number(name: str, since: date) -> int:
    """An edition of a file is the first of its day."""
    filed = [one for one in tariff_text.editions_in_file(name) if one.since == since.isoformat()]
    made = TariffEdition.objects.filter(name=name, since=since).first()
    return (made.number if made is not None else len(filed)) + 1


def _name_of(row: TariffEdition) -> str:
    dated = f"{row.name}@{row.since.isoformat()}"
    return dated if row.number == 1 else f"{dated}.{row.number}"
