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

/**
 * What a key does to the hand below a board: select a tile, or discard the selected or the drawn one.
 * @param {import("./board.js").Board} board
 * @param {KeyboardEvent} event
 * @returns {boolean} whether the key meant something
 */
export function pressTileKey(board, event) {
  if (!board.hasChoices()) return false;
  if (event.key === "ArrowRight" || event.key === "ArrowLeft") {
    board.move(event.key === "ArrowRight" ? 1 : -1);
    return true;
  }
  if (event.key === "Enter" && !onButton(event)) return board.confirm();
  const key = event.key.toLowerCase();
  const drawn = key === "d" ? board.handTiles.findIndex((one) => one.drawn) : -1;
  if (drawn >= 0) {
    board.select(drawn, false);
    return board.confirm();
  }
  const index = TILE_KEYS.indexOf(key);
  if (index < 0 || index >= board.handTiles.length || event.shiftKey) return false;
  if (board.selected === index) board.confirm();
  else board.select(index);
  return true;
}

/**
 * Answers questions about positions by the keys of the table.
 * @param {import("./board.js").Board} board
 * @param {() => import("./types.js").Choice[]} choices what can be answered now
 * @param {(choice: import("./types.js").Choice) => void} choose
 * @returns {() => void} ends it
 */
export function answerByKeys(board, choices, choose) {
  const onKey = (/** @type {KeyboardEvent} */ event) => {
    if (isTaken(event)) return;
    const kinds = kindsOfKey(event.key);
    const named = choices().filter((one) => kinds.includes(one.kind));
    const [only] = named.length === 1 ? named : []; // of several, press one
    if (only) choose(only);
    else if (!pressTileKey(board, event)) return;
    event.preventDefault();
  };
  addEventListener("keydown", onKey);
  return () => removeEventListener("keydown", onKey);
}
