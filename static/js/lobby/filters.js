// The filters: hides rows that are not wanted, and keeps the choice in a cookie that the server reads too.

const COOKIE = "lobby_filters";
const A_YEAR_S = 365 * 24 * 60 * 60;

/** @typedef {{ variant: string, kind: string, stake: string }} Wanted */

/** @param {HTMLElement} row @param {Wanted} wanted */
function fits(row, wanted) {
  const { variant = "", kind = "", stake = "" } = row.dataset;
  const [least = "", most = ""] = wanted.stake.split("-");
  return (!wanted.variant || variant === wanted.variant) && (!wanted.kind || kind === wanted.kind)
    && Number(stake) >= Number(least || 0) && (!most || Number(stake) <= Number(most));
}

/** @param {HTMLFormElement} form @param {() => void} changed */
export function createFilters(form, changed) {
  /** @returns {Wanted} */
  function chosen() {
    const given = new FormData(form);
    const value = (/** @type {string} */ name) => String(given.get(name) ?? "");
    return { variant: value("variant"), kind: value("kind"), stake: value("stake") };
  }

  function keep() {
    const { variant, kind, stake } = chosen();
    document.cookie = `${COOKIE}=${variant}|${kind}|${stake}; path=/; max-age=${A_YEAR_S}; samesite=lax`;
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
        row.hidden = !("mine" in row.dataset) && !fits(row, wanted);
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
