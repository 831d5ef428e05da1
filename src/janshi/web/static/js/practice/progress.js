/**
 * Progress: the boxes of problems, and right answers over time.
 * @module
 */
import { h } from "../dom.js";
import { number, t } from "../i18n.js";
import { linePlot } from "../players/plot.js";

/** @typedef {import("../schema.js").PracticeOverview} PracticeOverview */

const DAY = 24 * 3600 * 1000;
const LEAST_POINTS = 2;

/**
 * @param {PracticeOverview} found
 * @param {() => void} forget
 * @returns {HTMLElement[]}
 */
export function progressElements(found, forget) {
  const any = found.days.length > 0 || Object.values(found.drills).some((results) => results.length > 0);
  if (!any) return [h("p", { class: "soft pr-nothing" }, t("pr.progress.none"))];
  return [
    h(
      "section",
      { class: "card stack pr-progress" },
      h("h2", null, t("pr.progress")),
      boxes(found.boxes),
      answersPlot(found),
      ...Object.entries(found.drills).map(([kind, results]) => drillPlot(kind, results)),
      h("button", { type: "button", class: "quiet", onclick: forget }, t("pr.forget")),
    ),
  ];
}

/** @param {number[]} counts */
function boxes(counts) {
  return h(
    "table",
    { class: "numbers pr-boxes" },
    h("caption", null, t("pr.boxes")),
    h(
      "tr",
      null,
      counts.map((_, i) =>
        h("th", { scope: "col" }, i === counts.length - 1 ? t("pr.box.learned") : t("pr.box", { n: i + 1 })),
      ),
    ),
    h(
      "tr",
      null,
      counts.map((count) => h("td", null, number(count))),
    ),
  );
}

/** @param {PracticeOverview} found */
function answersPlot(found) {
  const today = Date.parse(found.today);
  const points = found.days.map((one) => ({
    x: Math.round((Date.parse(one.day) - today) / DAY),
    y: (100 * one.right) / one.answered,
  }));
  if (points.length < LEAST_POINTS) return h("p", { class: "small soft" }, t("pr.progress.soon"));
  return linePlot({
    title: t("pr.progress.right"),
    x: { label: t("pr.progress.day") },
    y: { label: t("pr.progress.percent"), digits: 0 },
    series: [{ name: t("pr.progress.problems"), points }],
  });
}

/**
 * @param {string} kind
 * @param {import("../schema.js").DrillResult[]} results
 */
function drillPlot(kind, results) {
  if (results.length < LEAST_POINTS) return null;
  const points = results.map((one, i) => ({ x: i + 1, y: (60 * one.right) / one.seconds }));
  return linePlot({
    title: t(`pr.${kind}`),
    x: { label: t("pr.progress.drill") },
    y: { label: t("pr.progress.minute"), digits: 1 },
    series: [{ name: t(`pr.${kind}`), points }],
  });
}
