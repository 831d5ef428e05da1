/**
 * Losses of reviewed games by kind of decision over time, and the queue of reviews.
 * @module
 */
import { ask } from "../api.js";
import { h } from "../dom.js";
import { errorNode } from "../error_words.js";
import { number, t } from "../i18n.js";
import { linePlot, rowPlot } from "../players/plot.js";

/** @typedef {import("../schema.js").CareerText} Career */
/** @typedef {import("../schema.js").CareerState} State */
/** @typedef {import("../schema.js").LossText} Losses */

const COUNT = 20;
const WHICH = /** @type {const} */ (["latest", "spread", "unluckiest", "worst"]);

/**
 * @param {Career} career
 * @param {import("../types.js").App} app
 * @param {(state: State) => void} changed
 * @param {() => void} poll
 */
export function lossesCard(career, app, changed, poll) {
  const { losses, state } = career;
  return h(
    "section",
    { class: "card career-losses", "aria-labelledby": "career-losses" },
    h("h2", { id: "career-losses" }, t("career.losses")),
    h("p", { class: "soft small" }, t("career.losses.about")),
    losses ? chart(losses) : h("p", null, t("career.losses.none")),
    h(
      "div",
      { class: "row" },
      WHICH.map((which) =>
        h(
          "button",
          { type: "button", onclick: () => void queue(which, app, poll) },
          t(`career.queue.${which}`, { n: number(COUNT) }),
        ),
      ),
    ),
    h("div", { class: "career-queue", role: "status" }, queueElements(state, changed)),
  );
}

/**
 * How many reviews wait, and why none begins.
 * @param {State} state
 * @param {(state: State) => void} changed
 */
export function queueElements({ reviews }, changed) {
  const left = reviews.waiting + reviews.running;
  return [
    left || reviews.done || reviews.failed
      ? h(
          "p",
          { class: "row small" },
          t("career.queue", { left: number(left), done: number(reviews.done), failed: number(reviews.failed) }),
          reviews.waiting
            ? h(
                "button",
                {
                  type: "button",
                  class: "quiet",
                  onclick: () => void ask("DELETE /api/career/reviews").then(changed),
                },
                t("career.queue.stop"),
              )
            : null,
        )
      : null,
    reviews.why ? h("p", { class: "bad small" }, errorNode(reviews.why)) : null,
  ];
}

/**
 * @param {typeof WHICH[number]} which
 * @param {import("../types.js").App} app
 * @param {() => void} poll
 */
async function queue(which, app, poll) {
  try {
    const { queued } = await ask("POST /api/career/reviews", { body: { which, count: COUNT } });
    app.toast(t("career.queued", { n: number(queued) }));
    poll();
  } catch (problem) {
    app.toast(problem instanceof Error ? problem.message : String(problem), "error");
  }
}

/** @param {Losses} losses */
function chart(losses) {
  const digits = { minimumFractionDigits: 2, maximumFractionDigits: 2 };
  const { total } = losses;
  const kinds = losses.kinds.filter((kind) => (losses.by_kind[kind]?.value ?? 0) > 0);
  return h(
    "div",
    { class: "stack" },
    h(
      "p",
      null,
      t("career.losses.total", {
        n: number(losses.games),
        loss: number(total.value ?? 0, digits),
        half: number(((total.high ?? 0) - (total.low ?? 0)) / 2, digits),
        reviewer: losses.reviewer.split(":")[0] ?? "",
      }),
    ),
    h(
      "div",
      { class: "career-columns" },
      rowPlot({
        title: t("career.losses.kinds"),
        x: { label: t("career.axis.loss"), digits: 3 },
        rows: kinds.map((kind) => rowOf(kind, losses)),
      }),
      losses.points.length > 1 ? overTime(losses, kinds) : h("p", { class: "soft" }, t("career.losses.few")),
    ),
  );
}

/**
 * @param {string} kind
 * @param {Losses} losses
 */
function rowOf(kind, losses) {
  const figure = losses.by_kind[kind];
  const value = figure?.value ?? 0;
  return { name: t(`career.loss.${kind}`), value, low: figure?.low ?? value, high: figure?.high ?? value };
}

/**
 * @param {Losses} losses
 * @param {string[]} kinds
 */
function overTime(losses, kinds) {
  return linePlot({
    title: t("career.losses.title"),
    x: { label: t("career.axis.games"), digits: 0 },
    y: { label: t("career.axis.loss"), digits: 2 },
    series: kinds.map((kind) => ({
      name: t(`career.loss.${kind}`),
      points: losses.points.map((point) => {
        const figure = point.by_kind[kind];
        return {
          x: (point.first + point.last) / 2,
          y: figure?.value ?? 0,
          ...(figure?.low === null || figure?.high === null ? {} : { low: figure?.low, high: figure?.high }),
        };
      }),
    })),
  });
}
