"""The house itself: that documents, commands and templates are what they say they are."""

import re
import subprocess
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import unquote

import pytest
from babel.messages.catalog import Catalog, Message
from babel.messages.pofile import read_po
from django.conf import settings
from django.urls import URLPattern, URLResolver, get_resolver

ROOT = Path(__file__).resolve().parent.parent
TEMPLATES = sorted((ROOT / "templates").rglob("*.html"))
DOCUMENTS = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
TRANSLATIONS = sorted((ROOT / "locale").glob("*/LC_MESSAGES/*.po"))


def _name(path: Path) -> str:
    return str(path.relative_to(ROOT))


# --- documents ----------------------------------------------------------------------------------


@pytest.mark.parametrize("document", DOCUMENTS, ids=_name)
def test_links_between_documents_lead_somewhere(document: Path) -> None:
    links = re.findall(r"\]\(([^)#]+)[^)]*\)", document.read_text())
    local = [link for link in links if "://" not in link and not link.startswith("mailto:")]
    assert [link for link in local if not (document.parent / unquote(link)).exists()] == []


def test_the_map_in_the_readme_names_what_exists() -> None:
    table = (ROOT / "README.md").read_text().split("## Where things are")[1]
    places = [place for place in re.findall(r"`([\w./-]+)`", table) if "/" in place]
    assert len(places) > 15
    assert [place for place in places if not (ROOT / place).exists()] == []


def test_every_command_that_is_promised_is_in_the_makefile() -> None:
    makefile = (ROOT / "Makefile").read_text()
    targets = set(re.findall(r"^([a-z-]+):", makefile, re.MULTILINE))
    promised = {
        command
        for document in DOCUMENTS
        for command in re.findall(r"\bmake ([a-z-]+)\b", _code_in(document.read_text()))
    }
    assert {"run", "test"} <= promised
    assert promised <= targets


def _code_in(text: str) -> str:
    return "\n".join(re.findall(r"```.*?```|`[^`\n]+`", text, re.DOTALL))


def test_every_variable_that_production_reads_is_documented() -> None:
    source = (ROOT / "nardysite/settings/prod.py").read_text()
    read = set(re.findall(r'environment\.\w+\(\s*"([A-Z_]+)"', source))
    documented = set(re.findall(r"`([A-Z_]+)`", (ROOT / "docs/settings.md").read_text()))
    assert len(read) > 10
    assert read <= documented


# --- templates ----------------------------------------------------------------------------------


@pytest.mark.parametrize("template", TEMPLATES, ids=_name)
def test_templates_hold_nothing_that_the_content_policy_blocks(template: Path) -> None:
    """Quality 3: CSP without unsafe-inline. A block of JSON is data, not a script."""
    text = template.read_text()
    scripts = re.findall(r"<script\b[^>]*>", text)
    data = 'type="application/json"'
    assert [tag for tag in scripts if " src=" not in tag and data not in tag] == []
    assert re.findall(r"<style\b", text) == []
    assert re.findall(r"<\w[^>]*\s(?:style|on\w+)\s*=", text) == []
    assert re.findall(r"""(?:href|src|action)\s*=\s*["']?javascript:""", text) == []


@pytest.mark.parametrize("template", TEMPLATES, ids=_name)
def test_templates_load_nothing_from_other_sites(template: Path) -> None:
    tags = re.findall(r"<(?:script|link|img|iframe)\b[^>]*>", template.read_text())
    assert [tag for tag in tags if re.search(r"""(?:src|href)=["'](?:https?:)?//""", tag)] == []


# --- addresses ----------------------------------------------------------------------------------


def _patterns(patterns: list[URLPattern | URLResolver]) -> Iterator[URLPattern]:
    for pattern in patterns:
        if isinstance(pattern, URLResolver):
            yield from _patterns(pattern.url_patterns)
        else:
            yield pattern


def test_every_page_of_ours_has_a_name() -> None:
    ours = ("accounts.", "wallet.", "games.", "rooms.", "nardysite.")
    pages = [p for p in _patterns(get_resolver().url_patterns) if p.lookup_str.startswith(ours)]
    assert len(pages) > 10
    assert [page.lookup_str for page in pages if not page.name] == []


# --- translations -------------------------------------------------------------------------------


def _catalog(path: Path) -> Catalog:
    with path.open("rb") as source:
        return read_po(source, locale=path.parts[-3])


def test_translations_are_complete() -> None:
    """An empty English text stands for itself; no other language has that excuse."""
    foreign = [path for path in TRANSLATIONS if path.parts[-3] != "en"]
    unfinished = [
        (path.parts[-3], message.id)
        for path in foreign
        for message in _catalog(path)
        if message.id and (message.fuzzy or not all(_texts(message.string)))
    ]
    assert unfinished == []


def test_translations_keep_the_places_for_values() -> None:
    """A lost %(name)s would be a broken sentence; a new one would be an error page."""
    wrong = [
        (path.parts[-3], message.id)
        for path in TRANSLATIONS
        for message in _catalog(path)
        if message.id and all(_texts(message.string)) and not _keeps_places(message)
    ]
    assert wrong == []


def _keeps_places(message: Message) -> bool:
    wanted = set().union(*map(_places, _texts(message.id)))
    if isinstance(message.id, str):
        return _places(str(message.string)) == wanted
    return all(_places(text) <= wanted for text in _texts(message.string))  # "one" may drop %(n)s


def _texts(text: str | list[str] | tuple[str, ...]) -> tuple[str, ...]:
    return (text,) if isinstance(text, str) else tuple(text)


def _places(text: str) -> set[str]:
    return set(re.findall(r"%\(\w+\)[sd]|%[sd]", text))


# --- the rest -----------------------------------------------------------------------------------


def test_requirements_are_pinned() -> None:
    """A range needs a reason; redis has one in docs/adr/0009-redis-pubsub.md."""
    lines = [
        line
        for name in ("requirements.txt", "requirements-dev.txt")
        for line in (ROOT / name).read_text().splitlines()
        if line and not line.startswith(("-r ", "#"))
    ]
    assert [line for line in lines if "==" not in line and not line.startswith("redis>=")] == []


def test_scripts_are_executable_and_are_valid_shell() -> None:
    scripts = [*sorted((ROOT / "ops").glob("*.sh")), ROOT / ".ci/run"]
    assert len(scripts) > 5
    for script in scripts:
        is_sourced = not script.read_text().startswith("#!")
        assert is_sourced or script.stat().st_mode & 0o111, script
        assert subprocess.run(["/bin/bash", "-n", script], check=False).returncode == 0


def test_periodic_tasks_exist(celery_names: set[str]) -> None:
    wanted = {entry["task"] for entry in settings.CELERY_BEAT_SCHEDULE.values()}
    assert wanted <= celery_names


@pytest.fixture
def celery_names() -> set[str]:
    from nardysite.celery import app

    app.loader.import_default_modules()
    return set(app.tasks)
