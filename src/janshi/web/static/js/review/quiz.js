/**
 * What would you do? The position and the legal choices; only after an answer what was played and what the agent
 * thinks.
 * @module
 */
import { Board } from "../board.js";
import { fill, h } from "../dom.js";
import { number, t } from "../i18n.js";
import { answerByKeys } from "../keys.js";
import { decisionElements } from "./choices.js";
import { whyElements } from "./why.js";
import { choiceElement, costWords, handName, playerName, withNames } from "./words.js";

/** @typedef {import("./types.js").Review} Review */
/** @typedef {import("./types.js").Source} Source */
/** @typedef {import("./types.js").Question} Question */

const WAIT = 2000;

export class Quiz {
  /**
   * @param {HTMLElement} root
   * @param {Source} source
   * @param {Review} review
   * @param {number | null} seat whose decisions are asked about, unless another player is chosen
   * @param {import("../types.js").App} app
   * @param {() => void} leave
   */
  constructor(root, source, review, seat, app, leave) {
    this.root = root;
    this.source = source;
    this.review = review;
    this.seat = seat;
    this.app = app;
    this.leave = leave;
    this.board = new Board();
    this.place = h("div", { class: "rv-board" }, this.board.element);
    this.side = h("div", { class: "rv-side card" });
    this.score = h("p", { class: "rv-score", role: "status" });
    this.timer = 0;
    /** @type {Question | null} */
    this.question = null;
    this.endKeys = () => {};
  }

  /** Asks whose decisions to ask about, and begins. */
  start() {
    const seat = h(
      "select",
      { id: "rv-quiz-seat" },
      this.review.seats.map((one) =>
        h("option", { value: one, selected: one === this.seat }, playerName(this.review, one)),
      ),
    );
    const pick = h(
      "select",
      { id: "rv-quiz-pick" },
      h("option", { value: "stakes" }, t("rv.quiz.stakes")),
      h("option", { value: "all" }, t("rv.quiz.all")),
    );
    const chosen = () => (pick.value === "all" ? "all" : "stakes");
    const begin = h(
      "button",
      { type: "button", class: "primary", onclick: () => void this.#begin(Number(seat.value), chosen()) },
      t("rv.quiz.begin"),
    );
    fill(
      this.root,
      h(
        "section",
        { class: "card narrow stack" },
        h("h1", null, t("rv.quiz")),
        h("p", null, t("rv.quiz.intro")),
        h("label", { class: "field" }, h("span", null, t("rv.whose")), seat),
        h("label", { class: "field" }, h("span", null, t("rv.quiz.which")), pick),
        h("div", { class: "row" }, begin, h("button", { type: "button", onclick: this.leave }, t("rv.quiz.leave"))),
      ),
    );
    begin.focus();
  }

  stop() {
    clearTimeout(this.timer);
    this.endKeys();
  }

  /**
   * @param {number} seat
   * @param {"all" | "stakes"} pick
   */
  async #begin(seat, pick) {
    await this.source.beginQuiz(seat, pick);
    fill(
      this.root,
      h(
        "div",
        { class: "rv-top" },
        h("h1", null, t("rv.quiz")),
        this.score,
        h("button", { type: "button", onclick: this.leave }, t("rv.quiz.leave")),
      ),
      h("div", { class: "rv-layout" }, this.place, this.side),
    );
    this.endKeys = answerByKeys(
      this.board,
      () => this.question?.choices ?? [],
      (choice) => void this.#answer(choice.action),
    );
    await this.#next();
  }

  async #next() {
    const state = await this.source.question();
    this.question = state.question;
    this.#showScore(state.score, state.questions);
    if (!state.question) {
      this.place.hidden = true;
      fill(this.side, h("p", null, state.finished ? t("rv.quiz.over") : t("rv.quiz.wait")));
      if (!state.finished) this.timer = setTimeout(() => void this.#next(), WAIT);
      return;
    }
    this.place.hidden = false;
    this.#ask(state.question);
  }

  /** @param {Question} question */
  #ask(question) {
    const choose = (/** @type {import("../types.js").Choice} */ choice) => void this.#answer(choice.action);
    this.board.update(withNames(question.position, this.review), {
      choices: question.choices,
      onChoice: choose,
      animate: false,
    });
    const others = question.choices.filter((choice) => choice.kind !== "discard" && choice.kind !== "tsumogiri");
    fill(
      this.side,
      h("h2", null, `${handName(this.review, question.hand)} · ${t("rv.turn", { n: question.turn })}`),
      h("p", null, t("rv.quiz.ask")),
      others.length < question.choices.length ? h("p", { class: "soft" }, t("rv.quiz.press")) : null,
      h(
        "div",
        { class: "rv-answers" },
        others.map((choice) =>
          h(
            "button",
            { type: "button", dataset: { action: choice.action }, onclick: () => choose(choice) },
            choiceElement(choice, this.review.family),
          ),
        ),
      ),
    );
    this.app.announce(t("rv.quiz.ask"));
  }

  /** @param {number} action */
  async #answer(action) {
    const question = this.question;
    if (!question) return;
    this.question = null;
    /** @type {import("./types.js").Verdict} */
    let verdict;
    try {
      verdict = await this.source.answer(question.number, action);
    } catch (problem) {
      this.question = question; // it can be answered again
      this.app.toast(problem instanceof Error ? problem.message : String(problem), "error");
      return;
    }
    this.#showScore(verdict.score, null);
    this.board.update(withNames(question.position, this.review), { animate: false });
    const words = verdict.as_good
      ? t("rv.quiz.right")
      : verdict.loss === null
        ? t("rv.quiz.unknown")
        : t("rv.quiz.wrong", { cost: costWords(verdict.loss, this.review.unit) });
    const next = h(
      "button",
      { type: "button", class: "primary", onclick: () => void this.#next() },
      t("rv.quiz.next"),
    );
    fill(
      this.side,
      h("p", { class: `rv-answer ${verdict.as_good ? "good" : "bad"}`, role: "status" }, words),
      next,
      ...decisionElements(verdict.decision, this.review, action, this.#why(verdict.decision, action)),
    );
    next.focus({ preventScroll: true });
  }

  /**
   * The answer beside the reviewer's choice.
   * @param {import("./types.js").Decision} decision
   * @param {number} action
   */
  #why(decision, action) {
    const place = h("div", { class: "rv-why-place" });
    const answered = { ...decision, played: action, agreed: action === decision.best };
    void this.source.why(decision.number, action).then(
      (why) => fill(place, why ? whyElements(answered, this.review, why, "why.answer") : null),
      () => {},
    );
    return place;
  }

  /**
   * @param {import("./types.js").Score} score
   * @param {number | null} questions
   */
  #showScore(score, questions) {
    if (questions !== null) this.questions = questions;
    const rate = (/** @type {number | null} */ value) =>
      value === null ? "–" : number(value, { maximumSignificantDigits: 2 });
    this.score.textContent = t("rv.quiz.score", {
      right: score.right,
      answered: score.answered,
      questions: this.questions ?? 0,
      rate: rate(score.rate),
      played: rate(score.played_rate),
    });
  }
}
