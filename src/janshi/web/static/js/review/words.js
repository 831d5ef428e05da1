/**
 * How things of a review are written: choices, costs, hands, players.
 * @module
 */
import { actionName } from "../actions.js";
import { roundName } from "../board.js";
import { h } from "../dom.js";
import { traitsOf } from "../families.js";
import { number, t, tOr } from "../i18n.js";
import { tile } from "../tiles.js";

/** @typedef {import("./types.js").Review} Review */
/** @typedef {import("./types.js").Unit} Unit */
/** @typedef {import("../types.js").Position} Position */

/** The cost that fills a bar, by unit; larger costs fill it, too. */
export const FULL = { rank: 0.1, points: 3000, hand_points: 5, probability: 1 };
/** Steps of the cost from which a choice is shown as a mistake. */
export const STEPS = { rank: 0.005, points: 50, hand_points: 0.5, probability: 0.1 };
/** A choice that costs no more counts as equal to the best; the same as on the server. */
export const CLOSE = { rank: 0.005, points: 50, hand_points: 0.5, probability: 0.1 };
const DIGITS = { rank: 3, points: 0, hand_points: 2, probability: 2 };
const ROUGHLY = { rank: 2, points: 0, hand_points: 1, probability: 2 };

/**
 * The cost of a decision: its loss; without values, how much less often the reviewer makes it than its own choice.
 * @param {{loss: number | null, gap?: number | null}} decision
 * @param {Unit} unit
 * @returns {number | null}
 */
export function costOf(decision, unit) {
  return unit === "probability" ? (decision.gap ?? null) : decision.loss;
}

/**
 * A cost in its unit.
 * @param {number | null} loss
 * @param {Unit} unit
 * @returns {string}
 */
export function cost(loss, unit) {
  if (loss === null) return t("rv.unknown");
  return number(loss, { minimumFractionDigits: DIGITS[unit], maximumFractionDigits: DIGITS[unit] });
}

/**
 * A cost with the name of its unit.
 * @param {number | null} loss
 * @param {Unit} unit
 */
export function costWords(loss, unit) {
  return loss === null ? t("rv.unknown") : t(`rv.cost.${unit}`, { cost: roughly(loss, unit) });
}

/**
 * A cost for a headline, with its unit.
 * @param {number} loss
 * @param {Unit} unit
 */
export function amount(loss, unit) {
  return t(`rv.amount.${unit}`, { cost: roughly(loss, unit) });
}

/**
 * A cost for a headline: only significant digits.
 * @param {number} loss
 * @param {Unit} unit
 */
export function roughly(loss, unit) {
  if (unit === "probability") return percent(loss);
  return number(loss, { minimumFractionDigits: ROUGHLY[unit], maximumFractionDigits: ROUGHLY[unit] });
}

/** The predicted loss that the sentence on how true losses are speaks of. */
const PREDICTED = { rank: 0.1, hand_points: 1 };

/**
 * How true the reviewer's losses were found to be, in games that it had not seen.
 * @param {Pick<Review, "truth" | "unit">} review
 * @returns {string}
 */
export function truthWords({ truth, unit }) {
  if (unit === "probability") return "";
  if (!truth || unit === "points") return t("rv.truth.none");
  const said = PREDICTED[unit];
  const digits = { minimumFractionDigits: unit === "rank" ? 3 : 2, maximumFractionDigits: unit === "rank" ? 3 : 2 };
  const shown = (/** @type {number | undefined} */ value) => number((value ?? 0) * said, digits);
  const { value, low, high } = truth.end;
  const words = t(`rv.truth.${unit}`, {
    n: number(truth.games ?? truth.hands ?? 0),
    end: shown(value),
    low: shown(low),
    high: shown(high),
  });
  const soon = truth.soon ? t("rv.truth.soon", { soon: shown(truth.soon.value) }) : "";
  return sentences(words, soon);
}

/**
 * Sentences one after another, without empty ones.
 * @param {string[]} all
 */
export function sentences(...all) {
  return all.filter(Boolean).join(t("text.space"));
}

/** @param {number} value */
export function percent(value) {
  return number(value, { style: "percent", minimumFractionDigits: 0, maximumFractionDigits: value < 0.1 ? 1 : 0 });
}

/**
 * A choice as text and tiles.
 * @param {import("../types.js").Choice} choice
 * @param {string} family
 * @returns {HTMLElement}
 */
export function choiceElement(choice, family) {
  const words = actionName(choice.kind, family);
  const plain = choice.kind === "discard" || choice.kind === "tsumogiri";
  const tiles = plain
    ? [choice.tile]
    : choice.kind === "chi" || choice.kind === "pon" || choice.kind === "kan"
      ? (choice.tiles ?? [])
      : [];
  const shown = tiles.filter(Boolean).map((text) => tile(text, { size: 22 }));
  const drawn = choice.kind === "tsumogiri" ? h("span", { class: "rv-drawn small soft" }, t("rv.drawn")) : null;
  return h(
    "span",
    { class: "rv-choice" },
    h("span", { class: plain ? "visually-hidden" : "rv-act" }, words),
    shown.length ? h("span", { class: "tile-row" }, shown) : null,
    drawn,
  );
}

/** The name that the server stores for a record without one. */
const NAMELESS = "pasted";

/**
 * The name of a record.
 * @param {{name: string}} review
 */
export function gameName(review) {
  return review.name === NAMELESS ? t("rv.pasted") : review.name;
}

/** Records of games against agents name at least this many of them by their ids. */
const AGENTS = 3;

/**
 * The name of an agent as an opponent ("Yuki 2" for "greedy 2"), or nothing.
 * @param {string} name
 */
function opponentName(name) {
  const [, id = "", number = ""] = /^([a-z_]+)( \d+)?$/.exec(name) ?? [];
  const known = id ? tOr(`who.${id}`, "") : "";
  return known && known + number;
}

/**
 * The name of a player, or of the seat where the record has none. In games against agents, these have the names that
 * they have at the table.
 * @param {Review} review
 * @param {number} seat
 */
export function playerName({ names }, seat) {
  const name = names[seat] ?? "";
  const agents = names.filter((one) => one && opponentName(one)).length;
  return (agents >= AGENTS && opponentName(name)) || name || t("rv.seat", { n: seat + 1 });
}

/**
 * A position with the players' names as the review shows them.
 * @param {Position} position
 * @param {Review} review
 * @returns {Position}
 */
export function withNames(position, review) {
  const seats = position.seats.map((seat, i) => (review.names[i] ? { ...seat, name: playerName(review, i) } : seat));
  return { ...position, seats };
}

/**
 * The name of a hand: the round, or its number if hands are separate games.
 * @param {Review} review
 * @param {number} hand
 */
export function handName(review, hand) {
  const head = review.hands[hand];
  if (!head || !traitsOf(review.family).rounds) return t("rv.hand", { n: hand + 1 });
  return head.honba ? `${roundName(head.end)} · ${t("board.honba", { n: head.honba })}` : roundName(head.end);
}

/**
 * What sort of mistake it is, with its tile.
 * @param {string} tag such as `keep 9m`
 * @returns {(Node | string)[]}
 */
export function tagElements(tag) {
  const [word = "", text = ""] = tag.split(" ");
  if (!word) return [t("rv.tag.other")];
  const [before = "", after = ""] = t(`rv.tag.${word}`, { tile: "{tile}" }).split("{tile}");
  return text ? [before, tile(text, { size: 18 }), after] : [before];
}

/**
 * A position as its viewer saw it: the others' hands are hidden.
 * @param {Position} position
 * @returns {Position}
 */
export function closed(position) {
  const seats = position.seats.map((seat, i) =>
    i === position.viewer
      ? seat
      : {
          ...seat,
          hand: null,
          drawn: seat.drawn === null ? null : "?",
          melds: seat.melds.map((meld) => hiddenMeld(meld, position)),
        },
  );
  return { ...position, seats };
}

/**
 * @param {import("../types.js").Meld} meld
 * @param {Position} position
 */
function hiddenMeld(meld, position) {
  const hidden = traitsOf(position.rules.family).hides_kans && meld.kind === "concealed_kan";
  return hidden ? { ...meld, tiles: meld.tiles.map(() => "?") } : meld;
}

/**
 * A bar with its share of the full length, from 0 to 1.
 * @param {number} share
 * @param {string} [kind] class of the bar
 */
export function bar(share, kind = "") {
  return h(
    "span",
    { class: `rv-bar ${kind}`, "aria-hidden": "true" },
    h("i", { style: { "--part": Math.max(0, Math.min(1, share)).toFixed(3) } }),
  );
}
