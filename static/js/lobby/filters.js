// The filters: hides rows that are not wanted, and keeps the choice in a cookie that the server reads too.

const COOKIE = "lobby_filters";
const A_YEAR_S = 365 * 24 * 60 * 60;

/** @typedef {{ variant: string, kind: string, stake: string, near: string }} Wanted */

/** @param {HTMLElement} row @param {Wanted} wanted @param {Record<string, number>} own   the reader's ratings by game */
function fits(row, wanted, own) {
  const { variant = "", kind = "", stake = "", points = "0" } = row.dataset;
  const [least = "", most = ""] = wanted.stake.split("-");
  const rating = own[variant.startsWith("long-nardy") ? "long-nardy" : variant] ?? 0;
  if (wanted.near && Number(points) && Math.abs(Number(points) - rating) > Number(wanted.near)) return false;
  return (!wanted.variant || variant === wanted.variant) && (!wanted.kind || kind === wanted.kind)
    && Number(stake) >= Number(least || 0) && (!most || Number(stake) <= Number(most));
}

/** What was chosen before, in any room. @returns {Wanted} */
function kept() {
  const [, text = ""] = document.cookie.match(/(?:^|; )lobby_filters=([^;]*)/) ?? [];
  const [variant = "", kind = "", stake = "", near = ""] = text.split("|");
  return { variant, kind, stake, near };
}

/** @param {HTMLFormElement} form @param {() => void} changed */
export function createFilters(form, changed) {
  const own = /** @type {Record<string, number>} */ (JSON.parse(form.dataset["ownRatings"] ?? "{}"));

  /** What a room does not ask about is any there. @returns {Wanted} */
  function chosen() {
    const given = new FormData(form);
    const value = (/** @type {string} */ name) => String(given.get(name) ?? "");
    return { variant: value("variant"), kind: value("kind"), stake: value("stake"), near: value("near") };
  }

  function keep() {
    const given = new FormData(form);
    const before = kept();
    const text = (/** @type {(keyof Wanted)[]} */ (["variant", "kind", "stake", "near"]))
      .map((name) => (given.has(name) ? String(given.get(name)) : before[name])).join("|");
    document.cookie = `${COOKIE}=${text}; path=/; max-age=${A_YEAR_S}; samesite=lax`;
    changed();
  }

  form.addEventListener("change", keep);
  return {
    /** Hides what is not wanted; answers how many rows are left. @param {HTMLElement} list */
    apply(list) {
      const wanted = chosen();
      let shown = 0;
      for (const row of list.children) {
        if (!(row instanceof HTMLElement)) continue;
        row.hidden = "apart" in row.dataset || (!("mine" in row.dataset) && !fits(row, wanted, own));
        if (!row.hidden) shown += 1;
      }
      return shown;
    },
    clear() {
      for (const select of form.querySelectorAll("select")) select.value = "";
      keep();
    },
  };
}
