/**
 * Brush strokes: the characters on tiles are drawn from points with a brush whose width changes along the stroke,
 * so that they look the same on every machine, with any fonts.
 * @module
 */

/** @typedef {[number, number]} Point */
/**
 * A stroke: how the brush is led, then the points it passes, on a square of 100.
 * h and v are level and upright strokes, l and r fall to the left and right, d is a dot, c a curve of even width.
 * @typedef {["h" | "v" | "l" | "r" | "d" | "c", ...number[]]} Stroke
 */

/** Width along the stroke, in parts of the brush. */
const PROFILES = {
  h: [1.05, 0.74, 0.72, 0.8, 1.25],
  v: [1.3, 1.05, 1, 1.02, 1.12],
  l: [1.3, 1.1, 0.95, 0.65, 0.2],
  r: [0.55, 0.8, 1.1, 1.45, 0.3],
  d: [0.35, 0.8, 1.2, 1.4, 0.9],
  c: [1.25, 1, 0.95, 0.95, 0.8],
};

/** @type {Record<string, {brush: number, strokes: Stroke[]}>} */
const CHARACTERS = {
  一: { brush: 15, strokes: [["h", 6, 54, 94, 49]] },
  二: {
    brush: 14,
    strokes: [
      ["h", 20, 27, 80, 25],
      ["h", 6, 78, 94, 75],
    ],
  },
  三: {
    brush: 13,
    strokes: [
      ["h", 16, 16, 84, 14],
      ["h", 24, 49, 76, 47],
      ["h", 5, 84, 95, 82],
    ],
  },
  四: {
    brush: 11,
    strokes: [
      ["v", 14, 18, 18, 86],
      ["h", 14, 20, 88, 20],
      ["v", 87, 18, 83, 86],
      ["h", 17, 80, 84, 80],
      ["l", 40, 22, 39, 42, 28, 60],
      ["c", 60, 22, 60, 48, 65, 56, 77, 56],
    ],
  },
  五: {
    brush: 12,
    strokes: [
      ["h", 14, 16, 86, 15],
      ["v", 49, 16, 36, 84],
      ["h", 20, 47, 72, 47],
      ["v", 72, 46, 68, 84],
      ["h", 5, 86, 95, 85],
    ],
  },
  六: {
    brush: 12,
    strokes: [
      ["d", 46, 4, 56, 22],
      ["h", 5, 37, 95, 35],
      ["l", 36, 50, 28, 72, 8, 94],
      ["r", 60, 50, 76, 70, 92, 92],
    ],
  },
  七: {
    brush: 12,
    strokes: [
      ["h", 5, 52, 95, 36],
      ["c", 44, 8, 44, 70, 52, 85, 72, 86, 88, 82, 91, 68],
    ],
  },
  八: {
    brush: 13,
    strokes: [
      ["l", 37, 20, 31, 54, 7, 90],
      ["r", 54, 12, 66, 52, 95, 88],
    ],
  },
  九: {
    brush: 12,
    strokes: [
      ["l", 40, 6, 38, 50, 8, 92],
      ["h", 10, 36, 68, 33],
      ["c", 67, 33, 63, 70, 70, 87, 86, 87, 94, 82, 95, 66],
    ],
  },
  萬: {
    brush: 8.4,
    strokes: [
      ["h", 6, 14, 94, 13],
      ["v", 33, 3, 34, 26],
      ["v", 67, 3, 66, 26],
      ["v", 23, 33, 25, 61],
      ["h", 23, 34, 77, 34],
      ["v", 77, 33, 75, 61],
      ["h", 24, 47, 76, 47],
      ["h", 25, 60, 75, 60],
      ["v", 50, 33, 50, 88],
      ["v", 12, 71, 12, 98],
      ["h", 12, 72, 88, 72],
      ["v", 88, 71, 87, 93],
      ["l", 88, 93, 82, 96, 74, 92],
      ["h", 30, 90, 64, 86],
      ["d", 60, 78, 71, 91],
    ],
  },
  東: {
    brush: 10,
    strokes: [
      ["h", 10, 18, 90, 17],
      ["v", 23, 32, 26, 65],
      ["h", 23, 33, 77, 33],
      ["v", 77, 32, 74, 65],
      ["h", 25, 48, 75, 48],
      ["h", 26, 63, 74, 63],
      ["v", 50, 3, 50, 97],
      ["l", 46, 66, 30, 82, 6, 93],
      ["r", 54, 66, 70, 80, 95, 92],
    ],
  },
  南: {
    brush: 10,
    strokes: [
      ["h", 10, 17, 90, 16],
      ["v", 50, 3, 50, 34],
      ["v", 15, 33, 13, 97],
      ["h", 15, 35, 86, 35],
      ["v", 86, 33, 86, 91],
      ["l", 87, 90, 82, 95, 72, 92],
      ["d", 34, 42, 41, 53],
      ["l", 66, 41, 58, 54],
      ["h", 27, 59, 73, 59],
      ["h", 25, 74, 75, 74],
      ["v", 50, 59, 50, 95],
    ],
  },
  西: {
    brush: 10.5,
    strokes: [
      ["h", 6, 14, 94, 13],
      ["v", 13, 36, 17, 92],
      ["h", 13, 38, 87, 38],
      ["v", 87, 36, 83, 92],
      ["h", 16, 86, 84, 86],
      ["l", 38, 15, 38, 50, 26, 70],
      ["c", 60, 15, 60, 56, 65, 65, 80, 64],
    ],
  },
  北: {
    brush: 11,
    strokes: [
      ["h", 8, 36, 36, 34],
      ["v", 36, 6, 36, 95],
      ["l", 38, 68, 24, 76, 5, 82],
      ["l", 90, 26, 78, 38, 60, 47],
      ["c", 58, 6, 58, 72, 64, 86, 82, 88, 94, 84, 95, 68],
    ],
  },
  發: {
    brush: 8,
    strokes: [
      ["h", 12, 13, 37, 12],
      ["l", 38, 11, 30, 28, 5, 45],
      ["d", 12, 24, 23, 33],
      ["r", 55, 5, 66, 26, 96, 44],
      ["l", 78, 6, 72, 13, 65, 18],
      ["l", 91, 15, 85, 24, 76, 30],
      ["h", 16, 51, 42, 51],
      ["v", 42, 50, 41, 64],
      ["h", 18, 63, 42, 63],
      ["v", 18, 62, 15, 77],
      ["h", 15, 76, 44, 76],
      ["l", 44, 74, 43, 90, 36, 95, 27, 92],
      ["l", 60, 48, 59, 58, 50, 67],
      ["h", 60, 49, 81, 49],
      ["c", 81, 47, 81, 58, 86, 61, 94, 60],
      ["h", 53, 71, 82, 71],
      ["l", 84, 69, 74, 87, 49, 99],
      ["r", 58, 74, 72, 87, 96, 98],
    ],
  },
  中: {
    brush: 11.5,
    strokes: [
      ["v", 12, 26, 16, 69],
      ["h", 12, 28, 88, 28],
      ["v", 88, 26, 84, 69],
      ["h", 15, 64, 85, 64],
      ["v", 50, 2, 50, 99],
    ],
  },
};

/**
 * A point of the smooth curve through points (Catmull-Rom), at 0 to 1 along it.
 * @param {Point[]} points
 * @param {number} at
 * @returns {Point}
 */
function along(points, at) {
  const last = points.length - 1;
  const whole = Math.min(Math.floor(at * last), last - 1);
  const x = at * last - whole;
  const [a, b, c, d] = [-1, 0, 1, 2].map((i) => points[Math.max(0, Math.min(last, whole + i))] ?? [0, 0]);
  const mix = (/** @type {0 | 1} */ i) => {
    const [p = 0, q = 0, r = 0, t = 0] = [a, b, c, d].map((point) => (point ?? [0, 0])[i]);
    return 0.5 * (2 * q + (r - p) * x + (2 * p - 5 * q + 4 * r - t) * x * x + (3 * q - p - 3 * r + t) * x ** 3);
  };
  return [mix(0), mix(1)];
}

/**
 * @param {number[]} profile
 * @param {number} at
 */
function widthAt(profile, at) {
  const place = at * (profile.length - 1);
  const i = Math.min(Math.floor(place), profile.length - 2);
  const [from = 1, to = 1] = [profile[i], profile[i + 1]];
  return from + (to - from) * (place - i);
}

/**
 * The outline of a stroke as the text of a path.
 * @param {Stroke} stroke
 * @param {number} brush
 * @returns {string}
 */
function outline([kind, ...numbers], brush) {
  /** @type {Point[]} */
  const points = [];
  for (let i = 0; i + 1 < numbers.length; i += 2) points.push([numbers[i] ?? 0, numbers[i + 1] ?? 0]);
  const steps = points.length > 2 ? 18 : 8;
  /** @type {string[]} */
  const left = [];
  /** @type {string[]} */
  const right = [];
  for (let i = 0; i <= steps; i += 1) {
    const at = i / steps;
    const [x, y] = along(points, at);
    const [x0, y0] = along(points, Math.max(0, at - 0.02));
    const [x1, y1] = along(points, Math.min(1, at + 0.02));
    const length = Math.hypot(x1 - x0, y1 - y0) || 1;
    const half = (brush * widthAt(PROFILES[kind], at)) / 2;
    const [nx, ny] = [(-(y1 - y0) / length) * half, ((x1 - x0) / length) * half];
    left.push(`${(x + nx).toFixed(1)} ${(y + ny).toFixed(1)}`);
    right.unshift(`${(x - nx).toFixed(1)} ${(y - ny).toFixed(1)}`);
  }
  return `M${left.join("L")}L${right.join("L")}Z`;
}

/** @type {Map<string, string>} */
const paths = new Map();

/**
 * The path of a character on a square of 100, or an empty text for one that is not drawn here.
 * @param {string} character
 * @returns {string}
 */
export function characterPath(character) {
  const known = paths.get(character);
  if (known !== undefined) return known;
  const drawn = CHARACTERS[character];
  const path = drawn ? drawn.strokes.map((stroke) => outline(stroke, drawn.brush)).join("") : "";
  paths.set(character, path);
  return path;
}
