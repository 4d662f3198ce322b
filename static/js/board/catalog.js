// Plain English where a page does not load Django's JavaScript catalog, so that the board can stand alone.

/** @param {string} text @param {Record<string, string | number>} values */
const filled = (text, values) => text.replace(/%\((\w+)\)s/g, (_, name) => String(values[name]));

globalThis.gettext ??= (text) => text;
globalThis.ngettext ??= (singular, plural, count) => (count === 1 ? singular : plural);
globalThis.pgettext ??= (_context, text) => text;
globalThis.interpolate ??= (text, values) => filled(text, values);
