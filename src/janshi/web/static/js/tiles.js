/**
 * Tiles as SVG, drawn by code: sharp at any size, the same on every machine. Each face is drawn once as a symbol, and
 * every tile on the page uses it.
 * @module
 */
import { characterPath } from "./brush.js";
import { h, s } from "./dom.js";
import { t } from "./i18n.js";

/**
 * @typedef {object} TileOptions
 * @property {string | number} [size] width as a length of CSS, or in pixels; else the size of the place around (`--tile`)
 * @property {boolean} [back] face down
 * @property {boolean} [sideways] turned by a quarter, as a called tile or a riichi discard
 * @property {string | null} [label] what screen readers say; the tile's name unless given, nothing where empty
 * @property {string} [class] further classes
 */

const WIDTH = 60;
const HEIGHT = 80;
const NUMERALS = "一二三四五六七八九";
const HONOURS = ["東", "南", "西", "北", "", "發", "中"];
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
  const face = back ? "back" : text;
  const element = h("span", { class: classes(options, back, text), dataset: { tile: back ? "?" : text } },
    s("svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, "aria-hidden": "true", focusable: "false" },
      s("use", { href: back ? "#tile-back" : "#tile-body" }),
      back ? null : s("use", { href: `#tile-${face}` })));
  if (label) {
    element.setAttribute("role", "img");
    element.setAttribute("aria-label", label);
  } else {
    element.setAttribute("aria-hidden", "true");
  }
  if (options.size !== undefined) element.style.setProperty("--tile", typeof options.size === "number" ? `${options.size}px` : options.size);
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
  return h("span", { class: "tile-row" }, texts.map((text) => tile(text, options)));
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
  return s("svg", { viewBox: "0 0 100 100", class: className, "aria-hidden": "true" }, s("path", { d: characterPath(character), fill: "currentColor" }));
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
  sheet.append(symbol("tile-body", ...body()), symbol("tile-back", ...backOf()));
  for (const text of ALL_TILES) sheet.append(symbol(`tile-${text}`, ...face(text)));
  return sheet;
}

/**
 * @param {string} id
 * @param {...SVGElement} children
 */
function symbol(id, ...children) {
  return s("symbol", { id, viewBox: `0 0 ${WIDTH} ${HEIGHT}` }, ...children);
}

function body() {
  return [
    s("rect", { x: 0.5, y: 0.5, width: 59, height: 79, rx: 7.5, class: "ink-side" }),
    s("rect", { x: 0.5, y: 0.5, width: 59, height: 76, rx: 7.5, class: "ink-face" }),
    s("rect", { x: 1.6, y: 1.6, width: 56.8, height: 73.8, rx: 6.6, class: "ink-edge" }),
  ];
}

function backOf() {
  return [
    s("rect", { x: 0.5, y: 0.5, width: 59, height: 79, rx: 7.5, class: "ink-side" }),
    s("rect", { x: 0.5, y: 0.5, width: 59, height: 76, rx: 7.5, class: "ink-back" }),
    s("rect", { x: 6, y: 6, width: 48, height: 65, rx: 4.5, class: "ink-back-line" }),
    s("path", { d: "M30 22 42 38.500 30 55 18 38.500Z", class: "ink-back-line" }),
  ];
}

/**
 * What is on the face of a tile.
 * @param {string} text
 * @returns {SVGElement[]}
 */
function face(text) {
  const red = text.startsWith("0");
  const rank = red ? 5 : Number(text.slice(0, 1));
  const suit = text.slice(1);
  const picture = s("g", { class: "ink-picture" }, ...pictureOf(suit, rank, red));
  const corner = s("text", { x: 8.500, y: 14.500, class: `ink-corner ${red ? "ink-red" : "ink-dark"}` }, cornerText(suit, rank));
  return red ? [s("rect", { x: 1.6, y: 1.6, width: 56.8, height: 73.8, rx: 6.6, class: "ink-blush" }), picture, redMark(), corner] : [picture, corner];
}

/**
 * @param {string} suit
 * @param {number} rank
 */
function cornerText(suit, rank) {
  return suit === "z" ? (["E", "S", "W", "N", "Wh", "Gr", "Rd"][rank - 1] ?? "") : String(rank);
}

/** The mark of a red five, besides its colour: a solid gem in the corner. */
function redMark() {
  return s("path", { d: "M52.500 3 57.300 8.600 52.500 14.200 47.700 8.600Z", class: "ink-red ink-gem" });
}

/**
 * @param {string} suit
 * @param {number} rank
 * @param {boolean} red
 * @returns {SVGElement[]}
 */
function pictureOf(suit, rank, red) {
  if (suit === "m") return characters(rank, red);
  if (suit === "p") return dots(rank, red);
  if (suit === "s") return rank === 1 ? bird() : bamboo(rank, red);
  return honour(rank);
}

/**
 * A character of a given width whose square's top left corner lies at x, y.
 * @param {string} text
 * @param {number} x
 * @param {number} y
 * @param {number} width
 * @param {string} ink
 * @param {number} [tall] height in parts of the width
 */
function write(text, x, y, width, ink, tall = 1) {
  const scale = width / 100;
  return s("path", { d: characterPath(text), class: ink, transform: `translate(${x} ${y}) scale(${scale} ${scale * tall})` });
}

/**
 * @param {number} rank
 * @param {boolean} red
 */
function characters(rank, red) {
  const top = red ? "ink-red" : "ink-dark";
  return [write(NUMERALS.charAt(rank - 1), 13, 5, 34, top, 0.9), write("萬", 12, 37.5, 36, "ink-red", 0.98)];
}

/** @param {number} rank */
function honour(rank) {
  if (rank === 5) {
    return [s("rect", { x: 10, y: 9, width: 40, height: 58, rx: 3, class: "line-blue" }), s("rect", { x: 15, y: 14.500, width: 30, height: 47, rx: 1.5, class: "line-blue line-thin" }),
      s("path", { d: "M10 22h5M10 54h5M45 22h5M45 54h5M23 9v5.500M37 9v5.500M23 61.500v5.500M37 61.500v5.500", class: "line-blue line-thin" })];
  }
  const ink = rank === 6 ? "ink-green" : rank === 7 ? "ink-red" : "ink-dark";
  return [write(HONOURS[rank - 1] ?? "", 9, 13, 42, ink, 1.2)];
}

/** Where the dots of each rank lie, with their colours: blue, green, red. */
/** @type {Record<number, [number, number, "b" | "g" | "r"][]>} */
const DOTS = {
  2: [[30, 22, "g"], [30, 55, "b"]],
  3: [[15, 17, "b"], [30, 38.5, "r"], [45, 60, "g"]],
  4: [[17.5, 21, "b"], [42.5, 21, "g"], [17.5, 56, "g"], [42.5, 56, "b"]],
  5: [[15.5, 20, "b"], [44.5, 20, "g"], [30, 38.5, "r"], [15.5, 57, "g"], [44.5, 57, "b"]],
  6: [[18, 16.5, "g"], [42, 16.5, "g"], [18, 39, "r"], [42, 39, "r"], [18, 60.5, "r"], [42, 60.5, "r"]],
  7: [[13, 12.5, "g"], [30, 19, "g"], [47, 25.5, "g"], [18.5, 43, "r"], [41.5, 43, "r"], [18.5, 62, "r"], [41.5, 62, "r"]],
  8: [[18, 13.5, "b"], [42, 13.5, "b"], [18, 30.2, "b"], [42, 30.2, "b"], [18, 46.9, "b"], [42, 46.9, "b"], [18, 63.6, "b"], [42, 63.6, "b"]],
  9: [[13, 16, "g"], [30, 16, "g"], [47, 16, "g"], [13, 38.5, "r"], [30, 38.5, "r"], [47, 38.5, "r"], [13, 61, "b"], [30, 61, "b"], [47, 61, "b"]],
};
const DOT_RADIUS = [0, 0, 14, 11.5, 11.8, 10.6, 10, 8.4, 8.1, 8];
const COLOURS = { b: "blue", g: "green", r: "red" };

/**
 * @param {number} rank
 * @param {boolean} red
 * @returns {SVGElement[]}
 */
function dots(rank, red) {
  if (rank === 1) return bigDot();
  const radius = DOT_RADIUS[rank] ?? 8;
  return (DOTS[rank] ?? []).map(([x, y, colour]) => dot(x, y, radius, red ? "red" : COLOURS[colour]));
}

/**
 * @param {number} x
 * @param {number} y
 * @param {number} radius
 * @param {string} colour
 */
function dot(x, y, radius, colour) {
  const petals = radius > 9 ? 8 : 6;
  const marks = [];
  for (let i = 0; i < petals; i += 1) {
    const angle = (i / petals) * 2 * Math.PI;
    marks.push(s("circle", { cx: (x + Math.cos(angle) * radius * 0.56).toFixed(2), cy: (y + Math.sin(angle) * radius * 0.56).toFixed(2), r: (radius * 0.13).toFixed(2), class: "ink-paper" }));
  }
  return s("g", null, s("circle", { cx: x, cy: y, r: radius, class: `ink-${colour}` }),
    s("circle", { cx: x, cy: y, r: radius * 0.8, class: "line-paper", "stroke-width": radius * 0.1 }),
    ...marks, s("circle", { cx: x, cy: y, r: radius * 0.24, class: "ink-paper" }));
}

function bigDot() {
  const petals = [];
  for (let i = 0; i < 12; i += 1) {
    petals.push(s("ellipse", { cx: 30, cy: 24, rx: 2.6, ry: 4.6, class: "ink-green", transform: `rotate(${i * 30} 30 38.5)` }));
  }
  return [s("circle", { cx: 30, cy: 38.5, r: 22, class: "line-blue", "stroke-width": 3 }), ...petals,
    s("circle", { cx: 30, cy: 38.5, r: 8.6, class: "ink-red" }), s("circle", { cx: 30, cy: 38.5, r: 5.6, class: "line-paper", "stroke-width": 1 }),
    s("circle", { cx: 30, cy: 38.5, r: 2.2, class: "ink-paper" })];
}

/** Where the sticks of each rank stand: x, y of the middle, colour, and how far they lean. */
/** @type {Record<number, [number, number, "g" | "r" | "b", number?][]>} */
const STICKS = {
  2: [[30, 22, "g"], [30, 55, "b"]],
  3: [[30, 22, "b"], [17, 55, "g"], [43, 55, "g"]],
  4: [[17, 22, "b"], [43, 22, "g"], [17, 55, "g"], [43, 55, "b"]],
  5: [[14, 22, "g"], [46, 22, "b"], [30, 38.5, "r"], [14, 55, "b"], [46, 55, "g"]],
  6: [[14, 22, "g"], [30, 22, "g"], [46, 22, "g"], [14, 55, "b"], [30, 55, "b"], [46, 55, "b"]],
  7: [[30, 14, "r"], [14, 38, "g"], [30, 38, "b"], [46, 38, "g"], [14, 61.5, "g"], [30, 61.5, "b"], [46, 61.5, "g"]],
  8: [[11, 22, "g"], [24, 20, "b", 32], [36, 20, "b", -32], [49, 22, "g"], [11, 55, "g"], [24, 57, "b", -32], [36, 57, "b", 32], [49, 55, "g"]],
  9: [[14, 15, "g"], [30, 15, "r"], [46, 15, "b"], [14, 38.5, "g"], [30, 38.5, "r"], [46, 38.5, "b"], [14, 62, "g"], [30, 62, "r"], [46, 62, "b"]],
};
const STICK_LENGTH = [0, 0, 30, 30, 30, 28, 30, 21.5, 27, 21.5];

/**
 * @param {number} rank
 * @param {boolean} red
 */
function bamboo(rank, red) {
  const length = STICK_LENGTH[rank] ?? 20;
  const width = rank < 5 ? 12 : rank === 8 ? 9.5 : 10.8;
  return (STICKS[rank] ?? []).map(([x, y, colour, lean = 0]) => stick(x, y, width, length, red ? "red" : COLOURS[colour], lean));
}

/**
 * A stick: three joints and two waists, with a light line.
 * @param {number} x
 * @param {number} y
 * @param {number} width
 * @param {number} length
 * @param {string} colour
 * @param {number} lean
 */
function stick(x, y, width, length, colour, lean) {
  const [half, top, bottom] = [width / 2, y - length / 2, y + length / 2];
  const waist = half * 0.66;
  const path = `M${x - half} ${top + 1.6}Q${x} ${top - 1.6} ${x + half} ${top + 1.6}Q${x + waist} ${y - length / 4} ${x + waist} ${y - 2.4}`
    + `Q${x + half * 1.08} ${y} ${x + waist} ${y + 2.4}Q${x + waist} ${y + length / 4} ${x + half} ${bottom - 1.6}Q${x} ${bottom + 1.6} ${x - half} ${bottom - 1.6}`
    + `Q${x - waist} ${y + length / 4} ${x - waist} ${y + 2.4}Q${x - half * 1.08} ${y} ${x - waist} ${y - 2.4}Q${x - waist} ${y - length / 4} ${x - half} ${top + 1.6}Z`;
  return s("g", { transform: lean ? `rotate(${lean} ${x} ${y})` : null },
    s("path", { d: path, class: `ink-${colour}` }),
    s("path", { d: `M${x} ${top + 3.4}V${y - 3.6}M${x} ${y + 3.6}V${bottom - 3.4}`, class: "line-paper", "stroke-width": width * 0.16, "stroke-linecap": "round" }));
}

/** The one of bamboo: a sparrow (雀), for whom the game is named. */
function bird() {
  return [
    s("path", { d: "M30 60C29 66 25 70 19 72M30 60C31 66 35 70 41 72M30 58V73", class: "line-green", "stroke-width": 2.6, "stroke-linecap": "round" }),
    s("path", { d: "M22 50C10 50 6 60 9 69 17 68 24 63 27 54ZM38 50C50 50 54 60 51 69 43 68 36 63 33 54Z", class: "ink-green" }),
    s("path", { d: "M30 46C24 52 24 62 30 70 36 62 36 52 30 46Z", class: "ink-red" }),
    s("path", { d: "M40 12C50 18 52 34 44 46 38 54 24 55 17 46 11 38 13 28 22 25 27 23 30 20 31 15Z", class: "ink-blue" }),
    s("path", { d: "M18 33C24 30 34 31 40 40 34 47 24 48 19 42 17 39 17 36 18 33Z", class: "ink-green" }),
    s("path", { d: "M21 37C27 35 32 37 36 41M21.500 41C25 40 29 41 31.500 43.500", class: "line-paper", "stroke-width": 1.5, "stroke-linecap": "round" }),
    s("circle", { cx: 37, cy: 14.5, r: 8.4, class: "ink-red" }),
    s("path", { d: "M44.500 11.500 54 15 44.500 18.500Z", class: "ink-dark" }),
    s("path", { d: "M34 7C32 4 29 3 26 4M36 6.500C36 4 35 2.500 33 2", class: "line-red", "stroke-width": 1.8, "stroke-linecap": "round" }),
    s("circle", { cx: 39.5, cy: 13, r: 2.4, class: "ink-paper" }), s("circle", { cx: 40, cy: 13, r: 1.2, class: "ink-black" }),
  ];
}
