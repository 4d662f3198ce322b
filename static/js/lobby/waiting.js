// On pages outside the lobby: beats for the reader's open tables, and shows the way when one is joined. Never leaves the page.

import { showWay } from "./seated.js";
import { connect } from "./socket.js";

const note = document.querySelector("[data-waiting-room]");
if (note instanceof HTMLElement) {
  connect(`/ws/lobby/${note.dataset["waitingRoom"]}/`, {
    frame(frame) {
      if (frame.kind === "seated" && location.pathname !== frame.url) showWay(note, frame, false);
    },
    standing() {},
  });
}
