"""The protocol's document names everything that goes over the wire."""

from pathlib import Path

import pytest
from django.conf import settings

from games.match.events import KINDS
from games.match.state import Phase
from games.protocol import COMMANDS

DOCUMENT = (Path(settings.BASE_DIR) / "docs" / "protocol.md").read_text(encoding="utf-8")
TYPES = (Path(settings.BASE_DIR) / "static" / "js" / "types.d.ts").read_text(encoding="utf-8")


@pytest.mark.parametrize("name", [*KINDS, *Phase, *sorted(COMMANDS)])
def test_every_event_phase_and_command_is_named_in_the_document(name: str) -> None:
    assert f"`{name}`" in DOCUMENT


@pytest.mark.parametrize("name", [*KINDS, *Phase])
def test_every_event_and_phase_is_known_to_the_browser_modules(name: str) -> None:
    assert f'"{name}"' in TYPES
