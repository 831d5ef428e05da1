/**
 * Which key means which choice.
 * @module
 */

/** Keys of the tiles of the hand, from the left. */
export const TILE_KEYS = ["1", "2", "3", "4", "5", "6", "7", "8", "9", "0", "q", "w", "e", "r"];

/** @type {Record<string, string>} */
export const CHOICE_KEYS = {
  chi: "C",
  pon: "P",
  kan: "K",
  riichi: "L",
  tsumo: "V",
  ron: "V",
  nine_terminals: "N",
  pass: "X",
};

/**
 * Kinds of choices of a key.
 * @param {string} key
 * @returns {string[]}
 */
export function kindsOfKey(key) {
  const wanted = key === "Escape" ? "X" : key.toUpperCase();
  return Object.entries(CHOICE_KEYS)
    .filter(([, one]) => one === wanted)
    .map(([kind]) => kind);
}

/**
 * Whether a key event is meant for something else: a field, a dialog, a shortcut of the browser.
 * @param {KeyboardEvent} event
 */
export function isTaken(event) {
  if (event.ctrlKey || event.altKey || event.metaKey || event.defaultPrevented) return true;
  if (document.querySelector("dialog[open]")) return true;
  return (
    event.target instanceof HTMLElement && event.target.closest("input, select, textarea, [contenteditable]") !== null
  );
}

/** @param {KeyboardEvent} event */
export function onButton(event) {
  return event.target instanceof HTMLElement && event.target.closest("button, a, summary") !== null;
}
