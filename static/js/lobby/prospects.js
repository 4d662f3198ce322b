// Asks what the tables on the screen would bring this reader: each once, when it is first seen.

const WAIT_MS = 150;
const MOST = 60;

/** @param {HTMLElement} list @param {(offers: string[]) => void} ask */
export function askAboutSeen(list, ask) {
  /** @type {Set<string>} */
  const wanted = new Set();
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let waiting;

  function send() {
    const offers = [...wanted].slice(0, MOST);
    for (const id of offers) wanted.delete(id);
    ask(offers);
    waiting = wanted.size ? setTimeout(send, WAIT_MS) : undefined;
  }

  const observer = new IntersectionObserver((entries) => {
    for (const { target, isIntersecting } of entries) {
      if (!isIntersecting || !(target instanceof HTMLElement)) continue;
      observer.unobserve(target);
      const id = target.dataset["id"];
      if (id && !("mine" in target.dataset)) wanted.add(id);
    }
    if (wanted.size) waiting ??= setTimeout(send, WAIT_MS);
  });

  return {
    /** Watches rows of which nothing is known yet. */
    look() {
      for (const row of list.children) {
        if (row.querySelector("[data-own]:not([data-known])")) observer.observe(row);
      }
    },
  };
}
