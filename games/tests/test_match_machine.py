"""Any command, at any time, from anybody: it is refused, or what follows keeps every law of the match."""

import random
from collections.abc import Iterator
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from accounts.errors import Refused
from games.match import commands as c
from games.match.cube import LIMIT
from games.match.errors import GameOver, NotDueYet, Stale, TimeIsUp, VersionAhead
from games.match.events import (
    DoubleDropped,
    Event,
    GameEnded,
    MatchEnded,
    ResignAccepted,
    TimeExpired,
    TurnPlayed,
    from_payload,
    to_payload,
)
from games.match.machine import deadline, decide, evolve, may, open_match, resign_levels, whose
from games.match.sides import SIDES, Side
from games.match.state import BEFORE_PLAY, FINISHED, MatchState, Phase
from games.match.terms import Terms, clock_terms
from games.rules.board import checked
from games.rules.outcome import Win
from games.rules.turns import Move
from games.tests.match_table import COMMITS, OPENED_AT, SEEDS, Thrown

PLAYED = ("accept", "reveal", "leave", "roll", "play", "double", "take", "drop", "beaver", "resign")
NAMES = (*PLAYED, "answer", "claim")
FREE_OF_VERSION = (c.Accept, c.RevealSeed, c.Leave, c.SetSwitches)

sides = st.sampled_from(Side)
moves = st.lists(
    st.builds(Move, st.integers(-1, 27), st.integers(-1, 27), st.sampled_from([None, True, False])),
    max_size=5,
).map(tuple)
player_commands = st.one_of(
    st.builds(c.Accept, sides, st.sampled_from([*COMMITS.values(), "", "zz"])),
    st.builds(c.RevealSeed, sides, st.sampled_from([*SEEDS.values(), "", "zz"])),
    *(st.builds(kind, sides) for kind in (c.Leave, c.Roll, c.Double, c.Take, c.Drop, c.Beaver)),
    st.builds(c.PlayTurn, sides, moves),
    st.builds(c.OfferResign, sides, st.sampled_from(Win)),
    st.builds(c.AnswerResign, sides, st.booleans()),
    st.builds(c.ClaimTime, sides),
    st.builds(c.SetSwitches, sides, st.booleans(), st.booleans(), st.booleans()),
)
house_commands = st.one_of(
    st.just(c.StartGame()),
    st.just(c.HoldFailed("insufficient_funds")),
    st.builds(c.Expire, st.none() | st.sampled_from(Win)),
    st.builds(c.Credit, st.integers(0, 100_000), st.just("downtime")),
)
any_terms = st.builds(
    lambda preset, length, cap, flags: Terms(
        variant="backgammon",
        kind="single" if length == 0 else "series",
        length=max(1, length),
        jacoby=flags[0],
        beavers=not flags[1],
        crawford=flags[2],
        clock=clock_terms(preset, "series", max(1, length)),
        blitz=flags[3],
        cap_points=cap if length == 0 else None,
    ),
    st.sampled_from(["blitz", "normal"]),
    st.sampled_from([0, 0, 0, 1, 2, 3, 5]),
    st.sampled_from([3, 12, 192]),
    st.tuples(*[st.booleans()] * 4),
)


def forms(name: str, side: Side, state: MatchState) -> Iterator[c.PlayerCommand]:
    """Commands of that name, among them one that is right if any is."""
    plain: dict[str, Any] = {
        "leave": c.Leave,
        "roll": c.Roll,
        "double": c.Double,
        "take": c.Take,
        "drop": c.Drop,
        "beaver": c.Beaver,
        "claim": c.ClaimTime,
    }
    if name in plain:
        yield plain[name](side)
    elif name == "accept":
        # Nobody can commit to what the opponent has committed to.
        yield from (c.Accept(side, commit) for commit in COMMITS.values())
    elif name == "reveal":
        yield c.RevealSeed(side, SEEDS[side])
    elif name == "resign":
        yield from (c.OfferResign(side, level) for level in Win)
    elif name == "answer":
        yield from (c.AnswerResign(side, accept=accept) for accept in (True, False))
    else:
        yield c.PlayTurn(side, ())
        for turn in list(state.turns.finals.values())[:3] if state.turns else ():
            yield c.PlayTurn(side, tuple(Move(step.src, step.dst, step.hit) for step in turn))


class AnyMatch(RuleBasedStateMachine):
    """A match under commands of all kinds."""

    @initialize(terms=any_terms, seed=st.integers(0, 2**32), ready=st.integers(0, 9))
    def sit_down(self, terms: Terms, seed: int, ready: int) -> None:
        self.terms = terms
        self.seed = seed
        self.now = OPENED_AT
        self.log: list[tuple[Event, int]] = []
        (opened,) = open_match(terms, "aa" * 32)
        self.state: MatchState = evolve(None, opened, self.now)
        self.log.append((opened, self.now))
        if ready:
            self.both_get_ready()

    def dice(self, number: int) -> Thrown:
        source = random.Random(f"{self.seed} {number}")
        return Thrown(source.randint(1, 6), source.randint(1, 6))

    def apply(self, event: Event) -> None:
        self.state = evolve(self.state, event, self.now)
        self.log.append((event, self.now))

    def decide(self, command: c.Command, known: int | None = None, now: int | None = None) -> Any:
        return decide(
            self.state,
            command,
            now_ms=self.now if now is None else now,
            dice=self.dice,
            known_version=known,
        )

    def try_(self, command: c.Command, known: int | None = None) -> Refused | None:
        try:
            events = self.decide(command, known)
        except Refused as refusal:
            return refusal
        assert events or isinstance(command, c.SetSwitches), "only a switch may change nothing"
        for event in events:
            self.apply(event)
        self.check_endings(events)
        return None

    def check_endings(self, events: tuple[Event, ...]) -> None:
        """Bug C12: a game ends by the rules, a player or the clock, and by nothing else."""
        causes = {
            "borne_off": TurnPlayed,
            "drop": DoubleDropped,
            "resign": ResignAccepted,
            "time": TimeExpired,
        }
        for before, event in pairwise(events):
            if isinstance(event, GameEnded):
                assert isinstance(before, causes[event.reason])
                assert event.points <= event.win * event.cube
        assert sum(isinstance(event, MatchEnded) for event in events) <= 1

    # --- what happens at the table --------------------------------------------------------

    @rule(command=player_commands | house_commands, wait=st.sampled_from([0, 0, 0, 5_000, 20_000]))
    def anybody_asks_for_anything(self, command: c.Command, wait: int) -> None:
        self.now += wait
        self.try_(command)

    @rule(command=player_commands, back=st.integers(1, 30))
    def somebody_asks_on_an_old_board(self, command: c.PlayerCommand, back: int) -> None:
        """Removing the check of the version fails here: an old board changes nothing in a game."""
        if isinstance(command, FREE_OF_VERSION):
            return
        known = self.state.decided_at - back
        refusal = self.try_(command, known)
        assert isinstance(refusal, Stale | TimeIsUp | GameOver)

    @rule(command=player_commands, ahead=st.integers(1, 5))
    def somebody_claims_to_have_seen_more(self, command: c.PlayerCommand, ahead: int) -> None:
        assert isinstance(self.try_(command, self.state.version + ahead), VersionAhead)

    @precondition(lambda self: self.state.phase in FINISHED)
    @rule(terms=any_terms, seed=st.integers(0, 2**32))
    def another_match_begins(self, terms: Terms, seed: int) -> None:
        self.sit_down(terms, seed, ready=1)

    @precondition(lambda self: self.state.phase in BEFORE_PLAY)
    @rule()
    def they_get_ready(self) -> None:
        self.both_get_ready()

    def both_get_ready(self) -> None:
        for command in (c.Accept, c.RevealSeed):
            for side in SIDES:
                self.try_(command(side, (COMMITS if command is c.Accept else SEEDS)[side]))
        self.try_(c.StartGame())

    @precondition(lambda self: whose(self.state) is not None)
    @rule(times=st.integers(1, 6), choice=st.integers(0, 2**16))
    def whoever_must_act_does_what_is_open(self, times: int, choice: int) -> None:
        chooser = random.Random(choice)
        for _ in range(times):
            side = whose(self.state)
            if side is None:
                return
            name = chooser.choice(sorted(may(self.state, side)))
            self.try_(chooser.choice(list(forms(name, side, self.state))), self.state.version)

    @precondition(lambda self: self.state.phase is Phase.TO_ROLL)
    @rule(dropped=st.booleans(), plainly=st.booleans())
    def the_cube_is_offered(self, *, dropped: bool, plainly: bool) -> None:
        doubler = self.state.on_roll
        assert doubler is not None
        if self.try_(c.Double(doubler)) is not None:
            return
        if not plainly and self.try_(c.Beaver(doubler.other)) is None:
            doubler = doubler.other
        answer = c.Drop if dropped else c.Take
        assert self.try_(answer(doubler.other)) is None

    @precondition(lambda self: self.state.phase in (Phase.TO_ROLL, Phase.TO_MOVE))
    @rule(
        turns=st.integers(1, 300),
        choice=st.integers(0, 2**16),
        pace=st.sampled_from([500, 500, 13_000]),
    )
    def they_play_on(self, turns: int, choice: int, pace: int) -> None:
        chooser = random.Random(choice)
        for _ in range(turns):
            state = self.state
            self.now += chooser.randint(0, pace)
            if state.on_roll is None:
                return
            if state.phase is Phase.TO_ROLL:
                self.try_(c.Roll(state.on_roll), state.version)
            elif state.turns is not None:
                turn = chooser.choice(list(state.turns.finals.values()))
                played = tuple(Move(step.src, step.dst) for step in turn)
                self.try_(c.PlayTurn(state.on_roll, played), state.version)

    @rule(
        past=st.integers(0, 5_000), kind=st.none() | st.sampled_from(Win), sweeps=st.integers(0, 3)
    )
    def the_deadline_passes(self, past: int, kind: Win | None, sweeps: int) -> None:
        """Bug T11: however many report it, it has one effect."""
        due = deadline(self.state)
        if due is None or not sweeps:
            return
        self.now = max(self.now, due + past)
        assert self.try_(c.Expire(kind)) is None
        for _ in range(sweeps - 1):
            assert isinstance(self.try_(c.Expire(kind)), NotDueYet | GameOver)

    # --- what always holds ----------------------------------------------------------------

    @invariant()
    def every_checker_is_somewhere(self) -> None:
        for side in SIDES:
            assert sum(self.state.checkers(side)) == 15
        checked(self.state.position)

    @invariant()
    def the_cube_is_a_power_of_two_up_to_64(self) -> None:
        for value in (self.state.cube_value, self.state.offered_value or 1):
            assert 1 <= value <= LIMIT
            assert value & (value - 1) == 0

    @invariant()
    def at_most_one_clock_runs_and_it_is_that_of_who_must_act(self) -> None:
        state = self.state
        assert state.clock.running is whose(state)
        if state.phase in BEFORE_PLAY | FINISHED:
            assert state.clock.running is None
        else:
            assert state.clock.running is not None
        for side in SIDES:
            assert 0 <= state.clock.reserve_ms[side] <= self.terms.clock.reserve_ms
            assert 0 <= state.clock.used_ms[side] <= self.terms.clock.move_ms
        assert state.clock.since_ms <= self.now

    @invariant()
    def the_deadline_is_known_while_the_match_runs(self) -> None:
        assert (deadline(self.state) is None) == (self.state.phase in FINISHED)

    @invariant()
    def events_are_numbered_without_gaps(self) -> None:
        assert self.state.version == len(self.log)
        assert 1 <= self.state.decided_at <= self.state.version

    @invariant()
    def the_score_stays_within_what_can_be_won(self) -> None:
        state = self.state
        most = self.terms.cap_points or self.terms.length
        assert all(0 <= score <= most for score in state.score.values())
        if state.phase is Phase.OVER:
            assert state.result is not None
            assert state.score[state.result.winner] == state.result.points
        elif not self.terms.is_single:
            assert max(state.score.values()) < self.terms.length

    @invariant()
    def replaying_the_stored_events_gives_the_same_state(self) -> None:
        state = None
        for event, at_ms in self.log:
            state = evolve(state, from_payload(event.KIND, to_payload(event)), at_ms)
        assert state == self.state

    @invariant()
    def whoever_may_can_and_nobody_else(self) -> None:
        due = deadline(self.state)
        now = self.now if due is None else min(self.now, due - 1)
        for side in SIDES:
            open_now = may(self.state, side)
            for name in NAMES:
                granted = [self.granted(form, now) for form in forms(name, side, self.state)]
                assert any(granted) == (name in open_now - {"claim"}), (name, side)
            assert self.is_claim_granted(side) == ("claim" in open_now)

    @invariant()
    def exactly_the_offered_levels_can_be_resigned(self) -> None:
        due = deadline(self.state)
        now = self.now if due is None else min(self.now, due - 1)
        for side in SIDES:
            levels = [level for level in Win if self.granted(c.OfferResign(side, level), now)]
            assert tuple(levels) == resign_levels(self.state, side)

    def granted(self, command: c.Command, now: int) -> bool:
        try:
            return bool(self.decide(command, self.state.version, now))
        except Refused:
            return False

    def is_claim_granted(self, side: Side) -> bool:
        """A claim is right when the time is up and it was the opponent's."""
        due = deadline(self.state)
        if self.state.phase in BEFORE_PLAY or due is None:
            return False
        try:
            self.decide(c.ClaimTime(side), self.state.version, due)
        except TimeIsUp:
            return whose(self.state) is side.other
        raise AssertionError("a claim is answered by its refusal")


TestAnyMatch = AnyMatch.TestCase
TestAnyMatch.settings = settings(max_examples=25, stateful_step_count=30, deadline=None)

INVARIANTS = (
    AnyMatch.every_checker_is_somewhere,
    AnyMatch.the_cube_is_a_power_of_two_up_to_64,
    AnyMatch.at_most_one_clock_runs_and_it_is_that_of_who_must_act,
    AnyMatch.the_deadline_is_known_while_the_match_runs,
    AnyMatch.events_are_numbered_without_gaps,
    AnyMatch.the_score_stays_within_what_can_be_won,
    AnyMatch.whoever_may_can_and_nobody_else,
    AnyMatch.exactly_the_offered_levels_can_be_resigned,
)


@pytest.mark.parametrize("seed", range(18))
def test_whole_matches_by_whatever_is_open_keep_the_same_laws(seed: int) -> None:
    """Cubes, beavers and ends come about more often here than under any command at all."""
    chooser = random.Random(seed)
    match = AnyMatch()
    terms = Terms(
        variant="backgammon",
        kind="series" if seed % 3 == 0 else "single",
        length=chooser.choice([1, 2, 3, 5, 9]) if seed % 3 == 0 else 1,
        jacoby=chooser.random() < 0.5,
        beavers=chooser.random() < 0.8,
        crawford=chooser.random() < 0.8,
        clock=clock_terms("normal", "single", 1),
        blitz=chooser.random() < 0.2,
        cap_points=None if seed % 3 == 0 else chooser.choice([3, 12, 192]),
    )
    reluctance = {"resign": 0.99, "drop": 0.9, "double": 0.7}
    pace = chooser.choice([1_000, 5_000, 20_000])
    match.sit_down(terms, seed, ready=1)
    while (side := whose(match.state)) is not None:
        match.now += chooser.randint(0, pace)
        name = chooser.choice(sorted(may(match.state, side)))
        if chooser.random() < reluctance.get(name, 0):
            continue
        command = chooser.choice(list(forms(name, side, match.state)))
        if isinstance(match.try_(command, match.state.version), TimeIsUp):
            match.the_deadline_passes(0, chooser.choice([None, *Win]), 2)
        for law in INVARIANTS:
            law(match)
    match.replaying_the_stored_events_gives_the_same_state()
