"""Events as the store keeps them: a round trip for every one, and nothing else is read."""

import json
from dataclasses import replace
from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.match import events as e
from games.match.sides import Side
from games.match.terms import PRESETS, Terms, clock_terms
from games.rules.turns import Step, Turn
from games.tests.match_table import LIGHT, single

numbers = st.integers(min_value=0, max_value=2**53)
texts = st.text(st.characters(codec="utf-8", exclude_characters="\0"), max_size=80)
terms = st.builds(
    lambda preset, kind, length, flags, cap: Terms(
        variant="backgammon",
        kind=kind,
        length=length,
        jacoby=flags[0],
        beavers=flags[1],
        crawford=flags[2],
        clock=clock_terms(preset, kind, length),
        blitz=flags[3],
        cap_points=cap,
    ),
    st.sampled_from(sorted(PRESETS)),
    st.sampled_from(["single", "series"]),
    st.integers(1, 25),
    st.tuples(*[st.booleans()] * 4),
    st.none() | st.sampled_from([3, 6, 12, 24, 192]),
)
steps = st.lists(
    st.builds(Step, st.integers(1, 25), st.integers(0, 24), st.integers(1, 6), st.booleans()),
    max_size=4,
).map(tuple)
FORMS = {
    int: numbers,
    e.Signed: st.integers(-(10**9), 10**9).map(e.Signed),
    str: texts,
    bool: st.booleans(),
    Side: st.sampled_from(Side),
    e.Reason: st.sampled_from(get_args(e.Reason)),
    Turn: steps,
    Terms: terms,
}
ended = st.builds(
    lambda winner, win, cube, share, reason: e.GameEnded(
        winner, win, cube, max(1, win * cube // share), reason
    ),
    st.sampled_from(Side),
    st.sampled_from(e.WINS),
    st.sampled_from([1, 2, 4, 8, 16, 32, 64]),
    st.integers(1, 4),
    st.sampled_from(get_args(e.Reason)),
)
any_event = st.one_of(
    ended,
    *(
        st.builds(
            kind,
            **{
                name: FORMS[type_] for name, type_ in kind.__annotations__.items() if name != "KIND"
            },
        )
        for kind in e.KINDS.values()
        if kind is not e.GameEnded
    ),
)


@given(any_event)
def test_every_event_comes_back_from_json_as_it_was(event: e.Event) -> None:
    stored = json.loads(json.dumps(e.to_payload(event)))
    assert e.from_payload(event.KIND, stored) == event


def test_every_event_has_a_name_of_its_own() -> None:
    assert len(e.KINDS) == len(get_args(e.Event)) == 29
    assert all(kind == cls.KIND for kind, cls in e.KINDS.items())


def test_an_unknown_kind_is_refused() -> None:
    with pytest.raises(e.BadPayload):
        e.from_payload("dice_chosen", {})


@pytest.mark.parametrize(
    ("kind", "payload"),
    [
        ("rolled", {}),
        ("rolled", {"side": "light", "high": 6, "low": 5, "roll_number": 1, "board": []}),
        ("rolled", {"side": "white", "high": 6, "low": 5, "roll_number": 1}),
        ("rolled", {"side": "light", "high": "6", "low": 5, "roll_number": 1}),
        ("rolled", {"side": "light", "high": True, "low": 5, "roll_number": 1}),
        ("rolled", {"side": "light", "high": -6, "low": 5, "roll_number": 1}),
        ("turn_played", {"side": "light", "steps": [[1, 2]], "auto": False}),
        ("turn_played", {"side": "light", "steps": [], "auto": 0}),
        ("turn_played", {"side": "light", "steps": 7, "auto": False}),
        ("match_voided", {"reason": None}),
        ("match_ended", {"winner": "dark", "points": 1, "reason": "disliked"}),
        ("match_opened", {"terms": {"variant": "backgammon"}, "server_commit": ""}),
        ("match_opened", {"terms": 7, "server_commit": ""}),
        ("game_ended", {"winner": "dark", "win": 4, "cube": 1, "points": 4, "reason": "resign"}),
        ("game_ended", {"winner": "dark", "win": 1, "cube": 4, "points": 4016, "reason": "resign"}),
    ],
)
def test_what_is_no_event_is_not_read(kind: str, payload: dict[str, object]) -> None:
    """Bug C16 among them: points are level times cube."""
    with pytest.raises(e.BadPayload):
        e.from_payload(kind, payload)


def test_terms_of_an_unknown_kind_are_not_read() -> None:
    payload = e.to_payload(e.MatchOpened(single(), "aa" * 32))
    payload["terms"]["kind"] = "marathon"
    with pytest.raises(e.BadPayload):
        e.from_payload("match_opened", payload)


def test_a_payload_shares_nothing_with_its_event() -> None:
    event = e.TurnPlayed(LIGHT, (Step(8, 5, 3, hit=False),), auto=False)
    e.to_payload(event)["steps"].clear()
    assert replace(event) == event
    assert event.steps
