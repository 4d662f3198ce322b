"""The live table as a person sees and touches it: with a mouse, a finger, or nothing but keys."""

import re
from collections.abc import Iterator
from typing import Protocol, Self

from playwright.sync_api import Locator, Page, expect

POINTS = 24
MINUS = "\N{MINUS SIGN}"
MOST_TABS = 80
MOST_ARROWS = 24


class Hand(Protocol):
    """A way to press things."""

    def press(self, target: Locator) -> None:
        """Presses a button or a place on the board."""


class Mouse:
    """Left clicks."""

    def press(self, target: Locator) -> None:
        target.click()


class Finger:
    """Taps."""

    def press(self, target: Locator) -> None:
        target.tap()


class Keys:
    """Tab to what is wanted, arrows along the board, Enter. Never a pointer."""

    def press(self, target: Locator) -> None:
        expect(target).to_be_enabled()
        if target.get_attribute("data-slot") or target.get_attribute("data-place"):
            self._walk(target)
        else:
            self._tab(target)
        target.page.keyboard.press("Enter")

    def _tab(self, target: Locator) -> None:
        for _ in range(MOST_TABS):
            if _has_focus(target):
                return
            target.page.keyboard.press("Tab")
        raise AssertionError(f"Tab does not lead to {target}")

    def _walk(self, target: Locator) -> None:
        board = target.page.locator(".board-face")
        self._tab(board.locator("button[tabindex='0']"))
        box = target.bounding_box()
        assert box is not None
        middle = board.bounding_box()
        assert middle is not None
        keyboard = target.page.keyboard
        upper = box["y"] + box["height"] / 2 < middle["y"] + middle["height"] / 2
        keyboard.press("ArrowUp" if upper else "ArrowDown")
        keyboard.press("Home")
        for _ in range(MOST_ARROWS):
            if _has_focus(target):
                return
            keyboard.press("ArrowRight")
        raise AssertionError(f"the arrows do not lead to {target}")


class Table:
    """One tab at a table. `hand` is how it is played."""

    def __init__(self, page: Page, hand: Hand | None = None) -> None:
        self.page = page
        self.hand: Hand = hand or Mouse()
        self.main = page.locator("main.table")
        self.say = page.locator("[data-part=say]")
        self.ready = page.locator("[data-part=ready]")
        self.result = page.locator("[data-part=result]")
        self.offer = page.locator("[data-part=offer]")
        self.chat = page.locator("[data-part=chat]")

    def held_by(self, hand: Hand) -> Self:
        """Plays on with another hand."""
        self.hand = hand
        return self

    # --- what is seen -----------------------------------------------------------------------------

    def connected(self) -> Self:
        """Waits until the table has told everything."""
        expect(self.main).not_to_have_attribute("data-phase", "connecting")
        return self

    @property
    def match_id(self) -> str:
        return self._fact("match")

    @property
    def version(self) -> int:
        return int(self._fact("version"))

    @property
    def side(self) -> str:
        return self._fact("you")

    @property
    def phase(self) -> str:
        return self._fact("phase")

    @property
    def to_act(self) -> str:
        return self._fact("to-act")

    def expect_free(self) -> Self:
        """Waits until nothing is on its way."""
        expect(self.main).to_have_attribute("data-busy", "false")
        return self

    def expect_phase(self, phase: str) -> Self:
        """Waits for a phase of docs/protocol.md."""
        expect(self.main).to_have_attribute("data-phase", phase)
        return self

    def expect_turn(self, side: str, phase: str | None = None) -> Self:
        """Waits until this side must act, and nothing is on its way."""
        expect(self.main).to_have_attribute("data-to-act", side)
        self.expect_free()
        return self.expect_phase(phase) if phase else self

    def expect_pips(self, *, own: int, their: int) -> Self:
        """The pip counts in the two strips."""
        expect(self.fact("own", "pips")).to_have_text(str(own))
        expect(self.fact("their", "pips")).to_have_text(str(their))
        return self

    def fact(self, whose: str, name: str) -> Locator:
        """A fact in a player's strip: name, rating, pips, score, cube."""
        return self.page.locator(f"[data-part=strip-{whose}] [data-fact={name}]")

    def expect_checkers(self, place: int | str, count: int) -> Self:
        """How many checkers of one's own stand on a point, as a screen reader is told."""
        counted = "empty" if count == 0 else rf"{count} checkers?"
        expect(self.place(place)).to_have_attribute("aria-label", re.compile(rf", {counted}\b"))
        return self

    def position(self) -> list[str]:
        """The whole board in words."""
        spots = self.page.locator(".board-face > button")
        labels = spots.evaluate_all("spots => spots.map(spot => spot.ariaLabel)")
        return [
            re.sub(r", (can move|selected|move here.*|hit here.*)$", "", text) for text in labels
        ]

    def place(self, place: int | str) -> Locator:
        """A point by the viewer's own number, `"bar"` or `"off"`."""
        if isinstance(place, int):
            return self.page.locator(f"button[data-slot='{POINTS - place}']")
        return self.page.locator(f"button[data-place='{place}']")

    def button(self, act: str) -> Locator:
        return self.page.locator(f"main [data-act='{act}']:not([hidden])").first

    # --- what is done -----------------------------------------------------------------------------

    def press(self, act: str) -> Self:
        """Presses a button of the table by its `data-act`."""
        self.hand.press(self.button(act))
        return self

    def accept(self) -> Self:
        return self.press("accept")

    def roll(self) -> Self:
        self.press("roll")
        return self.expect_phase("to_move")

    def move(self, steps: str) -> Self:
        """Chooses steps, `"24/13"` or `"13/7(3) 24/18"` or `"bar/20 6/off"`, and does not send them."""
        for source, target in _pressed(steps):
            self.hand.press(self.place(source))
            self.hand.press(self.place(target))
        return self

    def play(self, steps: str) -> Self:
        """A whole turn: the steps, then Done."""
        self.move(steps)
        self.press("done")
        expect(self.main).to_have_attribute("data-busy", "false")
        return self

    def write(self, text: str) -> Self:
        """Says something in the chat."""
        self.open_panel("chat")
        self.page.locator("#line").fill(text)
        self.page.locator("#line").press("Enter")
        return self

    def open_panel(self, name: str) -> Self:
        """Turns to the score, the moves or the chat, where only one is shown."""
        panel = self.page.locator(f"[data-panel={name}]")
        if not panel.is_visible():
            self.hand.press(self.page.locator(f"[data-tab={name}]"))
        return self

    def switch_on(self, *names: str) -> Self:
        """Switches of the settings: auto_roll, auto_forced, auto_bear_off."""
        self.hand.press(self.page.locator("[data-open=settings]:visible").first)
        dialog = self.page.locator("dialog[open]")
        for name in names:
            dialog.locator(f"[data-switch={name}]").check()
        dialog.get_by_role("button", name="Close").click()
        return self

    def _fact(self, name: str) -> str:
        return self.main.get_attribute(f"data-{name}") or ""


def start(light: Table, dark: Table) -> None:
    """Both accept; the dice are locked and the game begins."""
    light.accept()
    dark.accept()
    for table in (light, dark):
        expect(table.ready).to_be_hidden()


def _pressed(steps: str) -> Iterator[tuple[int | str, int | str]]:
    for step in steps.split():
        written, _, times = step.rstrip(")").partition("(")
        source, target = (_place(word) for word in written.rstrip("*").split("/"))
        for _ in range(int(times or 1)):
            yield source, target


def _place(word: str) -> int | str:
    return int(word) if word.isdecimal() else word


def _has_focus(target: Locator) -> bool:
    return bool(target.evaluate("node => node === document.activeElement"))
