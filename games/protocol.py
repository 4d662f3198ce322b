"""JSON to commands, and states to JSON: the only file that knows the wire (docs/protocol.md)."""

import re
from collections.abc import Callable
from typing import Any

import orjson
from django.utils.translation import gettext

from accounts.errors import Refused
from games.errors import BadFrame
from games.info import MatchInfo
from games.match import commands, cube
from games.match.machine import deadline, may, resign_levels, whose
from games.match.sides import SIDES, BySide, Side
from games.match.state import MatchState, Phase
from games.rules.notation import format_turn, parse_moves
from games.rules.outcome import Win
from games.rules.turns import Move, Step
from games.stakes import fee_rows, offer_prices, result_money
from games.standings import is_rated, outcome_json, stake_json
from games.store import Record

VERSION = 1
FRAME_LIMIT_BYTES = 8 * 1024
CHAT_LIMIT = 200
MOST_STEPS = 4
MOST_TEXT = 60
MOST_EVENTS = 600
"""In one frame; who wants what was before reads the replay."""
_REF = re.compile(r"[A-Za-z0-9_-]{8,64}")
_HEX64 = re.compile(r"[0-9a-f]{64}")
_ENVELOPE = {"v", "id", "cmd", "at"}
_KEPT_BACK = {"seed", "terms", "detail"}

Frame = dict[str, Any]


# --- in ---------------------------------------------------------------------------------------


def parse_frame(text: str) -> Frame:
    """A frame as an object with a known envelope. Raises BadFrame."""
    try:
        frame = orjson.loads(text)
    except orjson.JSONDecodeError as error:
        raise BadFrame from error
    if not isinstance(frame, dict) or not isinstance(frame.get("cmd"), str):
        raise BadFrame
    return frame


def ref_of(frame: Frame) -> str | None:
    """The browser's id of the frame, if it is well formed."""
    ref = frame.get("id")
    return ref if isinstance(ref, str) and _REF.fullmatch(ref) else None


def known_version(frame: Frame) -> int:
    """The version that the command was made against."""
    return _int(frame, "at", 0, 10**9)


def have_version(frame: Frame) -> int:
    """`have` of a hello."""
    _only(frame, {"have"})
    return _int(frame, "have", 0, 10**9)


def echo_of(frame: Frame) -> str | None:
    """What a beat echoes, if it does."""
    _only(frame, {"ask"})
    ask = frame.get("ask")
    if ask is not None and not isinstance(ask, str):
        raise BadFrame
    return ask


def chat_text(frame: Frame) -> str:
    """`text` of a chat line, not stripped."""
    _only(frame, {"text"})
    text = frame.get("text")
    if not isinstance(text, str):
        raise BadFrame
    return text


def wants_rematch(frame: Frame) -> bool:
    """`want` of a rematch. Raises BadFrame."""
    if frame.get("v") != VERSION or ref_of(frame) is None:
        raise BadFrame
    _only(frame, {"want"})
    return _bool(frame, "want")


def parse_command(frame: Frame, *, by: Side) -> commands.PlayerCommand:
    """The command of a seated player. Raises BadFrame for unknown commands, fields or types."""
    if type(frame.get("v")) is not int or frame["v"] != VERSION or ref_of(frame) is None:
        raise BadFrame
    parser = _PARSERS.get(frame["cmd"])
    if parser is None:
        raise BadFrame
    return parser(frame, by)


def _only(frame: Frame, fields: set[str]) -> None:
    if not frame.keys() <= _ENVELOPE | fields:
        raise BadFrame


def _int(frame: Frame, name: str, least: int, most: int) -> int:
    value = frame.get(name)
    if not isinstance(value, int) or isinstance(value, bool) or not least <= value <= most:
        raise BadFrame
    return value


def _bool(frame: Frame, name: str) -> bool:
    value = frame.get(name)
    if not isinstance(value, bool):
        raise BadFrame
    return value


def _hex64(frame: Frame, name: str) -> str:
    value = frame.get(name)
    if not isinstance(value, str) or not _HEX64.fullmatch(value):
        raise BadFrame
    return value


def _accept(frame: Frame, by: Side) -> commands.PlayerCommand:
    _only(frame, {"commit"})
    return commands.Accept(by=by, commit=_hex64(frame, "commit"))


def _reveal(frame: Frame, by: Side) -> commands.PlayerCommand:
    _only(frame, {"seed"})
    return commands.RevealSeed(by=by, seed=_hex64(frame, "seed"))


def _play(frame: Frame, by: Side) -> commands.PlayerCommand:
    _only(frame, {"steps", "text"})
    if ("steps" in frame) == ("text" in frame):
        raise BadFrame
    if "text" in frame:
        text = frame["text"]
        if not isinstance(text, str) or len(text) > MOST_TEXT:
            raise BadFrame
        return commands.PlayTurn(by=by, moves=tuple(parse_moves(text)))
    steps = frame["steps"]
    if not isinstance(steps, list) or len(steps) > MOST_STEPS:
        raise BadFrame
    return commands.PlayTurn(by=by, moves=tuple(_move(step) for step in steps))


def _move(step: object) -> Move:
    pair = 2
    if not isinstance(step, list) or len(step) != pair:
        raise BadFrame
    for place in step:
        if not isinstance(place, int) or isinstance(place, bool) or not 0 <= place <= 25:  # noqa: PLR2004
            raise BadFrame
    return Move(step[0], step[1], None)


def _resign(frame: Frame, by: Side) -> commands.PlayerCommand:
    _only(frame, {"level"})
    return commands.OfferResign(by=by, level=Win(_int(frame, "level", 1, 3)))


def _answer(frame: Frame, by: Side) -> commands.PlayerCommand:
    _only(frame, {"accept"})
    return commands.AnswerResign(by=by, accept=_bool(frame, "accept"))


def _switches(frame: Frame, by: Side) -> commands.PlayerCommand:
    names = ("auto_roll", "auto_forced", "auto_bear_off")
    _only(frame, set(names))
    return commands.SetSwitches(by=by, **{name: _bool(frame, name) for name in names})


def _bare(
    make: Callable[..., commands.PlayerCommand],
) -> Callable[[Frame, Side], commands.PlayerCommand]:
    def parse(frame: Frame, by: Side) -> commands.PlayerCommand:
        _only(frame, set())
        return make(by=by)

    return parse


_PARSERS: dict[str, Callable[[Frame, Side], commands.PlayerCommand]] = {
    "accept": _accept,
    "reveal": _reveal,
    "leave": _bare(commands.Leave),
    "roll": _bare(commands.Roll),
    "double": _bare(commands.Double),
    "take": _bare(commands.Take),
    "drop": _bare(commands.Drop),
    "beaver": _bare(commands.Beaver),
    "play": _play,
    "resign": _resign,
    "answer": _answer,
    "claim": _bare(commands.ClaimTime),
    "switches": _switches,
}
COMMANDS = frozenset(_PARSERS) | {"hello", "beat", "chat", "rematch"}


# --- out --------------------------------------------------------------------------------------


def text_of(frame: object) -> str:
    """A frame as text."""
    return orjson.dumps(frame).decode()


def wire_event(record: Record) -> bytes:
    """An event as every viewer gets it: seeds, message ids and the inputs of verdicts stay on the server."""
    shown = {"n": record.version, "kind": record.kind, "at": record.at_ms}
    shown |= {k: v for k, v in record.payload.items() if k not in _KEPT_BACK}
    if record.kind == "turn_played":
        shown["text"] = format_turn(tuple(Step(*step) for step in record.payload["steps"]))
    return _to_keep(shown)


def _to_keep(value: object) -> bytes:
    """As JSON, in no more memory than it needs: what orjson returns occupies four kilobytes, however short it is."""
    return bytes(memoryview(orjson.dumps(value)))


class Shown:
    """A state on its way to the viewers: what all of them see is made and encoded once."""

    __slots__ = ("_common", "_info", "state")

    def __init__(self, info: MatchInfo, state: MatchState) -> None:
        self.state = state
        self._info = info
        self._common = _to_keep(common_view(info, state))

    def events_frame(self, side: Side | None, wire: list[bytes], *, since: int, now_ms: int) -> str:
        """The events after `since` and the view after them."""
        head = b'{"kind":"events","version":%d,"now":%d' % (self.state.version, now_ms)
        return self._frame(head, side, wire[since : self.state.version])

    def snapshot_frame(
        self, side: Side | None, wire: list[bytes], *, extra: dict[str, object], now_ms: int
    ) -> str:
        """Everything a browser needs to draw the table from nothing."""
        fields = {"you": side, "match": match_json(self._info), **extra}
        head = b'{"kind":"snapshot","version":%d,"now":%d,%s' % (
            self.state.version,
            now_ms,
            orjson.dumps(fields)[1:-1],
        )
        held = wire[: self.state.version]
        ended = b",".join(event for event in held if b'"kind":"game_ended"' in event)
        head += b',"games":[%s]' % ended
        return self._frame(head, side, held[-MOST_EVENTS:])

    def _frame(self, head: bytes, side: Side | None, wire: list[bytes]) -> str:
        own = orjson.dumps(own_view(self.state, side))
        view_json = b"%s,%s" % (self._common[:-1], own[1:])
        return (b'%s,"view":%s,"events":[%s]}' % (head, view_json, b",".join(wire))).decode()


def refused_frame(refusal: Refused, *, ref: str | None, version: int) -> dict[str, object]:
    """A refusal in the reader's language."""
    return {
        "kind": "refused",
        "ref": ref,
        "code": refusal.code,
        "text": sentence(refusal),
        "version": version,
    }


def sentence(refusal: Refused) -> str:
    """The refusal as a sentence in the active language."""
    return gettext(refusal.text) % refusal.params if refusal.params else gettext(refusal.text)


def match_json(info: MatchInfo) -> dict[str, object]:
    """What does not change during a match."""
    terms = info.terms
    clock = info.machine_terms.clock
    return {
        "id": str(info.id),
        "variant": terms.variant,
        "kind": terms.kind,
        "length": terms.length,
        "currency": terms.currency,
        "stake": terms.stake,
        "limit": terms.limit,
        "room": info.room,
        "jacoby": terms.jacoby,
        "beavers": terms.beavers,
        "crawford": terms.crawford,
        "blitz": terms.blitz,
        "clock": {"move_ms": clock.move_ms, "reserve_ms": clock.reserve_ms},
        "players": {
            side.value: {
                "name": person.name,
                "rating": person.rating.shown if is_rated(info) else None,
                "unfinished": person.unfinished,
                "points": stake_json(info, side),
                "country": person.country,
            }
            for side, person in info.people.items()
        },
        "server_commit": info.server_commit,
        "fees": fee_rows(info),
    }


def view(info: MatchInfo, state: MatchState, side: Side | None) -> dict[str, object]:
    """The state as this viewer may see it."""
    return {**common_view(info, state), **own_view(state, side)}


def common_view(info: MatchInfo, state: MatchState) -> dict[str, object]:
    """What every viewer sees of a state."""
    return {
        "phase": state.phase,
        "on_roll": state.on_roll,
        "to_act": whose(state),
        "board": {side.value: state.checkers(side) for side in SIDES},
        "dice": tuple(state.roll) if state.roll else None,
        "cube": {
            "value": state.offered_value or state.cube_value,
            "owner": state.cube_owner,
            "offered": state.offered_value is not None,
        },
        "clock": _clock(state),
        "score": _by_side(state.score),
        "game": state.game,
        "first": state.first,
        "crawford": state.crawford,
        "accepted": {side.value: side in state.accepted for side in SIDES},
        "last_turn": _last_turn(state),
        "offer": _offer(info, state),
        "worth": fee_rows(info, state.cube_value),
        "result": _result(info, state),
    }


def _result(info: MatchInfo, state: MatchState) -> dict[str, object] | None:
    paid = result_money(info, state)
    return None if paid is None else {**paid, "ratings": outcome_json(info, state)}


def own_view(state: MatchState, side: Side | None) -> dict[str, object]:
    """What only this viewer sees: the commands and turns that are open to them."""
    if side is None:
        return {
            "may": (),
            "no_double": None,
            "resign_levels": (),
            "turns": None,
            "switches": None,
        }
    return {
        "may": sorted(may(state, side)),
        "no_double": _no_double(state, side),
        "resign_levels": [int(level) for level in resign_levels(state, side)],
        "turns": _turns(state, side),
        "switches": _switches_json(state, side),
    }


def _no_double(state: MatchState, side: Side) -> str | None:
    to_roll = state.phase is Phase.TO_ROLL and state.on_roll is side
    return cube.refused_code(state, side) if to_roll else None


def _by_side(values: BySide[int]) -> dict[str, int]:
    return {side.value: values[side] for side in SIDES}


def _clock(state: MatchState) -> dict[str, object]:
    clock = state.clock
    return {
        "running": clock.running,
        "move_ms": clock.move_ms,
        "reserve_ms": _by_side(clock.reserve_ms),
        "used_ms": _by_side(clock.used_ms),
        "since": clock.since_ms,
        "deadline": deadline(state),
    }


def _last_turn(state: MatchState) -> dict[str, object] | None:
    last = state.last_turn
    if last is None:
        return None
    return {"side": last.side, "steps": [[step[0], step[1], step[3]] for step in last.steps]}


def _offer(info: MatchInfo, state: MatchState) -> dict[str, object] | None:
    if state.phase in {Phase.CUBE_ANSWER, Phase.BEAVER_ANSWER}:
        kind = "double" if state.phase is Phase.CUBE_ANSWER else "beaver"
        return {
            "kind": kind,
            "by": state.offered_by,
            "value": state.offered_value,
            **offer_prices(info, state),
        }
    if state.phase is Phase.RESIGN_ANSWER and state.resign is not None:
        return {"kind": "resign", "by": state.resign.side, "level": state.resign.level}
    return None


def _turns(state: MatchState, side: Side) -> dict[str, object] | None:
    if state.on_roll is not side:
        return None
    graph = state.turns
    if graph is None:
        return None
    return {"nodes": graph.nodes}


def _switches_json(state: MatchState, side: Side) -> dict[str, bool]:
    own = state.switches[side]
    return {
        "auto_roll": own.auto_roll,
        "auto_forced": own.auto_forced,
        "auto_bear_off": own.auto_bear_off,
    }
