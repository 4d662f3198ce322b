// Tells a reader who looks at another page or window what has happened, if they allow it. Says nothing to one who is looking.

const CAN = "Notification" in globalThis;

/** @param {string} title @param {string} url   where a press leads */
export function notify(title, url) {
  if (!CAN || Notification.permission !== "granted" || !document.hidden) return;
  try {
    const note = new Notification(title, { tag: url });
    note.addEventListener("click", () => {
      window.focus();
      location.assign(url);
    });
  } catch {
    // A phone's browser that shows notifications to installed pages only.
  }
}

/** Buttons that ask for the permission; hidden where there is nothing to ask. */
export function offerNotifications() {
  for (const button of document.querySelectorAll("[data-notify]")) {
    if (!(button instanceof HTMLButtonElement)) continue;
    button.hidden = !CAN || Notification.permission !== "default";
    button.addEventListener("click", async () => {
      await Notification.requestPermission();
      button.hidden = true;
    });
  }
}
