/**
 * A career in a row of tiles: rank, rank without luck, luck, points, and how often each place.
 * @module
 */
import { h } from "../dom.js";
import { number, t } from "../i18n.js";
import { halfWidth, places, written } from "./words.js";

/** @typedef {import("../schema.js").CareerText} Career */

/** Luck of less than this, in places a game, is neither good nor bad. */
const EVEN = 0.02;
const PLACES = ["first", "second", "third", "fourth"];

/** @param {Career} career */
export function summaryTiles(career) {
  const all = career.table.all ?? {};
  const { rank, points } = all;
  const { luck } = career;
  return h(
    "section",
    { class: "career-tiles", "aria-label": t("career.summary") },
    tile(
      "career.tile.games",
      number(career.shown),
      luck && luck.games < career.shown ? t("career.tile.measured", { n: number(luck.games) }) : "",
    ),
    rank ? tile("career.tile.rank", written("rank", rank.value), halfWidth("rank", rank)) : null,
    luck
      ? tile(
          "career.tile.luckless",
          written("rank", luck.luckless_rank.value),
          halfWidth("rank", luck.luckless_rank),
          luck.games < career.shown
            ? t("career.tile.same_games", { rank: written("rank", luck.rank.value), n: number(luck.games) })
            : "",
        )
      : tile("career.tile.luckless", "…", t("career.tile.later")),
    luck ? tile("career.tile.luck", places(luck.luck), t(fortune(luck.luck))) : null,
    points ? tile("career.tile.points", written("points", points.value), halfWidth("points", points)) : null,
    h(
      "div",
      { class: "career-tile career-places" },
      h("span", { class: "career-tile-name" }, t("career.tile.places")),
      h(
        "div",
        { class: "career-bar", role: "img", "aria-label": placesText(all) },
        PLACES.map((name) =>
          h(
            "span",
            { class: `career-place career-${name}`, style: { "flex-grow": all[name]?.value ?? 0 } },
            number(all[name]?.value ?? 0, { style: "percent", maximumFractionDigits: 0 }),
          ),
        ),
      ),
      h("span", { class: "soft small" }, t("career.tile.places.order")),
    ),
  );
}

/**
 * What to call an amount of luck, in places a game.
 * @param {number} luck
 */
function fortune(luck) {
  if (Math.abs(luck) < EVEN) return "career.tile.even";
  return luck > 0 ? "career.tile.lucky" : "career.tile.unlucky";
}

/** @param {Record<string, import("../schema.js").CareerFigure>} all */
function placesText(all) {
  return PLACES.map((name) => `${t(`career.figure.${name}`)} ${written(name, all[name]?.value ?? null)}`).join(", ");
}

/**
 * @param {string} name
 * @param {string} value
 * @param {string} [interval]
 * @param {string} [note]
 */
function tile(name, value, interval = "", note = "") {
  return h(
    "div",
    { class: "career-tile" },
    h("span", { class: "career-tile-name" }, t(name)),
    h("span", { class: "career-tile-value numbers" }, value),
    h("span", { class: "soft small numbers" }, interval),
    note ? h("span", { class: "soft small" }, note) : null,
  );
}
