"""Match files: 74 real ones replay to their score and to the oddities known of them."""

from collections.abc import Callable

import pytest

from games.rules.gnuid import position_id
from games.rules.matfile import (
    LARGEST_FILE,
    BadMatchFile,
    Match,
    MatchFileTooLarge,
    NotAMatchFile,
    NotTextFile,
    UnsupportedVariation,
    read_match,
)
from games.rules.outcome import Win
from games.rules.replay import Oddity, OddityKind, Ply, PlyKind
from games.rules.turns import legal_turns
from games.tests import rules_cases

INDEX = rules_cases.rows(rules_cases.MATCHES / "index.tsv")


def match_of(name: str) -> Match:
    return read_match((rules_cases.MATCHES / name).read_bytes())


def test_there_are_74_match_files() -> None:
    assert len(INDEX) == 74


@pytest.mark.parametrize("row", INDEX, ids=lambda row: row["file"])
def test_a_match_file_replays_to_its_score_and_oddities(row: dict[str, str]) -> None:
    match = match_of(row["file"])
    rolls = [ply for game in match.games for ply in game.plies if ply.roll]
    assert str(match.length) == row["match_length"]
    assert len(match.games) == int(row["games"])
    assert len(rolls) == int(row["plies"])
    assert "{}-{}".format(*match.score) == row["replayed_final_score"]
    assert " | ".join(_note(match, oddity) for oddity in match.oddities) == row["note"]
    features = set(row["features"].split())
    for name, has_feature in FEATURES.items():
        assert has_feature(match) == (name in features), name


def _note(match: Match, oddity: Oddity) -> str:
    """An oddity in the words of the index."""
    game = match.games[oddity.game - 1]
    place = f"g{oddity.game}" if oddity.row is None else f"g{oddity.game} m{oddity.row}"
    if oddity.kind is OddityKind.WRONG_POINTS:
        if game.win:
            return f"{place}: {game.points} points at cube {game.cube}, position says x{game.win}"
        return f"{place}: early end {game.points} points at cube {game.cube}"
    if oddity.kind is OddityKind.UNREADABLE_PLAY:
        return f"{place}: unparsed '{oddity.text}'"
    assert oddity.position is not None, oddity
    assert oddity.roll is not None, oddity
    graph = legal_turns(oddity.position, oddity.roll)
    dice = next(
        ply.cell.dice
        for ply in game.plies
        if ply.roll and (ply.cell.row, ply.cell.seat) == (oddity.row, oddity.seat)
    )
    if oddity.kind is OddityKind.NO_PLAY_WRITTEN:
        return f"{place}: no move written for {dice} but {len(graph.finals)} legal plays (mid)"
    assert oddity.kind is OddityKind.ILLEGAL_PLAY, oddity
    return (
        f"{place}: ILLEGAL {dice}: {oddity.text} (not in legal set; "
        f"best uses {graph.dice_used} dice, id {position_id(oddity.position)})"
    )


def _any_ply(has_feature: Callable[[Ply], bool]) -> Callable[[Match], bool]:
    return lambda match: any(has_feature(ply) for game in match.games for ply in game.plies)


FEATURES: dict[str, Callable[[Match], bool]] = {
    "double": _any_ply(lambda ply: ply.kind is PlyKind.DOUBLE),
    "take": _any_ply(lambda ply: ply.kind is PlyKind.TAKE),
    "drop": _any_ply(lambda ply: ply.kind is PlyKind.DROP),
    "losses-line": _any_ply(lambda ply: ply.kind is PlyKind.LOSS),
    "dance": _any_ply(lambda ply: ply.kind is PlyKind.DANCE),
    "double-roll": _any_ply(lambda ply: ply.roll is not None and ply.roll.is_double),
    "illegal-move": _any_ply(lambda ply: ply.kind is PlyKind.ILLEGAL),
    "bar-entry": _any_ply(lambda ply: any(step.src == 25 for step in ply.turn or ())),
    "bear-off": _any_ply(lambda ply: any(step.dst == 0 for step in ply.turn or ())),
    "one-die-only": _any_ply(
        lambda ply: ply.roll is not None and not ply.roll.is_double and len(ply.turn or ()) == 1
    ),
    "cannot-move-text": _any_ply(lambda ply: ply.cell.text.startswith("Cannot")),
    "illegal-marker": _any_ply(lambda ply: ply.cell.text == "????"),
    "finished-bearoff": lambda match: any(game.win for game in match.games),
    "gammon": lambda match: any(game.win is Win.GAMMON for game in match.games),
    "backgammon": lambda match: any(game.win is Win.BACKGAMMON for game in match.games),
    "redouble": lambda match: any(
        sum(ply.kind is PlyKind.DOUBLE for ply in game.plies) > 1 for game in match.games
    ),
}


def test_an_empty_play_is_not_a_dance_when_something_can_be_played() -> None:
    """C20: resigned after the roll."""
    rolls = [ply for ply in match_of("m055.mat").games[0].plies if ply.roll]
    assert [ply.kind for ply in rolls] == [PlyKind.PLAY, PlyKind.PLAY, PlyKind.UNPLAYED]
    match = match_of("m069.txt")
    assert [ply.kind for ply in match.games[1].plies][-2:] == [PlyKind.UNPLAYED, PlyKind.WIN]


def test_points_are_level_times_cube() -> None:
    """C16: what the file says is kept, and reported."""
    match = match_of("m069.txt")
    assert match.games[1].points == 4016
    assert [o.text for o in match.oddities if o.kind is OddityKind.WRONG_POINTS] == ["4016"]


def test_headers_are_kept() -> None:
    match = match_of("m056.txt")
    assert match.players == ("PlayerA", "PlayerB")
    assert match.header("clocktype") == "Live8 780/10"
    assert match.header("Stake") is None
    assert len(match.headers) == 13


def test_the_columns_may_be_the_other_way_round() -> None:
    match = match_of("m072.txt")
    assert match.players == ("PlayerB", "PlayerA")


# sheets with one thing wrong each

SHEET = """\
; [Crawford "On"]

3 point match

 Game 1
 Ann : {score}                       Bob : 0
  1) {first}             {second}
  2) {third}
      Wins {points} point{ending}
"""

GOOD = {
    "score": "0",
    "first": "31: 8/5 6/5     ",
    "second": "42: 8/4 6/4",
    "third": " Doubles => 2                Drops",
    "points": "1",
    "ending": "",
}


def sheet(**changed: str) -> Match:
    return read_match(SHEET.format(**(GOOD | changed)).encode())


def test_a_good_sheet_has_no_oddities() -> None:
    assert sheet().oddities == ()
    assert sheet().score == (1, 0)


@pytest.mark.parametrize(
    ("changed", "kind"),
    [
        ({"first": "31: 8/5 6/4     "}, OddityKind.ILLEGAL_PLAY),
        ({"second": "42: sleeps"}, OddityKind.UNREADABLE_PLAY),
        ({"second": "42:"}, OddityKind.NO_PLAY_WRITTEN),
        ({"second": "42: Cannot Move"}, OddityKind.NO_PLAY_WRITTEN),
        ({"second": "42: 8/4* 6/4"}, OddityKind.FALSE_STAR),
        ({"third": "65: 24/13 \n  3) 21: 13/11 6/5"}, OddityKind.OUT_OF_TURN),
        ({"third": " Doubles => 4                Drops"}, OddityKind.BAD_CUBE),
        ({"third": " Takes"}, OddityKind.BAD_CUBE),
        ({"ending": "\n  3) 65: 24/13"}, OddityKind.AFTER_END),
        ({"third": "  Losses 1 point"}, OddityKind.WRONG_WINNER),
        ({"points": "2"}, OddityKind.WRONG_POINTS),
        ({"points": "4016", "third": "  Resigns"}, OddityKind.WRONG_POINTS),
        ({"score": "1"}, OddityKind.WRONG_SCORE),
        ({"ending": " and a hat"}, OddityKind.LOST_TEXT),
        ({"ending": "\nthe end"}, OddityKind.LOST_TEXT),
    ],
)
def test_what_is_odd_is_reported(changed: dict[str, str], kind: OddityKind) -> None:
    match = sheet(**changed)
    assert kind in {oddity.kind for oddity in match.oddities}
    assert all(oddity.game == 1 for oddity in match.oddities)


def test_a_game_without_a_result_is_reported() -> None:
    text = SHEET.format(**GOOD).replace("Wins 1 point", "").replace("Drops", "")
    match = read_match(text.encode())
    assert [oddity.kind for oddity in match.oddities] == [OddityKind.NO_RESULT]
    assert match.games[0].winner is None


def test_a_play_that_cannot_even_be_put_on_the_board_ends_the_replay_of_its_game() -> None:
    match = sheet(first="31: 7/4 6/5     ")
    kinds = [oddity.kind for oddity in match.oddities]
    assert kinds == [OddityKind.ILLEGAL_PLAY, OddityKind.NOT_REPLAYED]
    assert [ply.kind for ply in match.games[0].plies if ply.roll] == [
        PlyKind.ILLEGAL,
        PlyKind.UNCHECKED,
    ]


def test_a_cube_in_the_crawford_game_is_reported() -> None:
    """Backgammon 6."""
    text = SHEET.format(**GOOD | {"points": "2"}).replace("Drops", "Takes")
    again = SHEET.split("match\n", 1)[1].format(**GOOD | {"score": "2"}).replace("Game 1", "Game 2")
    match = read_match((text + again).encode())
    assert [(oddity.game, oddity.kind) for oddity in match.oddities] == [(2, OddityKind.BAD_CUBE)]


def test_a_beaver_is_read() -> None:
    """Backgammon 6."""
    beaver = " Doubles => 2               Beavers => 4"
    played_on = beaver + "\n  3) 21: 13/11 6/5"
    assert sheet(third=played_on, points="4").games[0].cube == 4


def test_a_beaver_that_is_dropped_costs_what_was_doubled_to() -> None:
    """Backgammon 6: cube 1, double 2, beaver 4, the drop pays 2."""
    beaver = " Doubles => 2               Beavers => 4\n  3)  Drops"
    for points, is_odd in (("2", False), ("4", True)):
        text = SHEET.format(**GOOD | {"third": beaver, "points": points})
        text = text.replace("      Wins", " " * 30 + "Wins")
        assert bool(read_match(text.encode()).oddities) is is_odd


def test_byte_order_mark_and_carriage_returns_are_no_oddity() -> None:
    text = SHEET.format(**GOOD).replace("\n", "\r\n")
    assert read_match(b"\xef\xbb\xbf" + text.encode()).oddities == ()


@pytest.mark.parametrize(
    ("raw", "refusal"),
    [
        (b"", NotAMatchFile),
        (b"hello\n" * 100, NotAMatchFile),
        (b"5 point match\n", NotAMatchFile),
        (b"\x00\x01\x02" * 50, NotTextFile),
        (b"\x89PNG\r\n\x1a\n" + bytes(range(256)), NotTextFile),
        ("Игра".encode("cp1251"), NotTextFile),
        (SHEET.format(**GOOD).encode("utf-16"), NotTextFile),
        (b" Game 1\n" * LARGEST_FILE, MatchFileTooLarge),
        (b"x" * 5_000_000, MatchFileTooLarge),
        (b" Game 1\n A : 0    B : 0\n" + b"  1) 31:      42:\n" * 20_000, MatchFileTooLarge),
        (b'; [Variation "Nackgammon"]\n Game 1\n', UnsupportedVariation),
    ],
    ids=range(11),
)
def test_what_is_no_match_file_is_refused(raw: bytes, refusal: type[BadMatchFile]) -> None:
    with pytest.raises(refusal) as caught:
        read_match(raw)
    assert caught.value.code == "bad_match_file"
    assert caught.value.text % caught.value.params


@pytest.mark.parametrize(
    "text",
    [
        " Game 1\n",
        " Game 1\n Game 1\n",
        " Game 1\n  1) Wins\n",
        " Game 1\n  1)\n  2)\n",
        " Game 99\n A : 0    B : 0\n  1) 66: 0/0 25/25 13/7\n Wins 999999999 points",
        " Game 1\n A: B : 1    C : 2\n  9999) Takes Takes Takes Doubles => Beavers Drops Drops",
        " Game 1\n" + "1) " * 5000,
        " Game 1\n" + " " * 100_000 + "31:" + " " * 100_000,
        " Game 1\n" + "a : 1 " * 20_000,
        "; [" + "x" * 100_000 + "\n Game 1\n",
    ],
    ids=range(10),
)
def test_nonsense_is_reported_and_never_breaks_the_reader(text: str) -> None:
    assert read_match(text.encode()).oddities
