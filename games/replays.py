"""A finished match as a replay: every moment that is worth a look, and who may look. Writes nothing.

A link to a replay carries the id of the match under a signature of the site, so that nobody can guess
one, and opens it to everybody who has it, without the chat. Matches with anonymous players have none.
"""

from typing import Any, Final
from uuid import UUID

import orjson
from django.core import signing

from games import protocol, selectors
from games.errors import MatchIsAnonymous, UnknownMatch
from games.finished import Finished, Step
from games.match.sides import SIDES, Side
from games.match.situations import situation_of
from games.rules.xgid import xgid

_SALT: Final = "games.replays"
_SHOWN: Final = frozenset(
    {
        "game_started",
        "opening_rolled",
        "colours_drawn",
        "rolled",
        "turn_played",
        "double_offered",
        "double_taken",
        "double_dropped",
        "beavered",
        "beaver_accepted",
        "resign_offered",
        "resign_refused",
        "resign_accepted",
        "time_expired",
        "abandoned",
        "adjudicated",
        "game_ended",
        "match_ended",
        "match_voided",
    }
)
"""Events that are a moment of their own; the others are told with the next of these."""


def token_of(match: Finished) -> str:
    """What opens the replay to everybody. Raises MatchIsAnonymous."""
    if match.is_anonymous:
        raise MatchIsAnonymous
    return signing.Signer(salt=_SALT, sep=".").sign(match.info.id.hex)


def match_of(token: str) -> UUID:
    """The match behind a token. Raises UnknownMatch."""
    try:
        return UUID(signing.Signer(salt=_SALT, sep=".").unsign(token))
    except (signing.BadSignature, ValueError) as error:
        raise UnknownMatch from error


def replay(match: Finished, viewer: Side | None) -> dict[str, Any]:
    """All of it as the browser wants it: `match`, `you`, `events`, `moments`, `chat`.

    A moment is the view after the event `n`. The chat is for the two players, so `chat` is empty if
    `viewer` is None. Players are named as everybody may see them.
    """
    steps = list(match.steps())
    return {
        "match": _match(match),
        "you": viewer,
        "events": [orjson.loads(protocol.wire_event(step.record)) for step in steps],
        "moments": [_moment(step) for step in steps if step.event.KIND in _SHOWN],
        "chat": [] if viewer is None else _chat(match),
    }


def _match(match: Finished) -> dict[str, Any]:
    """As at the table, but for what must not be told."""
    shown = protocol.match_json(match.info)
    players = {side.value: {"name": match.name(side)} for side in SIDES}
    if match.is_anonymous:
        return {**shown, "players": players}
    known: Any = shown["players"]
    return {**shown, "players": {side: known[side] | players[side] for side in players}}


def _moment(step: Step) -> dict[str, Any]:
    """The board after one event. In the middle of a commit a state cannot be asked for more than it holds."""
    state = step.state
    last = state.last_turn
    is_backgammon = state.terms.variant == "backgammon"
    situation = situation_of(state) if is_backgammon else None
    return {
        "n": step.record.version,
        "phase": state.phase,
        "on_roll": state.on_roll,
        "board": {side.value: state.checkers(side) for side in SIDES},
        "dice": tuple(state.roll) if state.roll else None,
        "cube": {
            "value": state.offered_value or state.cube_value,
            "owner": state.cube_owner,
            "offered": state.offered_value is not None,
        },
        "score": {side.value: state.score[side] for side in SIDES},
        "game": state.game,
        "crawford": state.crawford,
        "last_turn": last
        and {"side": last.side, "steps": [[step[0], step[1], step[3]] for step in last.steps]},
        "reserve_ms": {side.value: state.clock.reserve_ms[side] for side in SIDES},
        "xgid": xgid(situation) if situation else None,
    }


def _chat(match: Finished) -> list[dict[str, Any]]:
    lines = selectors.whole_chat(match.info.id)
    if not match.is_anonymous:
        return lines
    return [line | {"name": match.name(Side(line["from"] or Side.LIGHT))} for line in lines]
