"""House bots: they play whole matches for chips by the same commands as people, from the database alone."""

from collections.abc import Iterator
from random import Random
from uuid import UUID

import pytest
from django.db.models import F
from django.utils import timezone

from accounts.models import User
from games import abandonment, course, housebots, rematches, seating, selectors, services
from games.engine import sage
from games.engine.analysis import game_of
from games.engine.bots import MINDS, Level
from games.errors import BotsPlayForChips, NoBotForThisGame
from games.fairness import verify
from games.housebots import act, bot, bot_terms, due, sit_down
from games.match import commands as c
from games.match.machine import may, whose
from games.match.sides import Side
from games.match.situations import situation_of
from games.match.state import FINISHED, MatchState, Phase
from games.models import HouseBot, HouseSeat, MatchEvent, MatchHead, Rematch, Seat
from games.rules.outcome import Win
from games.rules.turns import Move, Turn
from games.stakes import purse
from games.tests import played_matches as played
from games.tests.match_table import COMMITS, SEEDS, MatchTable, single
from games.tests.players import make_user, usd_terms
from games.tests.whole_matches import command
from wallet import reconcile

pytestmark = [pytest.mark.django_db, pytest.mark.embedded]
HUMAN, BOT = Side.LIGHT, Side.DARK


@pytest.fixture(autouse=True)
def hurried(monkeypatch: pytest.MonkeyPatch) -> None:
    """Bots do not wait for people to look."""
    monkeypatch.setattr(housebots, "PACE_MS", 0)


@pytest.fixture
def ann() -> User:
    return make_user("Annabel")


def state_of(match_id: UUID) -> MatchState:
    return course.load(match_id)[1]


def begun(ann: User, level: Level = Level.EASY, length: int = 0) -> UUID:
    """A match with a bot, its first game begun."""
    match_id = sit_down(user=ann, level=level, terms=bot_terms(length=length))
    assert act(match_id)
    services.advance(match_id, c.Accept(HUMAN, COMMITS[HUMAN]))
    assert act(match_id)
    services.advance(match_id, c.RevealSeed(HUMAN, SEEDS[HUMAN]))
    return match_id


def play_out(match_id: UUID) -> MatchState:
    """The human plays as an easy bot would; one command each at a time."""
    for _ in range(4000):
        state = state_of(match_id)
        if state.phase in FINISHED:
            return state
        if whose(state) is BOT:
            assert act(match_id)
        else:
            wanted = housebots.choice(match_id, state, HUMAN, Level.EASY)
            assert wanted is not None
            services.advance(match_id, wanted)
    raise AssertionError("the match did not end")


@pytest.mark.parametrize("level", Level)
def test_a_bot_plays_a_whole_game_by_the_rules(ann: User, level: Level) -> None:
    """Table 8."""
    match_id = begun(ann, level)
    state = play_out(match_id)
    assert state.phase is Phase.OVER
    assert not act(match_id)
    assert HouseSeat.objects.get(match_id=match_id).over
    bots = MatchEvent.objects.filter(match_id=match_id, side=BOT.value)
    assert bots.filter(ref__startswith="house-").exists()
    assert verify(selectors.dice_record(match_id)) == []
    assert [one for outcome in reconcile.run() for one in outcome.findings] == []


def test_a_bot_plays_a_series_with_cubes_and_resignations(ann: User) -> None:
    match_id = begun(ann, Level.MEDIUM, length=2)
    assert play_out(match_id).phase is Phase.OVER


def test_the_same_moment_is_always_answered_alike(ann: User) -> None:
    """Whichever process asks, however often it died."""
    match_id = begun(ann)
    for _ in range(30):
        state = state_of(match_id)
        if whose(state) is BOT and state.phase is Phase.TO_MOVE:
            break
        if whose(state) is BOT:
            act(match_id)
        else:
            services.advance(match_id, command(state, Random(1)))
    answers = {repr(housebots.choice(match_id, state, BOT, Level.EASY)) for _ in range(3)}
    assert len(answers) == 1


def test_stronger_bots_find_better_plays(ann: User) -> None:
    """The easy one errs, the strong one hardly."""
    lost = dict.fromkeys(Level, 0.0)
    asked = 0
    for state in positions(25):
        graph, situation = state.turns, situation_of(state)
        assert graph is not None
        assert situation is not None
        ranked = {
            tuple(board): equity
            for board, equity in sage.ranked(
                sage.to_board(state.position), graph.roll, game_of(situation)
            )
        }
        ends = {turn: tuple(sage.to_board(end)) for end, turn in graph.finals.items()}
        best = max(ranked.values())
        asked += 1
        for level in Level:
            noise = housebots._Noise(UUID(int=asked), 1)
            turn = MINDS["backgammon"].turn(state, level, noise)
            lost[level] += best - ranked[ends[turn]]
    assert lost[Level.EASY] > 2 * lost[Level.MEDIUM] > 2 * lost[Level.STRONG]
    assert lost[Level.STRONG] / asked < 0.01


def positions(count: int) -> Iterator[MatchState]:
    """States with dice to play and more than one way, of a machine's games."""
    chance = Random(9)
    table = MatchTable.started(single(), [(5, 2)])
    for _ in range(count * 6):
        state = table.state
        if state.phase is Phase.TO_MOVE:
            assert state.turns is not None
            if len(state.turns.finals) > 3:
                yield state
            turns = list(state.turns.finals.values())
            table.do(played_turn(state, chance.choice(turns[:3]) if turns else ()))
        elif state.phase is Phase.TO_ROLL:
            table.roll(chance.randint(1, 6), chance.randint(1, 6))
        else:
            table = MatchTable.started(single(), [(5, 2)])


def played_turn(state: MatchState, turn: Turn) -> c.PlayTurn:
    assert state.on_roll is not None
    return c.PlayTurn(state.on_roll, tuple(Move(s.src, s.dst, s.hit) for s in turn))


def test_a_bot_accepts_what_it_cannot_better_and_plays_on_for_a_gammon(ann: User) -> None:
    match_id = begun(ann, Level.STRONG)
    for _ in range(50):
        state = state_of(match_id)
        if whose(state) is HUMAN and "resign" in may(state, HUMAN):
            break
        act(match_id)
    services.advance(match_id, c.OfferResign(HUMAN, Win.BACKGAMMON))
    assert act(match_id)
    state = state_of(match_id)
    assert state.phase is Phase.OVER
    assert state.result is not None
    assert state.result.winner is BOT


# from the database alone


def test_the_sweep_finds_what_has_gone_on_and_nothing_else(ann: User) -> None:
    match_id = sit_down(user=ann, level=Level.EASY, terms=bot_terms())
    assert due() == [match_id]
    assert due() == [], "a task is on its way"
    act(match_id)
    assert due() == [match_id]
    assert not act(match_id), "it has accepted and waits"
    assert due() == []
    services.advance(match_id, c.Accept(HUMAN, COMMITS[HUMAN]))
    assert due() == [match_id]


def test_what_a_dead_worker_held_is_done_by_another(ann: User) -> None:
    match_id = sit_down(user=ann, level=Level.EASY, terms=bot_terms())
    assert due() == [match_id]
    HouseSeat.objects.update(touched_at=timezone.now() - 2 * housebots.ASK_AGAIN)
    assert due() == [match_id]


def test_two_workers_give_one_command(ann: User, monkeypatch: pytest.MonkeyPatch) -> None:
    """Both have read the same moment; the number in the log lets one of them win."""
    match_id = sit_down(user=ann, level=Level.EASY, terms=bot_terms())
    before = course.load(match_id)
    assert act(match_id)
    monkeypatch.setattr(course, "load", lambda _: before)
    assert not act(match_id)
    assert MatchEvent.objects.filter(match_id=match_id, kind="player_accepted").count() == 1
    monkeypatch.undo()


def test_a_bot_is_never_lost(ann: User) -> None:
    match_id = begun(ann)
    seats = Seat.objects.filter(match_id=match_id)
    assert seats.get(side=BOT.value).seen_at == housebots.ALWAYS_HERE
    seats.filter(side=HUMAN.value).update(seen_at=timezone.now())
    assert abandonment.mark_lost() == 0


def test_a_bot_lets_people_look_before_it_goes_on(
    ann: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(housebots, "PACE_MS", 60_000)
    match_id = sit_down(user=ann, level=Level.EASY, terms=bot_terms())
    assert not act(match_id)
    assert due() == [match_id], "nothing is forgotten"
    assert HouseSeat.objects.filter(seen__lt=F("match__head__version")).exists()


def test_a_bot_plays_again_with_who_asks(ann: User) -> None:
    """Rematch with a bot."""
    match_id = begun(ann)
    play_out(match_id)
    act(match_id)
    assert housebots.want_rematches() == 0
    rematches.ask(match_id, HUMAN, wants=True)
    assert housebots.want_rematches() == 1
    assert housebots.want_rematches() == 0
    again = Rematch.objects.get(match_id=match_id).next_id
    assert again is not None
    seat = HouseSeat.objects.get(match_id=again)
    assert Seat.objects.get(match_id=again, side=seat.side).user == bot(Level.EASY)
    assert again in due()


# chips only, marked


def test_a_bot_never_plays_for_money(ann: User) -> None:
    """Table 8: it never plays for money."""
    rich = make_user(cents=10_000)
    house = bot(Level.STRONG)
    for light, dark in ((rich, house), (house, rich)):
        with pytest.raises(BotsPlayForChips):
            seating.open_match(
                light=light, dark=dark, terms=usd_terms(), room="main", column="main"
            )
    with pytest.raises(BotsPlayForChips):
        sit_down(user=rich, level=Level.EASY, terms=usd_terms())
    assert not HouseSeat.objects.exists()
    assert not MatchHead.objects.exists()


def test_the_terms_of_a_bots_table_are_for_chips() -> None:
    assert not bot_terms().is_money
    assert bot_terms(length=5).length == 5
    with pytest.raises(NoBotForThisGame):
        bot_terms(variant="chess")


def test_there_is_one_account_a_level_and_its_name_says_what_it_is() -> None:
    bots = [bot(level) for level in Level]
    assert [bot(level) for level in Level] == bots
    assert HouseBot.objects.count() == len(Level)
    for each in bots:
        assert each.screen_name.startswith("House bot ")
        assert not each.has_usable_password()


def test_a_bot_has_chips_however_often_it_loses(ann: User) -> None:
    match_id = begun(ann)
    house = bot(Level.EASY)
    assert purse(house.pk, "PLAY") >= 900_000
    state = state_of(match_id)
    assert state.phase in {Phase.TO_MOVE, Phase.TO_ROLL}
    assert played.chips().currency == "PLAY"
