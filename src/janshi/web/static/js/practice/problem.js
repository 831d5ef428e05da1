/**
 * One problem after another: the position as its player saw it, an answer, then what every choice loses.
 * @module
 */
import { ask } from "../api.js";
import { Board } from "../board.js";
import { fill, h } from "../dom.js";
import { language, t } from "../i18n.js";
import { answerByKeys } from "../keys.js";
import { decisionElements } from "../review/choices.js";
import { whyElements } from "../review/why.js";
import { choiceElement, costWords } from "../review/words.js";

/** @typedef {import("../schema.js").PracticeProblem} Problem */
/** @typedef {import("../schema.js").VerdictText} Verdict */

export class ProblemView {
  /**
   * @param {HTMLElement} root
   * @param {import("./page.js").Source} source
   * @param {import("../types.js").App} app
   */
  constructor(root, source, app) {
    this.root = root;
    this.source = source;
    this.app = app;
    this.board = new Board();
    this.side = h("div", { class: "rv-side card" });
    this.right = 0;
    this.answered = 0;
    this.score = h("p", { class: "rv-score", role: "status" });
    /** @type {Problem | null} */
    this.open = null;
    this.stop = answerByKeys(
      this.board,
      () => this.open?.question.choices ?? [],
      (choice) => this.#choose(choice),
    );
    fill(
      root,
      h(
        "div",
        { class: "rv-top" },
        h("h1", null, t(`pr.${source}`)),
        this.score,
        h("a", { class: "button", href: "#/practice" }, t("pr.back")),
      ),
      h("div", { class: "rv-layout" }, h("div", { class: "rv-board" }, this.board.element), this.side),
    );
  }

  async next() {
    const { problem } = await ask("GET /api/practice/next", { params: { source: this.source } });
    if (!problem) {
      fill(
        this.root,
        h(
          "section",
          { class: "card narrow stack" },
          h("h1", null, t(`pr.${this.source}`)),
          h("p", null, this.answered ? t("pr.all_done") : t(`pr.${this.source}.none`)),
          h("a", { class: "button primary", href: "#/practice" }, t("pr.back")),
        ),
      );
      return;
    }
    this.#ask(problem);
  }

  /** @param {Problem} problem */
  #ask(problem) {
    const { question } = problem;
    this.open = problem;
    const choose = (/** @type {import("../types.js").Choice} */ choice) => this.#choose(choice);
    this.board.update(question.position, { choices: question.choices, onChoice: choose, animate: false });
    const others = question.choices.filter((choice) => choice.kind !== "discard" && choice.kind !== "tsumogiri");
    fill(
      this.side,
      h("h2", null, t("rv.quiz.ask")),
      h("p", null, t("rv.turn", { n: question.turn })),
      others.length < question.choices.length ? h("p", { class: "soft" }, t("rv.quiz.press")) : null,
      h(
        "div",
        { class: "rv-answers" },
        others.map((choice) =>
          h(
            "button",
            { type: "button", dataset: { action: choice.action }, onclick: () => choose(choice) },
            choiceElement(choice, question.position.rules.family),
          ),
        ),
      ),
    );
    this.app.announce(t("rv.quiz.ask"));
  }

  /** @param {import("../types.js").Choice} choice */
  #choose(choice) {
    const problem = this.open;
    this.open = null;
    if (problem)
      void this.#answer(problem, choice.action).catch((wrong) => {
        this.open = problem; // it can be answered again
        this.app.toast(wrong instanceof Error ? wrong.message : String(wrong), "error");
      });
  }

  /**
   * @param {Problem} problem
   * @param {number} action
   */
  async #answer(problem, action) {
    const body = { problem: problem.id, action, daily: this.source === "daily" };
    const verdict = await ask("POST /api/practice/answers", { body });
    this.answered += 1;
    this.right += Number(verdict.right);
    this.score.textContent = t("pr.score", { right: this.right, answered: this.answered });
    this.board.update(problem.question.position, { animate: false });
    const words = verdict.right
      ? t("rv.quiz.right")
      : verdict.loss === null
        ? t("rv.quiz.unknown")
        : t("rv.quiz.wrong", { cost: costWords(verdict.loss, verdict.unit) });
    const onwards =
      this.source === "daily"
        ? h("a", { class: "button primary", href: "#/practice" }, t("pr.back"))
        : h("button", { type: "button", class: "primary", onclick: () => void this.next() }, t("pr.next"));
    fill(
      this.side,
      h("p", { class: `rv-answer ${verdict.right ? "good" : "bad"}`, role: "status" }, words),
      h("p", { class: "small soft" }, verdict.due ? t("pr.again", { day: dayWords(verdict.due) }) : t("pr.learned")),
      onwards,
      ...decisionElements(verdict.decision, reviewLike(verdict), action, whyPlace(verdict, action)),
    );
    onwards.focus({ preventScroll: true });
  }
}

/**
 * The answer beside the reviewer's choice.
 * @param {Verdict} verdict
 * @param {number} action
 */
function whyPlace(verdict, action) {
  const { decision, why } = verdict;
  const answered = { ...decision, played: action, agreed: action === decision.best };
  return h("div", { class: "rv-why-place" }, whyElements(answered, reviewLike(verdict), why, "why.answer"));
}

/**
 * A day such as 2026-11-19 as people of the language write it.
 * @param {string} day
 */
function dayWords(day) {
  return new Date(`${day}T00:00`).toLocaleDateString(language(), { dateStyle: "medium" });
}

/**
 * The parts of a review that the table of choices and the reasons read. Players are named by where they sit.
 * @param {Verdict} verdict
 * @returns {import("../review/types.js").Review}
 */
function reviewLike({ agent, unit, family, everything, truth, decision }) {
  const places = ["pr.seat.you", "pr.seat.right", "pr.seat.across", "pr.seat.left"];
  const names = [0, 1, 2, 3].map((seat) => t(places[(seat - decision.seat + 4) % 4] ?? ""));
  return /** @type {import("../review/types.js").Review} */ ({ agent, unit, family, everything, truth, names });
}
