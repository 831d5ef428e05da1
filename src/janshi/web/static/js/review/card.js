/**
 * The score card on top of a review: how well each player played, where that stands among houou games, how lucky they
 * were, and where the game turned.
 * @module
 */
import { h } from "../dom.js";
import { traitsOf } from "../families.js";
import { addWords, number, signed, t, tOr } from "../i18n.js";
import { yearsOf } from "../names.js";
import { tile } from "../tiles.js";
import words from "../words/card.js";
import { actionElement } from "./mistakes.js";
import { handName, playerName, roughly, sentences, truthWords } from "./words.js";

addWords(words);

/** @typedef {import("./types.js").Review} Review */
/** @typedef {import("./types.js").Luck} Luck */
/** @typedef {import("./types.js").Card} Card */
/**
 * @typedef {object} Figure
 * @property {string} name
 * @property {string} value
 * @property {string} note
 * @property {string} [better]
 * @property {boolean} [worse] most games are better
 * @property {string} [title]
 * @property {boolean} [waiting] it is still being measured
 * @property {string} [bare] the value without its unit, for a table
 * @property {string} [unit]
 */
/** @typedef {NonNullable<Luck["events"]>[number]} LuckEvent */

const TURNS = 3;
/** Percent of games: who is better than fewer is not praised for it. */
const HALF = 50;

/**
 * @param {Review} review
 * @param {number | null} seat null for all players
 * @param {Luck | null} luck
 * @param {{go: (number: number) => void, share: (seat: number) => void, choose: (seat: number) => void}} act
 * @returns {HTMLElement[]}
 */
export function cardElements(review, seat, luck, act) {
  const card = seat === null ? null : review.cards[String(seat)];
  if (seat === null) return Object.keys(review.cards).length ? [everybody(review, luck, act.choose)] : [];
  if (!card) return [];
  return [
    h(
      "section",
      { class: "card rv-card", "aria-label": t("card.of", { name: playerName(review, seat) }) },
      h(
        "div",
        { class: "rv-card-head" },
        h("h2", null, playerName(review, seat)),
        review.done < review.total ? h("span", { class: "small soft" }, t("card.sofar")) : null,
        h("button", { type: "button", class: "rv-picture", onclick: () => act.share(seat) }, t("card.share")),
      ),
      h("dl", { class: "rv-figures" }, figures(review, seat, luck).map(figureElement)),
      h(
        "details",
        { class: "rv-turning", open: matchMedia("(min-width: 961px) and (min-height: 1050px)").matches },
        h("summary", null, t("card.turning")),
        h("div", { class: "rv-turns" }, byLoss(review, card, act.go), byLuck(review, luck, seat, act.go)),
      ),
      norms(review),
    ),
  ];
}

/** @param {Figure} figure */
function figureElement(figure) {
  return h(
    "div",
    { class: `rv-figure${figure.waiting ? " is-waiting" : ""}`, title: figure.title ?? null },
    h("dt", null, figure.name),
    h(
      "dd",
      null,
      h("strong", { class: "numbers" }, figure.value),
      figure.better ? h("span", { class: `small rv-better${figure.worse ? " soft" : ""}` }, figure.better) : null,
      figure.note ? h("span", { class: "small soft" }, figure.note) : null,
    ),
  );
}

/** @param {number} value */
const share = (value) => number(value, { style: "percent", maximumFractionDigits: value < 0.1 ? 1 : 0 });

/**
 * The figures of a player, as text.
 * @param {Review} review
 * @param {number} seat
 * @param {Luck | null} luck
 * @returns {Figure[]}
 */
export function figures(review, seat, luck) {
  const card = review.cards[String(seat)];
  if (!card) return [];
  const standing = (/** @type {string} */ name) => {
    const found = card.percentiles[name] ?? null;
    if (found === null) return {};
    return { better: t("card.better", { percent: share(found / 100) }), worse: found < HALF };
  };
  /** @type {Figure[]} */
  const shown = [];
  if (card.rating !== null)
    shown.push({
      name: t("card.rating"),
      value: number(card.rating, { minimumFractionDigits: 1, maximumFractionDigits: 1 }),
      note: standing("rating").better ? "" : t("card.rating.means"),
      ...standing("rating"),
      title: t("card.rating.means"),
    });
  if (card.agreement !== null)
    shown.push({
      name: t("card.agreement"),
      value: share(card.agreement),
      note: t("card.agreement.means", { agent: review.agent.split(":")[0] ?? "", n: number(card.decisions) }),
    });
  if (card.bad !== null)
    shown.push({
      name: t("card.bad"),
      value: share(card.bad),
      note: t(`card.bad.${review.unit}`, { bad: number(review.bad) }),
      ...standing("bad"),
    });
  if (card.loss !== null && card.per_hand !== null)
    shown.push({
      name: t("card.loss"),
      value: t(`card.loss.${review.unit}`, { loss: roughly(card.loss, review.unit) }),
      note: t(`card.perhand.${review.unit}`, { loss: number(card.per_hand, { maximumSignificantDigits: 2 }) }),
      ...standing("per_hand"),
      bare: roughly(card.loss, review.unit),
      unit: t(`card.unit.${review.unit}`),
    });
  return [...shown, ...luckFigures(luck, seat, review.family)];
}

/** Whether luck is still being measured. @param {Luck | null} luck */
function isMeasured(luck) {
  return luck !== null && !luck.running;
}

/**
 * @param {Luck | null} luck
 * @param {number} seat
 * @param {string} family
 * @returns {Figure[]}
 */
function luckFigures(luck, seat, family) {
  if (!isMeasured(luck)) {
    const names = ["card.luck", traitsOf(family).ranked ? "card.adjusted" : "card.adjusted.points"];
    return names.map((name) => ({ name: t(name), value: "…", note: "", waiting: true }));
  }
  if (!luck?.available || !luck.luck) return [];
  const two = { minimumFractionDigits: 2, maximumFractionDigits: 2 };
  if (luck.adjusted_ranks) {
    const rank = number(luck.ranks?.[seat] ?? 0, { maximumFractionDigits: 1 });
    const adjusted = luck.adjusted_ranks[seat] ?? 0;
    const beyond = adjusted < 1 || adjusted > luck.adjusted_ranks.length;
    return [
      { name: t("card.luck"), value: signed(luck.luck[0]?.[seat] ?? 0, two), note: t("card.luck.means") },
      {
        name: t("card.adjusted"),
        value: number(adjusted, two),
        note: [t("card.adjusted.means", { rank }), beyond ? t("card.adjusted.beyond") : ""]
          .filter(Boolean)
          .join(" · "),
      },
    ];
  }
  const whole = { maximumFractionDigits: 0 };
  return [
    { name: t("card.luck"), value: signed(luck.luck[1]?.[seat] ?? 0, whole), note: t("card.luck.points") },
    {
      name: t("card.adjusted.points"),
      value: signed(luck.adjusted_scores?.[seat] ?? 0, whole),
      note: t("card.adjusted.points.means", { points: signed(luck.scores?.[seat] ?? 0, whole) }),
    },
  ];
}

/**
 * @param {Review} review
 * @param {Card} card
 * @param {(number: number) => void} go
 */
function byLoss(review, card, go) {
  const items = card.turning_points.map((number_) => {
    const row = review.rows[number_];
    if (!row) return null;
    const plan = review.plans.find((one) => one.worst === number_);
    const lost = plan?.cost ?? row.loss;
    const words = [handName(review, row.hand), t("rv.turn", { n: row.turn })].join(" · ");
    return turn(
      lost === null ? "?" : lostWords(lost, review.unit),
      [h("span", { class: "rv-turn-what" }, actionElement(row.played), " → ", actionElement(row.best))],
      words,
      () => go(number_),
    );
  });
  return turnList(t("card.turning.loss"), items);
}

/**
 * @param {Review} review
 * @param {Luck | null} luck
 * @param {number} seat
 * @param {(number: number) => void} go
 */
function byLuck(review, luck, seat, go) {
  if (!isMeasured(luck)) return turnList(t("card.turning.luck"), [], t("rv.luck.running"));
  if (!luck?.available || !luck.events?.length) return null;
  return turnList(
    t("card.turning.luck"),
    strokes(luck, seat).map((event) => {
      const near = nearest(review, event, seat);
      const words = [handName(review, event[0]), event[2] >= 0 ? playerName(review, event[2]) : ""];
      return turn(
        strokeWords(luck, event, seat),
        [h("span", { class: "rv-turn-what" }, kindName(luck, event), event[3] ? tile(event[3], { size: 18 }) : null)],
        words.filter(Boolean).join(" · "),
        near === null ? null : () => go(near),
      );
    }),
  );
}

/**
 * A loss as a change.
 * @param {number} lost
 * @param {import("./types.js").Unit} unit
 */
export function lostWords(lost, unit) {
  const digits = { rank: 2, points: 0, hand_points: 1, probability: 2 }[unit];
  return signed(-lost, { minimumFractionDigits: digits, maximumFractionDigits: digits });
}

/**
 * How much a chance event gave a player or took.
 * @param {Luck} luck
 * @param {LuckEvent} event
 * @param {number} seat
 */
export function strokeWords(luck, event, seat) {
  const digits = luck.adjusted_ranks ? 2 : 0;
  return signed(amountOf(luck, event, seat), { minimumFractionDigits: digits, maximumFractionDigits: digits });
}

/**
 * What a chance event was.
 * @param {Luck} luck
 * @param {LuckEvent} event
 */
export function kindName(luck, event) {
  const kind = (luck.kinds ?? [])[event[1]] ?? "";
  return tOr(`rv.luck.${kind}`, kind);
}

/**
 * @param {Luck} luck
 * @param {LuckEvent} event
 * @param {number} seat
 */
function amountOf(luck, event, seat) {
  return event[luck.adjusted_ranks ? 5 : 6][seat] ?? 0;
}

/**
 * The chance events that moved a player's result most.
 * @param {Luck} luck
 * @param {number} seat
 */
export function strokes(luck, seat) {
  return [...(luck.events ?? [])]
    .sort((a, b) => Math.abs(amountOf(luck, b, seat)) - Math.abs(amountOf(luck, a, seat)))
    .slice(0, TURNS);
}

/**
 * The reviewed decision of a player that comes next after a chance event, or the last one of its hand.
 * @param {Review} review
 * @param {LuckEvent} event
 * @param {number} seat
 */
function nearest(review, event, seat) {
  const rows = review.rows.filter((row) => row.hand === event[0] && row.seat === seat);
  return (rows.find((row) => row.turn >= event[4]) ?? rows[rows.length - 1])?.number ?? null;
}

/**
 * @param {string} amount
 * @param {(HTMLElement | null)[]} what
 * @param {string} where
 * @param {(() => void) | null} go
 */
function turn(amount, what, where, go) {
  return h(
    "li",
    null,
    h(
      "button",
      { type: "button", class: "rv-turn", disabled: !go, onclick: go ?? undefined },
      h("strong", { class: `numbers ${amount.startsWith("+") ? "good" : "bad"}` }, amount),
      h("span", { class: "rv-turn-words" }, what, h("span", { class: "small soft" }, where)),
    ),
  );
}

/**
 * @param {string} title
 * @param {(HTMLElement | null)[]} items
 * @param {string} none what is said if there are none
 */
function turnList(title, items, none = t("card.turning.none")) {
  const some = items.filter((one) => one !== null);
  return h(
    "div",
    null,
    h("h3", { class: "small soft" }, title),
    some.length ? h("ol", null, some) : h("p", { class: "small" }, none),
  );
}

/**
 * What percentiles compare with, and how true losses are.
 * @param {Review} review
 */
function norms(review) {
  const { games = 0, source = "", agent = "", date = "" } = review.norms ?? {};
  const compared = review.norms ? t("card.norms", { games: number(games), years: yearsOf(source), agent, date }) : "";
  return h("p", { class: "small soft rv-norms" }, sentences(compared, truthWords(review)));
}

/**
 * All players, a column each.
 * @param {Review} review
 * @param {Luck | null} luck
 * @param {(seat: number) => void} choose
 */
function everybody(review, luck, choose) {
  const seats = review.seats.filter((seat) => review.cards[String(seat)]);
  const of = seats.map((seat) => figures(review, seat, luck));
  return h(
    "section",
    { class: "card rv-card", "aria-label": t("card.all") },
    h(
      "div",
      { class: "rv-scroll" },
      h(
        "table",
        { class: "numbers rv-everybody" },
        h(
          "thead",
          null,
          h(
            "tr",
            null,
            h("td", null),
            seats.map((seat) =>
              h(
                "th",
                { scope: "col" },
                h("button", { type: "button", class: "quiet", onclick: () => choose(seat) }, playerName(review, seat)),
              ),
            ),
          ),
        ),
        h(
          "tbody",
          null,
          (of[0] ?? []).map(({ name, unit }, i) =>
            h(
              "tr",
              null,
              h("th", { scope: "row" }, unit ? t("card.in", { name, unit }) : name),
              of.map((all) =>
                h(
                  "td",
                  { title: [all[i]?.better, all[i]?.note].filter(Boolean).join(" · ") },
                  all[i]?.bare ?? all[i]?.value ?? "–",
                ),
              ),
            ),
          ),
        ),
      ),
    ),
    norms(review),
  );
}
