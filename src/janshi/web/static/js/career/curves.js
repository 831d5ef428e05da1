/**
 * Curves of rank and points, with and without luck, with their intervals as bands.
 * @module
 */
import { fill, h, s } from "../dom.js";
import { number, t } from "../i18n.js";
import { axes, canvas, figure, legend, lineTable, scale } from "../players/plot.js";

/** @typedef {import("../schema.js").CareerText} Career */
/** @typedef {import("../schema.js").CurvePoint} CurvePoint */
/** @typedef {import("../players/plot.js").Point} Point */
/** @typedef {import("../players/plot.js").Series} Series */
/** @typedef {import("../players/plot.js").LinePlot} LinePlot */

const HEIGHT = 360;
const EDGE = { left: 64, right: 16, top: 14, bottom: 50 };

/** @type {{of: "rank" | "won" | "total", over: "so_far" | "latest"}} */
const state = { of: "rank", over: "so_far" };

/** @param {Career} career */
export function curvesCard(career) {
  const place = h("div", { class: "stack" });
  const again = () => fill(place, controls(career, again), plotOf(career));
  again();
  return h(
    "section",
    { class: "card career-curves", "aria-labelledby": "career-curves" },
    h("h2", { id: "career-curves" }, t("career.curves")),
    place,
  );
}

/**
 * @param {Career} career
 * @param {() => void} again
 */
function controls(career, again) {
  const { window } = career.curves;
  return h(
    "div",
    { class: "row" },
    choice("of", ["rank", "won", "total"], (name) => t(`career.curve.${name}`), again),
    state.of === "total"
      ? null
      : choice("over", ["so_far", "latest"], (name) => t(`career.curve.${name}`, { n: number(window) }), again),
  );
}

/**
 * @param {"of" | "over"} what
 * @param {string[]} names
 * @param {(name: string) => string} words
 * @param {() => void} again
 */
function choice(what, names, words, again) {
  return h(
    "div",
    { class: "players-switch career-switch", role: "group", "aria-label": t(`career.choose.${what}`) },
    names.map((name) =>
      h(
        "button",
        {
          type: "button",
          "aria-pressed": String(state[what] === name),
          onclick: () => {
            Object.assign(state, { [what]: name });
            again();
          },
        },
        words(name),
      ),
    ),
  );
}

/** @param {Career} career */
function plotOf(career) {
  const { curves } = career;
  if (state.of === "total") {
    const points = curves.total.map(([x, y]) => ({ x, y: /** @type {number} */ (y) }));
    return bandPlot({
      title: t("career.curve.total.title"),
      x: { label: t("career.axis.games"), digits: 0 },
      y: { label: t("career.axis.total"), digits: 0 },
      series: [{ name: t("career.curve.total"), points: /** @type {Point[]} */ (points) }],
      reference: 0,
    });
  }
  const rank = state.of === "rank";
  const raw = (rank ? curves.rank : curves.won)[state.over];
  const luckless = (rank ? curves.luckless_rank : curves.luckless_won)[state.over];
  const series = [
    { name: t("career.series.raw"), points: pointsOf(raw) },
    { name: t("career.series.luckless"), points: pointsOf(luckless) },
  ].filter((one) => one.points.length);
  if (!series.length) return h("p", { class: "soft" }, t("career.curve.few"));
  return h(
    "div",
    null,
    bandPlot({
      title: t(`career.curve.${state.of}.title`),
      x: { label: t("career.axis.games"), digits: 0 },
      y: { label: t(`career.axis.${state.of}`), digits: rank ? 2 : 0 },
      series,
      reference: rank ? 2.5 : 0,
      down: rank,
    }),
    h("p", { class: "soft small" }, t(rank ? "career.curve.rank.note" : "career.curve.won.note")),
  );
}

/**
 * @param {CurvePoint[]} points
 * @returns {Point[]}
 */
function pointsOf(points) {
  return points.map(({ game, value, low, high }) => ({ x: game, y: value, low, high }));
}

/**
 * Lines with bands for their intervals; `down`: small values are good and lie on top.
 * @param {LinePlot & {reference?: number, down?: boolean}} plot
 */
export function bandPlot(plot) {
  const drawing = canvas(HEIGHT, plot.title);
  const width = drawing.viewBox.baseVal.width;
  const all = plot.series.flatMap((one) => one.points);
  const x = scale(
    all.map((point) => point.x),
    [EDGE.left, width - EDGE.right],
  );
  const vertical = /** @type {[number, number]} */ (
    plot.down ? [EDGE.top, HEIGHT - EDGE.bottom] : [HEIGHT - EDGE.bottom, EDGE.top]
  );
  const shown = all.flatMap((point) => [point.y, point.low ?? point.y, point.high ?? point.y]);
  const y = scale([...calm(all, shown), ...(plot.reference === undefined ? [] : [plot.reference])], vertical);
  const clip = `career-clip-${Math.random().toString(36).slice(2)}`;
  drawing.append(
    s(
      "clipPath",
      { id: clip },
      s("rect", {
        x: EDGE.left,
        y: EDGE.top,
        width: width - EDGE.left - EDGE.right,
        height: HEIGHT - EDGE.top - EDGE.bottom,
      }),
    ),
    ...axes(x, y, plot),
  );
  if (plot.reference !== undefined)
    drawing.append(
      s("line", {
        class: "plot-reference",
        x1: EDGE.left,
        x2: width - EDGE.right,
        y1: y.at(plot.reference),
        y2: y.at(plot.reference),
      }),
    );
  /** @type {{x: number, y: number, text: string}[]} */
  const spots = [];
  const body = s("g", { "clip-path": `url(#${clip})` });
  plot.series.forEach((series, which) => {
    body.append(...band(series, which, x, y), line(series, which, x, y));
    for (const point of series.points)
      spots.push({ x: x.at(point.x), y: y.at(point.y), text: said(series, point, plot) });
  });
  drawing.append(body);
  return figure(plot.title, drawing, spots, lineTable(plot), legend(plot.series.map((one) => one.name)));
}

/**
 * The values that a scale should cover: all lines and all intervals but the widest, which come from few games.
 * @param {Point[]} points
 * @param {number[]} shown
 */
function calm(points, shown) {
  const widths = points.map((point) => (point.high ?? point.y) - (point.low ?? point.y)).sort((a, b) => a - b);
  const most = 4 * (widths[Math.floor(widths.length / 2)] ?? 0);
  const kept = points
    .filter((point) => (point.high ?? point.y) - (point.low ?? point.y) <= most)
    .flatMap((point) => [point.low ?? point.y, point.high ?? point.y]);
  return kept.length ? kept : shown;
}

/** @typedef {ReturnType<typeof scale>} Scale */

/**
 * @param {Series} series
 * @param {number} which
 * @param {Scale} x
 * @param {Scale} y
 */
function band(series, which, x, y) {
  const known = series.points.filter((point) => point.low !== undefined && point.high !== undefined);
  if (known.length < 2) return [];
  const there = known.map((point) => `${x.at(point.x).toFixed(1)} ${y.at(point.high ?? 0).toFixed(1)}`);
  const back = known.map((point) => `${x.at(point.x).toFixed(1)} ${y.at(point.low ?? 0).toFixed(1)}`).reverse();
  return [s("path", { class: `career-band plot-c${which}`, d: `M${[...there, ...back].join("L")}Z` })];
}

/**
 * @param {Series} series
 * @param {number} which
 * @param {Scale} x
 * @param {Scale} y
 */
function line(series, which, x, y) {
  const places = series.points.map((point) => `${x.at(point.x).toFixed(1)} ${y.at(point.y).toFixed(1)}`);
  return s("path", { class: `plot-line plot-c${which}${which ? " career-thick" : ""}`, d: `M${places.join("L")}` });
}

/**
 * @param {Series} series
 * @param {Point} point
 * @param {LinePlot} plot
 */
function said(series, point, plot) {
  const digits = { maximumFractionDigits: plot.y.digits ?? 2 };
  const interval =
    point.low === undefined || point.high === undefined
      ? ""
      : ` (${number(point.low, digits)} – ${number(point.high, digits)})`;
  return `${series.name}: ${number(point.y, digits)}${interval} · ${plot.x.label} ${number(point.x)}`;
}
