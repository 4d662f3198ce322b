// The lobby's socket: answers the server's beats, notices silence, comes back by itself with growing pauses.
// It answers instead of beating by a timer: a hidden tab's timers may sleep for a minute, its socket does not.

/** @import { Line, LobbyFrame, SocketListener } from "./types" */

const BEAT = '{"cmd":"beat"}';
const LOOK_MS = 5000;
const SILENT_MS = 15000;
const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 8000;
const FOR_GOOD = [4003, 4004, 4010];

/** @param {string} path @param {SocketListener} listener @param {{ quiet?: boolean }} [how]   quiet: no lists, please @returns {Line} */
export function connect(path, listener, { quiet = false } = {}) {
  const scheme = location.protocol === "https:" ? "wss:" : "ws:";
  const address = `${scheme}//${location.host}${path}?lang=${document.documentElement.lang}${quiet ? "&quiet=1" : ""}`;
  /** @type {WebSocket | undefined} */
  let line;
  let pause = FIRST_PAUSE_MS;

  function open() {
    const socket = new WebSocket(address);
    line = socket;
    let heardAt = Date.now();
    let over = false;
    const looking = setInterval(() => {
      if (Date.now() - heardAt > SILENT_MS) end(0);
    }, LOOK_MS);

    /** @param {number} code */
    function end(code) {
      if (over) return;
      over = true;
      clearInterval(looking);
      socket.close();
      listener.standing(false);
      if (code === 4010) location.reload();
      if (FOR_GOOD.includes(code)) return;
      setTimeout(open, pause * (0.75 + Math.random() / 2));
      pause = Math.min(pause * 2, LONGEST_PAUSE_MS);
    }

    socket.addEventListener("open", () => {
      pause = FIRST_PAUSE_MS;
      listener.standing(true);
    });
    socket.addEventListener("message", (event) => {
      heardAt = Date.now();
      const frame = /** @type {LobbyFrame} */ (JSON.parse(event.data));
      if (frame.kind === "beat") socket.send(BEAT);
      else listener.frame(frame);
    });
    socket.addEventListener("close", (event) => end(event.code));
  }

  open();
  return {
    ask(offers) {
      if (offers.length && line?.readyState === WebSocket.OPEN) line.send(JSON.stringify({ cmd: "prospects", offers }));
    },
  };
}
