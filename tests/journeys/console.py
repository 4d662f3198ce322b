"""The browser's console: frames that the page would never send, through a second socket of the same account."""

import json
from collections.abc import Sequence
from typing import Any
from uuid import uuid4

from tests.journeys.table import Table

SECOND_SOCKET = """
async ([path, frames]) => {
  const url = new URL(path, location.href);
  url.protocol = "ws:";
  const socket = new WebSocket(url);
  const codes = [];
  await new Promise((resolve) => { socket.onopen = resolve; });
  const answered = new Promise((resolve) => {
    socket.onmessage = ({ data }) => {
      const { kind, code } = JSON.parse(data);
      if (kind === "ack" || kind === "refused") codes.push(code ?? kind);
      if (codes.length === frames.length) resolve(null);
    };
  });
  for (const frame of frames) socket.send(frame);
  await answered;
  socket.close();
  return codes;
}
"""


def frame(cmd: str, at: int = 0, **fields: Any) -> str:
    """A frame with everything that one needs."""
    return json.dumps({"v": 1, "id": uuid4().hex, "cmd": cmd, "at": at, **fields})


def console(table: Table, frames: Sequence[str]) -> list[str]:
    """Types a second socket into the page's console; answers the code of each answer."""
    path = f"/ws/table/{table.match_id}/"
    codes: list[str] = table.page.evaluate(SECOND_SOCKET, [path, list(frames)])
    return codes
