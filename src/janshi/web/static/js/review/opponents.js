/**
 * What the models say about opponents: how likely each is tenpai, and how dangerous every tile is.
 * @module
 */
import { h } from "../dom.js";
import { number, t, tOr } from "../i18n.js";
import { bar, playerName } from "./words.js";
import { tile } from "../tiles.js";

/** @typedef {import("./types.js").Decision} Decision */
/** @typedef {import("./types.js").Review} Review */

/** The chance that fills a bar. */
const FULL = 0.2;
const KINDS = ["m", "p", "s"]
  .flatMap((suit) => [1, 2, 3, 4, 5, 6, 7, 8, 9].map((rank) => `${rank}${suit}`))
  .concat([1, 2, 3, 4, 5, 6, 7].map((rank) => `${rank}z`));

/** @param {number} chance */
const percent = (chance) => number(chance, { style: "percent", minimumFractionDigits: 1, maximumFractionDigits: 1 });

/**
 * The chance that each kind deals in to anybody.
 * @param {Decision} decision
 * @returns {Record<string, number> | null}
 */
export function dangers(decision) {
  const rows = decision.opponents?.danger;
  if (!rows) return null;
  return Object.fromEntries(
    KINDS.map((kind, i) => [kind, 1 - rows.reduce((safe, row) => safe * (1 - (row[i] ?? 0)), 1)]),
  );
}

/**
 * @param {Decision} decision
 * @param {Review} review
 * @returns {HTMLElement[]}
 */
export function opponentsElements(decision, review) {
  const seen = decision.opponents;
  if (!seen) return [h("p", { class: "soft" }, t("rv.opponents.none"))];
  const seats = [1, 2, 3].map((i) => (decision.seat + i) % 4);
  const said = (/** @type {string} */ key, more = "") => tOr(`${key}.${review.family}${more}`, t(key + more));
  const places = ["rv.right", "rv.across", "rv.left"];
  const name = (/** @type {number} */ i) => `${playerName(review, seats[i] ?? 0)} (${t(places[i] ?? "")})`;
  const riichi = (/** @type {number} */ i) => decision.position.seats[seats[i] ?? 0]?.riichi;
  return [
    h("h3", null, said("rv.tenpai")),
    h(
      "ul",
      { class: "rv-tenpai" },
      seen.tenpai.map((chance, i) =>
        h(
          "li",
          null,
          h("span", null, name(i), riichi(i) ? ` · ${t("board.riichi")}` : ""),
          bar(chance, "tenpai"),
          h("span", { class: "numbers" }, percent(chance)),
        ),
      ),
    ),
    h("p", { class: "small soft" }, said("rv.tenpai", ".means")),
    h("h3", null, t("rv.danger")),
    handDangers(decision, (i) => [playerName(review, seats[i] ?? 0), t(places[i] ?? "")]),
    h("p", { class: "small soft" }, `${t("rv.danger.means")} ${tOr(`rv.danger.checked.${review.family}`, "")}`),
    h("details", null, h("summary", null, t("rv.danger.all")), grid(decision)),
  ];
}

/**
 * The tiles of the hand, by opponent.
 * @param {Decision} decision
 * @param {(i: number) => [string, string]} head name and place of an opponent
 */
function handDangers(decision, head) {
  const data = decision.position.seats[decision.seat];
  const held = [
    ...new Set([...(data?.hand ?? []), ...(data?.drawn ? [data.drawn] : [])].map((text) => text.replace("0", "5"))),
  ];
  const rows = decision.opponents?.danger ?? [];
  const every = dangers(decision) ?? {};
  const sorted = held.filter((text) => KINDS.includes(text)).sort((a, b) => (every[a] ?? 0) - (every[b] ?? 0));
  return h(
    "div",
    { class: "rv-scroll" },
    h(
      "table",
      { class: "rv-danger numbers small" },
      h(
        "thead",
        null,
        h(
          "tr",
          null,
          h("th", { scope: "col" }, t("rv.tile")),
          h("th", { scope: "col" }, t("rv.anybody")),
          rows.map((_, i) => {
            const [name, place] = head(i);
            return h("th", { scope: "col" }, h("span", { class: "rv-name", title: name }, name), place);
          }),
        ),
      ),
      h(
        "tbody",
        null,
        sorted.map((text) =>
          h(
            "tr",
            null,
            h("th", { scope: "row" }, tile(text, { size: 22 })),
            h("td", null, bar((every[text] ?? 0) / FULL, "danger"), " ", percent(every[text] ?? 0)),
            rows.map((row) => h("td", null, percent(row[KINDS.indexOf(text)] ?? 0))),
          ),
        ),
      ),
    ),
  );
}

/** @param {Decision} decision */
function grid(decision) {
  const every = dangers(decision) ?? {};
  return h(
    "div",
    { class: "rv-grid" },
    KINDS.map((text) =>
      h(
        "span",
        { class: "rv-cell numbers", style: { "--part": Math.min(1, (every[text] ?? 0) / FULL).toFixed(3) } },
        tile(text, { size: 22 }),
        h("span", null, percent(every[text] ?? 0)),
      ),
    ),
  );
}
