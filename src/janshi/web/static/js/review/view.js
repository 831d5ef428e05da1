/**
 * A review: the game on a board at every decision, with what the agent thinks of it.
 *
 * This file keeps what is shown and moves through the game; its neighbours draw the parts: `head`, `card`, `hands`,
 * `controls`, `scene` and the panels.
 * @module
 */
import { ask } from "../api.js";
import { Board } from "../board.js";
import { fill, h } from "../dom.js";
import { t } from "../i18n.js";
import { removeReview, reviewAgain, shareLink } from "./again.js";
import { cardElements } from "./card.js";
import { chancesElements } from "./chances.js";
import { decisionElements } from "./choices.js";
import { stepElements, TABS, tabElements } from "./controls.js";
import { handElements } from "./hands.js";
import { headElements, progressElements } from "./head.js";
import { luckElements } from "./luck.js";
import { firstFilter, mistakes, mistakesElements, ratesElements } from "./mistakes.js";
import { opponentsElements } from "./opponents.js";
import { playOn } from "./play_on.js";
import { Quiz } from "./quiz.js";
import { Replay } from "./replay.js";
import { resultElements } from "./result.js";
import { showStop, whereWords } from "./scene.js";
import { sharePicture } from "./share.js";
import { lastBefore, nearest, stopsOf } from "./stops.js";
import { whyElements } from "./why.js";

/** @typedef {import("./types.js").Review} Review */
/** @typedef {import("./types.js").Decision} Decision */
/** @typedef {import("./types.js").Luck} Luck */
/** @typedef {import("./types.js").Source} Source */
/** @typedef {import("./stops.js").Stop} Stop */

const POLL = 1000;

export class ReviewView {
  /**
   * @param {HTMLElement} root
   * @param {Source} source
   * @param {import("../types.js").App} app
   * @param {string | null} at number of the decision to begin with
   */
  constructor(root, source, app, at = null) {
    this.root = root;
    this.source = source;
    this.app = app;
    this.at = at;
    this.board = new Board();
    this.tab = "choices";
    this.open = false;
    this.measure = 0;
    this.timer = 0;
    this.stopped = false;
    /** @type {Stop | null} */
    this.stop_ = null;
    /** @type {Decision | null} */
    this.decision = null;
    /** @type {Luck | null} */
    this.luck = null;
    /** @type {Quiz | Replay | null} */
    this.quiz = null;
    this.turn = 0;
    /** Pixels of the last reasons, for which the next ones are expected. */
    this.whyHeight = 340;
    this.progress = h("div", { class: "rv-progress", role: "status" });
    this.top = h("div", { class: "rv-top" });
    this.card = h("div", { class: "rv-cards" });
    this.hands = h("nav", { class: "rv-hands", "aria-label": t("rv.hands") });
    this.steps = h("div", { class: "rv-steps", role: "group", "aria-label": t("rv.steps") });
    this.onward = h("div", { class: "rv-onward" });
    this.where = h("p", { class: "rv-where", "aria-live": "polite" });
    this.panel = h("div", { class: "rv-panel", role: "tabpanel", id: "rv-panel", tabindex: 0 });
    this.tabs = h("div", { class: "rv-tabs", role: "tablist", "aria-label": t("rv.panels") });
    this.place = h("div", { class: "rv-board" }, this.board.element);
    this.onKey = (/** @type {KeyboardEvent} */ event) => this.#key(event);
  }

  async start() {
    this.review = await this.source.review();
    if (!this.review.seats.length) {
      await this.#startReplay(0, null);
      return;
    }
    this.filter = firstFilter(this.review);
    if (this.review.seats.length > 1) this.filter.seat = this.review.seats[0] ?? 0;
    const wanted = this.at === null ? 0 : Number(this.at);
    const linked = this.at === null ? undefined : this.review.rows[wanted];
    if (linked) this.filter.seat = linked.seat;
    addEventListener("keydown", this.onKey);
    this.#layout();
    const first = this.#stops().find((stop) => stop.number !== null && stop.number >= wanted) ?? this.#stops()[0];
    if (first) await this.#go(first);
    else this.#drawPanel();
    this.#luckOfFinished();
    this.#poll();
  }

  stop() {
    this.stopped = true;
    clearTimeout(this.timer);
    this.quiz?.stop();
    removeEventListener("keydown", this.onKey);
  }

  /**
   * The review, once it is loaded.
   * @returns {Review}
   */
  get loaded() {
    return /** @type {Review} */ (this.review);
  }

  #filter() {
    return /** @type {import("./mistakes.js").Filter} */ (this.filter);
  }

  #stops() {
    return stopsOf(this.loaded, this.#filter().seat);
  }

  // --- layout -----------------------------------------------------------------------------------------------

  #layout() {
    this.quiz = null;
    fill(
      this.root,
      this.top,
      this.progress,
      this.card,
      h(
        "div",
        { class: "rv-layout" },
        h(
          "div",
          { class: "rv-main" },
          this.where,
          this.place,
          this.steps,
          this.onward,
          this.hands,
          h("p", { class: "small soft rv-keys" }, t("rv.keys")),
        ),
        h("div", { class: "rv-side card" }, this.tabs, this.panel),
      ),
    );
    fill(
      this.steps,
      ...stepElements(
        (step) => void this.#step(step),
        (step) => void this.#mistake(step),
      ),
    );
    this.#drawTop();
    this.#drawCard();
    this.#drawTabs();
    this.#drawHands();
    this.#drawProgress();
    this.#drawPanel();
  }

  #drawTop() {
    const review = this.loaded,
      { app } = this;
    const act = {
      choose: (/** @type {number | null} */ seat) => void this.#choosePlayer(seat),
      reveal: () => this.#reveal(),
      watch: () => void this.#startReplay(this.stop_?.hand ?? 0, () => this.#leave()),
      quiz: () => this.#startQuiz(),
    };
    const server = {
      share: () => void shareLink(review, this.stop_?.number ?? null, app),
      again: () => void reviewAgain(review, app),
      post: (/** @type {"cancel" | "resume"} */ what) => void this.#post(what),
      remove: () => void removeReview(review, app),
    };
    fill(this.top, ...headElements(review, this.#filter().seat, this.open, act, this.source.live ? server : null));
  }

  #drawProgress() {
    fill(this.progress, ...progressElements(this.loaded));
  }

  #drawCard() {
    const review = this.loaded;
    const before = turningPoints(this.card);
    fill(
      this.card,
      cardElements(review, this.#filter().seat, this.luck, {
        go: (number) => void this.#goTo(number),
        share: (seat) => void sharePicture(review, seat, this.luck),
        choose: (seat) => void this.#choosePlayer(seat),
      }),
    );
    const after = turningPoints(this.card);
    if (before && after) after.open = before.open; // it is drawn again when luck arrives
  }

  #drawTabs() {
    fill(this.tabs, ...tabElements(this.tab, (name) => this.#chooseTab(name)));
    this.panel.setAttribute("aria-labelledby", `rv-tab-${this.tab}`);
  }

  #drawHands() {
    fill(
      this.hands,
      handElements(this.loaded, this.#filter(), this.#stops(), this.stop_, (stop) => void this.#go(stop)),
    );
    const here = this.hands.querySelector('[aria-current="true"]');
    if (here instanceof HTMLElement)
      this.hands.scrollLeft = here.offsetLeft - this.hands.offsetLeft - this.hands.clientWidth / 3;
  }

  #drawBoard() {
    if (this.stop_) showStop(this.board, this.loaded, this.stop_, this.decision, this.#filter().seat, this.open);
  }

  /** Below a decision of a riichi game: play on from it. */
  #drawOnward() {
    const decision = this.decision;
    const possible = decision && this.source.live;
    const start = () =>
      decision ? void playOn(this.loaded, this.app, { number: decision.number, seat: decision.seat }) : undefined;
    fill(
      this.onward,
      possible ? h("button", { type: "button", class: "rv-play-on", onclick: start }, t("on.button")) : null,
    );
  }

  // --- moving -----------------------------------------------------------------------------------------------

  /** @param {1 | -1} step */
  async #step(step) {
    const stops = this.#stops();
    const here = stops.findIndex((stop) => stop.hand === this.stop_?.hand && stop.number === this.stop_.number);
    const stop = stops[here + step];
    if (stop) await this.#go(stop);
  }

  /** @param {1 | -1} step */
  async #mistake(step) {
    const numbers = mistakes(this.loaded, { ...this.#filter(), grouped: false })
      .map((plan) => plan.worst)
      .sort((a, b) => a - b);
    const here = this.stop_?.number ?? lastBefore(this.loaded, this.stop_?.hand ?? 0);
    const found = step > 0 ? numbers.find((one) => one > here) : [...numbers].reverse().find((one) => one < here);
    if (found === undefined) this.app.toast(t("rv.nomore"));
    else await this.#goTo(found);
  }

  /** @param {number} number */
  async #goTo(number) {
    const row = this.loaded.rows[number];
    if (row) await this.#go({ hand: row.hand, number });
  }

  /** @param {Stop} stop */
  async #go(stop) {
    const mine = ++this.turn;
    const decision = stop.number === null ? null : await this.source.decision(stop.number);
    if (mine !== this.turn || this.stopped) return;
    this.stop_ = stop;
    this.decision = decision;
    this.#drawBoard();
    this.#drawOnward();
    this.#drawHands();
    fill(this.where, whereWords(this.loaded, stop, decision));
    if (this.tab !== "rates" && this.tab !== "luck") this.#drawPanel();
    if (this.source.live && stop.number !== null)
      history.replaceState(null, "", `#/review/${this.loaded.id}?at=${stop.number}`);
  }

  /** @param {number | null} seat */
  async #choosePlayer(seat) {
    this.#filter().seat = seat;
    this.#drawTop();
    this.#drawCard();
    this.#drawPanel();
    const next = nearest(this.#stops(), this.stop_);
    if (next) await this.#go(next);
  }

  // --- panels -----------------------------------------------------------------------------------------------

  #drawPanel() {
    fill(this.panel, ...this.#content());
  }

  /** @returns {HTMLElement[]} */
  #content() {
    const review = this.loaded;
    if (this.tab === "mistakes") return this.#mistakes();
    if (this.tab === "rates") return ratesElements(review, this.#filter(), this.luck);
    if (this.tab === "luck") return this.#luck();
    if (!this.decision) {
      const end = this.stop_ ? review.hands[this.stop_.hand]?.end : null;
      return end ? resultElements(end, review) : [h("p", { class: "soft" }, t("rv.nothing"))];
    }
    return this.tab === "opponents" ? opponentsElements(this.decision, review) : this.#choices(this.decision);
  }

  #mistakes() {
    return mistakesElements(
      this.loaded,
      this.#filter(),
      this.stop_?.number ?? null,
      (number) => void this.#goTo(number),
      () => {
        this.#drawPanel();
        this.#drawHands();
      },
    );
  }

  #luck() {
    if (!this.luck) return [h("p", null, t("rv.luck.running"))];
    return luckElements(this.luck, this.loaded, this.#filter().seat, this.measure, (measure) => {
      this.measure = measure;
      this.#drawPanel();
    });
  }

  /** @param {Decision} decision */
  #choices(decision) {
    const again = () => {
      if (this.decision === decision && this.tab === "choices") this.#drawPanel();
    };
    return [
      ...decisionElements(decision, this.loaded, null, this.#why(decision)),
      ...chancesElements(decision, this.source, this.app, again),
    ];
  }

  /**
   * A place for the facts behind a decision; it is filled when they are there.
   * @param {Decision} decision
   */
  #why(decision) {
    const place = h("div", { class: "rv-why-place" }, whyElements(decision, this.loaded, null));
    place.style.minHeight = `${this.whyHeight}px`; // so that the table below does not jump when they arrive
    const drawn = (/** @type {HTMLElement[]} */ ...elements) => {
      fill(place, elements);
      place.style.minHeight = "";
      this.whyHeight = place.offsetHeight || this.whyHeight;
    };
    void this.source.why(decision.number).then(
      (why) => drawn(...(why ? whyElements(decision, this.loaded, why) : [])),
      () => drawn(),
    );
    return place;
  }

  /** @param {string} name */
  #chooseTab(name) {
    this.tab = name;
    this.#drawTabs();
    this.#drawPanel();
    if (name === "luck" || name === "rates") void this.#loadLuck();
  }

  #reveal() {
    this.open = !this.open;
    this.#drawTop();
    this.#drawBoard();
  }

  // --- luck and news ----------------------------------------------------------------------------------------

  /** A finished review measures luck by itself; before that it would only slow the review down. */
  #luckOfFinished() {
    if (this.loaded.state !== "waiting" && this.loaded.state !== "thinking") void this.#loadLuck();
  }

  async #loadLuck() {
    if (this.luck && !this.luck.running) return;
    try {
      this.luck = await this.source.luck();
    } catch (problem) {
      this.luck = { available: false, why: problem instanceof Error ? problem.message : "" };
    }
    if (this.stopped || this.quiz) return;
    this.#drawCard();
    if (this.tab === "luck" || this.tab === "rates") this.#drawPanel();
    if (this.luck.running) setTimeout(() => void this.#loadLuck(), POLL);
  }

  /** @param {"cancel" | "resume"} what */
  async #post(what) {
    await ask(`POST /api/reviews/{id}/${what}`, { params: { id: this.loaded.id } });
    await this.#refresh();
    this.#poll();
  }

  #poll() {
    clearTimeout(this.timer);
    if (this.stopped || !this.source.live || (this.loaded.state !== "waiting" && this.loaded.state !== "thinking"))
      return;
    this.timer = setTimeout(
      () =>
        void this.#refresh()
          .catch(() => {})
          .then(() => this.#poll()),
      POLL,
    );
  }

  /** Loads the decisions reviewed since. */
  async #refresh() {
    const before = this.loaded;
    const after = await this.source.news(before.rows.length);
    if (this.stopped) return;
    this.review = {
      ...before,
      ...after,
      rows: [...before.rows, ...after.rows.filter((row) => row.number >= before.rows.length)],
    };
    if (this.quiz) return;
    this.#drawProgress();
    if (after.state !== before.state) this.#drawTop();
    if (after.state !== before.state) this.#luckOfFinished();
    if (after.rows.length || after.state !== before.state) {
      this.#drawCard();
      this.#drawHands();
      if (this.tab === "mistakes" || this.tab === "rates") this.#drawPanel();
    }
    const first = this.#stops()[0];
    if (!this.stop_ && first) await this.#go(first);
  }

  // --- quiz, watching and keys ------------------------------------------------------------------------------

  /**
   * Watches the game instead of its review.
   * @param {number} hand
   * @param {(() => void) | null} leave
   */
  async #startReplay(hand, leave) {
    const box = h("div", { class: "rv-quiz" });
    fill(this.root, box);
    const replay = new Replay(box, this.source, this.loaded, this.app, { hand, seat: this.filter?.seat ?? 0, leave });
    this.quiz = replay;
    await replay.start();
  }

  #startQuiz() {
    const box = h("div", { class: "rv-quiz" });
    fill(this.root, box);
    this.quiz = new Quiz(box, this.source, this.loaded, this.#filter().seat, this.app, () => this.#leave());
    this.quiz.start();
  }

  #leave() {
    this.quiz?.stop();
    this.#layout();
    this.#drawBoard();
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    const typing = event.target instanceof HTMLElement && event.target.closest("input, select, textarea, dialog");
    if (typing || this.quiz || event.ctrlKey || event.altKey || event.metaKey) return;
    const first = this.#stops()[0];
    /** @type {Record<string, () => void>} */
    const keys = {
      ArrowLeft: () => void this.#step(-1),
      ArrowRight: () => void this.#step(1),
      ArrowUp: () => void this.#mistake(-1),
      ArrowDown: () => void this.#mistake(1),
      Home: () => void (first ? this.#go(first) : undefined),
      o: () => this.#reveal(),
    };
    TABS.forEach((name, i) => {
      keys[String(i + 1)] = () => this.#chooseTab(name);
    });
    const act = keys[event.key];
    if (!act) return;
    event.preventDefault();
    act();
  }
}

/**
 * The part of a score card that can be opened.
 * @param {HTMLElement} card
 * @returns {HTMLDetailsElement | null}
 */
function turningPoints(card) {
  return card.querySelector(".rv-turning");
}
