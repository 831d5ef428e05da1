/**
 * The hands of a reviewed game in a row: what each brought the chosen player, and what decisions lost in it.
 * @module
 */
import { h } from "../dom.js";
import { t } from "../i18n.js";
import { lostWords } from "./card.js";
import { mistakes } from "./mistakes.js";
import { amount, handName, roughly } from "./words.js";

/** @typedef {import("./types.js").Review} Review */
/** @typedef {import("./mistakes.js").Filter} Filter */
/** @typedef {import("./stops.js").Stop} Stop */

/**
 * @param {Review} review
 * @param {Filter} filter
 * @param {Stop[]} stops
 * @param {Stop | null} here
 * @param {(stop: Stop) => void} go
 */
export function handElements(review, filter, stops, here, go) {
  const wrong = new Set(mistakes(review, { ...filter, grouped: false }).map((plan) => plan.hand));
  return review.hands.map((head, hand) => {
    const own = stops.filter((stop) => stop.hand === hand);
    const first = own.find((stop) => stop.number !== null) ?? own[0];
    return h(
      "button",
      {
        type: "button",
        class: `rv-hand${wrong.has(hand) ? " has-mistake" : ""}`,
        disabled: !first,
        "aria-current": here?.hand === hand ? "true" : null,
        title: head.end.result ? t(`rv.end.${head.end.result.kind}`) : "",
        onclick: () => {
          if (first) go(first);
        },
      },
      handName(review, hand),
      filter.seat === null ? null : brought(head.end.result?.changes[filter.seat]),
      handLoss(review, filter.seat, hand),
    );
  });
}

/** The change of the player's score. @param {number | undefined} change */
function brought(change) {
  if (!change) return null;
  return h("span", { class: `small numbers ${change > 0 ? "good" : "bad"}` }, ` ${change > 0 ? "+" : ""}${change}`);
}

/**
 * What the chosen player, or all reviewed players, lost in a hand.
 * @param {Review} review
 * @param {number | null} seat
 * @param {number} hand
 */
function handLoss(review, seat, hand) {
  const own = review.rows.filter((row) => row.hand === hand && (seat === null || row.seat === seat));
  const lost = own.filter((row) => row.loss !== null);
  if (!lost.length || review.unit === "probability") return null;
  const sum = lost.reduce((total, row) => total + (row.loss ?? 0), 0);
  return h(
    "span",
    { class: "small numbers rv-hand-loss", title: t("rv.hand.lost", { cost: amount(sum, review.unit) }) },
    sum > 0 ? lostWords(sum, review.unit) : roughly(0, review.unit),
  );
}
