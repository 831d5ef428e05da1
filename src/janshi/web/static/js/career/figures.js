/**
 * The usual table of statistics beside that of houou players: in total, and by seat and round.
 * @module
 */
import { fill, h } from "../dom.js";
import { number, t } from "../i18n.js";
import { yearsOf } from "../names.js";
import { scroller } from "../players/plot.js";
import { halfWidth, written } from "./words.js";

/** @typedef {import("../schema.js").CareerText} Career */
/** @typedef {import("../schema.js").CareerFigure} Figure */

const HANDS = ["win", "deal_in", "riichi", "call", "draw", "tenpai", "tsumo", "win_points", "loss_points"];
const GAMES = ["rank", "first", "second", "third", "fourth", "bust", "points"];
/** Figures where more is better (1) or worse (-1); others are a matter of style. @type {Record<string, number>} */
const GOOD = {
  win: 1,
  deal_in: -1,
  win_points: 1,
  loss_points: -1,
  rank: -1,
  first: 1,
  fourth: -1,
  bust: -1,
  points: 1,
};

let group = "all";

/** @param {Career} career */
export function figuresCard(career) {
  const groups = Object.keys(career.table);
  if (!groups.includes(group)) group = "all";
  const place = h("div", null);
  const draw = () => fill(place, table(career, group));
  const select = h(
    "select",
    {
      id: "career-group",
      onchange: () => {
        group = select.value;
        draw();
      },
    },
    groups.map((name) => h("option", { value: name, selected: name === group }, t(`career.group.${name}`))),
  );
  draw();
  return h(
    "section",
    { class: "card", "aria-labelledby": "career-figures" },
    h("h2", { id: "career-figures" }, t("career.figures")),
    h("label", { class: "career-filter" }, h("span", null, t("career.hands_of")), select),
    place,
    h(
      "p",
      { class: "soft small" },
      t("career.houou.source", {
        games: number(career.houou.games),
        years: yearsOf(career.houou.source),
        length: t(career.houou.rounds === 1 ? "career.length.east" : "career.length.south"),
      }),
    ),
    h(
      "details",
      { class: "career-all" },
      h("summary", null, t("career.figures.all")),
      scroller(t("career.figures.all"), matrix(career, groups)),
    ),
  );
}

/**
 * @param {Career} career
 * @param {string} which
 */
function table(career, which) {
  const own = career.table[which] ?? {};
  const houou = career.houou.table[which] ?? {};
  return h(
    "table",
    { class: "career-figures" },
    h(
      "thead",
      null,
      h(
        "tr",
        null,
        ["", "career.you", "career.houou", "career.difference"].map((key) =>
          h("th", { scope: "col" }, key ? t(key) : ""),
        ),
      ),
    ),
    h(
      "tbody",
      null,
      [...HANDS, ...GAMES]
        .filter((name) => own[name])
        .map((name) => row(name, /** @type {Figure} */ (own[name]), houou[name])),
    ),
  );
}

/**
 * @param {string} name
 * @param {Figure} own
 * @param {Figure | undefined} houou
 */
function row(name, own, houou) {
  return h(
    "tr",
    { class: name === "rank" ? "career-second" : "" },
    h("th", { scope: "row", title: t(`career.figure.${name}.means`) }, t(`career.figure.${name}`)),
    h(
      "td",
      { class: "numbers" },
      written(name, own.value),
      h("span", { class: "soft small career-half" }, ` ${halfWidth(name, own)}`),
    ),
    h("td", { class: "numbers soft" }, houou ? written(name, houou.value) : "–"),
    h("td", null, houou ? verdict(name, own, houou) : ""),
  );
}

/**
 * Whether a figure differs from houou players' by more than its interval, and if that is good.
 * @param {string} name
 * @param {Figure} own
 * @param {Figure} houou
 */
function verdict(name, own, houou) {
  if (own.value === null || own.low === null || own.high === null || houou.value === null) return "";
  if (own.low <= houou.value && houou.value <= own.high) return h("span", { class: "soft small" }, t("career.same"));
  const more = own.value > houou.value;
  const good = (GOOD[name] ?? 0) * (more ? 1 : -1);
  const tone = good > 0 ? "good" : good < 0 ? "bad" : "";
  return h("span", { class: `small ${tone}` }, t(more ? "career.more" : "career.less"));
}

/**
 * @param {Career} career
 * @param {string[]} groups
 */
function matrix(career, groups) {
  return h(
    "table",
    { class: "players-figures" },
    h(
      "thead",
      null,
      h(
        "tr",
        null,
        h("th", null),
        groups.map((name) => h("th", { scope: "col" }, t(`career.group.${name}`))),
      ),
    ),
    h(
      "tbody",
      null,
      [...HANDS, ...GAMES].map((name) =>
        h(
          "tr",
          null,
          h("th", { scope: "row" }, t(`career.figure.${name}`)),
          groups.map((one) => {
            const figure = career.table[one]?.[name];
            return h("td", { class: "numbers" }, figure ? written(name, figure.value) : "");
          }),
        ),
      ),
    ),
  );
}
