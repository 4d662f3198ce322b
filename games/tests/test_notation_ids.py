"""Position ids, match ids and XGID: known ones are read, ours are read back."""

import gnubg_nn  # type: ignore[import-untyped]
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.rules.board import BAR, START, Position, pips, side
from games.rules.dice import ALL_ROLLS, Roll
from games.rules.errors import IllegalPosition
from games.rules.gnuid import BadPositionId, parse_position_id, position_id
from games.rules.matchid import BadMatchId, gnu_id, match_id, parse_gnu_id, parse_match_id
from games.rules.situation import Owner, Situation
from games.rules.xgid import BadXgid, parse_xgid, xgid
from games.tests import rules_cases

BOTH_BARS = Position(side({BAR: 2, 6: 10, 13: 2}), side({BAR: 1, 6: 5, 5: 9}))


def test_every_counted_position_is_read_and_written() -> None:
    for name, _ in rules_cases.counted_positions():
        assert position_id(parse_position_id(name)) == name


def test_the_id_is_gnubg_s() -> None:
    position = parse_position_id("4OfgIDBudgCAXA")
    theirs, mine = gnubg_nn.board_from_position_id("4OfgIDBudgCAXA")
    assert position.mine == side({25: 1, 24: 3, 22: 1, 6: 3, 5: 2, 3: 2, 2: 3})
    assert (position.theirs[1:], position.mine[1:]) == (tuple(theirs), tuple(mine))


def test_checkers_on_both_bars_are_not_lost() -> None:
    """R03. In the id of the report three bits of a side are missing: those are off, and counted."""
    assert parse_position_id(position_id(BOTH_BARS)) == BOTH_BARS
    reported = parse_position_id("mxmAQ4PbAQAAAA")
    assert [sum(counts) for counts in reported] == [15, 15]
    assert gnubg_nn.position_id([list(counts[1:]) for counts in reported.flipped()]) == (
        "mxmAQ4PbAQAAAA"
    )


@pytest.mark.parametrize(
    "text", ["", "4HPwATDgc/ABM", "4HPwATDgc/ABMAA", "4HPwATDgc-ABMA", "é" * 14]
)
def test_what_is_no_position_id_is_refused(text: str) -> None:
    with pytest.raises(BadPositionId):
        parse_position_id(text)


@pytest.mark.parametrize("text", ["/////w8AAAAAAA", "AAAAAAAAAAAAAA"])
def test_an_id_of_an_impossible_position_is_refused(text: str) -> None:
    with pytest.raises(IllegalPosition):
        parse_position_id(text)


def test_the_match_id_of_the_manual_is_read() -> None:
    """GNU Backgammon manual, 11.7: to 9 points, 2-4, cube 2 held by player 0, player 1 rolled 52."""
    read = parse_match_id("QYkqASAAIAAA", START)
    assert read == Situation(
        START, Roll.of(5, 2), cube=2, cube_owner=Owner.THEIRS, score=(4, 2), length=9
    )
    assert parse_match_id(match_id(read), START) == read


def test_the_match_id_at_the_start_of_a_game_is_read() -> None:
    assert parse_gnu_id("4HPwATDgc/ABMA:cAkAAAAAAAAA") == Situation(START, has_jacoby=True)
    assert parse_gnu_id("4HPwATDgc/ABMA:cAkAAAAAAAAE") == Situation(START)
    assert gnu_id(Situation(START)) == "4HPwATDgc/ABMA:cAkAAAAAAAAE"


@pytest.mark.parametrize(
    "text", ["", "QYkqASAAIAA", "QYkqASAAIAAAA", "QYkq!SAAIAAA", "MAAAAAAAAAAA", "////////////"]
)
def test_what_is_no_match_id_is_refused(text: str) -> None:
    with pytest.raises(BadMatchId):
        parse_match_id(text, START)


def test_xgid_keeps_the_cube_and_its_owner() -> None:
    """C14."""
    text = "XGID=--CBCBC------B--b--cabbcb-:1:1:1:21:0:0:0:0:8"
    read = parse_xgid(text)
    assert (read.cube, read.cube_owner, read.roll) == (2, Owner.MINE, Roll.of(2, 1))
    assert xgid(read) == text
    assert parse_gnu_id(gnu_id(read)).cube_owner is Owner.MINE


def test_xgid_of_the_start_in_a_match() -> None:
    """As eXtreme Gammon writes it; published with other programs."""
    text = "XGID=-b----E-C---eE---c-e----B-:0:0:1:21:0:0:0:7:10"
    assert parse_xgid(text) == Situation(START, Roll.of(2, 1), length=7, largest_cube=1024)
    assert xgid(parse_xgid(text)) == text
    assert parse_xgid(text.removeprefix("XGID=")) == parse_xgid(text)


def test_xgid_with_the_side_above_on_roll() -> None:
    below = parse_xgid("XGID=--A-bBBBB--BbB-----dbbc-B-:0:0:1:31:6:4:1:7:10")
    above = parse_xgid("XGID=--A-bBBBB--BbB-----dbbc-B-:1:-1:-1:13:6:4:1:7:10")
    assert (below.is_crawford, below.score, below.position.mine[24]) == (True, (6, 4), 2)
    assert above.position == below.position.flipped()
    assert (above.score, above.cube_owner, above.roll) == ((4, 6), Owner.MINE, below.roll)


def test_xgid_of_money_rules_and_of_an_offered_double() -> None:
    read = parse_xgid("XGID=-b----E-C---eE---b-d-b--B-:0:0:1:D:0:0:3:0:10")
    assert (read.is_doubled, read.roll, read.cube) == (True, None, 1)
    assert (read.has_jacoby, read.has_beavers, read.is_crawford) == (True, True, False)


def test_xgid_with_checkers_on_both_bars() -> None:
    """R03."""
    assert parse_xgid(xgid(Situation(BOTH_BARS))).position == BOTH_BARS


@pytest.mark.parametrize(
    "change",
    [
        ("-b----E-C---eE---c-e----B-", "-b----E-C---eE---c-e----B"),
        ("-b----E-C---eE---c-e----B-", "Ab----E-C---eE---c-e----B-"),
        ("-b----E-C---eE---c-e----B-", "-b----E-C---eE---c-e----Bb"),
        (":31:", ":71:"),
        (":31:", ":B:"),
        (":1:31", ":0:31"),
        (":0:0:1:", ":11:0:1:"),
        (":0:0:1:", ":0:2:1:"),
        ("XGID=", "XGUID="),
    ],
)
def test_what_is_no_xgid_is_refused(change: tuple[str, str]) -> None:
    good = "XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:0:10"
    parse_xgid(good)
    with pytest.raises(BadXgid):
        parse_xgid(good.replace(*change, 1))


def test_xgid_of_an_impossible_position_is_refused() -> None:
    with pytest.raises(IllegalPosition):
        parse_xgid("XGID=-b----O-C---eE---c-e----B-:0:0:1:31:0:0:0:0:10")


@st.composite
def situations(draw: st.DrawFn) -> Situation:
    length = draw(st.integers(0, 25))
    is_doubled = draw(st.booleans())
    is_centred = draw(st.booleans())
    return Situation(
        position=draw(st.sampled_from([START, BOTH_BARS, BOTH_BARS.flipped()])),
        roll=None if is_doubled else draw(st.sampled_from([None, *ALL_ROLLS])),
        cube=1 if is_centred else draw(st.sampled_from([2, 4, 8, 16, 32, 64])),
        cube_owner=Owner.NOBODY
        if is_centred
        else draw(st.sampled_from([Owner.MINE, Owner.THEIRS])),
        is_doubled=is_doubled,
        score=(draw(st.integers(0, 24)), draw(st.integers(0, 24))),
        length=length,
        is_crawford=bool(length) and draw(st.booleans()),
        has_jacoby=not length and draw(st.booleans()),
    )


@settings(max_examples=200, derandomize=True, deadline=None)
@given(situations())
def test_what_we_write_is_read_back(situation: Situation) -> None:
    assert parse_xgid(xgid(situation)) == situation
    assert parse_gnu_id(gnu_id(situation)) == situation
    assert situation.flipped().flipped() == situation
    assert pips(situation.flipped().position.mine) == pips(situation.position.theirs)
