/**
 * A drill: as many right discards as possible before the time is up.
 * @module
 */
import { ask } from "../api.js";
import { Board } from "../board.js";
import { fill, h } from "../dom.js";
import { number, t } from "../i18n.js";
import { answerByKeys, isTaken, TILE_KEYS } from "../keys.js";
import { shantenWords } from "../review/why.js";
import { tile, tileName } from "../tiles.js";

/** @typedef {import("../schema.js").DrillQuestion} Question */
/** @typedef {import("../schema.js").DrillVerdict} Verdict */

const TIMES = [60, 120, 300];
const LARGEST = 2 ** 31 - 1;

export class Drill {
  /**
   * @param {HTMLElement} root
   * @param {import("./page.js").DrillKind} kind
   * @param {import("../types.js").App} app
   */
  constructor(root, kind, app) {
    this.root = root;
    this.kind = kind;
    this.app = app;
    this.seconds = 0;
    this.left = 0;
    this.right = 0;
    this.answered = 0;
    this.timer = 0;
    this.clock = h("p", { class: "pr-clock", role: "timer" });
    this.place = h("div", { class: "pr-question" });
    this.result = h("div", { class: "pr-result", "aria-live": "polite" });
    this.endKeys = () => {};
  }

  stop() {
    clearInterval(this.timer);
    this.endKeys();
  }

  /** Explains the drill and lets the time be chosen. */
  intro() {
    const seconds = h(
      "select",
      { id: "pr-seconds" },
      TIMES.map((time) => h("option", { value: time }, t("pr.seconds", { n: time }))),
    );
    const begin = () => void this.begin(Number(seconds.value));
    fill(
      this.root,
      h(
        "section",
        { class: "card narrow stack" },
        h("h1", null, t(`pr.${this.kind}`)),
        h("p", null, t(`pr.${this.kind}.how`)),
        h("label", { class: "field" }, h("span", null, t("pr.time")), seconds),
        h(
          "div",
          { class: "row" },
          h("button", { type: "button", class: "primary", onclick: begin }, t("pr.begin")),
          h("a", { class: "button", href: "#/practice" }, t("pr.back")),
        ),
      ),
    );
  }

  /** @param {number} seconds */
  async begin(seconds) {
    Object.assign(this, { seconds, left: seconds, right: 0, answered: 0 });
    fill(
      this.root,
      h("div", { class: "rv-top" }, h("h1", null, t(`pr.${this.kind}`)), this.clock),
      h("div", { class: "card stack" }, this.place, this.result),
    );
    this.#tick();
    await this.#next();
    this.timer = setInterval(() => {
      this.left -= 1;
      this.#tick();
      if (this.left <= 0) void this.#end();
    }, 1000);
  }

  #tick() {
    this.clock.textContent = t("pr.clock", { n: Math.max(0, this.left), right: this.right, answered: this.answered });
  }

  async #next() {
    this.endKeys();
    const params = { kind: this.kind, number: Math.floor(Math.random() * LARGEST) };
    const question = await ask("GET /api/practice/drills/{kind}", { params });
    fill(this.result);
    this.#show(question);
  }

  /** @param {Question} question */
  #show(question) {
    let given = false;
    const choose = (/** @type {string} */ text) => {
      if (given || this.left <= 0) return;
      given = true;
      this.#answer(question, text).catch((problem) => {
        given = false; // it can be answered again
        this.app.toast(problem instanceof Error ? problem.message : String(problem), "error");
      });
    };
    if (question.question) {
      const { position, choices } = question.question;
      const board = new Board();
      const discards = choices.filter((one) => one.kind === "discard" || one.kind === "tsumogiri");
      board.update(position, { choices: discards, onChoice: (one) => choose(one.tile ?? ""), animate: false });
      this.endKeys = answerByKeys(
        board,
        () => discards,
        (one) => choose(one.tile ?? ""),
      );
      fill(this.place, h("p", null, t("pr.defence.ask")), h("div", { class: "rv-board" }, board.element));
      return;
    }
    this.endKeys = pressTiles(question.hand ?? [], choose);
    fill(
      this.place,
      h("p", null, t("pr.efficiency.ask")),
      h(
        "div",
        { class: "pr-hand" },
        (question.hand ?? []).map((text) =>
          h(
            "button",
            { type: "button", class: "pr-tile", dataset: { tile: text }, onclick: () => choose(text) },
            tile(text, { label: tileName(text) }),
          ),
        ),
      ),
    );
  }

  /**
   * @param {Question} question
   * @param {string} text
   */
  async #answer(question, text) {
    const body = { number: question.number, tile: text };
    const verdict = await ask("POST /api/practice/drills/{kind}", { params: { kind: this.kind }, body });
    this.answered += 1;
    this.right += Number(verdict.right);
    this.#tick();
    if (verdict.right) {
      if (this.left > 0) await this.#next();
      return;
    }
    this.#explain(verdict, text);
  }

  /**
   * After a wrong answer: what would have been right, and how far off the answer was.
   * @param {Verdict} verdict
   * @param {string} text
   */
  #explain(verdict, text) {
    const plain = text.replace("0", "5");
    const shown = verdict.rows.filter((row, i) => i < 3 || row.right || row.tile === plain);
    const next = h("button", { type: "button", class: "primary", onclick: () => void this.#next() }, t("pr.next"));
    fill(
      this.result,
      h("p", { class: "rv-answer bad" }, t("pr.drill.wrong")),
      h(
        "table",
        { class: "numbers pr-rows" },
        shown.map((row) =>
          h(
            "tr",
            { class: row.right ? "pr-best" : row.tile === plain ? "pr-given" : "" },
            h("th", { scope: "row" }, tile(row.tile, { label: tileName(row.tile) })),
            h("td", null, rowWords(row)),
          ),
        ),
      ),
      next,
    );
    next.focus({ preventScroll: true });
  }

  async #end() {
    this.stop();
    const { right, answered, seconds } = this;
    await ask("POST /api/practice/drills/{kind}/results", {
      params: { kind: this.kind },
      body: { right, answered, seconds },
    });
    this.app.announce(t("pr.over", { right, answered }));
    fill(
      this.root,
      h(
        "section",
        { class: "card narrow stack" },
        h("h1", null, t(`pr.${this.kind}`)),
        h("p", { class: "pr-state" }, t("pr.over", { right, answered })),
        h(
          "div",
          { class: "row" },
          h("button", { type: "button", class: "primary", onclick: () => this.intro() }, t("pr.once_more")),
          h("a", { class: "button", href: "#/practice" }, t("pr.back")),
        ),
      ),
    );
  }
}

/**
 * Answers by the keys of tiles, from the left.
 * @param {string[]} hand
 * @param {(text: string) => void} choose
 * @returns {() => void} ends it
 */
function pressTiles(hand, choose) {
  const onKey = (/** @type {KeyboardEvent} */ event) => {
    const text = hand[TILE_KEYS.indexOf(event.key.toLowerCase())];
    if (!text || isTaken(event)) return;
    event.preventDefault();
    choose(text);
  };
  addEventListener("keydown", onKey);
  return () => removeEventListener("keydown", onKey);
}

/** @param {import("../schema.js").DrillRow} row */
function rowWords(row) {
  if (row.danger !== null) {
    return t("pr.danger", { chance: number(row.danger, { style: "percent", maximumFractionDigits: 1 }) });
  }
  return t("pr.useful", { n: row.left ?? 0, distance: shantenWords(row.shanten ?? 0) });
}
