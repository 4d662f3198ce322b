"""The rules for players: a page to choose a game, one page a game, and the positions drawn on them."""

from dataclasses import dataclass

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_safe

from games.rules.backgammon import BACKGAMMON
from games.rules.board import START, Position, side
from games.rules.long_nardy import LONG_NARDY
from games.rules.long_nardy import START as NARDY_START


@dataclass(frozen=True, slots=True)
class Diagram:
    """A position as it stands after `steps` of light with `dice`; light is `mine`.

    `steps` are (from, to) by light's own points, the bar being 25 and off 0. `cube`: whether a centred one is shown.
    """

    caption: Promise
    position: Position
    dice: tuple[int, int] | None = None
    steps: tuple[tuple[int, int], ...] = ()
    cube: bool = False

    def shown(self, variant: str) -> dict[str, object]:
        """What static/js/position.js draws."""
        return {
            "title": str(self.caption),
            "board": {"light": self.position.mine, "dark": self.position.theirs},
            "dice": self.dice,
            "steps": self.steps,
            "cube": {"value": 1, "owner": None} if self.cube else None,
            "on_roll": "light" if self.dice else None,
            "crawford": False,
            "variant": variant,
            "viewer": "light",
            "names": {"light": str(_("Light")), "dark": str(_("Dark"))},
        }


_FINISHED = side({})
_BLOCKING = {24: 5, 11: 2, 10: 2, 9: 2, 8: 1, 7: 2, 6: 1}

BACKGAMMON_DIAGRAMS = {
    "opening": Diagram(_("The start, seen by light."), START, cube=True),
    "entering": Diagram(
        _(
            "Light had a checker on the bar and rolled 6-2. The 6 leads to a point that dark holds; "
            "the 2 enters. Then the 6 is played elsewhere."
        ),
        Position(side({24: 1, 23: 1, 13: 4, 8: 3, 7: 1, 6: 5}), START.theirs),
        dice=(6, 2),
        steps=((25, 23), (13, 7)),
    ),
    "bearing-off": Diagram(
        _(
            "Light rolled 6-3. Nothing stands on 6, so the 6 takes a checker from 5, the highest. "
            "Nothing stands on 3 either, but there are checkers above it: the 3 is a step inside."
        ),
        Position(side({5: 1, 4: 2, 2: 3, 1: 3}), side({6: 3, 5: 3, 4: 3, 3: 2, 2: 1})),
        dice=(6, 3),
        steps=((5, 0), (4, 1)),
    ),
    "gammon": Diagram(
        _("A gammon (mars). Light is finished; dark has borne off nothing."),
        Position(_FINISHED, side({10: 2, 8: 2, 6: 5, 5: 3, 3: 3})),
    ),
    "koks": Diagram(
        _(
            "A backgammon (koks). Dark has borne off nothing, and a checker is still in light's home."
        ),
        Position(_FINISHED, side({22: 1, 8: 3, 6: 5, 5: 3, 3: 3})),
    ),
}

LONG_NARDY_DIAGRAMS = {
    "opening": Diagram(_("The start, seen by light, whose head is at the top right."), NARDY_START),
    "head": Diagram(
        _(
            "The game's first roll is 6-6. A checker can go one step: after it stands dark's head. "
            "So a second one leaves the head as well, and the other two sixes are lost."
        ),
        Position(side({24: 13, 18: 2}), NARDY_START.theirs),
        dice=(6, 6),
        steps=((24, 18), (24, 18)),
    ),
    "block-illegal": Diagram(
        _(
            "Not allowed: the step from 13 to 8 makes six in a row in front of dark's head, "
            "and no dark checker is home yet."
        ),
        Position(side(_BLOCKING), side({24: 9, 16: 3, 14: 2, 10: 1})),
        dice=(5, 2),
        steps=((13, 8),),
    ),
    "block-legal": Diagram(
        _("Allowed: the same step, but one dark checker has come home, to light's 17."),
        Position(side(_BLOCKING), side({24: 9, 16: 3, 14: 2, 5: 1})),
        dice=(5, 2),
        steps=((13, 8),),
    ),
    "bearing-off": Diagram(
        _(
            "Light rolled 6-3. Nothing stands on 6, so the 6 takes a checker from 5, the farthest. "
            "Nothing stands on 3 either: the 3 is a step inside."
        ),
        Position(side({5: 1, 4: 2, 2: 3, 1: 3}), side({6: 3, 5: 3, 4: 3, 3: 2, 2: 1})),
        dice=(6, 3),
        steps=((5, 0), (4, 1)),
    ),
    "mars": Diagram(
        _("Mars: 2 points. Dark has borne off nothing, and two checkers are not home."),
        Position(_FINISHED, side({9: 1, 8: 1, 6: 5, 5: 3, 3: 3, 2: 2})),
    ),
    "home": Diagram(
        _(
            "Dark has borne off nothing, but all are home: 1 point. "
            "By the federation's rules this is mars, 2 points."
        ),
        Position(_FINISHED, side({6: 5, 5: 4, 3: 4, 2: 2})),
    ),
    "block-federation": Diagram(
        _(
            "Not allowed by the federation's rules either: "
            "with the step from 11 to 5 all fifteen dark checkers are behind six in a row."
        ),
        Position(side({24: 5, 9: 2, 8: 2, 7: 2, 6: 2, 5: 1, 4: 1}), side({24: 13, 22: 2})),
        dice=(6, 1),
        steps=((11, 5),),
    ),
}


@require_safe
def choose(request: HttpRequest) -> HttpResponse:
    """Which game's rules."""
    return render(request, "games/rules_choose.html")


@require_safe
def backgammon(request: HttpRequest) -> HttpResponse:
    """The rules of backgammon."""
    return _page(request, "games/rules_backgammon.html", BACKGAMMON.name, BACKGAMMON_DIAGRAMS)


@require_safe
def long_nardy(request: HttpRequest) -> HttpResponse:
    """The rules of long nardy, the federation's ruleset among them."""
    return _page(request, "games/rules_long_nardy.html", LONG_NARDY.name, LONG_NARDY_DIAGRAMS)


def _page(
    request: HttpRequest, template: str, variant: str, diagrams: dict[str, Diagram]
) -> HttpResponse:
    # A template cannot name a key with a hyphen.
    shown = {
        name.replace("-", "_"): {"id": f"diagram-{name}", **diagram.shown(variant)}
        for name, diagram in diagrams.items()
    }
    return render(request, template, {"diagrams": shown})
