/**
 * Why the reviewer prefers its choice: facts about both hands side by side, sentences made from them, and what the
 * scores ask for. Everything said here is one of the figures shown.
 * @module
 */
import { h } from "../dom.js";
import { traitsOf } from "../families.js";
import { addWords, number, t } from "../i18n.js";
import { fansWords, noYakuWords, valueWords, yakuWords } from "./reach.js";
import { tile } from "../tiles.js";
import words from "../words/why.js";
import { sentences } from "./reasons.js";
import { choiceElement, percent, playerName } from "./words.js";

addWords(words);

/** @typedef {import("./types.js").Review} Review */
/** @typedef {import("./types.js").Decision} Decision */
/** @typedef {import("./types.js").Why} Why */
/** @typedef {import("./types.js").Facts} Facts */
/** @typedef {import("./types.js").Weighed} Weighed */
/** @typedef {{name: string, cells: (Node | string | (Node | string | null)[] | null)[]}} Line */

/** @typedef {(facts: Facts) => Line["cells"][number]} Cell */

/**
 * The lines on a hand's shape and value, by what wins are valued in. With fan, shanten is of the shape only.
 * @type {Record<"points" | "fan", [string, Cell][]>}
 */
const HAND = {
  points: [
    ["why.shanten", (one) => shantenWords(one.shanten)],
    ["why.useful", usefulCell],
    ["why.value", valueCell],
    ["why.yaku", yakuCell],
  ],
  fan: [
    ["why.shape", (one) => shantenWords(one.shanten)],
    ["why.useful", usefulCell],
    ["why.missing", missingCell],
    ["why.fan", (one) => (one.fan ? t("why.fan.mean", { n: number(one.fan.mean) }) : null)],
    ["why.fans", fansCell],
    ["why.inreach", (one) => (one.fan ? reachWords(one.fan.points) : null)],
  ],
};
const LISTED = 12;
/** Chances of opponents below this are not worth a line of their own. */
const SMALL = 0.001;

/**
 * @param {Decision} decision
 * @param {Review} review
 * @param {Why | null} why null while it is loading
 * @param {string} [mine] what the choice played is called
 * @returns {HTMLElement[]}
 */
export function whyElements(decision, review, why, mine = "why.played") {
  if (!why) return [h("section", { class: "rv-why" }, h("p", { class: "small soft" }, t("why.loading")))];
  const sides = compared(decision);
  const facts = sides.map((choice) => why.choices[String(choice.action)] ?? null);
  const lines = facts.some(Boolean) ? comparison(sides, facts, decision, review) : [];
  return [
    h(
      "section",
      { class: "rv-why" },
      h("h3", null, t("why.title")),
      sides.length > 1 ? sentences(decision, review, why).map((said) => h("p", { class: "rv-said" }, said)) : null,
      lines.length ? table(sides, lines, review, mine) : null,
      outlook(decision),
      facts.some((one) => one?.reach) ? h("p", { class: "small soft" }, t("why.value.means")) : null,
      facts.some((one) => one?.fan) ? h("p", { class: "small soft" }, t("why.fan.means")) : null,
    ),
    ...scores(why, review),
  ];
}

/**
 * The choice played and the reviewer's, once if they are the same.
 * @param {Decision} decision
 * @returns {Weighed[]}
 */
export function compared(decision) {
  const find = (/** @type {number} */ action) => decision.choices.find((one) => one.action === action);
  const [played, best] = [find(decision.played), find(decision.best)];
  if (!played || !best) return [];
  return decision.agreed ? [played] : [played, best];
}

/**
 * @param {Weighed[]} sides
 * @param {Line[]} lines
 * @param {Review} review
 * @param {string} mine
 */
function table(sides, lines, review, mine) {
  const names = [mine, "why.best"];
  return h(
    "table",
    { class: "rv-compare numbers" },
    h(
      "thead",
      null,
      h(
        "tr",
        null,
        h("td", null),
        sides.map((choice, i) =>
          h(
            "th",
            { scope: "col" },
            h("span", { class: "small soft" }, t(names[i] ?? "")),
            " ",
            choiceElement(choice, review.family),
          ),
        ),
      ),
    ),
    h(
      "tbody",
      null,
      lines.map(({ name, cells }) =>
        h(
          "tr",
          null,
          h("th", { scope: "row" }, name),
          cells.map((cell) => h("td", null, cell ?? "–")),
        ),
      ),
    ),
  );
}

/**
 * @param {Weighed[]} sides
 * @param {(Facts | null)[]} facts
 * @param {Decision} decision
 * @param {Review} review
 * @returns {Line[]}
 */
function comparison(sides, facts, decision, review) {
  const line = (/** @type {string} */ key, /** @type {Cell} */ cell) => ({
    name: t(key),
    cells: facts.map((one) => (one ? cell(one) : null)),
  });
  /** @type {Line[]} */
  const lines = [
    ...HAND[traitsOf(review.family).value].map(([key, cell]) => line(key, cell)),
    ...chanceLines(sides, decision),
  ];
  for (let i = 0; i < 3; i += 1) {
    if (!facts.some((one) => (one?.danger?.[i] ?? 0) > SMALL)) continue;
    const name = `${t("why.danger")}: ${playerName(review, (decision.seat + 1 + i) % 4)}`;
    lines.push({ name, cells: facts.map((one) => (one?.danger ? percent(one.danger[i] ?? 0) : null)) });
  }
  if (decision.threat) lines.push(line("why.safe", (one) => (one.safe === null ? null : number(one.safe))));
  return lines;
}

/**
 * How the hand ends, by the reviewer; roughly, where it does not tell choices apart.
 * @param {Weighed[]} sides
 * @param {Decision} decision
 * @returns {Line[]}
 */
function chanceLines(sides, decision) {
  const cells = (
    /** @type {(one: Weighed) => number | undefined} */ of,
    /** @type {"win" | "lose" | "draw"} */ name,
  ) => sides.map((one) => chance(of(one), roughly(one, decision)?.[name]));
  return [
    { name: t("why.win"), cells: cells((one) => one.numbers.win, "win") },
    { name: t("why.dealin"), cells: cells(dealIn, "lose") },
    { name: t("why.draw"), cells: cells(drawChance, "draw") },
  ].filter((line) => line.cells.some((cell) => cell !== null));
}

/**
 * @param {number | undefined} value
 * @param {number | undefined} about
 */
function chance(value, about) {
  if (value !== undefined) return percent(value);
  return about === undefined ? null : `≈${percent(about)}`;
}

/**
 * The chance to deal in, by the names that reviewers give it.
 * @param {Weighed} choice
 */
export function dealIn(choice) {
  return choice.numbers.lose ?? choice.numbers["deal-in"];
}

/**
 * The chance of a draw.
 * @param {Weighed} choice
 */
export function drawChance(choice) {
  const [waiting, not] = [choice.numbers["tenpai draw"], choice.numbers["noten draw"]];
  return waiting === undefined || not === undefined ? choice.numbers.draw : waiting + not;
}

/**
 * The chances of the position as a whole, where they also say something of a choice: not if the choice ends the hand,
 * and not where a win is offered, because then they are those of taking it.
 * @param {Weighed} one
 * @param {Decision} decision
 */
export function roughly(one, decision) {
  const offered = decision.choices.some((other) => other.kind === "tsumo" || other.kind === "ron");
  return offered || one.kind === "nine_terminals" ? null : (decision.outlook ?? null);
}

/** @param {number} shanten */
export function shantenWords(shanten) {
  return shanten <= 0 ? t("why.tenpai") : t("why.away", { n: shanten });
}

/** @param {Facts} facts */
function usefulCell(facts) {
  const shown = facts.useful.slice(0, LISTED);
  return [
    t("why.tiles", { tiles: facts.tiles, kinds: facts.useful.length }),
    h(
      "span",
      { class: "tile-row rv-useful" },
      shown.map(([text]) => tile(text, { size: 15 })),
      facts.useful.length > LISTED ? h("span", { class: "small" }, "…") : null,
    ),
  ];
}

/** @param {Facts} facts */
function valueCell(facts) {
  const reach = facts.reach;
  if (!reach) return h("span", { class: "soft" }, t("why.far"));
  const missing = reach.points === null ? "" : noYakuWords(reach);
  return [valueWords(reach), missing ? h("span", { class: "small soft rv-under" }, missing) : null];
}

/** @param {Facts} facts */
function yakuCell(facts) {
  const words = facts.reach ? yakuWords(facts.reach) : "";
  return words ? h("span", { class: "small" }, words) : null;
}

/** @param {Facts} facts */
function missingCell(facts) {
  return facts.fan ? t("why.lacks", { n: facts.fan.missing }) : h("span", { class: "soft" }, t("why.far"));
}

/** @param {Facts} facts */
function fansCell(facts) {
  const words = facts.fan ? fansWords(facts.fan) : "";
  return words ? h("span", { class: "small" }, words) : null;
}

/**
 * Points of wins within reach, which are small while the hand is far.
 * @param {number} points
 */
export function reachWords(points) {
  return t("why.inreach.points", { n: number(points, { maximumFractionDigits: points < 1 ? 2 : 1 }) });
}

/** @param {Decision} decision */
function outlook(decision) {
  const ends = decision.outlook;
  if (!ends) return null;
  const said = Object.fromEntries(Object.entries(ends).map(([name, value]) => [name, percent(value)]));
  return h("p", { class: "small soft" }, t("why.outlook", said));
}

// --- scores ----------------------------------------------------------------------------------------------------

/**
 * @param {Why} why
 * @param {Review} review
 */
function scores(why, review) {
  const at = why.situation;
  if (!at) return [];
  const rank = at.hands_left
    ? t("why.scores.rank", { rank: at.rank, left: at.hands_left })
    : t("why.scores.last", { rank: at.rank });
  return [
    h(
      "details",
      { class: "rv-situation", open: at.hands_left === 0 },
      h("summary", null, t("why.scores")),
      h("p", { class: "small" }, rank),
      overtaking(t("why.overtake"), t("why.ron"), at.ahead, review),
      overtaking(t("why.overtaken"), t("why.ronme"), at.behind, review),
      h("p", { class: "small soft" }, t("why.scores.means")),
    ),
  ];
}

/**
 * @param {string} title
 * @param {string} direct
 * @param {import("../schema.js").OvertakeText[]} rows
 * @param {Review} review
 */
function overtaking(title, direct, rows, review) {
  if (!rows.length) return null;
  const points = (/** @type {number | null} */ value) => (value === null ? t("why.enough") : number(value));
  return h(
    "div",
    { class: "rv-scroll" },
    h(
      "table",
      { class: "rv-overtake numbers small" },
      h(
        "thead",
        null,
        h(
          "tr",
          null,
          [title, t("why.gap"), direct, t("why.ronothers"), t("why.tsumo")].map((name) =>
            h("th", { scope: "col" }, name),
          ),
        ),
      ),
      h(
        "tbody",
        null,
        rows.map((row) =>
          h(
            "tr",
            null,
            h("th", { scope: "row", title: playerName(review, row.seat) }, playerName(review, row.seat)),
            h("td", null, number(row.gap)),
            h("td", null, points(row.ron)),
            h("td", null, points(row.ron_others)),
            h("td", null, row.tsumo ? row.tsumo.map((one) => number(one)).join(" / ") : t("why.enough")),
          ),
        ),
      ),
    ),
  );
}
