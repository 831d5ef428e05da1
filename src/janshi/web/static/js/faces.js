/**
 * What is on the faces of tiles, as paths on a tile of 60 × 80. All shapes of one colour are one path, with what is
 * left out of them as holes, so that a table full of tiles stays light to draw.
 * @module
 */
import { characterPath } from "./brush.js";

/** @typedef {{ink: string, d: string, at?: string}} Shape ink is the end of a class of style/tiles.css */
/** @typedef {"blue" | "green" | "red"} Colour */

const NUMERALS = "一二三四五六七八九";
/** The characters of honours; the white dragon has none. */
export const HONOURS = ["東", "南", "西", "北", "", "發", "中"];

// --- pieces of paths -------------------------------------------------------------------------------------------

/** @param {number} value */
const short = (value) => String(Math.round(value * 100) / 100);

/**
 * @param {number} x
 * @param {number} y
 * @param {number} radius
 * @param {number} [tall] the other radius, for an ellipse
 * @param {number} [turn] degrees
 */
function circle(x, y, radius, tall = radius, turn = 0) {
  const [dx, dy] = [Math.cos((turn * Math.PI) / 180) * radius, Math.sin((turn * Math.PI) / 180) * radius];
  const arc = `A${short(radius)} ${short(tall)} ${turn} 1 0`;
  const [start, across] = [`${short(x - dx)} ${short(y - dy)}`, `${short(x + dx)} ${short(y + dy)}`];
  return `M${start}${arc} ${across}${arc} ${start}Z`;
}

/**
 * @param {number} x
 * @param {number} y
 * @param {number} width
 * @param {number} height
 * @param {number} r
 */
function rounded(x, y, width, height, r) {
  const corner = (/** @type {number} */ dx, /** @type {number} */ dy) => `a${r} ${r} 0 0 1 ${dx} ${dy}`;
  const [across, down] = [width - 2 * r, height - 2 * r];
  return (
    `M${short(x + r)} ${short(y)}h${short(across)}${corner(r, r)}v${short(down)}${corner(-r, r)}` +
    `h${short(-across)}${corner(-r, -r)}v${short(-down)}${corner(r, -r)}Z`
  );
}

/**
 * One shape for each colour that occurs.
 * @param {[Colour, string][]} pieces
 * @returns {Shape[]}
 */
function byColour(pieces) {
  /** @type {Map<string, string>} */
  const paths = new Map();
  for (const [ink, d] of pieces) paths.set(ink, (paths.get(ink) ?? "") + d);
  return [...paths].map(([ink, d]) => ({ ink, d }));
}

// --- the tile itself -------------------------------------------------------------------------------------------

/** @returns {Shape[]} */
export function bodyShapes() {
  return [
    { ink: "side", d: rounded(0.5, 0.5, 59, 79, 7.5) },
    { ink: "face", d: rounded(0.5, 0.5, 59, 75.5, 7.5) },
  ];
}

/** @returns {Shape[]} */
export function backShapes() {
  return [
    { ink: "side", d: rounded(0.5, 0.5, 59, 79, 7.5) },
    { ink: "back", d: rounded(0.5, 0.5, 59, 75.5, 7.5) },
    { ink: "back-line", d: `${rounded(6, 6, 48, 64.5, 4.5)}M30 22 42 38.500 30 55 18 38.500Z` },
  ];
}

/**
 * What is on the face of a tile.
 * @param {string} text
 * @returns {Shape[]}
 */
export function faceShapes(text) {
  const red = text.startsWith("0");
  const rank = red ? 5 : Number(text.slice(0, 1));
  const picture = pictureOf(text.slice(1), rank, red);
  return red ? [{ ink: "blush", d: rounded(1.5, 1.5, 57, 73.5, 6.5) }, ...picture, redMark()] : picture;
}

/**
 * The mark of a red five, besides its colour: a solid gem in the corner.
 * @returns {Shape}
 */
function redMark() {
  return { ink: "red ink-gem", d: "M52.500 3 57.300 8.600 52.500 14.200 47.700 8.600Z" };
}

/**
 * @param {string} suit
 * @param {number} rank
 * @param {boolean} red
 * @returns {Shape[]}
 */
function pictureOf(suit, rank, red) {
  if (suit === "m") return characters(rank, red);
  if (suit === "p") return rank === 1 ? bigDot() : dots(rank, red);
  if (suit === "s") return rank === 1 ? bird() : bamboo(rank, red);
  return honour(rank);
}

// --- characters and honours --------------------------------------------------------------------------------------

/**
 * A character of a given width whose square's top left corner lies at x, y.
 * @param {string} text
 * @param {number} x
 * @param {number} y
 * @param {number} width
 * @param {string} ink
 * @param {number} tall height in parts of the width
 * @returns {Shape}
 */
function write(text, x, y, width, ink, tall) {
  const scale = width / 100;
  return {
    ink: `${ink} ink-stroke`,
    d: characterPath(text),
    at: `translate(${x} ${y}) scale(${scale} ${short(scale * tall)})`,
  };
}

/**
 * @param {number} rank
 * @param {boolean} red
 */
function characters(rank, red) {
  return [
    write(NUMERALS.charAt(rank - 1), 13, 5, 34, red ? "red" : "dark", 0.9),
    write("萬", 12, 37.5, 36, "red", 0.98),
  ];
}

/**
 * @param {number} rank
 * @returns {Shape[]}
 */
function honour(rank) {
  if (rank === 5) {
    return [
      {
        ink: "blue",
        d:
          rounded(8.5, 7.5, 43, 61, 4) +
          rounded(11.5, 10.5, 37, 55, 1.5) +
          rounded(14.2, 13.7, 31.6, 48.6, 1.5) +
          rounded(15.7, 15.2, 28.6, 45.6, 0.8),
      },
      {
        ink: "blue",
        d:
          "M11 21h4v1.500h-4zM11 53.500h4v1.500h-4zM45 21h4v1.500h-4zM45 53.500h4v1.500h-4z" +
          "M22.500 10v4.500h1.500v-4.500zM36 10v4.500h1.500v-4.500z" +
          "M22.500 61.500v4.500h1.500v-4.500zM36 61.500v4.500h1.500v-4.500z",
      },
    ];
  }
  return [write(HONOURS[rank - 1] ?? "", 9, 13, 42, rank === 6 ? "green" : rank === 7 ? "red" : "dark", 1.2)];
}

// --- dots ----------------------------------------------------------------------------------------------------------

/** Where the dots of each rank lie, with their colours: blue, green, red. */
/** @type {Record<number, [number, number, "b" | "g" | "r"][]>} */
const DOTS = {
  2: [
    [30, 22, "g"],
    [30, 55, "b"],
  ],
  3: [
    [15, 17, "b"],
    [30, 38.5, "r"],
    [45, 60, "g"],
  ],
  4: [
    [17.5, 21, "b"],
    [42.5, 21, "g"],
    [17.5, 56, "g"],
    [42.5, 56, "b"],
  ],
  5: [
    [15.5, 20, "b"],
    [44.5, 20, "g"],
    [30, 38.5, "r"],
    [15.5, 57, "g"],
    [44.5, 57, "b"],
  ],
  6: [
    [18, 16.5, "g"],
    [42, 16.5, "g"],
    [18, 39, "r"],
    [42, 39, "r"],
    [18, 60.5, "r"],
    [42, 60.5, "r"],
  ],
  7: [
    [13, 12.5, "g"],
    [30, 19, "g"],
    [47, 25.5, "g"],
    [18.5, 43, "r"],
    [41.5, 43, "r"],
    [18.5, 62, "r"],
    [41.5, 62, "r"],
  ],
  8: [
    [18, 13.5, "b"],
    [42, 13.5, "b"],
    [18, 30.2, "b"],
    [42, 30.2, "b"],
    [18, 46.9, "b"],
    [42, 46.9, "b"],
    [18, 63.6, "b"],
    [42, 63.6, "b"],
  ],
  9: [
    [13, 16, "g"],
    [30, 16, "g"],
    [47, 16, "g"],
    [13, 38.5, "r"],
    [30, 38.5, "r"],
    [47, 38.5, "r"],
    [13, 61, "b"],
    [30, 61, "b"],
    [47, 61, "b"],
  ],
};
const DOT_RADIUS = [0, 0, 14, 11.5, 11.8, 10.6, 10, 8.4, 8.1, 8];
/** @type {Record<string, Colour>} */
const COLOURS = { b: "blue", g: "green", r: "red" };

/**
 * @param {number} rank
 * @param {boolean} red
 */
function dots(rank, red) {
  const radius = DOT_RADIUS[rank] ?? 8;
  return byColour(
    (DOTS[rank] ?? []).map(([x, y, colour]) => [red ? "red" : (COLOURS[colour] ?? "red"), dot(x, y, radius)]),
  );
}

/**
 * A disc with a ring, petals and a middle left out.
 * @param {number} x
 * @param {number} y
 * @param {number} radius
 */
function dot(x, y, radius) {
  const petals = radius > 9 ? 8 : 6;
  let path =
    circle(x, y, radius) + circle(x, y, radius * 0.85) + circle(x, y, radius * 0.75) + circle(x, y, radius * 0.24);
  for (let i = 0; i < petals; i += 1) {
    const angle = (i / petals) * 2 * Math.PI;
    path += circle(x + Math.cos(angle) * radius * 0.53, y + Math.sin(angle) * radius * 0.53, radius * 0.13);
  }
  return path;
}

/** @returns {Shape[]} */
function bigDot() {
  let petals = "";
  for (let i = 0; i < 12; i += 1) {
    const angle = (i / 12) * 2 * Math.PI;
    petals += circle(30 + Math.cos(angle) * 14.5, 38.5 + Math.sin(angle) * 14.5, 4.6, 2.6, i * 30);
  }
  return [
    { ink: "blue", d: circle(30, 38.5, 23.5) + circle(30, 38.5, 20.5) },
    { ink: "green", d: petals },
    { ink: "red", d: circle(30, 38.5, 8.6) + circle(30, 38.5, 6.1) + circle(30, 38.5, 5.1) + circle(30, 38.5, 2.2) },
  ];
}

// --- bamboo --------------------------------------------------------------------------------------------------------

/** Where the sticks of each rank stand: x, y of the middle, colour, and by how many degrees they lean. */
/** @type {Record<number, [number, number, "g" | "r" | "b", number?][]>} */
const STICKS = {
  2: [
    [30, 22, "g"],
    [30, 55, "b"],
  ],
  3: [
    [30, 22, "b"],
    [17, 55, "g"],
    [43, 55, "g"],
  ],
  4: [
    [17, 22, "b"],
    [43, 22, "g"],
    [17, 55, "g"],
    [43, 55, "b"],
  ],
  5: [
    [14, 22, "g"],
    [46, 22, "b"],
    [30, 38.5, "r"],
    [14, 55, "b"],
    [46, 55, "g"],
  ],
  6: [
    [14, 22, "g"],
    [30, 22, "g"],
    [46, 22, "g"],
    [14, 55, "b"],
    [30, 55, "b"],
    [46, 55, "b"],
  ],
  7: [
    [30, 14, "r"],
    [14, 38, "g"],
    [30, 38, "b"],
    [46, 38, "g"],
    [14, 61.5, "g"],
    [30, 61.5, "b"],
    [46, 61.5, "g"],
  ],
  8: [
    [11, 22, "g"],
    [24, 20, "b", 32],
    [36, 20, "b", -32],
    [49, 22, "g"],
    [11, 55, "g"],
    [24, 57, "b", -32],
    [36, 57, "b", 32],
    [49, 55, "g"],
  ],
  9: [
    [14, 15, "g"],
    [30, 15, "r"],
    [46, 15, "b"],
    [14, 38.5, "g"],
    [30, 38.5, "r"],
    [46, 38.5, "b"],
    [14, 62, "g"],
    [30, 62, "r"],
    [46, 62, "b"],
  ],
};
const STICK_LENGTH = [0, 0, 30, 30, 30, 28, 30, 21.5, 27, 21.5];

/**
 * @param {number} rank
 * @param {boolean} red
 */
function bamboo(rank, red) {
  const [length, width] = [STICK_LENGTH[rank] ?? 20, rank < 5 ? 12 : rank === 8 ? 9.5 : 10.8];
  /** @type {[Colour, string][]} */
  const sticks = (STICKS[rank] ?? []).map(([x, y, colour, lean = 0]) => [
    red ? "red" : (COLOURS[colour] ?? "red"),
    stick(x, y, width, length, lean),
  ]);
  // leaning sticks overlap, and would leave holes in one path
  return rank === 8 ? sticks.flatMap((one) => byColour([one])) : byColour(sticks);
}

/**
 * A stick with three joints and two waists, and a line left out of each half.
 * @param {number} x
 * @param {number} y
 * @param {number} width
 * @param {number} length
 * @param {number} lean
 */
function stick(x, y, width, length, lean) {
  const [sin, cos] = [Math.sin((lean * Math.PI) / 180), Math.cos((lean * Math.PI) / 180)];
  const at = (/** @type {number} */ dx, /** @type {number} */ dy) =>
    `${short(x + dx * cos - dy * sin)} ${short(y + dx * sin + dy * cos)}`;
  const [half, end] = [width / 2, length / 2];
  const [waist, knot, thin] = [half * 0.66, half * 1.08, width * 0.08];
  const line = (/** @type {number} */ from, /** @type {number} */ to) =>
    `M${at(-thin, from)}L${at(thin, from)}L${at(thin, to)}L${at(-thin, to)}Z`;
  return (
    `M${at(-half, 1.6 - end)}Q${at(0, -1.6 - end)} ${at(half, 1.6 - end)}Q${at(waist, -end / 2)} ${at(waist, -2.4)}` +
    `Q${at(knot, 0)} ${at(waist, 2.4)}Q${at(waist, end / 2)} ${at(half, end - 1.6)}` +
    `Q${at(0, end + 1.6)} ${at(-half, end - 1.6)}Q${at(-waist, end / 2)} ${at(-waist, 2.4)}` +
    `Q${at(-knot, 0)} ${at(-waist, -2.4)}Q${at(-waist, -end / 2)} ${at(-half, 1.6 - end)}Z` +
    line(3 - end, -3.4) +
    line(3.4, end - 3)
  );
}

/**
 * The one of bamboo: a sparrow (雀), for whom the game is named.
 * @returns {Shape[]}
 */
function bird() {
  return [
    { ink: "green", d: "M22 50C10 50 6 60 9 69 17 68 24 63 27 54ZM38 50C50 50 54 60 51 69 43 68 36 63 33 54Z" },
    { ink: "red", d: "M30 46C22 52 22 64 30 73 38 64 38 52 30 46Z" },
    { ink: "blue", d: "M40 12C50 18 52 34 44 46 38 54 24 55 17 46 11 38 13 28 22 25 27 23 30 20 31 15Z" },
    { ink: "paper", d: "M17 33C24 29 36 31 42 40 35 48.500 23 49.500 18 43 15.500 39 15.800 36 17 33Z" },
    {
      ink: "green",
      d:
        "M18.500 34.500C24 31.500 34 32.500 39.500 40 " +
        "34 46.500 24 47.500 19.500 42 17.800 39.500 17.500 37 18.500 34.500Z" +
        "M22 37.300C27 36.200 31.500 38 35 41.500 31 39 27 38.500 22 38.800Z" +
        "M22 41.300C25.500 40.800 28.500 41.800 31 44 28 42.800 25.500 42.500 22 42.800Z",
    },
    {
      ink: "red",
      d:
        `${circle(37, 14.5, 8.4)}${circle(39.5, 13, 2.6)}` +
        `M33 8.500C31.500 5.500 29 4.500 25.500 5.500 27 2.500 31.500 3 34.500 6.500 ` +
        `33.500 4.500 32.500 3 31 2 35 1.500 37.500 4 37.500 7Z`,
    },
    { ink: "dark", d: `M44.500 11.300 54.500 15 44.500 18.700Z${circle(40, 13, 1.3)}` },
  ];
}
