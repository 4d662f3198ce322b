"""A table the usual way: every message loads the match with the ORM, decides, saves, and tells the group.

Same rules, same frames, same database; only the shape differs. Kept to be measured beside the real one.
"""

import pickle
from typing import Any

from channels.db import database_sync_to_async
from channels.generic.websocket import AsyncJsonWebsocketConsumer
from django.db import transaction

from accounts.errors import Refused
from games import course, protocol, stakes, store
from games.dbclock import read_ms
from games.info import MatchInfo, info_of
from games.match.state import MatchState
from games.models import MatchEvent, MatchHead
from games.sealing import unseal
from tests.bench.plain.models import PlainMatch


class PlainTable(AsyncJsonWebsocketConsumer):
    """One socket; joins the match's group."""

    _info: MatchInfo | None = None

    @classmethod
    async def encode_json(cls, content: Any) -> str:
        """As compact as the real table's frames."""
        return protocol.text_of(content)

    async def connect(self) -> None:
        self.match_id = self.scope["url_route"]["kwargs"]["match_id"]
        user = self.scope["user"]
        self.user_id = user.pk if user is not None else None
        self.group = f"plain.{self.match_id.hex}"
        await self.channel_layer.group_add(self.group, self.channel_name)
        await self.accept()

    async def disconnect(self, code: int) -> None:
        await self.channel_layer.group_discard(self.group, self.channel_name)

    async def receive_json(self, content: dict[str, Any], **kwargs: Any) -> None:
        if content["cmd"] == "hello":
            await self.send_json(await self.frame("snapshot"))
            return
        try:
            version = await self.act(content)
        except Refused as refusal:
            await self.send_json(protocol.refused_frame(refusal, ref=content.get("id"), version=0))
            return
        await self.send_json({"kind": "ack", "ref": content["id"], "version": version})
        await self.channel_layer.group_send(self.group, {"type": "table.changed"})

    async def table_changed(self, event: dict[str, Any]) -> None:
        """Somebody acted: read the match again and show it."""
        await self.send_json(await self.frame("events"))

    @database_sync_to_async
    def frame(self, kind: str) -> dict[str, Any]:
        """The table as this player may see it."""
        info, state = self.info(), self.state()
        return {
            "kind": kind,
            "version": state.version,
            "view": protocol.view(info, state, info.side_of(self.user_id)),
            "events": [],
        }

    def info(self) -> MatchInfo:
        """What never changes in a match is read once a socket."""
        if self._info is None:
            self._info = info_of(self.match_id)
        return self._info

    def state(self) -> MatchState:
        """The row of the match; made from its events when nobody has played yet."""
        row = PlainMatch.objects.filter(match_id=self.match_id).first()
        if row is None:
            return course.fold(store.events_of(self.match_id))
        state: MatchState = pickle.loads(row.state)  # noqa: S301  our own row
        return state

    @database_sync_to_async
    def act(self, content: dict[str, Any]) -> int:
        """Load, decide, save: a row a message."""
        with transaction.atomic():
            head = MatchHead.objects.select_for_update().get(match_id=self.match_id)
            info, state = self.info(), self.state()
            seed = unseal(store.sealed_seed(self.match_id), self.match_id)
            side = info.side_of(self.user_id)
            assert side is not None
            command = protocol.parse_command(content, by=side)
            order = course.Order(command=command, now_ms=read_ms(), known=content["at"])
            step = course.advance(info, state, seed, order)
            for record in step.entry.records:
                MatchEvent.objects.create(
                    match_id=self.match_id,
                    version=record.version,
                    kind=record.kind,
                    payload=record.payload,
                    at_ms=record.at_ms,
                    side=record.side,
                )
            head.version, head.phase = step.entry.head.version, step.entry.head.phase
            head.position, head.due_ms = step.entry.head.position, step.entry.head.due_ms
            head.save()
            PlainMatch.objects.update_or_create(
                match_id=self.match_id, defaults={"state": pickle.dumps(step.state)}
            )
            if step.money is not course.Money.NONE:
                _move_money(info, step)
        return step.entry.head.version


def _move_money(info: MatchInfo, step: course.Advance) -> None:
    if step.money is course.Money.HOLD:
        stakes.hold(info)
    elif step.money is course.Money.PAY:
        assert step.settlement is not None
        stakes.pay([(info, step.settlement)])
