"""The server, the browser's check and the stand-alone script say the same of the same record."""

import json
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any
from uuid import UUID

import pytest
from django.conf import settings
from hypothesis import HealthCheck, Phase, given
from hypothesis import settings as examples
from hypothesis import strategies as st

from games.fairness import BadRecord, DiceRecord, Finding, Problem, dice_of, verify
from games.tests.dice_records import honest, honest_records, record_of, running, spoiled_records

SCRIPT = Path(settings.BASE_DIR) / "static" / "verify" / "verify_dice.py"
BROWSER = Path(__file__).parent / "verify_records.mjs"
A_PROCESS_EACH = examples(
    max_examples=12,
    derandomize=True,
    deadline=None,
    phases=[Phase.explicit, Phase.generate],
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
NUMBERS = {
    Problem.MISSING_NUMBER,
    Problem.GAP,
    Problem.DUPLICATED_NUMBER,
    Problem.OUT_OF_ORDER,
    Problem.UNEXPECTED_NUMBER,
}


# --- the browser ------------------------------------------------------------------------------


def in_browser(texts: list[str], digests: list[bytes] | None = None) -> dict[str, Any]:
    given_to_node = {"records": texts, "digests": [list(one) for one in digests or [b"\0\0"]]}
    run = subprocess.run(
        ["node", str(BROWSER)],  # noqa: S607
        input=json.dumps(given_to_node),
        capture_output=True,
        text=True,
        check=True,
    )
    answer: dict[str, Any] = json.loads(run.stdout)
    return answer


def as_browser_tells(finding: Finding) -> dict[str, Any]:
    told = {
        "problem": finding.problem.value,
        "n": finding.n,
        "until": finding.until,
        "thrown": finding.thrown and list(finding.thrown),
    }
    return {name: value for name, value in told.items() if value is not None}


@A_PROCESS_EACH
@given(st.lists(honest_records | spoiled_records(), min_size=1, max_size=8))
def test_the_browser_finds_what_the_server_finds(records: list[DiceRecord]) -> None:
    found = in_browser([record.to_json() for record in records])["found"]
    assert found == [[as_browser_tells(one) for one in verify(record)] for record in records]


def test_the_browser_finds_every_kind_of_problem() -> None:
    record = honest()
    rolls = record.rolls
    records = [
        running(),
        replace(record, drawn=50),
        replace(record, rolls=(rolls[1], rolls[0], *rolls[2:], rolls[5])),
        replace(record, drawn=20, rolls=(*rolls[:3], *rolls[4:7], *rolls[12:25])),
        replace(record, server_commit="0" * 64, light_commit=None, dark_seed=bytes(32)),
    ]
    expected = [[as_browser_tells(one) for one in verify(record)] for record in records]
    assert {one["problem"] for found in expected for one in found} == set(Problem)
    assert in_browser([record.to_json() for record in records])["found"] == expected


def test_the_browser_takes_the_next_digest_as_the_server_does() -> None:
    digests = [bytes([252, 255, 4]), bytes([255] * 32), bytes([253, 17, 9])]
    assert in_browser([], digests)["dice"] == list(dice_of(iter(digests)))


def test_the_browser_refuses_what_the_server_refuses() -> None:
    fields = honest().as_dict()
    spoils: list[object] = [
        fields | {"format": "nardy-dice-2"},
        fields | {"match_id": fields["match_id"].upper()},
        fields | {"server_commit": None},
        fields | {"light_seed": fields["light_seed"][2:]},
        fields | {"dark_seed": fields["dark_seed"].replace("0", "A")},
        fields | {"drawn": -1},
        fields | {"drawn": True},
        fields | {"rolls": None},
        fields | {"rolls": [{"n": 0, "by": "light", "dice": [1, 2]}]},
        fields | {"rolls": [{"n": 1, "by": "nobody", "dice": [1, 2]}]},
        fields | {"rolls": [{"n": 1, "by": "light", "dice": [1, 7]}]},
        fields | {"rolls": [{"n": 1, "by": "light", "dice": [1, 2], "more": 1}]},
        fields | {"more": 1},
        {},
        [],
        None,
    ]
    texts = ["", "{", *(json.dumps(spoil) for spoil in spoils)]
    for text in texts:
        with pytest.raises(BadRecord):
            DiceRecord.from_json(text)
    assert in_browser(texts)["found"] == ["bad record"] * len(texts)


# --- the stand-alone script -------------------------------------------------------------------


def by_script(record: DiceRecord, folder: Path) -> subprocess.CompletedProcess[str]:
    """Run as a stranger would: no site packages, no environment, only the two files."""
    path = folder / "record.json"
    path.write_text(record.to_json())
    return subprocess.run(
        [sys.executable, "-S", "-I", str(SCRIPT), str(path)],
        capture_output=True,
        text=True,
        check=False,
        cwd=folder,
    )


def as_script_tells(findings: list[Finding]) -> set[str]:
    return {
        "numbers"
        if one.problem in NUMBERS
        else f"{one.problem}"
        if one.n is None
        else f"{one.problem} {one.n}"
        for one in findings
    }


@A_PROCESS_EACH
@given(record=honest_records | spoiled_records())
def test_the_script_finds_what_the_server_finds(record: DiceRecord, tmp_path: Path) -> None:
    run = by_script(record, tmp_path)
    findings = verify(record)
    assert run.stderr == ""
    assert run.returncode == (1 if findings else 0)
    if findings:
        assert {line.split(":")[0] for line in run.stdout.splitlines()} == as_script_tells(findings)
    else:
        assert run.stdout == f"All {record.drawn} rolls match.\n"


def test_the_script_says_that_a_running_match_cannot_be_checked(tmp_path: Path) -> None:
    run = by_script(running(), tmp_path)
    assert run.returncode == 1
    assert run.stderr == "The match is not over: its seeds are still closed.\n"


def test_the_script_counts_on_nothing_but_the_standard_library() -> None:
    """Live table 3: a forty-line script that a player can read."""
    source = SCRIPT.read_text()
    imports = {
        line.split()[1] for line in source.splitlines() if line.startswith(("import", "from"))
    }
    assert imports == {"hashlib", "hmac", "json", "sys"}
    assert len([line for line in source.splitlines() if line.strip()]) <= 40


def test_a_long_match_is_proven_by_all_three(tmp_path: Path) -> None:
    record = record_of(
        server=b"s" * 32, light=b"l" * 32, dark=b"d" * 32, drawn=600, match_id=UUID(int=2**128 - 1)
    )
    assert verify(record) == []
    assert in_browser([record.to_json()])["found"] == [[]]
    assert by_script(record, tmp_path).stdout == "All 600 rolls match.\n"


def test_the_order_of_the_dice_matters_in_an_opening_throw_only(tmp_path: Path) -> None:
    """Rules 2: the higher die starts, so it matters whose it is."""
    record = honest()
    turned = tuple(one._replace(first=one.second, second=one.first) for one in record.rolls)
    opening = replace(record, rolls=(turned[0], *record.rolls[1:]))
    others = replace(record, rolls=(record.rolls[0], *turned[1:]))
    found = in_browser([opening.to_json(), others.to_json()])["found"]
    assert found == [[as_browser_tells(one) for one in verify(opening)], []]
    assert by_script(opening, tmp_path).stdout.startswith("wrong_roll 1: recorded [5, 3]")
    assert by_script(others, tmp_path).stdout == "All 40 rolls match.\n"
