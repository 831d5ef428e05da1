/**
 * The wins within reach of a hand in words: their value and yaku, or their fan.
 * @module
 */
import { addWords, language, number, t } from "../i18n.js";
import { scoreName } from "../names.js";
import words from "../words/why.js";

addWords(words);

/** @typedef {import("../schema.js").ReachText} Reach */
/** @typedef {import("../schema.js").FanReachText} FanReach */

/** From which share of wins without a yaku it is said. */
const WORTH_SAYING = 0.05;
const NEARLY_ALL = 0.99;
const SOME_DORA = 0.5;

/** @param {number} share */
const percent = (share) => number(share, { style: "percent", maximumFractionDigits: share < 0.1 ? 1 : 0 });

/**
 * Points as exact as they are meant.
 * @param {number} points
 */
export function rounded(points) {
  return Math.round(points / 100) * 100;
}

/**
 * What a win is worth.
 * @param {Reach} reach
 */
export function valueWords(reach) {
  return reach.points === null ? t("why.allnoyaku") : t("why.points", { points: number(rounded(reach.points)) });
}

/**
 * How many of the wins have no yaku, if that is worth saying.
 * @param {Reach} reach
 */
export function noYakuWords(reach) {
  return reach.without_yaku >= WORTH_SAYING ? t("why.noyaku", { share: percent(reach.without_yaku) }) : "";
}

/**
 * The yaku in reach, and dora.
 * @param {Reach} reach
 */
export function yakuWords(reach) {
  const names = reach.yaku.map((yaku) => shareWords(yakuName(yaku), yaku.share));
  if (reach.dora >= SOME_DORA) names.push(t("why.dora", { n: number(reach.dora, { maximumFractionDigits: 1 }) }));
  return names.join(t("text.list"));
}

/**
 * The fan in reach, with their values.
 * @param {FanReach} fan
 */
export function fansWords(fan) {
  return fan.fans.map((one) => shareWords(`${scoreName(one)} (${one.value})`, one.share)).join(t("text.list"));
}

/**
 * A name, with its share unless that is nearly all.
 * @param {string} name
 * @param {number} share
 */
function shareWords(name, share) {
  return share > NEARLY_ALL ? name : `${name} ${percent(share)}`;
}

/**
 * The usual name: in English that is the Japanese one, but for winds.
 * @param {import("../schema.js").YakuShare} yaku
 */
function yakuName(yaku) {
  if (language() !== "en") return scoreName(yaku);
  return /kaze /.test(yaku.romaji) ? yaku.name : yaku.romaji;
}
