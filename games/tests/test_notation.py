"""Turns in writing."""

import pytest

from games.rules.notation import BadNotation, format_turn, parse_moves
from games.rules.turns import Move, Step, Turn


def steps(*moves: tuple[int, int] | tuple[int, int, str]) -> Turn:
    return tuple(Step(src, dst, src - dst, hit=bool(star)) for src, dst, *star in moves)


@pytest.mark.parametrize(
    ("text", "moves"),
    [
        ("", []),
        ("13/8 6/5*", [Move(13, 8), Move(6, 5, hit=True)]),
        ("13/8, 6/5", [Move(13, 8), Move(6, 5)]),
        ("bar/22 6/off", [Move(25, 22), Move(6, 0)]),
        ("Bar/22 6/Off 4/0 25/20", [Move(25, 22), Move(6, 0), Move(4, 0), Move(25, 20)]),
        ("8/4*/2", [Move(8, 4, hit=True), Move(4, 2)]),
        ("8/4*/2*", [Move(8, 4, hit=True), Move(4, 2, hit=True)]),
        ("6/5(2)", [Move(6, 5)] * 2),
        ("6/5*(2)", [Move(6, 5, hit=True), Move(6, 5)]),
        ("bar/20/14", [Move(25, 20), Move(20, 14)]),
    ],
)
def test_moves_are_read(text: str, moves: list[Move]) -> None:
    assert parse_moves(text) == moves


@pytest.mark.parametrize(
    "text",
    ["????", "13", "13/", "/8", "13-8", "26/20", "13/8(5)", "13/8(0)", "13*/8", "13/8**", "a/b", "13/8;6/5",
     "१३/८", "13/8 x", "100/1", "-1/3", "13/8 " * 100, "bar/22(", "Cannot Move"],
)  # fmt: skip
def test_what_is_not_a_turn_is_refused(text: str) -> None:
    with pytest.raises(BadNotation):
        parse_moves(text)


@pytest.mark.parametrize(
    ("turn", "text"),
    [
        ((), ""),
        (steps((6, 5), (8, 5)), "8/5 6/5"),
        (steps((24, 18), (18, 13)), "24/13"),
        (steps((24, 18, "*"), (18, 13)), "24/18*/13"),
        (steps((24, 18), (18, 13, "*")), "24/13*"),
        (steps((25, 22), (22, 16)), "bar/16"),
        (steps((6, 0), (5, 0)), "6/off 5/off"),
        (steps((8, 2), (8, 2), (13, 7), (13, 7)), "13/7(2) 8/2(2)"),
        (steps((13, 7), (8, 2, "*"), (8, 2), (13, 7)), "13/7(2) 8/2*(2)"),
        (steps((13, 9), (9, 5, "*"), (13, 9), (9, 5)), "13/5*(2)"),
        (steps((13, 9, "*"), (9, 5), (13, 9), (9, 5)), "13/9*/5 13/5"),
    ],
)
def test_turns_are_written_short(turn: Turn, text: str) -> None:
    assert format_turn(turn) == text
    assert [move.hit for move in parse_moves(text) if move.hit] == [True] * text.count("*")
