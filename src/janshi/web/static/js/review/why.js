/**
 * Why the reviewer prefers its choice: facts about both hands side by side, sentences made from them, and what the
 * scores ask for. Everything said here is one of the figures shown.
 * @module
 */
import { h } from "../dom.js";
import { addWords, language, number, t } from "../i18n.js";
import { scoreName } from "../names.js";
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
  const line = (/** @type {string} */ key, /** @type {(facts: Facts) => Line["cells"][number]} */ cell) => ({
    name: t(key),
    cells: facts.map((one) => (one ? cell(one) : null)),
  });
  /** @type {Line[]} */
  const lines = [
    line(review.family === "riichi" ? "why.shanten" : "why.shape", (one) => shantenWords(one.shanten)),
    line("why.useful", usefulCell),
    ...(review.family === "riichi"
      ? [line("why.value", valueCell), line("why.yaku", yakuCell)]
      : [
          line("why.missing", missingCell),
          line("why.fan", (one) => (one.fan ? t("why.fan.mean", { n: number(one.fan.mean) }) : null)),
          line("why.fans", fansCell),
          line("why.inreach", (one) => (one.fan ? reachWords(one.fan.points) : null)),
        ]),
    ...chanceLines(sides),
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
 * How the hand ends, by the reviewer.
 * @param {Weighed[]} sides
 * @returns {Line[]}
 */
function chanceLines(sides) {
  return [
    { name: t("why.win"), cells: sides.map((one) => chance(one.numbers.win)) },
    { name: t("why.dealin"), cells: sides.map((one) => chance(dealIn(one))) },
    { name: t("why.draw"), cells: sides.map((one) => chance(drawChance(one))) },
  ].filter((line) => line.cells.some((cell) => cell !== null));
}

/** @param {number | undefined} value */
const chance = (value) => (value === undefined ? null : percent(value));

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
  if (reach.points === null) return t("why.allnoyaku");
  const missing = reach.without_yaku >= 0.05 ? t("why.noyaku", { share: percent(reach.without_yaku) }) : "";
  return [
    t("why.points", { points: number(rounded(reach.points)) }),
    missing ? h("span", { class: "small soft rv-under" }, missing) : null,
  ];
}

/**
 * Points as exact as they are meant.
 * @param {number} points
 */
export function rounded(points) {
  return Math.round(points / 100) * 100;
}

/** @param {Facts} facts */
function yakuCell(facts) {
  const reach = facts.reach;
  if (!reach) return null;
  const names = reach.yaku.map((yaku) =>
    yaku.share > 0.99 ? yakuName(yaku) : `${yakuName(yaku)} ${percent(yaku.share)}`,
  );
  if (reach.dora >= 0.5) names.push(t("why.dora", { n: number(reach.dora, { maximumFractionDigits: 1 }) }));
  return names.length ? h("span", { class: "small" }, names.join(t("text.list"))) : null;
}

/** @param {Facts} facts */
function missingCell(facts) {
  return facts.fan ? t("why.lacks", { n: facts.fan.missing }) : h("span", { class: "soft" }, t("why.far"));
}

/** @param {Facts} facts */
function fansCell(facts) {
  const names = (facts.fan?.fans ?? []).map((fan) => {
    const name = `${scoreName(fan)} (${fan.value})`;
    return fan.share > 0.99 ? name : `${name} ${percent(fan.share)}`;
  });
  return names.length ? h("span", { class: "small" }, names.join(t("text.list"))) : null;
}

/**
 * Points of wins within reach, which are small while the hand is far.
 * @param {number} points
 */
export function reachWords(points) {
  return t("why.inreach.points", { n: number(points, { maximumFractionDigits: points < 1 ? 2 : 1 }) });
}

/** @param {import("../schema.js").YakuShare} yaku */
export function yakuName(yaku) {
  return language() === "en" ? yaku.romaji : scoreName(yaku);
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
            h("th", { scope: "row" }, playerName(review, row.seat)),
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
