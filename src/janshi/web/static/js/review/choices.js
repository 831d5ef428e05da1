/**
 * The agent's opinion of a decision: the verdict, every legal choice with its cost, and the agent's plan.
 * @module
 */
import { numberName, saidAll, saidLine } from "../agent_words.js";
import { h } from "../dom.js";
import { number, t } from "../i18n.js";
import { drawChance, roughly } from "./why.js";
import {
  CLOSE,
  FULL,
  bar,
  choiceElement,
  cost,
  costOf,
  costWords,
  percent,
  sentences,
  tagElements,
  truthWords,
} from "./words.js";

/** @typedef {import("./types.js").Decision} Decision */
/** @typedef {import("./types.js").Weighed} Weighed */
/** @typedef {import("./types.js").Review} Review */

/** @typedef {Record<"winning" | "drawing" | "rank" | "experts" | "lost", boolean>} Columns */
/** @typedef {Columns & {dealing?: string, answer: number | null}} Shown */

const CHANCES = new Set([
  "win",
  "deal-in",
  "lose",
  "other",
  "tenpai draw",
  "noten draw",
  "draw",
  "probability",
  "danger right",
  "danger across",
  "danger left",
]);

/** Choices rarer than this share of the commonest are not told apart: exp(-FARTHEST_GAP) of `point_losses.py`. */
const NEVER = 0.000336;

/**
 * @param {Decision} decision
 * @param {Review} review
 * @param {number | null} [answer] what somebody chose in the quiz
 * @param {HTMLElement | null} [why] the facts behind the decision
 * @returns {HTMLElement[]}
 */
export function decisionElements(decision, review, answer = null, why = null) {
  return [
    verdict(decision, review),
    ...(why ? [why] : []),
    choicesTable(decision, review, answer),
    ...alike(decision, review),
    ...unseparated(decision, review),
    meaning(decision, review),
    ...line(decision),
    allNumbers(decision, review),
  ];
}

/**
 * @param {Decision} decision
 * @param {Review} review
 */
function verdict(decision, review) {
  const played = decision.choices.find((one) => one.action === decision.played);
  const best = decision.choices.find((one) => one.action === decision.best);
  if (!played || !best) return h("p");
  const agent = review.agent.split(":")[0] ?? "";
  if (decision.agreed) {
    return h(
      "p",
      { class: "rv-verdict agreed" },
      h("span", null, t("rv.played"), " ", choiceElement(played, review.family)),
      h("span", null, t("rv.agreed", { agent })),
    );
  }
  return h(
    "p",
    { class: "rv-verdict" },
    h("span", null, t("rv.played"), " ", choiceElement(played, review.family)),
    h("span", null, t("rv.would", { agent }), " ", choiceElement(best, review.family)),
    h("span", { class: isClose(decision, review) ? "rv-near" : "rv-cost" }, verdictWords(decision, review, agent)),
    decision.tag && !isClose(decision, review) ? h("span", { class: "rv-tag" }, tagElements(decision.tag)) : null,
  );
}

/**
 * Whether the choice played is about as good as the best.
 * @param {Decision} decision
 * @param {Review} review
 */
function isClose(decision, review) {
  const lost = costOf(decision, review.unit);
  return lost !== null && lost <= CLOSE[review.unit];
}

/**
 * The cost of the choice that was played, as text.
 * @param {Decision} decision
 * @param {Review} review
 * @param {string} agent
 */
function verdictWords(decision, review, agent) {
  const lost = costOf(decision, review.unit);
  if (lost === null) return t("rv.unvalued", { agent });
  return lost <= CLOSE[review.unit] ? t("rv.close") : costWords(lost, review.unit);
}

/**
 * A note if the reviewer gives all choices the same value.
 * @param {Decision} decision
 * @param {Review} review
 */
function alike(decision, review) {
  const agent = review.agent.split(":")[0] ?? "";
  return decision.alike ? [h("p", { class: "small rv-alike" }, t("rv.alike", { agent }))] : [];
}

/**
 * A note if the reviewer's network never makes several choices, so that their losses say less one by one.
 * @param {Decision} decision
 * @param {Review} review
 */
function unseparated(decision, review) {
  if (review.unit !== "hand_points") return [];
  const most = Math.max(...decision.choices.map((one) => one.experts ?? 0));
  const never = decision.choices.filter((one) => one.experts !== null && one.experts < NEVER * most).length;
  const agent = review.agent.split(":")[0] ?? "";
  return never > 1 ? [h("p", { class: "small rv-unseparated" }, t("rv.unseparated", { agent, n: never }))] : [];
}

/**
 * @param {Decision} decision
 * @param {Review} review
 * @param {number | null} answer
 */
function choicesTable(decision, review, answer) {
  const dealing = ["lose", "deal-in"].find((name) => decision.choices.some((one) => name in one.numbers));
  const whole = decision.outlook ?? null;
  const winning = whole !== null || decision.choices.some((one) => "win" in one.numbers);
  const drawing = whole !== null || decision.choices.some((one) => drawChance(one) !== undefined);
  const rank = decision.choices.some((one) => "rank" in one.numbers);
  const experts = decision.choices.some((one) => hasExperts(one));
  const lost = review.unit !== "probability";
  const heads = [
    t("rv.choice"),
    lost ? t(`rv.loses.${review.unit}`) : null,
    experts ? expertsName(review) : null,
    rank ? t("rv.rank") : null,
    winning ? t("rv.win") : null,
    dealing || whole ? t("rv.dealin") : null,
    drawing ? t("rv.draw") : null,
  ].filter(Boolean);
  return h(
    "table",
    { class: "rv-choices numbers" },
    h("caption", { class: "visually-hidden" }, t("rv.choices")),
    h(
      "thead",
      null,
      h(
        "tr",
        null,
        heads.map((words) => h("th", { scope: "col" }, words)),
      ),
    ),
    h(
      "tbody",
      null,
      decision.choices.map((one) =>
        choiceRow(one, decision, review, { dealing, winning, drawing, rank, experts, lost, answer }),
      ),
    ),
  );
}

/**
 * @param {Weighed} one
 * @param {Decision} decision
 * @param {Review} review
 * @param {Shown} show
 */
function choiceRow(one, decision, review, show) {
  const marks = [];
  if (one.action === decision.best)
    marks.push(
      h(
        "span",
        { class: "rv-mark best", title: t("rv.mark.best") },
        "★",
        h("span", { class: "visually-hidden" }, t("rv.mark.best")),
      ),
    );
  if (one.action === decision.played)
    marks.push(
      h(
        "span",
        { class: "rv-mark played", title: t("rv.mark.played") },
        "◀",
        h("span", { class: "visually-hidden" }, t("rv.mark.played")),
      ),
    );
  if (show.answer !== null && one.action === show.answer)
    marks.push(h("span", { class: "rv-mark answer" }, t("rv.mark.answer")));
  const whole = roughly(one, decision);
  const chance = (/** @type {string | undefined} */ name, /** @type {number | undefined} */ about) =>
    chanceCell(name ? one.numbers[name] : undefined, about);
  const drawn = drawChance(one);
  const lost =
    one.loss === null
      ? h("td", { class: "soft" }, t("rv.unknown"))
      : h(
          "td",
          { class: "rv-loss" },
          bar(one.loss / FULL[review.unit], "loss"),
          h("span", null, cost(one.loss, review.unit)),
        );
  const classes = [one.action === decision.best ? "is-best" : "", one.action === decision.played ? "is-played" : ""]
    .filter(Boolean)
    .join(" ");
  return h(
    "tr",
    { class: classes, dataset: { action: one.action } },
    h("th", { scope: "row" }, h("span", { class: "rv-what" }, choiceElement(one, review.family), marks, meant(one))),
    show.lost ? lost : null,
    show.experts ? expertsCell(one, show.lost) : null,
    show.rank
      ? h(
          "td",
          null,
          "rank" in one.numbers
            ? number(one.numbers.rank ?? 0, { minimumFractionDigits: 2, maximumFractionDigits: 2 })
            : "–",
        )
      : null,
    show.winning ? chance("win", whole?.win) : null,
    show.dealing || decision.outlook ? chance(show.dealing, whole?.lose) : null,
    show.drawing ? chanceCell(drawn, whole?.draw) : null,
  );
}

/**
 * A chance of the choice, or roughly that of the whole position.
 * @param {number | undefined} value
 * @param {number | undefined} about
 */
function chanceCell(value, about) {
  if (value !== undefined) return h("td", null, percent(value));
  if (about === undefined) return h("td", null, "–");
  return h("td", { class: "soft", title: t("why.roughly") }, `≈${percent(about)}`);
}

/**
 * What it means that chances are rough, or missing.
 * @param {Decision} decision
 */
function unknownChances(decision) {
  const without = decision.choices.filter((one) => !("win" in one.numbers));
  if (!decision.outlook || !without.length) return "";
  return t(without.some((one) => roughly(one, decision)) ? "why.roughly" : "why.declined");
}

/** Whether the reviewer knows what experts choose, not only what it chooses itself. @param {Review} review */
function knowsExperts(review) {
  return review.unit === "rank" || review.unit === "points";
}

/** The head of the column that says how often a choice is made. @param {Review} review */
function expertsName(review) {
  return knowsExperts(review) ? t("rv.experts") : t("rv.chooses", { agent: review.agent.split(":")[0] ?? "" });
}

/** @param {Weighed} one */
function hasExperts(one) {
  return one.experts !== null && one.experts !== undefined;
}

/**
 * How often experts, or a reviewer without values, choose this.
 * @param {Weighed} one
 * @param {boolean} plain without a bar
 */
function expertsCell(one, plain) {
  if (!hasExperts(one)) return h("td", { class: "rv-experts" }, "–");
  const often = one.experts ?? 0;
  return h("td", { class: "rv-experts" }, plain ? null : bar(often, "win"), h("span", null, percent(often)));
}

/** How a call or riichi continues, if the agent says more than the action. @param {Weighed} one */
function meant(one) {
  const english = one.meant.split(", ").slice(1).join(", "); // older reviews have only this
  const rest = one.then ? saidAll(one.then) : english;
  return rest ? h("span", { class: "small soft rv-meant" }, rest) : null;
}

/**
 * @param {Decision} decision
 * @param {Review} review
 */
function meaning(decision, review) {
  const full = number(FULL[review.unit]);
  const agent = review.agent.split(":")[0] ?? "";
  return h(
    "p",
    { class: "small soft rv-meaning" },
    sentences(
      t(`rv.meaning.${review.unit}`, { agent, full }),
      truthWords(review),
      knowsExperts(review) && decision.choices.some(hasExperts) ? t("rv.meaning.experts") : "",
      review.everything ? "" : t("rv.meaning.discards"),
      unknownChances(decision),
    ),
  );
}

/** @param {Decision} decision */
function line(decision) {
  const best = decision.choices.find((one) => one.action === decision.best);
  const words = best && decision.steps?.length ? saidLine(best, decision.steps) : decision.line;
  return words ? [h("p", { class: "small rv-line" }, h("strong", null, t("rv.line")), " ", words)] : [];
}

/**
 * @param {Decision} decision
 * @param {Review} review
 */
function allNumbers(decision, review) {
  const names = [...new Set(decision.choices.flatMap((one) => Object.keys(one.numbers)))];
  if (names.length < 2) return h("span", { hidden: true });
  const text = (/** @type {string} */ name, /** @type {number} */ value) =>
    CHANCES.has(name) ? percent(value) : number(value, { maximumFractionDigits: name.includes("points") ? 0 : 3 });
  return h(
    "details",
    { class: "rv-all" },
    h("summary", null, t("rv.numbers")),
    h(
      "ul",
      { class: "small numbers" },
      decision.choices.map((one) =>
        h(
          "li",
          null,
          choiceElement(one, review.family),
          Object.entries(one.numbers).map(([name, value]) =>
            h("span", { class: "rv-number" }, h("span", { class: "soft" }, `${numberName(name)} `), text(name, value)),
          ),
        ),
      ),
    ),
  );
}
