/**
 * Mistakes by what they cost, and error rates.
 * @module
 */
import { actionWords } from "../agent_words.js";
import { tile } from "../tiles.js";
import { h } from "../dom.js";
import { traitsOf } from "../families.js";
import { number, t } from "../i18n.js";
import { STEPS, amount, cost, costOf, handName, playerName, sentences, tagElements, truthWords } from "./words.js";

/** @typedef {import("./types.js").Review} Review */
/** @typedef {import("./types.js").Plan} Plan */
/** @typedef {import("./types.js").Kind} Kind */

/** @type {Kind[]} */
export const KINDS = ["discard", "call", "riichi", "fold", "win"];

/** Where a field stands in a sentence. */
const GAP = "\u0000";

/**
 * The filter of mistakes.
 * @typedef {object} Filter
 * @property {number | null} seat null for all players
 * @property {Set<Kind>} kinds
 * @property {number} threshold
 * @property {boolean} grouped
 * @property {boolean} unvalued also those whose cost the agent cannot tell
 */

/**
 * @param {Review} review
 * @returns {Filter}
 */
export function firstFilter(review) {
  return {
    seat: review.seats.length === 1 ? (review.seats[0] ?? 0) : null,
    kinds: new Set(KINDS),
    threshold: review.bad,
    grouped: true,
    unvalued: false,
  };
}

/**
 * The mistakes that pass a filter, most expensive first.
 * @param {Review} review
 * @param {Filter} filter
 * @returns {Plan[]}
 */
export function mistakes(review, filter) {
  const all = filter.grouped ? review.plans : singles(review);
  const fits = all.filter(
    (plan) =>
      (filter.seat === null || plan.seat === filter.seat) &&
      filter.kinds.has(plan.kind) &&
      (plan.cost === null ? filter.unvalued : plan.cost >= filter.threshold),
  );
  return fits.sort((a, b) => (b.cost ?? -1) - (a.cost ?? -1) || a.worst - b.worst);
}

/**
 * @param {Review} review
 * @returns {Plan[]}
 */
function singles(review) {
  return review.rows
    .map((row) => ({ row, lost: costOf(row, review.unit) }))
    .filter(({ row, lost }) => !row.agreed && (lost === null || lost > 0))
    .map(({ row, lost }) => ({
      numbers: [row.number],
      hand: row.hand,
      seat: row.seat,
      kind: row.kind,
      tag: row.tag,
      cost: lost,
      worst: row.number,
      worst_loss: lost ?? 0,
    }));
}

/**
 * @param {Review} review
 * @param {Filter} filter
 * @param {number | null} current
 * @param {(number: number) => void} go
 * @param {() => void} changed
 * @returns {HTMLElement[]}
 */
export function mistakesElements(review, filter, current, go, changed) {
  const found = mistakes(review, filter);
  const total = found.reduce((sum, plan) => sum + (plan.cost ?? 0), 0);
  const words = t(found.length === 1 ? "rv.found.one" : "rv.found", {
    n: found.length,
    cost: amount(total, review.unit),
  });
  return [
    controls(review, filter, changed),
    h("p", { class: "small", role: "status" }, words),
    h(
      "ol",
      { class: "rv-mistakes" },
      found.map((plan) => mistakeItem(plan, review, filter, current, go)),
    ),
  ];
}

/**
 * @param {Review} review
 * @param {Filter} filter
 * @param {() => void} changed
 */
function controls(review, filter, changed) {
  const step = STEPS[review.unit];
  const threshold = h("input", {
    type: "number",
    min: 0,
    step,
    value: filter.threshold,
    id: "rv-threshold",
    inputmode: "decimal",
  });
  threshold.addEventListener("change", () => {
    filter.threshold = Math.max(0, Number(threshold.value) || 0);
    changed();
  });
  const box = (
    /** @type {string} */ words,
    /** @type {boolean} */ on,
    /** @type {(value: boolean) => void} */ set,
  ) => {
    const input = h("input", { type: "checkbox", checked: on });
    input.addEventListener("change", () => {
      set(input.checked);
      changed();
    });
    return h("label", { class: "check" }, input, words);
  };
  const { kinds } = traitsOf(review.family);
  return h(
    "div",
    { class: "rv-filters" },
    h(
      "fieldset",
      { class: "row" },
      h("legend", { class: "visually-hidden" }, t("rv.kinds")),
      kinds.map((kind) =>
        h(
          "button",
          {
            type: "button",
            class: "rv-kind",
            "aria-pressed": filter.kinds.has(kind) ? "true" : "false",
            title: t(`rv.kind.${kind}.means`),
            dataset: { kind },
            onclick: () => {
              if (!filter.kinds.delete(kind)) filter.kinds.add(kind);
              changed();
            },
          },
          t(`rv.kind.${kind}`),
        ),
      ),
    ),
    h(
      "div",
      { class: "row" },
      h("label", { class: "rv-from small" }, around(t(`rv.from.${review.unit}`, { amount: GAP }), threshold)),
      box(t("rv.grouped"), filter.grouped, (value) => {
        filter.grouped = value;
      }),
      review.rows.some((row) => !row.agreed && costOf(row, review.unit) === null)
        ? box(t("rv.withunknown"), filter.unvalued, (value) => {
            filter.unvalued = value;
          })
        : null,
    ),
    h(
      "details",
      { class: "small soft" },
      h("summary", null, t("rv.kinds.help")),
      h(
        "ul",
        null,
        kinds.map((kind) => h("li", null, h("strong", null, t(`rv.kind.${kind}`)), ": ", t(`rv.kind.${kind}.means`))),
      ),
      h("p", null, t("rv.grouped.means")),
    ),
  );
}

/**
 * An element in the gap of a sentence, wherever the language has it.
 * @param {string} words
 * @param {HTMLElement} element
 */
function around(words, element) {
  const [before = "", after = ""] = words.split(GAP);
  return [before, element, after].filter((part) => part !== "");
}

/**
 * @param {Plan} plan
 * @param {Review} review
 * @param {Filter} filter
 * @param {number | null} current
 * @param {(number: number) => void} go
 */
function mistakeItem(plan, review, filter, current, go) {
  const row = review.rows[plan.worst];
  const here = current !== null && plan.numbers.includes(current);
  const times =
    plan.numbers.length > 1 ? h("span", { class: "rv-times" }, t("rv.times", { n: plan.numbers.length })) : null;
  return h(
    "li",
    null,
    h(
      "button",
      {
        type: "button",
        class: "rv-mistake",
        "aria-current": here ? "true" : null,
        dataset: { number: plan.worst },
        onclick: () => go(plan.worst),
      },
      h("span", { class: "rv-mistake-cost numbers" }, plan.cost === null ? "?" : cost(plan.cost, review.unit)),
      h(
        "span",
        { class: "rv-mistake-words" },
        h("span", null, tagElements(plan.tag), " ", times),
        h(
          "span",
          { class: "small soft" },
          [
            handName(review, plan.hand),
            t("rv.turn", { n: row?.turn ?? 0 }),
            ...(filter.seat === null ? [playerName(review, plan.seat)] : []),
            "",
          ].join(" · "),
          actionElement(row?.played ?? ""),
          " → ",
          actionElement(row?.best ?? ""),
        ),
      ),
      h("span", { class: `rv-kind-mark kind-${plan.kind}` }, t(`rv.kind.${plan.kind}`)),
    ),
  );
}

/**
 * An action by its name: a discard as its tile, all others as text.
 * @param {string} name
 */
export function actionElement(name) {
  const text = /^(?:discard|tsumogiri|play) ([0-9][mpsz])$/.exec(name)?.[1];
  if (!text) return h("span", null, actionWords(name));
  return h("span", { class: "rv-mistake-tile", title: actionWords(name) }, tile(text, { size: 18 }));
}

/**
 * The error rate of each reviewed player, in total and by kind.
 * @param {Review} review
 * @param {Filter} filter
 * @param {import("./types.js").Luck | null} luck
 * @returns {HTMLElement[]}
 */
export function ratesElements(review, filter, luck) {
  const digits = { maximumSignificantDigits: 3 };
  return [
    h("p", { class: "small soft" }, sentences(t(`rv.rate.means.${review.unit}`), truthWords(review))),
    ...review.seats
      .filter((seat) => filter.seat === null || filter.seat === seat)
      .map((seat) => {
        const rates = review.rates[String(seat)] ?? {};
        const kinds = ["all", ...KINDS].filter((kind) => rates[kind]);
        return h(
          "section",
          { class: "rv-rates" },
          h("h3", null, playerName(review, seat)),
          adjusted(review, luck, seat),
          h(
            "div",
            { class: "rv-scroll" },
            h(
              "table",
              { class: "numbers" },
              h(
                "thead",
                null,
                h(
                  "tr",
                  null,
                  [t("rv.kind"), t("rv.decisions"), t("rv.same"), t("rv.rate"), t("rv.sum")].map((words) =>
                    h("th", { scope: "col" }, words),
                  ),
                ),
              ),
              h(
                "tbody",
                null,
                kinds.map((kind) => {
                  const one = rates[kind];
                  if (!one) return null;
                  return h(
                    "tr",
                    null,
                    h("th", { scope: "row" }, kind === "all" ? t("rv.all") : t(`rv.kind.${kind}`)),
                    h("td", null, number(one.decisions)),
                    h("td", null, number(one.agreed / Math.max(1, one.decisions), { style: "percent" })),
                    h("td", { dataset: { rate: kind } }, one.rate === null ? "–" : number(one.rate, digits)),
                    h("td", null, one.valued ? cost(one.loss, review.unit) : "–"),
                  );
                }),
              ),
            ),
          ),
        );
      }),
  ];
}

/**
 * @param {Review} review
 * @param {import("./types.js").Luck | null} luck
 * @param {number} seat
 */
function adjusted(review, luck, seat) {
  const rank = review.hands[review.hands.length - 1]?.end.seats[seat]?.rank;
  if (!luck?.available || !luck.adjusted_ranks || !luck.luck)
    return rank && traitsOf(review.family).ranked ? h("p", null, t("rv.result", { rank })) : null;
  const two = { maximumFractionDigits: 2 };
  return h(
    "p",
    null,
    t("rv.result.luck", {
      rank: number(luck.ranks?.[seat] ?? 0, two),
      luck: number(luck.luck[0]?.[seat] ?? 0, { ...two, signDisplay: "exceptZero" }),
      adjusted: number(luck.adjusted_ranks[seat] ?? 0, two),
    }),
  );
}
