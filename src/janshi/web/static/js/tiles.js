/**
 * Tiles as SVG, drawn by code: sharp at any size, the same on every machine. Each face is drawn once as a symbol, and
 * every tile on the page uses it.
 * @module
 */
import { characterPath } from "./brush.js";
import { backShapes, bodyShapes, faceShapes, HONOURS } from "./faces.js";
import { h, s } from "./dom.js";
import { t } from "./i18n.js";

/**
 * @typedef {object} TileOptions
 * @property {string | number} [size] width as a length of CSS, or in pixels; else that of the place around (`--tile`)
 * @property {boolean} [back] face down
 * @property {boolean} [sideways] turned by a quarter, as a called tile or a riichi discard
 * @property {string | null} [label] what screen readers say; the tile's name unless given, nothing where empty
 * @property {string} [class] further classes
 */

const WIDTH = 60;
const HEIGHT = 80;
const SUITS = ["m", "p", "s"];

/** All tile texts that have a face, in their order. */
export const ALL_TILES = [
  ...SUITS.flatMap((suit) => [1, 2, 3, 4, 5, 6, 7, 8, 9, 0].map((rank) => `${rank}${suit}`)),
  ...[1, 2, 3, 4, 5, 6, 7].map((rank) => `${rank}z`),
];

/**
 * A tile as an element. Unknown texts ("?", null) lie face down.
 * @param {string | null} text
 * @param {TileOptions} [options]
 * @returns {HTMLSpanElement}
 */
export function tile(text, options = {}) {
  drawSymbols();
  const back = options.back || !text || text === "?";
  const label = options.label === undefined || options.label === null ? tileName(back ? "?" : text) : options.label;
  const element = h(
    "span",
    { class: classes(options, back, text), dataset: { tile: back ? "?" : text } },
    s(
      "svg",
      { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, "aria-hidden": "true", focusable: "false" },
      s("use", { href: `#tile-${back ? "back" : text}` }),
    ),
  );
  if (label) {
    element.setAttribute("role", "img");
    element.setAttribute("aria-label", label);
  } else {
    element.setAttribute("aria-hidden", "true");
  }
  if (options.size !== undefined)
    element.style.setProperty("--tile", typeof options.size === "number" ? `${options.size}px` : options.size);
  return element;
}

/**
 * @param {TileOptions} options
 * @param {boolean} back
 * @param {string | null} text
 */
function classes(options, back, text) {
  const all = ["tile"];
  if (back) all.push("tile-down");
  if (!back && text?.startsWith("0")) all.push("tile-red");
  if (options.sideways) all.push("tile-sideways");
  if (options.class) all.push(options.class);
  return all.join(" ");
}

/**
 * The name of a tile in the language of the page.
 * @param {string} text
 * @returns {string}
 */
export function tileName(text) {
  const suit = text.slice(-1);
  if (!SUITS.includes(suit)) return t(`tile.${text}`);
  const rank = text.startsWith("0") ? "5" : text.slice(0, 1);
  const name = t(`tile.${suit}`, { n: rank });
  return text.startsWith("0") ? t("tile.red", { tile: name }) : name;
}

/**
 * Tiles in a row.
 * @param {(string | null)[]} texts
 * @param {TileOptions} [options]
 * @returns {HTMLSpanElement}
 */
export function tileRow(texts, options = {}) {
  return h(
    "span",
    { class: "tile-row" },
    texts.map((text) => tile(text, options)),
  );
}

/**
 * The key by which hands are sorted: suits, then ranks, a red five among the fives.
 * @param {string} text
 * @returns {number}
 */
export function tileOrder(text) {
  const suit = "mpsz".indexOf(text.slice(-1));
  const rank = text.startsWith("0") ? 4.5 : Number(text.slice(0, 1));
  return suit < 0 ? 999 : suit * 10 + rank;
}

/**
 * A character of the tiles by itself (winds on the table).
 * @param {string} character
 * @param {string} [className]
 */
export function character(character, className = "glyph") {
  return s(
    "svg",
    { viewBox: "0 0 100 100", class: className, "aria-hidden": "true" },
    s("path", { d: characterPath(character), fill: "currentColor" }),
  );
}

/**
 * The character of a wind ("E", "S", "W", "N").
 * @param {string} wind
 */
export function windGlyph(wind) {
  return character(HONOURS["ESWN".indexOf(wind)] ?? "");
}

// --- drawing -------------------------------------------------------------------------------------------------

let drawn = false;

/** Puts the symbols into the document, once. */
export function drawSymbols() {
  if (drawn) return;
  drawn = true;
  document.body.prepend(symbolSheet());
}

/**
 * A hidden SVG with all symbols (a self-contained page may keep its markup).
 * @returns {SVGSVGElement}
 */
export function symbolSheet() {
  const sheet = s("svg", { class: "tile-symbols", width: 0, height: 0, "aria-hidden": "true", focusable: "false" });
  sheet.style.position = "absolute";
  sheet.append(symbol("tile-back", backShapes()));
  for (const text of ALL_TILES)
    sheet.append(symbol(`tile-${text}`, [...bodyShapes(), ...faceShapes(text)], cornerText(text)));
  return sheet;
}

/**
 * @param {string} id
 * @param {import("./faces.js").Shape[]} shapes
 * @param {string} [corner]
 */
function symbol(id, shapes, corner) {
  return s(
    "symbol",
    { id, viewBox: `0 0 ${WIDTH} ${HEIGHT}` },
    shapes.map(({ ink, d, at }) =>
      s("path", { class: `ink-${ink}`, d, transform: at ?? null, "fill-rule": "evenodd" }),
    ),
    corner
      ? s(
          "text",
          { x: corner.length > 1 ? 13 : 9.5, y: 17, class: `ink-corner ink-${id.includes("-0") ? "red" : "dark"}` },
          corner,
        )
      : null,
  );
}

/** @param {string} text */
function cornerText(text) {
  const rank = Number(text.slice(0, 1));
  return text.endsWith("z") ? (["E", "S", "W", "N", "Wh", "Gr", "Rd"][rank - 1] ?? "") : String(rank || 5);
}
