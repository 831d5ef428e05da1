/**
 * Names of yaku and fan in the language of the page.
 * @module
 */
import { language, tOr } from "./i18n.js";

/** @typedef {{name: string, romaji?: string, kanji?: string, chinese?: string}} Named */

/** Characters of Japanese names as they are written in Chinese (simplified). */
const SIMPLIFIED = /** @type {Record<string, string>} */ ({
  門: "门",
  発: "发",
  發: "发",
  槍: "抢",
  槓: "杠",
  嶺: "岭",
  開: "开",
  撈: "捞",
  魚: "鱼",
  么: "幺",
  盃: "杯",
  風: "风",
  東: "东",
  場: "场",
  両: "两",
  対: "对",
  帯: "带",
  気: "气",
  貫: "贯",
  順: "顺",
  頭: "头",
  純: "纯",
  緑: "绿",
  蓮: "莲",
  宝: "宝",
  燈: "灯",
  国: "国",
  無: "无",
  双: "双",
  単: "单",
  騎: "骑",
  々: "对",
});
const WIND_OF = /^(seat|round) wind (east|south|west|north)$/;
const WHOLE = /** @type {Record<string, string>} */ ({
  ドラ: "宝牌",
  裏ドラ: "里宝牌",
  赤ドラ: "赤宝牌",
  国士無双13面: "国士无双十三面",
});

/**
 * @param {Named} named
 * @returns {string}
 */
export function scoreName(named) {
  const words = tOr(`score.${named.name}`, named.name);
  const wind = WIND_OF.exec(named.name);
  if (language() === "en" && wind) return `${capital(wind[1] ?? "")} wind: ${wind[2]}`;
  if (language() === "en")
    return named.romaji && named.romaji !== named.name ? `${capital(words)} (${named.romaji})` : capital(words);
  if (language() === "ja") return named.kanji ?? named.chinese ?? words;
  if (named.chinese) return named.chinese;
  if (!named.kanji) return words;
  return WHOLE[named.kanji] ?? [...named.kanji].map((one) => SIMPLIFIED[one] ?? one).join("");
}

/**
 * The years of recorded games, from the names of their packs: "houou-2018, houou-2020" are of 2018 and 2020.
 * @param {string} source
 */
export function yearsOf(source) {
  return [...new Set(source.match(/\b(?:19|20)\d\d\b/g))].join(tOr("text.list", ", "));
}

/** @param {string} text */
function capital(text) {
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}
