/**
 * Learning curves of training runs, and strength by the budget of a decision.
 * @module
 */
import { h } from "../dom.js";
import { t } from "../i18n.js";
import { linePlot } from "./plot.js";

/** @typedef {import("../schema.js").Figure} Figure */
/** @typedef {import("../schema.js").Run} Run */
/** @typedef {import("../schema.js").Learning} Learning */
/** @typedef {import("../schema.js").Thinking} Thinking */
/** @typedef {import("../schema.js").Curves} Curves */

/** @type {{over: "decisions" | "seconds", of: "points" | "win"}} */
const state = { over: "decisions", of: "points" };
const COLUMNS = { decisions: 0, seconds: 1, points: 2, win: 3 };

/**
 * @param {Curves} curves
 * @param {string} family
 * @param {() => void} again
 */
export function curvesOf(curves, family, again) {
  const learning = curves.learning.filter((one) => one.rules.startsWith(`${family}/`));
  const thinking = curves.thinking.rules.startsWith(`${family}/`) ? [curves.thinking] : [];
  return h(
    "div",
    { class: "stack" },
    learning.map((one) => learningPlot(one, again)),
    thinking.map(thinkingPlot),
  );
}

/**
 * @param {Learning} learning
 * @param {() => void} again
 */
function learningPlot(learning, again) {
  const scale = state.of === "win" ? 100 : 1;
  const series = grouped(learning.runs).map(({ name, points }) => ({
    name,
    points: points.map((point) => ({
      x: point[COLUMNS[state.over]] ?? 0,
      y: scale * (point[COLUMNS[state.of]] ?? 0),
    })),
  }));
  return h(
    "div",
    { class: "stack" },
    h(
      "div",
      { class: "row" },
      choice("over", ["decisions", "seconds"], again),
      choice("of", ["points", "win"], again),
    ),
    linePlot({
      title: t("players.plot.learning", { against: learning.against }),
      series,
      x: { label: t(`players.axis.${state.over}`), digits: 1 },
      y: { label: t(`players.axis.${state.of}`), digits: 2 },
    }),
    h("p", { class: "small soft" }, t("players.learning_means", { date: learning.date })),
  );
}

/**
 * Seeds of one variant as their mean; other runs by themselves.
 * @param {Run[]} runs
 * @returns {{name: string, points: number[][]}[]}
 */
export function grouped(runs) {
  /** @type {Map<string, Run[]>} */
  const groups = new Map();
  for (const run of runs) {
    const name = /^\d+$/.test(run.seed) ? run.variant : `${run.variant} ${run.seed}`;
    groups.set(name, [...(groups.get(name) ?? []), run]);
  }
  return [...groups].map(([name, members]) => ({
    name: members.length > 1 ? t("players.seeds", { name, n: members.length }) : name,
    points: mean(members.map((run) => run.points)),
  }));
}

/**
 * @param {number[][][]} curves
 * @returns {number[][]}
 */
function mean(curves) {
  const length = Math.min(...curves.map((curve) => curve.length));
  return Array.from({ length }, (_, i) =>
    [0, 1, 2, 3].map((column) => curves.reduce((sum, curve) => sum + (curve[i]?.[column] ?? 0), 0) / curves.length),
  );
}

/**
 * @param {"over" | "of"} what
 * @param {("decisions" | "seconds" | "points" | "win")[]} names
 * @param {() => void} again
 */
function choice(what, names, again) {
  const select = h(
    "select",
    {
      "aria-label": t(`players.choose.${what}`),
      dataset: { keep: what },
      onchange: () => {
        Object.assign(state, { [what]: select.value });
        again();
      },
    },
    names.map((name) => h("option", { value: name, selected: name === state[what] }, t(`players.axis.${name}`))),
  );
  return select;
}

/** @param {Thinking} thinking */
function thinkingPlot(thinking) {
  const points = thinking.points.map((point) => ({
    x: point.hands,
    y: point.rank.value,
    low: point.rank.low,
    high: point.rank.high,
  }));
  return h(
    "div",
    { class: "stack" },
    linePlot({
      title: t("players.plot.thinking", { agent: thinking.agent, against: thinking.against }),
      series: [{ name: thinking.agent, points }],
      x: { label: t("players.axis.thinking"), log: true },
      y: { label: t("players.rank"), digits: 2 },
    }),
    h("p", { class: "small soft" }, t("players.thinking_means", { date: thinking.date })),
  );
}
