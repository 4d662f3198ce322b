// Motion: which nodes glide, and when they rest again. The lengths, and that reduced motion has none, are in the styles.

const SETTLED_MS = 220;

/** Whether this person asked their device for less motion.
 * @returns {boolean} */
export const still = () => matchMedia("(prefers-reduced-motion: reduce)").matches;

/** @param {Element} node @param {string} name @param {unknown} on */
export const flag = (node, name, on) => node.toggleAttribute(`data-${name}`, Boolean(on));

/** Style properties set from script: the content security policy allows no style attributes in the page.
 * @param {HTMLElement} node @param {Record<string, string | number>} values */
export function vars(node, values) {
  for (const [name, value] of Object.entries(values)) node.style.setProperty(`--${name}`, String(value));
}

/** Lets what has moved glide, then rests.
 * @param {HTMLElement} face */
export function gliding(face) {
  let timer = 0;
  return () => {
    flag(face, "moving", true);
    clearTimeout(timer);
    timer = setTimeout(() => {
      flag(face, "moving", false);
      for (const node of face.querySelectorAll("[data-went]")) flag(node, "went", false);
    }, SETTLED_MS);
  };
}
