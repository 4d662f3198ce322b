// The same messages over a Node server that decides nothing and keeps nothing: what sockets alone cost.
//
//     node server.mjs PORT RECORDING.json
//
// RECORDING: [[frame for light, frame for dark], …], a game as tests.bench.recording wrote it down.
// A command is answered by an ack and by the next frame to both players of its table; after the last, the first again.

import { readFileSync } from "node:fs";
import { createServer } from "node:http";

import { WebSocketServer } from "ws";

const [port, path] = process.argv.slice(2);
const frames = JSON.parse(readFileSync(path, "utf8"));
const SIDES = ["light", "dark"];
/** @type {Map<string, {at: number, sockets: Map<number, import("ws").WebSocket>}>} */
const tables = new Map();

const http = createServer((_, response) => response.end("ready"));
const server = new WebSocketServer({ server: http, perMessageDeflate: false });

server.on("connection", (socket, request) => {
  const name = request.url ?? "";
  const side = SIDES.indexOf((request.headers.cookie ?? "").split("side=")[1]);
  const table = tables.get(name) ?? { at: 0, sockets: new Map() };
  tables.set(name, table);
  table.sockets.set(side, socket);
  socket.on("message", (data) => {
    const command = JSON.parse(data.toString());
    if (command.cmd === "hello") {
      socket.send(frames[table.at][side].replace('"kind":"events"', '"kind":"snapshot"'));
    } else if (command.cmd !== "beat") {
      table.at = (table.at + 1) % frames.length;
      socket.send(JSON.stringify({ kind: "ack", ref: command.id, version: table.at }));
      for (const [place, other] of table.sockets) other.send(frames[table.at][place]);
    }
  });
});
http.listen(Number(port), "127.0.0.1");
