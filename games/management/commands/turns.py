"""`manage.py turns`: one JSON question a line in, its legal final positions a line out.

Backgammon positions are GNU position ids; long nardy has 25 counts a side, by progress and off last,
and `finals` are those of the mover.

For comparing these rules with other programs. A line that cannot be read is answered with an error
and the run goes on: each line in has one line out.
"""

import json
import sys
from collections.abc import Iterator
from dataclasses import replace
from typing import Any, BinaryIO, Final

from django.core.management.base import BaseCommand

from accounts.errors import Refused
from games.rules.board import CHECKERS, Position, Side
from games.rules.dice import Roll
from games.rules.errors import BadDice, MovedBeforeFirstTurn, WrongCheckerCount
from games.rules.gnuid import parse_position_id, position_id
from games.rules.long_nardy import (
    LONG_NARDY,
    LONG_NARDY_FNR,
    LongNardy,
    by_progress,
    checked,
    from_progress,
    is_first_turn,
)
from games.rules.turns import legal_turns
from games.rules.variants import UnknownVariant, rules_of

LONGEST_LINE: Final = 4096
"""Bytes; a question takes about a hundred."""


class Command(BaseCommand):
    """Reads standard input to its end."""

    help = (
        'Reads lines like {"variant": "backgammon", "position": "4HPwATDgc/ABMA", "dice": [5, 3]} '
        "and writes the legal final positions of each, the opponent being on roll; or "
        '{"variant": "long-nardy", "mine": [15, 0, ...], "theirs": [15, 0, ...], "dice": [6, 6], '
        '"first_turn": true, "second_player": false}, with "ruleset": "long-nardy-fnr" if wanted.'
    )
    requires_system_checks: list[str] = []

    def handle(self, *args: Any, **options: Any) -> None:
        for line in _lines(sys.stdin.buffer):
            self.stdout.write(json.dumps(answer(line)))
            self.stdout.flush()


def answer(line: bytes) -> dict[str, Any]:
    """`{"dice_used": ..., "finals": [ids, sorted]}`, or `{"error": why not}`.

    A game that is over has no turns: nothing is used and there are no finals.
    """
    if len(line) > LONGEST_LINE:
        return {"error": f"A line has at most {LONGEST_LINE} bytes."}
    try:
        question = json.loads(line.decode("utf-8"))
    except (ValueError, RecursionError):
        return {"error": "This line is not JSON."}
    if not isinstance(question, dict):
        return {"error": "A line holds one JSON object."}
    try:
        return _answered(question)
    except Refused as refusal:
        return {"error": refusal.text % refusal.params}


def _answered(question: dict[str, Any]) -> dict[str, Any]:
    if not isinstance(question.get("variant"), str):
        return {"error": '"variant" must be given as a text.'}
    rules = rules_of(question["variant"])
    if isinstance(rules, LongNardy):
        return _long_nardy(question, rules)
    if not isinstance(question.get("position"), str):
        return {"error": '"position" must be given as a text.'}
    position = parse_position_id(question["position"])
    graph = legal_turns(position, _roll(question.get("dice")), rules)
    finals = sorted(position_id(final.flipped()) for final in graph.finals)
    return {"dice_used": graph.dice_used, "finals": finals}


def _long_nardy(question: dict[str, Any], rules: LongNardy) -> dict[str, Any]:
    ruleset = question.get("ruleset", rules.name)
    if ruleset not in (LONG_NARDY.name, LONG_NARDY_FNR.name):
        raise UnknownVariant
    for field in ("first_turn", "second_player"):
        if not isinstance(question.get(field, False), bool):
            return {"error": f'"{field}" must be true or false.'}
    mine, theirs = (_side(question.get(field)) for field in ("mine", "theirs"))
    position = checked(Position(mine, theirs))
    first_turn = question.get("first_turn")
    if first_turn and not is_first_turn(mine):
        raise MovedBeforeFirstTurn
    rules = replace(
        LONG_NARDY_FNR if ruleset == LONG_NARDY_FNR.name else LONG_NARDY,
        first_turn=first_turn,
        second_player=question.get("second_player"),
    )
    graph = legal_turns(position, _roll(question.get("dice")), rules)
    finals = sorted(list(by_progress(final.mine)) for final in graph.finals)
    return {"dice_used": graph.dice_used, "finals": finals}


def _side(counts: object) -> Side:
    if not isinstance(counts, list) or not all(type(count) is int for count in counts):
        raise WrongCheckerCount(expected=CHECKERS)
    return from_progress(counts)


def _roll(dice: object) -> Roll:
    match dice:
        case [int() as first, int() as second]:
            return Roll.of(first, second)
        case _:
            raise BadDice


def _lines(source: BinaryIO) -> Iterator[bytes]:
    """The lines; of one that is too long just enough to see that it is, to save memory."""
    while line := source.readline(LONGEST_LINE + 1):
        rest = line
        while rest and not rest.endswith(b"\n"):
            rest = source.readline(LONGEST_LINE + 1)
        yield line.rstrip(b"\r\n")
