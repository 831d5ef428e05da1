/**
 * Luck through the game: a curve for each player, and how much came from the deal, the draws, the dora.
 * @module
 */
import { h, s } from "../dom.js";
import { errorNode } from "../error_words.js";
import { traitsOf } from "../families.js";
import { number, signed, t, tOr } from "../i18n.js";
import { tile } from "../tiles.js";
import { handName, playerName } from "./words.js";

/** @typedef {import("./types.js").Luck} Luck */
/** @typedef {import("./types.js").Review} Review */

const WIDTH = 600;
const HEIGHT = 240;
const MARGIN = { left: 44, right: 8, top: 10, bottom: 24 };
const COLOURS = ["line-0", "line-1", "line-2", "line-3"];

/**
 * @param {Luck} luck
 * @param {Review} review
 * @param {number | null} seat null for all players
 * @param {number} measure 0 places, 1 points
 * @param {(measure: number) => void} choose
 * @returns {HTMLElement[]}
 */
export function luckElements(luck, review, seat, measure, choose) {
  if (luck.running) return [h("p", { role: "status" }, t("rv.luck.running"))];
  if (!luck.available || !luck.events || !luck.total)
    return [h("p", { class: "soft" }, t("rv.luck.none"), " ", luck.problem ? errorNode(luck.problem) : luck.why)];
  const places = Boolean(luck.adjusted_ranks); // Guobiao has points only
  measure = places ? measure : 1;
  const button = (/** @type {number} */ value, /** @type {string} */ words) =>
    h(
      "button",
      { type: "button", "aria-pressed": measure === value ? "true" : "false", onclick: () => choose(value) },
      words,
    );
  return [
    places
      ? h("div", { class: "row" }, button(0, t("rv.luck.places")), button(1, t("rv.luck.points")))
      : h("span", { hidden: true }),
    h("figure", { class: "rv-luck" }, curve(luck, review, seat, measure), legend(review, seat)),
    h("p", { class: "small soft" }, t(measure === 0 ? "rv.luck.means.places" : "rv.luck.means.points")),
    sources(luck, review, seat, measure),
    ...moments(luck, review, seat ?? review.seats[0] ?? 0, measure),
  ];
}

/**
 * @param {Luck} luck
 * @param {Review} review
 * @param {number | null} chosen
 * @param {number} measure
 */
function curve(luck, review, chosen, measure) {
  const events = luck.events ?? [];
  const sums = [0, 0, 0, 0];
  const lines = sums.map(() => [0]);
  for (const event of events) {
    const add = event[measure === 0 ? 5 : 6];
    sums.forEach((_, seat) => {
      sums[seat] = (sums[seat] ?? 0) + (add[seat] ?? 0);
      lines[seat]?.push(sums[seat] ?? 0);
    });
  }
  const all = lines.flat();
  const low = Math.min(...all, 0),
    high = Math.max(...all, 0);
  const span = high - low || 1;
  const x = (/** @type {number} */ i) =>
    MARGIN.left + (i / Math.max(1, events.length)) * (WIDTH - MARGIN.left - MARGIN.right);
  const y = (/** @type {number} */ value) =>
    MARGIN.top + ((high - value) / span) * (HEIGHT - MARGIN.top - MARGIN.bottom);
  const hands = events.flatMap((event, i) =>
    i === 0 || events[i - 1]?.[0] !== event[0] ? [{ hand: event[0], at: x(i) }] : [],
  );
  return s(
    "svg",
    { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: "img", "aria-label": t("rv.luck.curve") },
    hands
      .map(({ hand, at }) => [
        s("line", { class: "rv-gridline", x1: at, x2: at, y1: MARGIN.top, y2: HEIGHT - MARGIN.bottom }),
        s("text", { class: "rv-axis", x: at + 2, y: HEIGHT - 8 }, shortName(review, hand)),
      ])
      .flat(),
    [low, 0, high]
      .map((value) => [
        s("line", {
          class: value === 0 ? "rv-zero" : "rv-gridline",
          x1: MARGIN.left,
          x2: WIDTH - MARGIN.right,
          y1: y(value),
          y2: y(value),
        }),
        s(
          "text",
          { class: "rv-axis rv-axis-y", x: MARGIN.left - 4, y: y(value) + 4 },
          signed(value, { maximumFractionDigits: measure === 0 ? 2 : 0 }),
        ),
      ])
      .flat(),
    lines.map((line, seat) =>
      s("polyline", {
        class: `rv-line ${COLOURS[seat]}${chosen === null || chosen === seat ? "" : " is-other"}`,
        points: line.map((value, i) => `${x(i).toFixed(1)},${y(value).toFixed(1)}`).join(" "),
      }),
    ),
  );
}

/**
 * @param {Review} review
 * @param {number} hand
 */
function shortName(review, hand) {
  const end = traitsOf(review.family).rounds ? review.hands[hand]?.end : null;
  return end
    ? `${t(`wind.${"ESWN"[Math.floor(end.round / 4)] ?? "E"}`).slice(0, 1)}${(end.round % 4) + 1}`
    : String(hand + 1);
}

/**
 * @param {Review} review
 * @param {number | null} chosen
 */
function legend(review, chosen) {
  return h(
    "figcaption",
    { class: "rv-legend small" },
    [0, 1, 2, 3].map((seat) =>
      h(
        "span",
        { class: seat === chosen ? "is-chosen" : null },
        h("i", { class: COLOURS[seat] }),
        playerName(review, seat),
      ),
    ),
  );
}

/**
 * @param {Luck} luck
 * @param {Review} review
 * @param {number | null} chosen
 * @param {number} measure
 */
function sources(luck, review, chosen, measure) {
  const options = { maximumFractionDigits: measure === 0 ? 2 : 0, minimumFractionDigits: measure === 0 ? 2 : 0 };
  const kinds = Object.keys(luck.total ?? {});
  const mark = (/** @type {number} */ seat) => (seat === chosen ? "is-chosen" : null);
  const cells = (/** @type {number[] | undefined} */ row) =>
    [0, 1, 2, 3].map((seat) => h("td", { class: mark(seat) }, signed(row?.[seat] ?? 0, options)));
  const adjusted = measure === 0 ? luck.adjusted_ranks : luck.adjusted_scores;
  const result = measure === 0 ? luck.ranks : luck.scores;
  const plain = (/** @type {number[] | undefined} */ row) =>
    [0, 1, 2, 3].map((seat) => h("td", { class: mark(seat) }, number(row?.[seat] ?? 0, options)));
  return h(
    "div",
    { class: "rv-scroll" },
    h(
      "table",
      { class: "numbers small rv-sources" },
      h(
        "thead",
        null,
        h(
          "tr",
          null,
          h("th", { scope: "col" }, t("rv.luck.source")),
          [0, 1, 2, 3].map((seat) =>
            h(
              "th",
              { scope: "col", class: mark(seat), title: playerName(review, seat) },
              h("i", { class: COLOURS[seat], "aria-hidden": "true" }),
              h("span", { class: "rv-name" }, playerName(review, seat)),
            ),
          ),
        ),
      ),
      h(
        "tbody",
        null,
        kinds.map((kind) =>
          h("tr", null, h("th", { scope: "row" }, tOr(`rv.luck.${kind}`, kind)), cells(luck.total?.[kind]?.[measure])),
        ),
        h("tr", { class: "rv-total" }, h("th", { scope: "row" }, t("rv.luck.all")), cells(luck.luck?.[measure])),
        h("tr", null, h("th", { scope: "row" }, t(measure === 0 ? "rv.luck.rank" : "rv.luck.score")), plain(result)),
        h(
          "tr",
          { class: "rv-total" },
          h("th", { scope: "row" }, t(measure === 0 ? "rv.luck.adjusted.rank" : "rv.luck.adjusted.score")),
          plain(adjusted),
        ),
      ),
    ),
  );
}

/**
 * The luckiest and unluckiest moments of a player.
 * @param {Luck} luck
 * @param {Review} review
 * @param {number} seat
 * @param {number} measure
 */
function moments(luck, review, seat, measure) {
  const by = (/** @type {NonNullable<Luck["events"]>[number]} */ event) => event[measure === 0 ? 5 : 6][seat] ?? 0;
  const sorted = [...(luck.events ?? [])].sort((a, b) => by(b) - by(a));
  const digits = measure === 0 ? 2 : 0;
  const exactly = { minimumFractionDigits: digits, maximumFractionDigits: digits };
  const item = (/** @type {NonNullable<Luck["events"]>[number]} */ event) =>
    h(
      "li",
      null,
      h("strong", { class: "numbers" }, signed(by(event), exactly)),
      " ",
      tOr(`rv.luck.${(luck.kinds ?? [])[event[1]]}`, (luck.kinds ?? [])[event[1]] ?? ""),
      event[3] ? [" ", tile(event[3], { size: 16 })] : "",
      event[2] >= 0 ? ` (${playerName(review, event[2])})` : "",
      `, ${handName(review, event[0])}`,
    );
  return [
    h("h3", null, t("rv.luck.best", { name: playerName(review, seat) })),
    h("ul", { class: "small" }, sorted.slice(0, 3).map(item)),
    h("h3", null, t("rv.luck.worst", { name: playerName(review, seat) })),
    h("ul", { class: "small" }, sorted.slice(-3).reverse().map(item)),
  ];
}
