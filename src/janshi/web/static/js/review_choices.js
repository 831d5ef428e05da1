/**
 * What the agent makes of a decision: the verdict, every legal choice with what it costs, and how the agent would go on.
 * @module
 */
import { numberName, saidAll, saidLine } from "./agent_words.js";
import { h } from "./dom.js";
import { number, t } from "./i18n.js";
import { FULL, bar, choiceElement, cost, costWords, percent, tagWords } from "./review_words.js";

/** @typedef {import("./review_types.js").Decision} Decision */
/** @typedef {import("./review_types.js").Weighed} Weighed */
/** @typedef {import("./review_types.js").Review} Review */

const CHANCES = new Set([
  "win",
  "deal-in",
  "lose",
  "other",
  "tenpai draw",
  "noten draw",
  "probability",
  "danger right",
  "danger across",
  "danger left",
]);

/**
 * @param {Decision} decision
 * @param {Review} review
 * @param {number | null} [answer] what somebody chose in the quiz
 * @returns {HTMLElement[]}
 */
export function decisionElements(decision, review, answer = null) {
  return [
    verdict(decision, review),
    choicesTable(decision, review, answer),
    meaning(review),
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
    h(
      "span",
      { class: "rv-cost" },
      decision.loss === null ? t("rv.unvalued", { agent }) : costWords(decision.loss, review.unit),
    ),
    decision.tag ? h("span", { class: "rv-tag" }, tagWords(decision.tag)) : null,
  );
}

/**
 * @param {Decision} decision
 * @param {Review} review
 * @param {number | null} answer
 */
function choicesTable(decision, review, answer) {
  const dealing = ["lose", "deal-in"].find((name) => decision.choices.some((one) => name in one.numbers));
  const winning = decision.choices.some((one) => "win" in one.numbers);
  const rank = decision.choices.some((one) => "rank" in one.numbers);
  const heads = [
    t("rv.choice"),
    t(`rv.loses.${review.unit}`),
    rank ? t("rv.rank") : null,
    winning ? t("rv.win") : null,
    dealing ? t("rv.dealin") : null,
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
      decision.choices.map((one) => choiceRow(one, decision, review, { dealing, winning, rank, answer })),
    ),
  );
}

/**
 * @param {Weighed} one
 * @param {Decision} decision
 * @param {Review} review
 * @param {{dealing: string | undefined, winning: boolean, rank: boolean, answer: number | null}} show
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
  const chance = (/** @type {string | undefined} */ name) =>
    h("td", null, name && name in one.numbers ? percent(one.numbers[name] ?? 0) : "–");
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
    lost,
    show.rank
      ? h(
          "td",
          null,
          "rank" in one.numbers
            ? number(one.numbers.rank ?? 0, { minimumFractionDigits: 2, maximumFractionDigits: 2 })
            : "–",
        )
      : null,
    show.winning ? chance("win") : null,
    show.dealing ? chance(show.dealing) : null,
  );
}

/** How the agent means a call or riichi to go on, where it says more than the action. @param {Weighed} one */
function meant(one) {
  const rest = one.then ? saidAll(one.then) : one.meant.split(", ").slice(1).join(", "); // older reviews have English only
  return rest ? h("span", { class: "small soft rv-meant" }, rest) : null;
}

/** @param {Review} review */
function meaning(review) {
  const full = number(FULL[review.unit]);
  const agent = review.agent.split(":")[0] ?? "";
  return h(
    "p",
    { class: "small soft rv-meaning" },
    t(`rv.meaning.${review.unit}`, { agent, full }),
    agent === "mdp" ? ` ${t("rv.meaning.experts")}` : "",
    review.everything ? "" : ` ${t("rv.meaning.discards")}`,
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
  const text = (/** @type {string} */ name, /** @type {number | undefined} */ value) =>
    value === undefined
      ? "–"
      : CHANCES.has(name)
        ? percent(value)
        : number(value, { maximumFractionDigits: name.includes("points") ? 0 : 3 });
  return h(
    "details",
    { class: "rv-all" },
    h("summary", null, t("rv.numbers")),
    h(
      "div",
      { class: "rv-scroll" },
      h(
        "table",
        { class: "small numbers" },
        h(
          "thead",
          null,
          h(
            "tr",
            null,
            h("th"),
            names.map((name) => h("th", { scope: "col" }, numberName(name))),
          ),
        ),
        h(
          "tbody",
          null,
          decision.choices.map((one) =>
            h(
              "tr",
              null,
              h("th", { scope: "row" }, choiceElement(one, review.family)),
              names.map((name) => h("td", null, text(name, one.numbers[name]))),
            ),
          ),
        ),
      ),
    ),
  );
}
