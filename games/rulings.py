"""How an abandoned match stands or was decided, for people to read: the position, what was found, what was paid.

Writes nothing and evaluates nothing: it reads the events.
"""

import json
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.utils.translation import gettext, ngettext

from games import course, protocol, stakes, store
from games.anonymity import shown_name
from games.info import MatchInfo, info_of
from games.match import events
from games.match.sides import Side
from games.match.state import MatchState

MODERATOR = "moderator"
"""What stands for the engine where a person decided."""

MINUS = "\N{MINUS SIGN}"
ROLLOUT = "rollout"


@dataclass(frozen=True, slots=True)
class Share:
    """A part of the stake: "+0.42", and the same in money, "+$2.10"."""

    stakes: str
    money: str


@dataclass(frozen=True, slots=True)
class Finding:
    """What an engine or a moderator found, all of it as `name` sees it. `facts`: how, label and value."""

    name: str
    by_moderator: bool
    reason: str
    estimate: Share
    low: Share
    high: Share
    applied: Share
    engine: str
    chance: str
    facts: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Paid:
    """What moved in the end, for people to read."""

    winner: str
    loser: str
    win: str
    fee: str
    gain: str
    loss: str


@dataclass(frozen=True, slots=True)
class Ruling:
    """`board` is what the browser's board draws; `finding` is None while nobody has decided."""

    match_id: UUID
    names: dict[str, str]
    board: dict[str, Any]
    left: tuple[str, ...]
    with_moderators: bool
    on_roll: str
    dice: str
    cube: str
    score: str
    stake: str
    finding: Finding | None
    paid: Paid | None
    void_because: str


def ruling(match_id: UUID) -> Ruling | None:
    """None if nobody has left this match. Raises Match.DoesNotExist."""
    info = info_of(match_id)
    records = store.events_of(match_id)
    abandoned = next((n for n, r in enumerate(records) if r.kind == "abandoned"), None)
    if abandoned is None:
        return None
    state = course.fold(records[: abandoned + 1])
    later = [events.from_payload(r.kind, r.payload) for r in records[abandoned + 1 :]]
    if any(isinstance(event, events.GameEnded) for event in later):
        return None  # forfeited: nothing was worked out
    names = _names(info)
    return Ruling(
        match_id=match_id,
        names=names,
        board=_board(info, state),
        left=tuple(side.value for side in Side if side in state.left),
        with_moderators=any(isinstance(event, events.SentToModerators) for event in later),
        on_roll=names[state.on_roll] if state.on_roll else "",
        dice=f"{state.roll.high}-{state.roll.low}" if state.roll else "",
        cube=_cube(state, names),
        score="" if info.terms.kind == "single" else _score(info, state),
        stake=sum_text(info.terms.stake, info.terms.currency),
        finding=_finding(info, later),
        paid=_paid(later, names),
        void_because=next((e.reason for e in later if isinstance(e, events.MatchVoided)), ""),
    )


def sum_text(amount: int, currency: str) -> str:
    """Money as "$2.10", chips as "5 chips"."""
    text = stakes.money_text(amount, currency)
    if currency == "USD":
        return text
    return ngettext("%(count)s chip", "%(count)s chips", abs(amount)) % {"count": text}


def change_text(amount: int, currency: str) -> str:
    """The same with its sign always said."""
    return ("+" if amount > 0 else "") + sum_text(amount, currency)


def share(ppm: int, info: MatchInfo) -> Share:
    """Millionths of a stake for people; money is rounded half up to a unit."""
    hundredths = (abs(ppm) * 2 + events.PPM // 100) // (events.PPM // 100 * 2)
    sign = "" if not hundredths else "+" if ppm > 0 else MINUS
    amount = (2 * info.terms.stake * abs(ppm) + events.PPM) // (2 * events.PPM)
    return Share(
        stakes=f"{sign}{hundredths // 100}.{hundredths % 100:02}",
        money=change_text(amount if ppm > 0 else -amount, info.terms.currency),
    )


def _names(info: MatchInfo) -> dict[str, str]:
    """As everybody may see them, the staff's queue included."""
    return {
        side.value: shown_name(person.name, info.column) for side, person in info.people.items()
    }


def _board(info: MatchInfo, state: MatchState) -> dict[str, Any]:
    view = protocol.common_view(info, state)
    shown = {name: view[name] for name in ("board", "dice", "cube", "on_roll", "crawford")}
    names = _names(info)
    return {**shown, "variant": info.terms.variant, "names": names}


def _cube(state: MatchState, names: dict[str, str]) -> str:
    if state.offer is not None:
        return gettext("%(name)s had doubled to %(value)s; there was no answer yet.") % {
            "name": names[state.offer.by],
            "value": state.offer.value,
        }
    if state.cube_owner is None:
        return gettext("In the middle, at %(value)s.") % {"value": state.cube_value}
    facts = {"name": names[state.cube_owner], "value": state.cube_value}
    return gettext("At %(value)s, owned by %(name)s.") % facts


def _score(info: MatchInfo, state: MatchState) -> str:
    names = _names(info)
    light, dark = names[Side.LIGHT], names[Side.DARK]
    return (
        f"{light} {state.score[Side.LIGHT]}, {dark} {state.score[Side.DARK]} / {info.terms.length}"
    )


def _finding(info: MatchInfo, later: list[events.Event]) -> Finding | None:
    found = next((event for event in later if isinstance(event, events.Adjudicated)), None)
    if found is None:
        return None
    by_moderator = found.engine.startswith(MODERATOR)
    detail = {} if by_moderator else _read(found.detail)
    return Finding(
        name=_names(info)[found.side],
        by_moderator=by_moderator,
        reason=found.detail if by_moderator else "",
        estimate=share(found.estimate, info),
        low=share(found.low, info),
        high=share(found.high, info),
        applied=share(found.applied, info),
        engine=found.engine,
        chance=_chance(detail.get("verdict", {})),
        facts=_facts(detail.get("verdict", {})),
    )


def _read(detail: str) -> dict[str, Any]:
    try:
        found = json.loads(detail)
    except ValueError:
        return {}
    return found if isinstance(found, dict) else {}


def _chance(found: dict[str, Any]) -> str:
    """In a series: the chance to win it, with its interval."""
    if found.get("measure") != "chance":
        return ""
    return gettext("%(value)s %% to win the series (%(low)s to %(high)s)") % {
        end: f"{100 * found[end]:.1f}" for end in ("value", "low", "high")
    }


def _facts(found: dict[str, Any]) -> tuple[tuple[str, str], ...]:
    """How it was found, as far as the record says."""
    settings = found.get("settings")
    if not isinstance(settings, dict):
        return ()
    method = str(settings.get("method", ""))
    rows = [
        (gettext("Engine"), str(found.get("engine", ""))),
        (gettext("Version"), str(found.get("version", ""))),
        (gettext("Method"), _methods().get(method, method)),
    ]
    if method == ROLLOUT:
        rows += [
            (gettext("Games rolled out"), str(settings.get("trials", ""))),
            (gettext("Moves looked ahead"), str(settings.get("ply", ""))),
            (gettext("Seed of the rollout"), str(settings.get("seed", ""))),
        ]
    return tuple((label, value) for label, value in rows if value)


def _methods() -> dict[str, str]:
    return {
        "finished": gettext("the game was already decided"),
        "exact": gettext("exact, nothing was left to chance"),
        "table": gettext("a table of all bear-offs"),
        ROLLOUT: gettext("rollout: the position played on many times with random dice"),
    }


def _paid(later: list[events.Event], names: dict[str, str]) -> Paid | None:
    settled = next((event for event in later if isinstance(event, events.MatchSettled)), None)
    if settled is None:
        return None
    currency = settled.currency
    return Paid(
        winner=names[settled.winner],
        loser=names[settled.winner.other],
        win=sum_text(settled.win, currency),
        fee=sum_text(settled.fee, currency) if settled.fee else "",
        gain=change_text(settled.gain, currency),
        loss=change_text(-settled.loss, currency),
    )
