"""Talking at the table."""

from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from tests.journeys.conftest import Arrive
from tests.journeys.table import Table

pytestmark = pytest.mark.journey
Seated = Callable[..., tuple[Table, Table]]

MARKUP = '<script>document.title = "taken"</script><img src=x onerror="alert(1)"> & "quotes"'


def test_what_is_written_is_shown_as_text_until_one_mutes(arrive: Arrive, seated: Seated) -> None:
    anna, boris = arrive("Anna"), arrive("Boris")
    light, dark = seated(anna, boris)
    light.write("Good evening").write(MARKUP)
    dark.open_panel("chat")
    for table in (light, dark):
        expect(table.chat.locator("li")).to_have_count(2)
        expect(table.chat.locator("li").first).to_contain_text(f"{anna.name} Good evening")
        expect(table.chat.locator("li").last).to_contain_text(MARKUP)
        expect(table.chat.locator("script, img")).to_have_count(0)
        assert "taken" not in table.page.title()
    dark.page.reload()
    dark.connected().open_panel("chat")
    expect(dark.chat).to_contain_text(MARKUP)

    dark.press("mute")
    expect(dark.chat.locator("li")).to_have_count(0)
    light.write("Are you there?")
    dark.write("I am")
    expect(light.chat).to_contain_text("I am")
    expect(dark.chat.locator("li")).to_have_count(1)
    expect(dark.chat).to_contain_text("I am")
