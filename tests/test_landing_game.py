"""The example game of the first page is played by the rules, from the first throw to the last checker."""

import re
from pathlib import Path

from games.rules.board import START
from games.rules.dice import Roll
from games.rules.notation import read_turn
from games.rules.outcome import is_won
from games.rules.turns import legal_turns

GAME = Path(__file__).parent.parent / "static" / "js" / "landing-game.js"


def test_the_example_game_is_legal_and_is_played_to_the_end() -> None:
    turns = re.findall(r'^  "(\d)(\d) ?(.*)",$', GAME.read_text(), re.MULTILINE)
    assert len(turns) > 1
    position = START
    for number, (first, second, moves) in enumerate(turns):
        assert not is_won(position.flipped()), f"nothing may follow after turn {number}"
        graph = legal_turns(position, Roll.of(int(first), int(second)))
        assert bool(moves) == bool(graph.dice_used)
        end = read_turn(graph, moves)[1] if moves else position
        position = end.flipped()
    assert is_won(position.flipped())
