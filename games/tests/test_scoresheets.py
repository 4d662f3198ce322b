"""Match files that are written: read again they are the same, and GNU Backgammon finds the same score."""

from contextlib import suppress
from pathlib import Path
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.match.events import GameEnded
from games.match.sides import Side
from games.match.terms import Terms
from games.match.written import written_games
from games.rules.importing import (
    CubeOutOfPlace,
    GoesOnAfterEnd,
    IllegalPlayWritten,
    ImpossiblePoints,
    NoPlayWritten,
    NoResult,
    OutOfTurn,
    RefusedMatch,
    UnreadablePlayWritten,
    WrongScore,
    WrongWinner,
    import_match,
)
from games.rules.matfile import BadMatchFile, read_match
from games.rules.replay import PlyKind
from games.rules.scoresheet import Sheet, parse_sheet
from games.rules.sheetwriter import format_sheet
from games.tests import gnubg_program, rules_cases
from games.tests.match_table import MatchTable, series, single
from games.tests.whole_matches import events_of, played_out

INDEX = rules_cases.rows(rules_cases.MATCHES / "index.tsv")
REFUSED = {
    "m042.mat": (IllegalPlayWritten, 1, 20),
    "m051.mat": (IllegalPlayWritten, 2, 38),
    "m052.mat": (IllegalPlayWritten, 12, 19),
    "m059.txt": (ImpossiblePoints, 10, 62),
    "m069.txt": (ImpossiblePoints, 2, 47),
}
"""Three with illegal plays, two in which a game is worth 4016 points: class, game, entry."""

TERMS = (
    single(beavers=True),
    single(jacoby=True),
    series(1),
    series(3),
    series(5),
    series(7, crawford=False),
)
any_match = st.builds(
    lambda terms, seed: played_out(terms, Random(seed)),
    st.sampled_from(TERMS),
    st.integers(0, 2**32),
)


def sheet_of(table: MatchTable) -> Sheet:
    games, is_unfinished = written_games(events_of(table), ("Ann", "Bob"))
    assert not is_unfinished
    terms: Terms = table.state.terms
    headers = (("Crawford", "On" if terms.has_crawford else "Off"), ("Variation", "Backgammon"))
    return Sheet(headers, (), 0 if terms.is_single else terms.length, games, ())


def score_of(table: MatchTable) -> tuple[int, int]:
    """Win times cube of all games, whatever a table's limit."""
    score = dict.fromkeys(Side, 0)
    for event in events_of(table):
        if isinstance(event, GameEnded):
            score[event.winner] += event.win * event.cube
    return score[Side.LIGHT], score[Side.DARK]


@settings(max_examples=12, deadline=None)
@given(any_match)
def test_a_match_that_is_written_reads_the_same(table: MatchTable) -> None:
    """Notation: export, then import, is the identity."""
    sheet = sheet_of(table)
    text = format_sheet(sheet)
    assert parse_sheet(text) == sheet
    match = import_match(text.encode())
    assert match.score == score_of(table)
    assert format_sheet(parse_sheet(text)) == text


@settings(max_examples=8, deadline=None)
@given(any_match)
def test_a_written_match_has_every_turn_and_every_use_of_the_cube(table: MatchTable) -> None:
    match = read_match(format_sheet(sheet_of(table)).encode())
    plies = [ply for game in match.games for ply in game.plies]
    kinds = {
        "turn_played": {PlyKind.PLAY, PlyKind.DANCE},
        "double_offered": {PlyKind.DOUBLE},
        "double_taken": {PlyKind.TAKE},
        "double_dropped": {PlyKind.DROP},
        "beavered": {PlyKind.BEAVER},
        "game_ended": {PlyKind.WIN},
    }
    for name, kind in kinds.items():
        happened = [event.KIND for event in events_of(table)].count(name)
        assert sum(ply.kind in kind for ply in plies) == happened, name


@pytest.mark.parametrize("row", INDEX, ids=lambda row: row["file"])
def test_a_recorded_match_is_imported_to_its_score_or_refused_with_its_place(
    row: dict[str, str],
) -> None:
    raw = (rules_cases.MATCHES / row["file"]).read_bytes()
    if row["file"] in REFUSED:
        kind, game, ply = REFUSED[row["file"]]
        with pytest.raises(kind) as caught:
            import_match(raw)
        assert (caught.value.params["game"], caught.value.params["ply"]) == (game, ply)
        assert caught.value.text % caught.value.params
        return
    match = import_match(raw)
    assert "{}-{}".format(*match.score) == row["replayed_final_score"]
    again = read_match(format_sheet(parse_sheet(raw.decode("utf-8-sig"))).encode())
    assert again.score == match.score
    assert [[(p.kind, p.position, p.turn) for p in game.plies] for game in again.games] == [
        [(p.kind, p.position, p.turn) for p in game.plies] for game in match.games
    ]


def test_gnu_backgammon_finds_the_same_score(tmp_path: Path) -> None:
    """The real program: every game is there, with its points, and it complains of nothing."""
    chance = Random(20261201)
    tables = [played_out(TERMS[n % len(TERMS)], chance, expires=0.002) for n in range(18)]
    files = []
    for number, table in enumerate(tables):
        file = tmp_path / f"match{number}.mat"
        file.write_text(format_sheet(sheet_of(table)), encoding="utf-8")
        files.append(file)
    for table, found in zip(tables, gnubg_program.seen(files), strict=True):
        assert found.score == score_of(table)
        assert found.games == table.state.game
        assert found.complaints == ()
    happened = [event for table in tables for event in events_of(table)]
    ways = {event.reason for event in happened if isinstance(event, GameEnded)}
    assert ways == {"borne_off", "drop", "resign", "time"}


# what is not taken

HEAD = '; [Crawford "On"]\n\n 3 point match\n\n Game 1\n Ann : 0                       Bob : 0\n'


@pytest.mark.parametrize(
    ("rows", "refusal", "ply"),
    [
        ("  1) 31: 8/5 6/4\n", IllegalPlayWritten, 1),
        ("  1) 31: 8/5 6/5             42: sleeps\n", UnreadablePlayWritten, 2),
        ("  1) 31:                     42: 8/4 6/4\n", NoPlayWritten, 1),
        ("  1) 31: 8/5 6/5             42:\n  2) 65: 24/13\n", NoPlayWritten, 2),
        ("  1) 31: 8/5 6/5\n  2) 65: 24/13\n      Wins 1 point\n", OutOfTurn, 2),
        ("  1) 31: 8/5 6/5              Doubles => 8\n  2)  Drops\n", CubeOutOfPlace, 2),
        ("  1)  Takes\n", CubeOutOfPlace, 1),
        ("  1) 31: 8/5 6/5\n      Wins 1 point\n  2) 42: 8/4 6/4\n", GoesOnAfterEnd, 3),
        ("  1) 31: 8/5 6/5              Losses 1 point\n" + " " * 40 + "Wins 1\n", WrongWinner, 3),
        ("  1) 31: 8/5 6/5              Resigns\n      Wins 4016 points\n", ImpossiblePoints, 3),
        ("  1)  Doubles => 2            Drops\n      Wins 3 points\n", ImpossiblePoints, 3),
        ("  1) 31: 8/5 6/5             42: 8/4 6/4\n", NoResult, 2),
    ],
)
def test_what_cannot_have_been_played_is_refused_with_its_place(
    rows: str, refusal: type[RefusedMatch], ply: int
) -> None:
    with pytest.raises(refusal) as caught:
        import_match((HEAD + rows).encode())
    assert (caught.value.params["game"], caught.value.params["ply"]) == (1, ply)
    assert f"Game 1, entry {ply}" in caught.value.text % caught.value.params


def test_a_score_that_does_not_follow_from_the_games_is_refused() -> None:
    with pytest.raises(WrongScore):
        import_match((HEAD.replace("Ann : 0", "Ann : 1") + "  1)\n      Wins 1 point\n").encode())


@pytest.mark.parametrize("row", INDEX[::9], ids=lambda row: row["file"])
def test_a_file_that_is_cut_off_is_refused_or_comes_to_a_score_on_the_way(
    row: dict[str, str],
) -> None:
    """Never more than was played, never an error of another kind."""
    raw = (rules_cases.MATCHES / row["file"]).read_bytes()
    whole = read_match(raw)
    chance = Random(row["file"])
    for _ in range(12):
        cut = raw[: chance.randrange(len(raw))]
        with suppress(BadMatchFile):
            match = import_match(cut)
            assert len(match.games) <= len(whole.games)
            assert all(game.winner is not None for game in match.games)
