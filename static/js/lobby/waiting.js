// On pages outside the lobby: beats for the reader's open tables, and says when one is joined or a friend invites. Never leaves the page.

import { showInvitations } from "./invitations.js";
import { notify } from "./notify.js";
import { showWay } from "./seated.js";
import { connect } from "./socket.js";

const note = document.querySelector("[data-waiting-room]");
if (note instanceof HTMLElement) {
  connect(`/ws/lobby/${note.dataset["waitingRoom"]}/`, {
    frame(frame) {
      if (frame.kind === "seated" && location.pathname !== frame.url) {
        showWay(note, frame, false);
        notify(gettext("Your table is ready."), frame.url);
      }
      if (frame.kind === "invitations") showInvitations(frame.rows);
    },
    standing() {},
  }, { quiet: true });
}
