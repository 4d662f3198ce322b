"""The journeys' own instruments notice what they are there to notice."""

import pytest
from playwright.sync_api import expect

from tests.journeys.conftest import Arrive
from tests.journeys.test_accessibility import problems

pytestmark = pytest.mark.journey

INLINE_SCRIPT = """() => {
  const script = document.createElement("script");
  script.textContent = "document.title = 'taken'";
  document.body.append(script);
}"""
PICTURE_WITHOUT_WORDS = "document.querySelector('main').append(new Image(10, 10))"
BROKEN_SCRIPT = "setTimeout(() => { throw new Error('broken') })"


def test_complaints_of_the_browser_are_heard(arrive: Arrive) -> None:
    stranger = arrive()
    page = stranger.go("/accounts/login/")
    page.evaluate(INLINE_SCRIPT)
    page.evaluate(BROKEN_SCRIPT)
    page.goto("/no-such-page/")
    expect(page.get_by_role("heading")).to_be_visible()
    heard, stranger.complaints = "\n".join(stranger.complaints), []
    assert "Content Security Policy" in heard
    assert "broken" in heard
    assert "404" in heard
    assert "taken" not in page.title()


def test_axe_finds_a_picture_without_words(arrive: Arrive) -> None:
    page = arrive().go("/accounts/login/")
    page.evaluate(PICTURE_WITHOUT_WORDS)
    assert [problem for problem in problems(page) if "image-alt" in problem]
