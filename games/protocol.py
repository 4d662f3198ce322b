"""JSON to commands, and states to JSON: the only file that knows the wire (docs/protocol.md)."""

import re
from collections.abc import Callable
from typing import Any

import orjson
from django.utils.translation import gettext

from accounts.errors import Refused
from games.errors import BadFrame
from games.info import MatchInfo
from games.match import commands
from games.match.machine import deadline, may, resign_levels, whose
from games.match.sides import Side
from games.match.state import MatchState, Phase
from games.rules.notation import format_turn, parse_moves
from games.rules.outcome import Win
from games.rules.turns import Move, Step
from games.stakes import fee_rows, offer_prices, result_money
from games.store import Record

VERSION = 1
FRAME_LIMIT_BYTES = 8 * 1024
CHAT_LIMIT = 200
MOST_STEPS = 4
MOST_TEXT = 60
_REF = re.compile(r"[A-Za-z0-9_-]{8,64}")
_HEX64 = re.compile(r"[0-9a-f]{64}")
_ENVELOPE = {"v", "id", "cmd", "at"}

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


def chat_text(frame: Frame) -> str:
    """`text` of a chat line, not stripped."""
    _only(frame, {"text"})
    text = frame.get("text")
    if not isinstance(text, str):
        raise BadFrame
    return text


def parse_command(frame: Frame, *, by: Side) -> commands.PlayerCommand:
    """The command of a seated player. Raises BadFrame for unknown commands, fields or types."""
    if frame.get("v") != VERSION or ref_of(frame) is None:
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
COMMANDS = frozenset(_PARSERS) | {"hello", "beat", "chat"}


# --- out --------------------------------------------------------------------------------------


def text_of(frame: object) -> str:
    """A frame as text."""
    return orjson.dumps(frame).decode()


def wire_event(record: Record) -> bytes:
    """An event as every viewer gets it: seeds and message ids stay on the server."""
    shown = {"n": record.version, "kind": record.kind, "at": record.at_ms}
    shown |= {k: v for k, v in record.payload.items() if k not in {"seed", "terms"}}
    if record.kind == "turn_played":
        shown["text"] = format_turn(tuple(Step(*step) for step in record.payload["steps"]))
    return orjson.dumps(shown)


def events_frame(
    info: MatchInfo,
    state: MatchState,
    side: Side | None,
    wire: list[bytes],
    *,
    since: int,
    now_ms: int,
) -> str:
    """The events after `since` and the view after them."""
    head = {
        "kind": "events",
        "version": state.version,
        "now": now_ms,
        "view": view(info, state, side),
    }
    return _with_events(head, wire[since : state.version])


def snapshot_frame(
    info: MatchInfo,
    state: MatchState,
    side: Side | None,
    wire: list[bytes],
    *,
    extra: dict[str, object],
    now_ms: int,
) -> str:
    """Everything a browser needs to draw the table from nothing."""
    head = {
        "kind": "snapshot",
        "version": state.version,
        "now": now_ms,
        "you": side,
        "match": match_json(info),
        "view": view(info, state, side),
        **extra,
    }
    return _with_events(head, wire[: state.version])


def _with_events(head: dict[str, object], wire: list[bytes]) -> str:
    return (orjson.dumps(head)[:-1] + b',"events":[' + b",".join(wire) + b"]}").decode()


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
                "rating": person.rating,
                "country": person.country,
            }
            for side, person in info.people.items()
        },
        "server_commit": info.server_commit,
        "fees": fee_rows(info),
    }


def view(info: MatchInfo, state: MatchState, side: Side | None) -> dict[str, object]:
    """The state as this viewer may see it."""
    return {
        "phase": state.phase,
        "on_roll": state.on_roll,
        "to_act": whose(state),
        "board": _board(state),
        "dice": _dice(state),
        "cube": {
            "value": state.offered_value or state.cube_value,
            "owner": state.cube_owner,
            "offered": state.offered_value is not None,
        },
        "clock": _clock(state),
        "score": {s.value: state.score[s] for s in Side},
        "game": state.game,
        "crawford": state.crawford,
        "accepted": {s.value: s in state.accepted for s in Side},
        "last_turn": _last_turn(state),
        "may": sorted(may(state, side)) if side else [],
        "resign_levels": [int(level) for level in resign_levels(state, side)] if side else [],
        "offer": _offer(info, state),
        "turns": _turns(state, side),
        "switches": _switches_json(state, side),
        "result": result_money(info, state),
    }


def _board(state: MatchState) -> dict[str, list[int]]:
    return {side.value: list(state.checkers(side)) for side in Side}


def _dice(state: MatchState) -> list[int] | None:
    return [state.roll.high, state.roll.low] if state.roll else None


def _clock(state: MatchState) -> dict[str, object]:
    clock = state.clock
    return {
        "running": clock.running,
        "move_ms": clock.move_ms,
        "reserve_ms": {s.value: clock.reserve_ms[s] for s in Side},
        "used_ms": {s.value: clock.used_ms[s] for s in Side},
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


def _turns(state: MatchState, side: Side | None) -> dict[str, object] | None:
    if side is None or state.on_roll is not side:
        return None
    graph = state.turns
    if graph is None:
        return None
    return {
        "nodes": [
            [[edge.src, edge.dst, edge.die, int(edge.hit), edge.to] for edge in node]
            for node in graph.nodes
        ]
    }


def _switches_json(state: MatchState, side: Side | None) -> dict[str, bool] | None:
    if side is None:
        return None
    own = state.switches[side]
    return {
        "auto_roll": own.auto_roll,
        "auto_forced": own.auto_forced,
        "auto_bear_off": own.auto_bear_off,
    }
