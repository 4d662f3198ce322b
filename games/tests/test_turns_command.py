"""`manage.py turns` and `manage.py perft`, as they are called."""

import json
import os
import subprocess
import sys
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command

from games.management.commands.turns import LONGEST_LINE, answer
from games.tests import rules_cases

PROJECT = Path(__file__).parents[2]
GOOD = {"variant": "backgammon", "position": "4HPwATDgc/ABMA", "dice": [3, 1]}


def asked(**changed: object) -> dict[str, Any]:
    return answer(json.dumps(GOOD | changed).encode())


@pytest.mark.parametrize("case", rules_cases.rule_cases(), ids=lambda case: case["id"])
def test_a_case_is_answered(case: dict[str, Any]) -> None:
    assert asked(position=case["gnu_position_id"], dice=case["dice"]) == {
        "dice_used": case["dice_used"],
        "finals": case["final_gnu_ids_opponent_on_roll"],
    }


@pytest.mark.parametrize("position", ["4HPwATAAAAAAAA", "AAAAwOfgA2AAAA"])
def test_a_finished_game_has_no_turns(position: str) -> None:
    """Either side has borne off everything: nothing to play, and no mistake either (R05)."""
    assert asked(position=position) == {"dice_used": 0, "finals": []}


@pytest.mark.parametrize(
    "changed",
    [
        {"variant": "chess"},
        {"variant": None},
        {"variant": ["backgammon"]},
        {"position": ""},
        {"position": 4},
        {"position": "4HPwATDgc/ABM"},
        {"position": "4HPwATDgc/ABMA=="},
        {"position": "4HPwATDgc/ABMB"},
        {"position": "4HPwATDgc/AB!A"},
        {"position": "4HPwATDgc/ABMé"},
        {"position": "//////////////"},
        {"position": "/////w8AAAAAAA"},
        {"position": "AAAAAAAAAAAAAA"},
        {"dice": None},
        {"dice": 31},
        {"dice": "31"},
        {"dice": [3]},
        {"dice": [3, 1, 1]},
        {"dice": [3, True]},
        {"dice": [3, 1.0]},
        {"dice": ["3", 1]},
        {"dice": [0, 1]},
        {"dice": [7, 1]},
        {"dice": [-3, 1]},
        {"dice": [10**400, 1]},
        {"dice": {"3": 1}},
    ],
    ids=str,
)
def test_what_cannot_be_asked_is_an_error(changed: dict[str, object]) -> None:
    assert list(asked(**changed)) == ["error"]


@pytest.mark.parametrize(
    "line",
    [
        b"",
        b"   ",
        b"{",
        b"null",
        b"[]",
        b'"turns"',
        b"3",
        b"NaN",
        b"\xff\xfe{}",
        b"\x00" * 20,
        b"[" * 4000,
        b'{"a":' * 700,
        b'{"dice": ' + b"9" * 4000,
        b" " * LONGEST_LINE + b"{}",
    ],
    ids=range(14),
)
def test_a_line_that_is_no_question_is_an_error(line: bytes) -> None:
    assert list(answer(line)) == ["error"]


def test_the_run_goes_on_after_errors_and_each_line_has_its_answer() -> None:
    good = json.dumps(GOOD).encode()
    questions = [good, b"", b"{nonsense", b"x" * 3_000_000, b"\xff\xfe", good + b"\r", good]
    run = subprocess.Popen(
        [sys.executable, "manage.py", "turns"],
        cwd=PROJECT,
        env=os.environ | {"DJANGO_SETTINGS_MODULE": "nardysite.settings.test"},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    )
    with run:
        assert run.stdin is not None
        assert run.stdout is not None
        answers = []
        for question in questions:  # each answer comes before the next question is asked
            run.stdin.write(question + b"\n")
            run.stdin.flush()
            answers.append(json.loads(run.stdout.readline()))
        run.stdin.write(good)  # the last line may lack its end
        run.stdin.close()
        answers.append(json.loads(run.stdout.readline()))
        assert run.stdout.read() == b""
    assert run.returncode == 0
    assert [set(found) for found in answers] == [
        {"error"} if at in {1, 2, 3, 4} else {"dice_used", "finals"} for at in range(8)
    ]
    assert len(answers[-1]["finals"]) == 16


def test_perft_prints_the_published_count() -> None:
    out = StringIO()
    call_command("perft", depth=1, stdout=out)
    assert out.getvalue().startswith("depth 1: 447 in ")
    assert out.getvalue().endswith(" s as published\n")
