/**
 * Portraits of the opponents, drawn from a few parts on a square of 64 × 64. An agent without a drawing of its own
 * gets one made from its name, always the same.
 * @module
 */
import { s } from "./dom.js";

/**
 * What a person looks like: colours, and the names of the parts.
 * @typedef {object} Look
 * @property {string} back
 * @property {string} skin
 * @property {string} hair
 * @property {string} cloth
 * @property {keyof typeof HAIR} cut
 * @property {keyof typeof EYES} eyes
 * @property {keyof typeof MOUTHS} mouth
 * @property {(keyof typeof EXTRAS)[]} [extras]
 */

const INK = "#2b2622";

/** Hair behind and before the face. */
const HAIR = {
  bob: [
    "M13 44C8 20 20 9 32 9s24 11 19 35l-7 1V28H20v17Z",
    "M17 30c1-13 9-17 15-17s14 4 15 17c-7-1-11-4-14-9-3 5-8 8-16 9Z",
  ],
  long: [
    "M12 58C9 22 18 8 32 8s23 14 20 50h-9V28H21v30Z",
    "M17 31c0-13 8-18 15-18s15 5 15 18l-5-9c-6 2-15 1-19-1-2 4-4 7-6 10Z",
  ],
  short: [
    "M15 30C14 15 22 9 32 9s18 6 17 21l-3-5H18Z",
    "M16 28c2-11 8-15 16-15s15 4 16 15c-4-3-6-5-7-8-6 2-14 2-19 0-1 3-3 6-6 8Z",
  ],
  spiky: [
    "M13 32l-2-9 6 2-1-10 8 4 3-10 6 7 7-6 1 9 9-2-4 8 5 3-6 4Z",
    "M16 29l3-10 5 5 4-8 4 7 5-7 3 8 5-4 3 9-5-3H21Z",
  ],
  bun: [
    "M24 11a8 7 0 1 1 16 0 8 7 0 1 1-16 0ZM14 36C12 18 21 11 32 11s20 7 18 25l-5-9H19Z",
    "M17 29c1-11 8-15 15-15s14 4 15 15c-5-5-9-9-15-11-6 2-10 6-15 11Z",
  ],
  tail: [
    "M46 16c12 0 14 22 7 34-2-9-6-12-9-22ZM14 33C13 16 21 9 32 9s19 7 18 24l-5-7H19Z",
    "M16 30c1-12 8-17 16-17s15 5 16 17c-6-3-12-6-14-11-3 5-10 9-18 11Z",
  ],
  grey: ["M15 34c-3-14 5-22 17-22s20 8 17 22l-4-8H19Z", "M17 29c0-8 4-12 9-13 4 4 9 5 15 3 3 2 5 5 6 10l-4-5H21Z"],
  cap: ["M15 34c-1-9 4-14 17-14s18 5 17 14l-4-4H19Z", "M14 26C14 13 22 8 32 8s18 5 18 18c6 0 8 2 8 4H14Z"],
};

const EYES = {
  open: ["M24 34a2.1 2.6 0 1 1 4.2 0 2.1 2.6 0 1 1-4.2 0ZM35.8 34a2.1 2.6 0 1 1 4.2 0 2.1 2.6 0 1 1-4.2 0Z"],
  calm: ["M22.5 34h7M34.5 34h7"],
  smile: ["M22.5 35q3.5-4 7 0M34.5 35q3.5-4 7 0"],
  sharp: [
    "M22 31.5l7 2.4M42 31.5l-7 2.4",
    "M24.5 35.5a1.8 1.8 0 1 1 3.6 0 1.8 1.8 0 1 1-3.6 0ZM36 35.5a1.8 1.8 0 1 1 3.6 0 1.8 1.8 0 1 1-3.6 0Z",
  ],
};

const MOUTHS = {
  smile: "M27 42.5q5 4.5 10 0",
  flat: "M28 43.5h8",
  grin: "M26 41.5h12q-1 6-6 6t-6-6Z",
  small: "M30 43.5q2 1.6 4 0",
};

/** What somebody wears: path, colour and whether it is a line. */
const EXTRAS = {
  glasses: {
    d:
      "M20.5 34a5.3 5.3 0 1 1 10.6 0 5.3 5.3 0 1 1-10.6 0Z" +
      "M32.9 34a5.3 5.3 0 1 1 10.6 0 5.3 5.3 0 1 1-10.6 0ZM31 33q1-1 2 0",
    ink: INK,
    line: true,
  },
  band: { d: "M15.5 25q16.5-6 33 0v4.5q-16.5-6-33 0Z", ink: "#c8201f", line: false },
  moustache: { d: "M25 41q4-3.5 7-.7 3-2.8 7 .7-4 2.4-7 .3-3 2.1-7-.3Z", ink: "#6d6660", line: false },
  flower: {
    d: "M45 17a3 3 0 1 1 .1 0Zm5 3a3 3 0 1 1 .1 0Zm-2 6a3 3 0 1 1 .1 0Zm-6 0a3 3 0 1 1 .1 0Zm-2-6a3 3 0 1 1 .1 0Z",
    ink: "#e2607f",
    line: false,
  },
  scarf: { d: "M20 49q12 7 24 0l2 6q-14 7-28 0Z", ink: "#3b74b9", line: false },
};

/** @type {Record<string, Look>} */
const LOOKS = {
  mdp: {
    back: "#cfe0ee",
    skin: "#f3d3b8",
    hair: "#23262e",
    cloth: "#2f4a6d",
    cut: "long",
    eyes: "calm",
    mouth: "flat",
    extras: ["glasses"],
  },
  apprentice: {
    back: "#d6ebe0",
    skin: "#f6d9bf",
    hair: "#3a4c86",
    cloth: "#f4f1e8",
    cut: "tail",
    eyes: "open",
    mouth: "smile",
    extras: ["flower"],
  },
  regular: {
    back: "#dbe5d8",
    skin: "#efc8a4",
    hair: "#2c241f",
    cloth: "#3b7f7a",
    cut: "short",
    eyes: "open",
    mouth: "flat",
    extras: [],
  },
  casual: {
    back: "#efe0ee",
    skin: "#f5d7bd",
    hair: "#7a4f8f",
    cloth: "#d9774a",
    cut: "bob",
    eyes: "smile",
    mouth: "smile",
    extras: ["flower"],
  },
  beginner: {
    back: "#d9e6f4",
    skin: "#e6b990",
    hair: "#4a3324",
    cloth: "#4f86c6",
    cut: "cap",
    eyes: "open",
    mouth: "smile",
    extras: [],
  },
  newcomer: {
    back: "#fbe6d6",
    skin: "#f8e0cb",
    hair: "#c98d3c",
    cloth: "#e8a0a8",
    cut: "tail",
    eyes: "open",
    mouth: "grin",
    extras: [],
  },
  montecarlo: {
    back: "#f6e3c4",
    skin: "#eec6a2",
    hair: "#8a4b2a",
    cloth: "#9c5b8c",
    cut: "bun",
    eyes: "smile",
    mouth: "smile",
  },
  careful: {
    back: "#dfe3d2",
    skin: "#e9bf98",
    hair: "#8c8880",
    cloth: "#55614a",
    cut: "grey",
    eyes: "calm",
    mouth: "small",
    extras: ["moustache"],
  },
  one_player: {
    back: "#f7d6c9",
    skin: "#e8b78e",
    hair: "#b2431f",
    cloth: "#26292d",
    cut: "spiky",
    eyes: "sharp",
    mouth: "grin",
    extras: ["band"],
  },
  greedy: {
    back: "#e4e7f2",
    skin: "#f7dfca",
    hair: "#6b5a4a",
    cloth: "#f0efe9",
    cut: "bob",
    eyes: "open",
    mouth: "small",
    extras: ["scarf"],
  },
  search: {
    back: "#f1dfc6",
    skin: "#e9c09a",
    hair: "#1f2124",
    cloth: "#8c2f2a",
    cut: "short",
    eyes: "calm",
    mouth: "smile",
    extras: ["glasses"],
  },
  strategist: {
    back: "#e4e7f2",
    skin: "#f0caa6",
    hair: "#2b2018",
    cloth: "#3b7f7a",
    cut: "bun",
    eyes: "calm",
    mouth: "smile",
  },
  rvr: {
    back: "#d9e8ef",
    skin: "#f2cfae",
    hair: "#1d2530",
    cloth: "#d8a22a",
    cut: "cap",
    eyes: "open",
    mouth: "grin",
  },
};

/** Colours of people who are made from their name. */
const SKINS = ["#f7dfca", "#f0caa6", "#dba878", "#b57f56", "#8a5a3c"];
const HAIRS = ["#1f2124", "#5a3a25", "#8a4b2a", "#b98a3a", "#8c8880", "#3a4c86"];
const CLOTHS = ["#2f4a6d", "#55614a", "#8c2f2a", "#9c5b8c", "#d8a22a", "#3b7f7a"];
const BACKS = ["#cfe0ee", "#d6ebe0", "#f6e3c4", "#f7d6c9", "#e4e7f2", "#f1dfc6"];

/**
 * The portrait of an agent, by its label.
 * @param {string} label
 * @param {string} [className]
 * @returns {SVGSVGElement}
 */
export function portrait(label, className = "portrait") {
  const name = label.split(":")[0] ?? "";
  const parts =
    name === "random" ? die() : name === "tsumogiri" ? robot() : person(LOOKS[label] ?? LOOKS[name] ?? madeUp(label));
  return s("svg", { viewBox: "0 0 64 64", class: className, "aria-hidden": "true", focusable: "false" }, parts.flat());
}

/** @param {string} fill */
const disc = (fill) => s("circle", { cx: 32, cy: 32, r: 32, fill });

/** @param {Look} look */
function person(look) {
  const [behind = "", before = ""] = HAIR[look.cut];
  return [
    disc(look.back),
    s("path", { d: behind, fill: look.hair }),
    s("path", { d: "M10 63q2-15 22-15t22 15a32 32 0 0 1-44 0Z", fill: look.cloth }),
    s("path", { d: "M27 44h10v7q-5 4-10 0Z", fill: look.skin }),
    s("path", { d: "M18 31a14 15.5 0 0 1 28 0v4a14 14.5 0 0 1-28 0Z", fill: look.skin }),
    s("path", { d: before, fill: look.hair }),
    EYES[look.eyes].map((d) => stroke(d, d.endsWith("Z"))),
    stroke(MOUTHS[look.mouth], false, look.mouth === "grin" ? "#fff" : "none"),
    (look.extras ?? []).map((name) => {
      const { d, ink, line } = EXTRAS[name];
      return line ? stroke(d, false) : s("path", { d, fill: ink });
    }),
  ];
}

/**
 * @param {string} d
 * @param {boolean} full
 * @param {string} [fill]
 */
function stroke(d, full, fill = "none") {
  return s("path", {
    d,
    fill: full ? INK : fill,
    stroke: full ? "none" : INK,
    "stroke-width": 1.7,
    "stroke-linecap": "round",
  });
}

function die() {
  const pips = [22, 32, 42].flatMap((y) =>
    [24, 40].map((x) => s("circle", { cx: x, cy: y, r: 3.2, fill: "#c8201f" })),
  );
  return [
    disc("#e9e2d2"),
    s("rect", { x: 14, y: 12, width: 36, height: 40, rx: 8, fill: "#fffdf8", stroke: INK, "stroke-width": 1.5 }),
    pips,
  ];
}

function robot() {
  return [
    disc("#d5d9dc"),
    s("path", {
      d: "M32 6v8M12 63q2-12 20-12t20 12a32 32 0 0 1-40 0Z",
      fill: "#7d868c",
      stroke: "#7d868c",
      "stroke-width": 2,
    }),
    s("rect", { x: 14, y: 14, width: 36, height: 33, rx: 7, fill: "#a3acb2" }),
    s("circle", { cx: 24, cy: 29, r: 4, fill: "#ffd257" }),
    s("circle", { cx: 40, cy: 29, r: 4, fill: "#ffd257" }),
    s("path", { d: "M23 40h18", stroke: INK, "stroke-width": 2.5, "stroke-dasharray": "3 2" }),
  ];
}

/**
 * @param {string} label
 * @returns {Look}
 */
function madeUp(label) {
  let seed = 7;
  for (const letter of label) seed = (seed * 31 + (letter.codePointAt(0) ?? 0)) % 1_000_003;
  /** @template T @param {readonly T[]} list @returns {T} */
  const pick = (list) => {
    seed = (seed * 48271 + 11) % 1_000_003;
    return /** @type {any} */ (list[seed % list.length]);
  };
  return {
    back: pick(BACKS),
    skin: pick(SKINS),
    hair: pick(HAIRS),
    cloth: pick(CLOTHS),
    cut: pick(/** @type {(keyof typeof HAIR)[]} */ (Object.keys(HAIR))),
    eyes: pick(/** @type {(keyof typeof EYES)[]} */ (Object.keys(EYES))),
    mouth: pick(/** @type {(keyof typeof MOUTHS)[]} */ (Object.keys(MOUTHS))),
  };
}
