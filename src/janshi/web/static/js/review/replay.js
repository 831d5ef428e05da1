/**
 * A record to watch, turn by turn, with open or closed hands; no review is needed.
 * @module
 */
import { Board } from "../board.js";
import { fill, h } from "../dom.js";
import { addWords, t } from "../i18n.js";
import words from "../words/replay.js";
import { playOn } from "./play_on.js";
import { resultElements } from "./result.js";
import { closed, gameName, handName, playerName, withNames } from "./words.js";

addWords(words);

/** @typedef {import("./types.js").Review} Review */
/** @typedef {import("./types.js").Source} Source */
/** @typedef {import("./types.js").Moment} Moment */

const PACE = 900;

export class Replay {
  /**
   * @param {HTMLElement} root
   * @param {Source} source
   * @param {Review} review
   * @param {import("../types.js").App} app
   * @param {{hand: number, seat: number, leave: (() => void) | null}} start
   */
  constructor(root, source, review, app, { hand, seat, leave }) {
    this.root = root;
    this.source = source;
    this.review = review;
    this.app = app;
    this.leave = leave;
    this.hand = hand;
    this.seat = seat;
    this.at = 0;
    this.open = true;
    this.timer = 0;
    this.turn = 0;
    /** @type {Moment[]} */
    this.moments = [];
    this.board = new Board();
    this.top = h("div", { class: "rv-top" });
    this.where = h("p", { class: "rv-where", "aria-live": "polite" });
    this.steps = h("div", { class: "rv-steps", role: "group", "aria-label": t("rv.steps") });
    this.hands = h("nav", { class: "rv-hands", "aria-label": t("rv.hands") });
    this.side = h("div", { class: "rv-replay-end" });
    this.slider = h("input", { type: "range", min: 0, value: 0, "aria-label": t("replay.slider") });
    this.slider.addEventListener("input", () => this.#go(Number(this.slider.value)));
    this.onKey = (/** @type {KeyboardEvent} */ event) => this.#key(event);
  }

  async start() {
    addEventListener("keydown", this.onKey);
    fill(
      this.root,
      this.top,
      h(
        "div",
        { class: "rv-replay" },
        this.where,
        h("div", { class: "rv-board" }, this.board.element),
        this.slider,
        this.steps,
        this.hands,
        this.side,
        h("p", { class: "small soft rv-keys" }, t("replay.keys")),
      ),
    );
    this.#drawTop();
    await this.#load(this.hand, 0);
  }

  stop() {
    clearTimeout(this.timer);
    this.timer = 0;
    removeEventListener("keydown", this.onKey);
  }

  #drawTop() {
    const seat = h(
      "select",
      { "aria-label": t("replay.view"), id: "rv-replay-seat" },
      [0, 1, 2, 3].map((one) =>
        h("option", { value: one, selected: one === this.seat }, playerName(this.review, one)),
      ),
    );
    seat.addEventListener("change", () => {
      this.seat = Number(seat.value);
      this.#draw();
    });
    const { leave } = this;
    fill(
      this.top,
      h("div", { class: "rv-title" }, h("h1", null, gameName(this.review))),
      seat,
      h(
        "button",
        { type: "button", "aria-pressed": this.open ? "true" : "false", onclick: () => this.#toggleOpen() },
        t("replay.open"),
      ),
      this.source.live
        ? h("button", { type: "button", class: "rv-play-on", onclick: () => void this.#playOn() }, t("on.button"))
        : null,
      leave
        ? h("button", { type: "button", class: "rv-replay-leave", onclick: leave }, t("replay.back"))
        : h("a", { class: "button", href: "#/review" }, t("replay.list")),
    );
  }

  #toggleOpen() {
    this.open = !this.open;
    this.#drawTop();
    this.#draw();
  }

  #drawSteps() {
    const button = (
      /** @type {string} */ name,
      /** @type {string} */ sign,
      /** @type {() => void} */ act,
      disabled = false,
    ) =>
      h(
        "button",
        { type: "button", class: `rv-step rv-replay-${name}`, disabled, onclick: act },
        h("span", { "aria-hidden": "true" }, sign),
        h("span", { class: "rv-step-words" }, t(`replay.${name}`)),
      );
    fill(
      this.steps,
      button("prevhand", "«", () => void this.#step(-1, true), this.hand === 0),
      button("prev", "‹", () => void this.#step(-1), this.hand === 0 && this.at === 0),
      this.timer
        ? button("pause", "❚❚", () => this.#pause())
        : button("play", "▶", () => this.#play(), this.#isLast()),
      button("next", "›", () => void this.#step(1), this.#isLast()),
      button("nexthand", "»", () => void this.#step(1, true), this.hand + 1 >= this.review.hands.length),
    );
  }

  #isLast() {
    return this.hand + 1 >= this.review.hands.length && this.at >= this.moments.length;
  }

  #drawHands() {
    fill(
      this.hands,
      this.review.hands.map((_, hand) =>
        h(
          "button",
          {
            type: "button",
            class: "rv-hand",
            "aria-current": hand === this.hand ? "true" : null,
            onclick: () => void this.#load(hand, 0),
          },
          handName(this.review, hand),
        ),
      ),
    );
  }

  /**
   * @param {number} hand
   * @param {number} at a position; negative: the end of the hand
   */
  async #load(hand, at) {
    const mine = ++this.turn;
    fill(this.where, t("replay.loading"));
    try {
      const moments = await this.source.watch(hand);
      if (mine !== this.turn) return;
      this.hand = hand;
      this.moments = moments;
    } catch (problem) {
      this.app.toast(problem instanceof Error ? problem.message : String(problem), "error");
      return;
    }
    this.slider.max = String(this.moments.length);
    this.#drawHands();
    this.#go(at < 0 ? this.moments.length : at);
  }

  /** @param {number} at */
  #go(at) {
    this.at = Math.max(0, Math.min(this.moments.length, at));
    this.#draw();
  }

  #draw() {
    const end = this.review.hands[this.hand]?.end;
    const shown = this.moments[this.at]?.position ?? end;
    if (!shown) return;
    const position = { ...withNames(shown, this.review), viewer: this.seat };
    this.board.update(this.open || shown === end ? position : closed(position), { animate: false, open: this.open });
    this.slider.value = String(this.at);
    const place = shown === end ? t("replay.end") : t("replay.place", { n: this.at + 1, all: this.moments.length });
    fill(this.where, `${handName(this.review, this.hand)} · ${place}`);
    fill(this.side, shown === end && end ? resultElements(end, this.review) : null);
    this.#drawSteps();
  }

  /**
   * @param {1 | -1} step
   * @param {boolean} [hand] a whole hand
   */
  async #step(step, hand = false) {
    const next = this.hand + step;
    const there = next >= 0 && next < this.review.hands.length;
    if (hand) {
      if (there) await this.#load(next, 0);
    } else if (this.at + step >= 0 && this.at + step <= this.moments.length) this.#go(this.at + step);
    else if (there) await this.#load(next, step > 0 ? 0 : -1);
  }

  #play() {
    clearTimeout(this.timer);
    this.timer = setTimeout(
      () =>
        void this.#step(1).then(() => {
          if (!this.timer) return;
          if (this.#isLast()) this.#pause();
          else this.#play();
        }),
      PACE,
    );
    this.#drawSteps();
  }

  #pause() {
    clearTimeout(this.timer);
    this.timer = 0;
    this.#drawSteps();
  }

  async #playOn() {
    this.#pause();
    const moment = this.moments[Math.min(this.at, this.moments.length - 1)];
    if (!moment) return;
    await playOn(this.review, this.app, { hand: this.hand, moment: moment.moment, seat: this.seat });
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    const typing = event.target instanceof HTMLElement && event.target.closest("select, textarea, dialog");
    if (typing || event.ctrlKey || event.altKey || event.metaKey) return;
    const pressing = event.target instanceof HTMLElement && event.target.closest("button, a");
    /** @type {Record<string, () => void>} */
    const keys = {
      ArrowLeft: () => void this.#step(-1),
      ArrowRight: () => void this.#step(1),
      ArrowUp: () => void this.#step(-1, true),
      ArrowDown: () => void this.#step(1, true),
      o: () => this.#toggleOpen(),
    };
    if (!pressing) keys[" "] = () => (this.timer ? this.#pause() : this.#play());
    const act = keys[event.key];
    if (!act) return;
    event.preventDefault();
    act();
  }
}
