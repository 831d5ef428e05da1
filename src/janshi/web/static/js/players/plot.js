/**
 * Plots as SVG: lines over a scale, and figures with their intervals in rows. Every plot can be read by pointer, by
 * arrow keys and as a table.
 * @module
 */
import { fill, h, s } from "../dom.js";
import { number, t } from "../i18n.js";

/**
 * @typedef {object} Point
 * @property {number} x
 * @property {number} y
 * @property {number} [low] of the interval
 * @property {number} [high]
 */

/** @typedef {{name: string, points: Point[]}} Series */
/** @typedef {{label: string, digits?: number, log?: boolean}} Axis */
/** @typedef {{title: string, x: Axis, y: Axis, series: Series[]}} LinePlot */
/** @typedef {{name: string, value: number, low: number, high: number, note?: string}} Row */
/** @typedef {{title: string, x: Axis, rows: Row[], reference?: {value: number, label: string}}} RowPlot */

const WIDE = 640;
const NARROW = 380;
const HEIGHT = 360;
const EDGE = { left: 64, right: 16, top: 14, bottom: 50 };
const MARKS = ["circle", "square", "diamond", "triangle", "cross", "ring", "square", "circle"];
const COLOURS = 8;
let plots = 0;

/** Width of a drawing: less where the page is narrow, so that letters stay legible. */
function width() {
  return innerWidth < 600 ? NARROW : WIDE;
}

/**
 * About `about` round values between two numbers.
 * @param {number} low
 * @param {number} high
 * @param {number} [about]
 * @returns {number[]}
 */
export function ticks(low, high, about = 6) {
  if (!(high > low)) return [low];
  const rough = (high - low) / about;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((factor) => factor * power).find((size) => size >= rough) ?? rough;
  const first = Math.ceil(low / step - 1e-9);
  const last = Math.floor(high / step + 1e-9);
  return Array.from({ length: last - first + 1 }, (_, i) => Number(((first + i) * step).toPrecision(12)));
}

/**
 * Powers of ten, with twos and fives between few of them.
 * @param {number} low
 * @param {number} high
 * @returns {number[]}
 */
export function logTicks(low, high) {
  const found = [];
  for (let power = Math.floor(Math.log10(low)); power <= Math.ceil(Math.log10(high)); power++) {
    for (const factor of [1, 2, 5]) found.push(Number((factor * 10 ** power).toPrecision(12)));
  }
  return found.filter((value) => value >= low * 0.999 && value <= high * 1.001);
}

/**
 * A scale from values to positions.
 * @param {number[]} values
 * @param {[number, number]} places
 * @param {boolean} [log]
 */
export function scale(values, places, log = false) {
  const warp = log ? Math.log10 : (/** @type {number} */ value) => value;
  const shown = values.map(warp);
  let [low, high] = [Math.min(...shown), Math.max(...shown)];
  const room = (high - low || 1) * 0.05;
  [low, high] = [low - room, high + room];
  const unwarp = (/** @type {number} */ value) => (log ? 10 ** value : value);
  return {
    at: (/** @type {number} */ value) => places[0] + ((warp(value) - low) / (high - low)) * (places[1] - places[0]),
    ticks: log ? logTicks(unwarp(low), unwarp(high)) : ticks(low, high),
  };
}

/**
 * A number as a plot writes it.
 * @param {number} value
 * @param {Axis} axis
 */
export function written(value, axis) {
  if (Math.abs(value) >= 10000) return number(value, { notation: "compact", maximumFractionDigits: 1 });
  return number(value, { maximumFractionDigits: axis.digits ?? 3 });
}

/**
 * A figure with its interval, as text.
 * @param {number} value
 * @param {number | undefined} low
 * @param {number | undefined} high
 * @param {Axis} axis
 */
function withInterval(value, low, high, axis) {
  const text = written(value, axis);
  return low === undefined || high === undefined ? text : `${text} (${written(low, axis)} – ${written(high, axis)})`;
}

/**
 * A mark of a series.
 * @param {number} which
 * @param {number} x
 * @param {number} y
 * @returns {SVGElement}
 */
function mark(which, x, y) {
  const r = 4.5;
  const shape = MARKS[which % MARKS.length];
  const props = {
    class: `plot-mark plot-c${which % COLOURS}${shape === "ring" || shape === "cross" ? " plot-open" : ""}`,
  };
  if (shape === "square") return s("rect", { ...props, x: x - r, y: y - r, width: 2 * r, height: 2 * r });
  if (shape === "diamond")
    return s("path", { ...props, d: `M${x} ${y - r - 1}L${x + r + 1} ${y}L${x} ${y + r + 1}L${x - r - 1} ${y}Z` });
  if (shape === "triangle")
    return s("path", { ...props, d: `M${x} ${y - r - 1}L${x + r + 1} ${y + r}L${x - r - 1} ${y + r}Z` });
  if (shape === "cross")
    return s("path", { ...props, d: `M${x - r} ${y - r}L${x + r} ${y + r}M${x + r} ${y - r}L${x - r} ${y + r}` });
  return s("circle", { ...props, cx: x, cy: y, r });
}

/**
 * A figure element around a drawing: title, drawing, what is pointed at, and the same as a table.
 * @param {string} title
 * @param {SVGSVGElement} drawing
 * @param {Spot[]} spots
 * @param {Node} table
 * @param {Node | null} legend
 */
export function figure(title, drawing, spots, table, legend) {
  const readout = h("output", { class: "plot-readout small", "aria-live": "polite" }, t("players.plot.point"));
  const holder = h(
    "div",
    {
      class: "plot-holder",
      tabindex: "0",
      role: "group",
      "aria-roledescription": t("players.plot"),
      "aria-label": `${title}. ${t("players.plot.keys")}`,
    },
    drawing,
  );
  const ring = s("circle", { class: "plot-ring", r: 8, visibility: "hidden" });
  drawing.append(ring);
  let current = -1;
  const show = (/** @type {number} */ index) => {
    const spot = spots[index];
    if (!spot || index === current) return;
    current = index;
    ring.setAttribute("cx", String(spot.x));
    ring.setAttribute("cy", String(spot.y));
    ring.setAttribute("visibility", "visible");
    readout.textContent = spot.text;
  };
  holder.addEventListener("pointermove", (event) => show(nearest(drawing, spots, event)));
  holder.addEventListener("pointerdown", (event) => show(nearest(drawing, spots, event)));
  holder.addEventListener("keydown", (event) => {
    const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
    if (step === undefined || !spots.length) return;
    event.preventDefault();
    show(current < 0 ? 0 : (current + step + spots.length) % spots.length);
  });
  return h(
    "figure",
    { class: "plot" },
    h("figcaption", null, h("h3", null, title)),
    legend,
    holder,
    readout,
    h("details", { class: "plot-table" }, h("summary", null, t("players.plot.table")), scroller(title, table)),
  );
}

/** @typedef {{x: number, y: number, text: string}} Spot */

/**
 * A box that scrolls sideways, also by keyboard.
 * @param {string} label
 * @param {Node} child
 */
export function scroller(label, child) {
  return h("div", { class: "plot-scroll", role: "region", tabindex: "0", "aria-label": label }, child);
}

/**
 * The spot next to the pointer.
 * @param {SVGSVGElement} drawing
 * @param {Spot[]} spots
 * @param {PointerEvent} event
 */
function nearest(drawing, spots, event) {
  const box = drawing.getBoundingClientRect();
  const view = drawing.viewBox.baseVal;
  const x = ((event.clientX - box.left) / box.width) * view.width;
  const y = ((event.clientY - box.top) / box.height) * view.height;
  let best = -1;
  let least = Infinity;
  spots.forEach((spot, i) => {
    const far = (spot.x - x) ** 2 + (spot.y - y) ** 2;
    if (far < least) [best, least] = [i, far];
  });
  return best;
}

/**
 * An empty drawing.
 * @param {number} height
 * @param {string} title
 */
export function canvas(height, title) {
  const id = `plot-${++plots}`;
  return s(
    "svg",
    { viewBox: `0 0 ${width()} ${height}`, class: "plot-drawing", role: "img", "aria-labelledby": id },
    s("title", { id }, title),
  );
}

/**
 * Lines of several series over a scale.
 * @param {LinePlot} plot
 */
export function linePlot(plot) {
  const all = plot.series.flatMap((one) => one.points);
  const x = scale(
    all.map((point) => point.x),
    [EDGE.left, width() - EDGE.right],
    plot.x.log,
  );
  const y = scale(
    all.flatMap((point) => [point.y, point.low ?? point.y, point.high ?? point.y]),
    [HEIGHT - EDGE.bottom, EDGE.top],
  );
  const drawing = canvas(HEIGHT, plot.title);
  drawing.append(...axes(x, y, plot));
  /** @type {Spot[]} */
  const spots = [];
  plot.series.forEach((series, which) => drawing.append(...lineOf(series, which, x, y, plot, spots)));
  return figure(plot.title, drawing, spots, lineTable(plot), legend(plot.series.map((one) => one.name)));
}

/** @typedef {ReturnType<typeof scale>} Scale */

/**
 * @param {Scale} x
 * @param {Scale} y
 * @param {LinePlot} plot
 */
export function axes(x, y, plot) {
  const bottom = HEIGHT - EDGE.bottom;
  return [
    ...y.ticks.flatMap((value) => [
      s("line", { class: "plot-grid", x1: EDGE.left, x2: width() - EDGE.right, y1: y.at(value), y2: y.at(value) }),
      s(
        "text",
        { class: "plot-text", x: EDGE.left - 8, y: y.at(value) + 4, "text-anchor": "end" },
        written(value, plot.y),
      ),
    ]),
    ...x.ticks.map((value) =>
      s(
        "text",
        { class: "plot-text", x: x.at(value), y: bottom + 20, "text-anchor": "middle" },
        written(value, plot.x),
      ),
    ),
    s("line", { class: "plot-axis", x1: EDGE.left, x2: width() - EDGE.right, y1: bottom, y2: bottom }),
    s(
      "text",
      { class: "plot-text", x: (EDGE.left + width() - EDGE.right) / 2, y: HEIGHT - 8, "text-anchor": "middle" },
      plot.x.label,
    ),
    s(
      "text",
      {
        class: "plot-text",
        transform: `translate(14 ${(EDGE.top + bottom) / 2}) rotate(-90)`,
        "text-anchor": "middle",
      },
      plot.y.label,
    ),
  ];
}

/**
 * @param {Series} series
 * @param {number} which
 * @param {Scale} x
 * @param {Scale} y
 * @param {LinePlot} plot
 * @param {Spot[]} spots
 * @returns {SVGElement[]}
 */
function lineOf(series, which, x, y, plot, spots) {
  const colour = `plot-c${which % COLOURS}`;
  const path = series.points
    .map((point, i) => `${i ? "L" : "M"}${x.at(point.x).toFixed(1)} ${y.at(point.y).toFixed(1)}`)
    .join("");
  const drawn = series.points.length > 1 ? [s("path", { class: `plot-line ${colour}`, d: path })] : [];
  /** @type {SVGElement[]} */
  const marks = [];
  for (const point of series.points) {
    const [px, py] = [x.at(point.x), y.at(point.y)];
    if (point.low !== undefined && point.high !== undefined)
      marks.push(
        s("line", { class: `plot-interval ${colour}`, x1: px, x2: px, y1: y.at(point.low), y2: y.at(point.high) }),
      );
    marks.push(mark(which, px, py));
    spots.push({
      x: px,
      y: py,
      text:
        `${series.name}: ${withInterval(point.y, point.low, point.high, plot.y)}` +
        ` · ${plot.x.label} ${written(point.x, plot.x)}`,
    });
  }
  return [...drawn, ...marks];
}

/** @param {string[]} names */
export function legend(names) {
  return h(
    "ul",
    { class: "plot-legend" },
    names.map((name, i) =>
      h(
        "li",
        null,
        s("svg", { viewBox: "0 0 16 16", width: 16, height: 16, "aria-hidden": "true" }, mark(i, 8, 8)),
        name,
      ),
    ),
  );
}

/** @param {LinePlot} plot */
export function lineTable(plot) {
  return h(
    "table",
    { class: "plot-figures" },
    h(
      "thead",
      null,
      h(
        "tr",
        null,
        h("th", { scope: "col" }, t("players.plot.series")),
        h("th", { scope: "col" }, plot.x.label),
        h("th", { scope: "col" }, plot.y.label),
      ),
    ),
    h(
      "tbody",
      null,
      plot.series.flatMap((series) =>
        series.points.map((point) =>
          h(
            "tr",
            null,
            h("th", { scope: "row" }, series.name),
            h("td", { class: "numbers" }, written(point.x, plot.x)),
            h("td", { class: "numbers" }, withInterval(point.y, point.low, point.high, plot.y)),
          ),
        ),
      ),
    ),
  );
}

/**
 * Figures with their intervals, one row each.
 * @param {RowPlot} plot
 */
export function rowPlot(plot) {
  const step = 30;
  const left = width() === WIDE ? 150 : 100;
  const bottom = EDGE.top + step * plot.rows.length;
  const values = plot.rows.flatMap((row) => [row.value, row.low, row.high]);
  const x = scale(plot.reference ? [...values, plot.reference.value] : values, [left, width() - EDGE.right]);
  const drawing = canvas(bottom + EDGE.bottom, plot.title);
  drawing.append(
    ...x.ticks.flatMap((value) => [
      s("line", { class: "plot-grid", x1: x.at(value), x2: x.at(value), y1: EDGE.top, y2: bottom }),
      s(
        "text",
        { class: "plot-text", x: x.at(value), y: bottom + 20, "text-anchor": "middle" },
        written(value, plot.x),
      ),
    ]),
    s("line", { class: "plot-axis", x1: left, x2: width() - EDGE.right, y1: bottom, y2: bottom }),
    s(
      "text",
      {
        class: "plot-text",
        x: (left + width() - EDGE.right) / 2,
        y: bottom + EDGE.bottom - 8,
        "text-anchor": "middle",
      },
      plot.x.label,
    ),
  );
  if (plot.reference)
    drawing.append(
      s("line", {
        class: "plot-reference",
        x1: x.at(plot.reference.value),
        x2: x.at(plot.reference.value),
        y1: EDGE.top,
        y2: bottom,
      }),
    );
  /** @type {Spot[]} */
  const spots = [];
  plot.rows.forEach((row, i) => {
    const y = EDGE.top + step * (i + 0.5);
    const note = row.note ? ` · ${row.note}` : "";
    drawing.append(
      s("text", { class: "plot-text plot-name", x: left - 10, y: y + 5, "text-anchor": "end" }, row.name),
      s("line", { class: "plot-interval plot-c0", x1: x.at(row.low), x2: x.at(row.high), y1: y, y2: y }),
      mark(0, x.at(row.value), y),
    );
    spots.push({
      x: x.at(row.value),
      y,
      text: `${row.name}: ${withInterval(row.value, row.low, row.high, plot.x)}${note}`,
    });
  });
  return figure(
    plot.title,
    drawing,
    spots,
    rowTable(plot),
    plot.reference ? h("p", { class: "small soft plot-note" }, plot.reference.label) : null,
  );
}

/** @param {RowPlot} plot */
function rowTable(plot) {
  return h(
    "table",
    { class: "plot-figures" },
    h(
      "thead",
      null,
      h(
        "tr",
        null,
        h("th", { scope: "col" }, t("players.plot.series")),
        h("th", { scope: "col" }, plot.x.label),
        h("th", { scope: "col" }, t("players.plot.note")),
      ),
    ),
    h(
      "tbody",
      null,
      plot.rows.map((row) =>
        h(
          "tr",
          null,
          h("th", { scope: "row" }, row.name),
          h("td", { class: "numbers" }, withInterval(row.value, row.low, row.high, plot.x)),
          h("td", null, row.note ?? ""),
        ),
      ),
    ),
  );
}

/**
 * A note that something is being fetched.
 * @param {HTMLElement} place
 */
export function waiting(place) {
  fill(place, h("p", { class: "soft", role: "status" }, t("players.waiting")));
}
