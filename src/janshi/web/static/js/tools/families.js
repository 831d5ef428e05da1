/**
 * What the calculators offer for the rules of each family.
 * @module
 */
import { FAN } from "./fan.js";
import { YAKU } from "./yaku.js";

/** @typedef {import("../schema.js").Worth["family"]} ToolFamily */

/**
 * @typedef {object} Offer
 * @property {boolean} red whether there are red fives
 * @property {("dora" | "ura")[]} indicators kinds of indicators that add to a win
 * @property {string[]} presets rule sets of the score, the default first; empty if there is one only
 * @property {string[]} checks circumstances of a win, as names of the question to the server
 * @property {Record<string, number>} numbers counts that add to a win, with the most that can be given
 * @property {string} reasons key of the heading above what makes the score
 * @property {string[][]} table the names and explanations of what makes it
 * @property {string} native language of its native names
 * @property {string[]} promises what `mdp` says of discards, as names of columns
 * @property {Record<"score" | "efficiency", string>} examples
 */

/** @type {Record<ToolFamily, Offer>} */
const OFFERS = {
  riichi: {
    red: true,
    indicators: ["dora", "ura"],
    presets: ["tenhou", "tenhou_no_red", "mahjong_soul", "mleague"],
    checks: ["tsumo", "riichi", "double_riichi", "ippatsu", "rinshan", "chankan", "last_tile", "first_turn"],
    numbers: { honba: 20, sticks: 20 },
    reasons: "tools.yaku",
    table: YAKU,
    native: "ja",
    promises: ["win", "points"],
    examples: { score: "234m406p678s22p567m", efficiency: "1348m2267p05s1157z" },
  },
  guobiao: {
    red: false,
    indicators: [],
    presets: [],
    checks: ["self_drawn", "last_of_kind", "last_tile", "after_kong", "robbing"],
    numbers: { flowers: 8 },
    reasons: "tools.fans",
    table: FAN,
    native: "zh",
    promises: [],
    examples: { score: "123456789m55p789s", efficiency: "147m258p36s12345z1m" },
  },
};

/** The families whose hands can be calculated, the default first. */
export const FAMILIES = /** @type {ToolFamily[]} */ (Object.keys(OFFERS));

/** @param {ToolFamily} family */
export function offerOf(family) {
  return OFFERS[family];
}
