"""The pages with the rules: what their positions show is checked against the rules themselves."""

import json
import re
from html import unescape

import pytest
from django.test import Client
from django.urls import reverse

from games.rules.backgammon import BACKGAMMON
from games.rules.board import Position
from games.rules.dice import Roll
from games.rules.long_nardy import LONG_NARDY, LONG_NARDY_FNR, LongNardy
from games.rules.outcome import Win
from games.rules.packed import packed
from games.rules.steps import Step
from games.rules.turns import legal_turns
from games.rules_pages import BACKGAMMON_DIAGRAMS, LONG_NARDY_DIAGRAMS, Diagram

PAGES = {
    "rules_backgammon": BACKGAMMON_DIAGRAMS,
    "rules_long_nardy": LONG_NARDY_DIAGRAMS,
}
FEDERATION = "federation"
pytestmark = pytest.mark.django_db


def page(client: Client, name: str) -> str:
    answer = client.get(reverse(f"games:{name}"))
    assert answer.status_code == 200
    assert "style=" not in answer.text
    assert "<style" not in answer.text
    return answer.text


def before(diagram: Diagram) -> Position:
    """The position from which the diagram's steps, none of which hit, led to it."""
    mine = list(diagram.position.mine)
    for src, dst in diagram.steps:
        mine[src] += 1
        mine[dst] -= 1
    return diagram.position._replace(mine=tuple(mine))


def is_step_allowed(diagram: Diagram, rules: LongNardy) -> bool:
    ((src, dst),) = diagram.steps
    start = before(diagram)
    leaps = rules.stepper(start, src - dst)(packed(start))
    return Step(src, dst, src - dst, hit=False) in [step for step, _ in leaps]


# --- the pages --------------------------------------------------------------------------------


def test_the_choice_leads_to_both_games(client: Client) -> None:
    text = page(client, "rules")
    for name in PAGES:
        assert f'href="{reverse(f"games:{name}")}"' in text
    assert f'href="{reverse("games:rules_long_nardy")}#{FEDERATION}"' in text


@pytest.mark.parametrize("name", PAGES)
def test_the_contents_are_the_headings_in_their_order(client: Client, name: str) -> None:
    text = page(client, name)
    headings = re.findall(r'<h2 id="([\w-]+)">', text)
    assert headings == re.findall(r'<li><a href="#([\w-]+)">', text)
    assert headings == re.findall(r'<section class="rules-section" aria-labelledby="([^"]+)"', text)


def test_the_federations_rules_are_clause_8(client: Client) -> None:
    headings = re.findall(r'<h2 id="([\w-]+)">', page(client, "rules_long_nardy"))
    assert headings.index(FEDERATION) + 1 == 8


@pytest.mark.parametrize("name", PAGES)
def test_each_position_is_on_its_page_once(client: Client, name: str) -> None:
    text = page(client, name)
    hosts = re.findall(r'data-position="([^"]+)"', text)
    assert sorted(hosts) == sorted(f"diagram-{key}" for key in PAGES[name])
    for key, diagram in PAGES[name].items():
        told = text.split(f'<script id="diagram-{key}" type="application/json">')[1]
        shown = json.loads(unescape(told.split("</script>")[0]))
        assert shown["board"] == {
            "light": list(diagram.position.mine),
            "dark": list(diagram.position.theirs),
        }


@pytest.mark.parametrize("name", ["rules", *PAGES])
def test_the_footer_leads_to_the_rules(client: Client, name: str) -> None:
    foot = page(client, name).split('<footer class="foot">')[1]
    assert f'href="{reverse("games:rules")}"' in foot


# --- the positions -----------------------------------------------------------------------------


@pytest.mark.parametrize("diagram", BACKGAMMON_DIAGRAMS.values(), ids=list(BACKGAMMON_DIAGRAMS))
def test_backgammon_positions_are_possible(diagram: Diagram) -> None:
    assert BACKGAMMON.checked(diagram.position)
    assert BACKGAMMON.checked(before(diagram))


@pytest.mark.parametrize("diagram", LONG_NARDY_DIAGRAMS.values(), ids=list(LONG_NARDY_DIAGRAMS))
def test_long_nardy_positions_are_possible(diagram: Diagram) -> None:
    assert LONG_NARDY.checked(diagram.position)
    assert LONG_NARDY.checked(before(diagram))


@pytest.mark.parametrize("name", ["entering", "bearing-off"])
def test_the_turns_of_backgammon_are_legal(name: str) -> None:
    diagram = BACKGAMMON_DIAGRAMS[name]
    assert diagram.dice
    assert diagram.position in legal_turns(before(diagram), Roll.of(*diagram.dice)).finals


def test_the_turns_of_long_nardy_are_legal() -> None:
    for name in ("head", "bearing-off"):
        diagram = LONG_NARDY_DIAGRAMS[name]
        assert diagram.dice
        turns = legal_turns(before(diagram), Roll.of(*diagram.dice), LONG_NARDY)
        assert diagram.position in turns.finals


def test_nothing_else_is_possible_with_the_first_6_6() -> None:
    """Long nardy 4."""
    diagram = LONG_NARDY_DIAGRAMS["head"]
    turns = legal_turns(before(diagram), Roll.of(6, 6), LONG_NARDY)
    assert list(turns.finals) == [diagram.position]
    assert turns.dice_used == len(diagram.steps) == 2


def test_the_die_that_enters_nobody_is_shut_out() -> None:
    """Backgammon 3.2."""
    start = before(BACKGAMMON_DIAGRAMS["entering"])
    assert BACKGAMMON.stepper(start, 6)(packed(start)) == []


@pytest.mark.parametrize(
    ("name", "allowed_by"),
    [
        ("block-illegal", [LONG_NARDY_FNR]),
        ("block-legal", [LONG_NARDY, LONG_NARDY_FNR]),
        ("block-federation", []),
    ],
)
def test_blocks_are_what_they_are_said_to_be(name: str, allowed_by: list[LongNardy]) -> None:
    """Long nardy 5 and 8."""
    diagram = LONG_NARDY_DIAGRAMS[name]
    both = (LONG_NARDY, LONG_NARDY_FNR)
    assert [rules for rules in both if is_step_allowed(diagram, rules)] == allowed_by


def test_results_are_what_they_are_said_to_be() -> None:
    """Backgammon 5, Long nardy 7 and 8."""
    gammon, koks = (BACKGAMMON_DIAGRAMS[name].position for name in ("gammon", "koks"))
    mars, home = (LONG_NARDY_DIAGRAMS[name].position for name in ("mars", "home"))
    assert BACKGAMMON.win_kind(gammon) is Win.GAMMON
    assert BACKGAMMON.win_kind(koks) is Win.BACKGAMMON
    assert LONG_NARDY.win_kind(mars) is Win.GAMMON
    assert LONG_NARDY.win_kind(home) is Win.SINGLE
    assert LONG_NARDY_FNR.win_kind(home) is Win.GAMMON
