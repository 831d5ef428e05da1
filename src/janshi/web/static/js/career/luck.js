/**
 * Luck: how much each source gave, and the luckiest and unluckiest games.
 * @module
 */
import { h } from "../dom.js";
import { number, t } from "../i18n.js";
import { day, places, written } from "./words.js";

/** @typedef {import("../schema.js").CareerText} Career */
/** @typedef {import("../schema.js").CareerGame} Game */
/** @typedef {(id: number, how?: "review" | "watch") => Promise<void>} Opened */

/**
 * @param {Career} career
 * @param {Opened} review
 */
export function luckCard(career, review) {
  const { luck } = career;
  return h(
    "section",
    { class: "card career-luck", "aria-labelledby": "career-luck" },
    h("h2", { id: "career-luck" }, t("career.luck")),
    h("p", { class: "soft small" }, t("career.luck.about")),
    luck
      ? h(
          "dl",
          { class: "career-sources" },
          Object.entries(luck.by_source).map(([source, value]) =>
            h(
              "div",
              null,
              h("dt", null, t(`career.source.${source}`)),
              h("dd", { class: `numbers ${value >= 0 ? "good" : "bad"}` }, places3(value)),
            ),
          ),
        )
      : h("p", null, t("career.luck.wait")),
    luck?.worth ? h("p", { class: "small" }, t("career.luck.worth", { n: digits(luck.worth) })) : null,
    extreme("career.luckiest", career.luckiest, review),
    extreme("career.unluckiest", career.unluckiest, review),
    career.luckiest.length ? h("p", { class: "small soft" }, t("career.luck.one")) : null,
  );
}

/** @param {number} value */
function digits(value) {
  return number(value, { minimumFractionDigits: 1, maximumFractionDigits: 1 });
}

/** @param {number} value */
function places3(value) {
  return number(value, { signDisplay: "exceptZero", minimumFractionDigits: 3, maximumFractionDigits: 3 });
}

/**
 * @param {string} title
 * @param {Game[]} games
 * @param {Opened} review
 */
function extreme(title, games, review) {
  if (!games.length) return null;
  return h(
    "div",
    null,
    h("h3", null, t(title)),
    h(
      "ol",
      { class: "career-extremes" },
      games.map((game) =>
        h(
          "li",
          null,
          h(
            "span",
            { class: `career-rank career-rank-${game.rank}` },
            game.rank ? t(`career.place.${game.rank}`) : "–",
          ),
          h(
            "span",
            { class: "career-extreme-text" },
            h("span", { class: `numbers ${(game.luck ?? 0) >= 0 ? "good" : "bad"}` }, places(game.luck ?? 0)),
            h(
              "span",
              { class: "soft small" },
              ` ${t("career.without", { rank: written("rank", game.luckless_rank) })} · ${day(game.played)}`,
            ),
          ),
          h("button", { type: "button", class: "quiet", onclick: () => void review(game.id) }, t("career.review")),
          h(
            "button",
            { type: "button", class: "quiet", onclick: () => void review(game.id, "watch") },
            t("career.watch"),
          ),
        ),
      ),
    ),
  );
}
