"""Turns locale/*.po into the .mo files that Django reads, with nothing to install on the machine."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po
from django.conf import settings
from django.core.management.base import BaseCommand


class Command(BaseCommand):
    help = "Compiles the translations that have changed since they were last compiled."
    requires_system_checks = []

    def handle(self, *args: Any, **options: Any) -> None:
        for source in _sources():
            compiled = source.with_suffix(".mo")
            if not compiled.exists() or compiled.stat().st_mtime < source.stat().st_mtime:
                _compile(source, compiled)
                self.stdout.write(f"compiled {source.relative_to(settings.BASE_DIR)}")


def _sources() -> Iterator[Path]:
    for folder in settings.LOCALE_PATHS:
        yield from sorted(Path(folder).glob("*/LC_MESSAGES/*.po"))


def _compile(source: Path, compiled: Path) -> None:
    with source.open("rb") as readable:
        catalog = read_po(readable, locale=source.parts[-3])
    with compiled.open("wb") as writable:
        write_mo(writable, catalog)
