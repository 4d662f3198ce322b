"""The lobby's frames as text: whole lists for who comes, differences for who is there. Reads nothing."""

import json
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.urls import reverse

from rooms import words
from rooms.selectors import Listing

BEAT = '{"kind":"beat"}'
Frame = dict[str, Any]
Rows = dict[str, dict[str, Any]]


@dataclass(frozen=True, slots=True)
class Shown:
    """What a room shows now in one language. `number` grows with every change.

    `changes`: since the number just below. `own`, `apart`: open tables by the reader whose they are, or who does not
    meet their owner.
    """

    number: int
    offers: Rows
    running: Rows
    whole: str
    changes: str
    own: dict[int, list[str]]
    apart: dict[int, list[str]]

    def since(self, number: int) -> str:
        """What a reader of the list with this number lacks: the changes, or all of it."""
        return self.changes if number == self.number - 1 and number else self.whole

    def mine(self, user_id: int | None) -> str:
        """Which of the open tables are the reader's own, and which belong to people they do not meet."""
        key = user_id or 0
        own, apart = self.own.get(key, []), self.apart.get(key, [])
        return text({"kind": "mine", "offers": own, "apart": apart})


def first(listing: Listing) -> Shown:
    """Before it nothing was shown."""
    return _shown(1, listing, "")


def following(before: Shown, listing: Listing) -> Shown:
    """After `before`; the same number where a reader would see no difference."""
    offers, running = _rows(listing.offers), _rows(listing.running)
    if _same(before.offers, offers) and _same(before.running, running):
        return _shown(before.number, listing, before.changes)
    changes = {
        "kind": "changes",
        "offers": difference(before.offers, offers),
        "running": difference(before.running, running),
        "tables": words.tables_text(listing.tables),
    }
    return _shown(before.number + 1, listing, text(changes))


def difference(before: Rows, after: Rows) -> Frame:
    """`gone`: ids; `rows`: those that are new, to be put on top in their order, or different; `order`: where that is not enough."""
    fresh = [row for key, row in after.items() if before.get(key) != row]
    top = [row["id"] for row in fresh if row["id"] not in before]
    found: Frame = {"gone": [key for key in before if key not in after], "rows": fresh}
    if top + [key for key in before if key in after] != [*after]:
        found["order"] = [*after]
    return found


def prospects(rows: dict[str, words.Prospect]) -> str:
    """What the tables that a reader asked about would bring them."""
    return text(
        {"kind": "prospects", "offers": {key: words.as_json(row) for key, row in rows.items()}}
    )


def heads(counts: dict[str, int]) -> str:
    """How many are in each room."""
    return text({"kind": "heads", "rooms": counts, "players": words.heads_text(counts)})


def seated(match_id: UUID) -> str:
    """The way to a table that was just joined."""
    url = reverse("games:table", args=[match_id])
    return text({"kind": "seated", "match": str(match_id), "url": url})


def invitations(rows: Sequence[words.InvitationRow]) -> str:
    """The tables that friends have opened for the reader."""
    return text({"kind": "invitations", "rows": [words.as_json(row) for row in rows]})


def text(frame: Frame) -> str:
    """As it travels."""
    return json.dumps(frame, ensure_ascii=False, separators=(",", ":"))


def _shown(number: int, listing: Listing, changes: str) -> Shown:
    offers, running = _rows(listing.offers), _rows(listing.running)
    own: dict[int, list[str]] = defaultdict(list)
    apart: dict[int, list[str]] = defaultdict(list)
    for key, owner in listing.owners.items():
        own[owner].append(key)
        for reader in listing.apart.get(owner, ()):
            apart[reader].append(key)
    return Shown(
        number=number,
        offers=offers,
        running=running,
        whole=_whole(listing, offers, running),
        changes=changes,
        own=dict(own),
        apart=dict(apart),
    )


def _same(one: Rows, other: Rows) -> bool:
    return one == other and [*one] == [*other]


def _rows(rows: Sequence[words.OfferRow | words.RunningRow]) -> Rows:
    return {row.id: words.as_json(row) for row in rows}


def _whole(listing: Listing, offers: Rows, running: Rows) -> str:
    return text(
        {
            "kind": "list",
            "offers": [*offers.values()],
            "running": [*running.values()],
            "tables": words.tables_text(listing.tables),
        }
    )
