/**
 * A review: the game on a board at every decision, with what the agent thinks of it.
 * @module
 */
import { ask } from "../api.js";
import { Board } from "../board.js";
import { dialog, fill, h } from "../dom.js";
import { errorNode } from "../error_words.js";
import { t } from "../i18n.js";
import { cardElements, lostWords } from "./card.js";
import { decisionElements } from "./choices.js";
import { luckElements } from "./luck.js";
import { firstFilter, mistakes, mistakesElements, ratesElements } from "./mistakes.js";
import { dangers, opponentsElements } from "./opponents.js";
import { Quiz } from "./quiz.js";
import { playOn } from "./play_on.js";
import { Replay } from "./replay.js";
import { resultElements } from "./result.js";
import { sharePicture } from "./share.js";
import { whyElements } from "./why.js";
import { amount, closed, handName, playerName, roughly } from "./words.js";

/** @typedef {import("./types.js").Review} Review */
/** @typedef {import("./types.js").Decision} Decision */
/** @typedef {import("./types.js").Luck} Luck */
/** @typedef {import("./types.js").Source} Source */
/** @typedef {{hand: number, number: number | null}} Stop a decision, or (null) the end of a hand */

const POLL = 1000;
const TABS = ["choices", "mistakes", "opponents", "rates", "luck"];

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
    this.#drawTop();
    this.#drawCard();
    this.#drawSteps();
    this.#drawTabs();
    this.#drawHands();
    this.#drawProgress();
    this.#drawPanel();
  }

  #drawTop() {
    const review = this.loaded;
    const seat = h(
      "select",
      { "aria-label": t("rv.whose"), id: "rv-player" },
      review.seats.length > 1 ? h("option", { value: "" }, t("rv.seat.all")) : null,
      review.seats.map((one) =>
        h("option", { value: one, selected: one === this.filter?.seat }, playerName(review, one)),
      ),
    );
    seat.addEventListener("change", () => void this.#choosePlayer(seat.value === "" ? null : Number(seat.value)));
    const reveal = h(
      "button",
      {
        type: "button",
        "aria-pressed": this.open ? "true" : "false",
        onclick: () => {
          this.open = !this.open;
          this.#drawTop();
          this.#drawBoard();
        },
      },
      t("rv.open"),
    );
    const quiz = h(
      "button",
      { type: "button", class: "rv-quiz-button", onclick: () => this.#startQuiz() },
      t("rv.quiz"),
    );
    fill(
      this.top,
      h(
        "div",
        { class: "rv-title" },
        h("h1", null, review.name),
        h(
          "span",
          { class: "small soft" },
          `${t(`rv.format.${review.format}`)} · ${t("rv.by", { agent: review.agent })}`,
        ),
      ),
      seat,
      reveal,
      h(
        "button",
        {
          type: "button",
          class: "rv-watch-button",
          onclick: () => void this.#startReplay(this.stop_?.hand ?? 0, () => this.#leave()),
        },
        t("replay.title"),
      ),
      quiz,
      ...(this.source.live ? this.#serverButtons() : []),
    );
  }

  #serverButtons() {
    const review = this.loaded,
      base = `/api/reviews/${review.id}`;
    const finished = review.state !== "waiting" && review.state !== "thinking";
    return [
      h("button", { type: "button", class: "rv-share", onclick: () => void this.#share() }, t("rv.share")),
      h("button", { type: "button", class: "rv-again", onclick: () => void this.#again() }, t("rv.again")),
      h("a", { class: "button rv-export", href: `${base}/export`, download: "" }, t("rv.export")),
      review.mine && !finished
        ? h("button", { type: "button", onclick: () => void this.#post("cancel") }, t("rv.cancel"))
        : null,
      review.mine && (review.state === "cancelled" || review.state === "failed")
        ? h("button", { type: "button", onclick: () => void this.#post("resume") }, t("rv.resume"))
        : null,
      review.mine && finished
        ? h("button", { type: "button", class: "quiet", onclick: () => void this.#delete() }, t("rv.delete"))
        : null,
    ];
  }

  #drawProgress() {
    const review = this.loaded;
    const problems = review.problems.length
      ? h(
          "details",
          { class: "small" },
          h("summary", null, t("rv.problems")),
          h(
            "ul",
            null,
            review.problems.map((text) => h("li", null, text)),
          ),
        )
      : null;
    if (review.state === "done") {
      fill(this.progress, problems);
      return;
    }
    const words =
      review.state === "failed"
        ? t("rv.state.failed")
        : t(`rv.state.${review.state}`, { done: review.done, total: review.total, ahead: review.ahead });
    fill(
      this.progress,
      h("span", null, words),
      review.state === "failed" ? [" ", review.problem ? errorNode(review.problem) : review.message] : null,
      h("progress", { value: review.done, max: Math.max(1, review.total), "aria-label": t("rv.progress") }),
      problems,
    );
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

  #drawSteps() {
    const button = (
      /** @type {string} */ key,
      /** @type {string} */ sign,
      /** @type {string} */ keys,
      /** @type {() => void} */ act,
    ) =>
      h(
        "button",
        {
          type: "button",
          class: `rv-step rv-${key}`,
          title: `${t(`rv.${key}`)} (${keys})`,
          "aria-keyshortcuts": keys,
          onclick: act,
        },
        h("span", { "aria-hidden": "true" }, sign),
        h("span", { class: "rv-step-words" }, t(`rv.${key}`)),
      );
    fill(
      this.steps,
      button("prevmistake", "«", "↑", () => void this.#mistake(-1)),
      button("prev", "‹", "←", () => void this.#step(-1)),
      button("next", "›", "→", () => void this.#step(1)),
      button("nextmistake", "»", "↓", () => void this.#mistake(1)),
    );
  }

  #drawTabs() {
    fill(
      this.tabs,
      TABS.map((name) =>
        h(
          "button",
          {
            type: "button",
            role: "tab",
            id: `rv-tab-${name}`,
            "aria-selected": name === this.tab ? "true" : "false",
            "aria-controls": "rv-panel",
            tabindex: name === this.tab ? 0 : -1,
            onclick: () => this.#chooseTab(name),
            onkeydown: (/** @type {KeyboardEvent} */ event) => this.#tabKey(event),
          },
          t(`rv.tab.${name}`),
        ),
      ),
    );
    this.panel.setAttribute("aria-labelledby", `rv-tab-${this.tab}`);
  }

  #drawHands() {
    const review = this.loaded,
      stops = this.#stops();
    fill(
      this.hands,
      review.hands.map((head, hand) => {
        const first =
          stops.find((stop) => stop.hand === hand && stop.number !== null) ?? stops.find((stop) => stop.hand === hand);
        const worst = mistakes(review, { ...this.#filter(), grouped: false }).some((plan) => plan.hand === hand);
        const change =
          this.filter?.seat === null || this.filter?.seat === undefined
            ? null
            : head.end.result?.changes[this.filter.seat];
        return h(
          "button",
          {
            type: "button",
            class: `rv-hand${worst ? " has-mistake" : ""}`,
            disabled: !first,
            "aria-current": this.stop_?.hand === hand ? "true" : null,
            title: head.end.result ? t(`rv.end.${head.end.result.kind}`) : "",
            onclick: () => {
              if (first) void this.#go(first);
            },
          },
          handName(review, hand),
          change
            ? h(
                "span",
                { class: `small numbers ${change > 0 ? "good" : "bad"}` },
                ` ${change > 0 ? "+" : ""}${change}`,
              )
            : null,
          this.#handLoss(hand),
        );
      }),
    );
    const here = this.hands.querySelector('[aria-current="true"]');
    if (here instanceof HTMLElement)
      this.hands.scrollLeft = here.offsetLeft - this.hands.offsetLeft - this.hands.clientWidth / 3;
  }

  /**
   * What the chosen player, or all reviewed players, lost in a hand.
   * @param {number} hand
   */
  #handLoss(hand) {
    const review = this.loaded,
      seat = this.#filter().seat;
    const own = review.rows.filter((row) => row.hand === hand && (seat === null || row.seat === seat));
    const lost = own.filter((row) => row.loss !== null);
    if (!lost.length || review.unit === "probability") return null;
    const sum = lost.reduce((total, row) => total + (row.loss ?? 0), 0);
    return h(
      "span",
      { class: "small numbers rv-hand-loss", title: t("rv.hand.lost", { cost: amount(sum, review.unit) }) },
      sum > 0 ? lostWords(sum, review.unit) : roughly(0, review.unit),
    );
  }

  // --- moving -----------------------------------------------------------------------------------------------

  #filter() {
    return /** @type {import("./mistakes.js").Filter} */ (this.filter);
  }

  /**
   * Where one can stop: the decisions of the chosen player so far, and the end of every hand that is finished.
   * @returns {Stop[]}
   */
  #stops() {
    const review = this.loaded,
      seat = this.#filter().seat;
    /** @type {Stop[]} */
    const stops = [];
    let at = 0;
    const complete = review.done >= review.total;
    const last = review.rows[review.rows.length - 1];
    for (let hand = 0; hand < review.hands.length; hand += 1) {
      for (; at < review.rows.length && review.rows[at]?.hand === hand; at += 1) {
        const row = review.rows[at];
        if (row && (seat === null || row.seat === seat)) stops.push({ hand, number: row.number });
      }
      if (complete || (last && last.hand > hand)) stops.push({ hand, number: null });
    }
    return stops;
  }

  #here() {
    return this.#stops().findIndex((stop) => stop.hand === this.stop_?.hand && stop.number === this.stop_.number);
  }

  /** @param {1 | -1} step */
  async #step(step) {
    const stop = this.#stops()[this.#here() + step];
    if (stop) await this.#go(stop);
  }

  /** @param {1 | -1} step */
  async #mistake(step) {
    const numbers = mistakes(this.loaded, { ...this.#filter(), grouped: false })
      .map((plan) => plan.worst)
      .sort((a, b) => a - b);
    const here = this.stop_?.number ?? this.#lastBefore();
    const found = step > 0 ? numbers.find((one) => one > here) : [...numbers].reverse().find((one) => one < here);
    if (found === undefined) this.app.toast(t("rv.nomore"));
    else await this.#goTo(found);
  }

  /** The last decision before the end of the hand that is shown. */
  #lastBefore() {
    const rows = this.loaded.rows.filter((row) => row.hand <= (this.stop_?.hand ?? 0));
    return rows[rows.length - 1]?.number ?? 0;
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
    this.#drawWhere();
    if (this.tab !== "rates" && this.tab !== "luck") this.#drawPanel();
    if (this.source.live && stop.number !== null)
      history.replaceState(null, "", `#/review/${this.loaded.id}?at=${stop.number}`);
  }

  /** Below a decision of a riichi game: play on from it. */
  #drawOnward() {
    const decision = this.decision;
    const possible = decision && this.source.live && this.loaded.family === "riichi";
    fill(
      this.onward,
      possible
        ? h(
            "button",
            {
              type: "button",
              class: "rv-play-on",
              onclick: () => void playOn(this.loaded, this.app, { number: decision.number, seat: decision.seat }),
            },
            t("on.button"),
          )
        : null,
    );
  }

  #drawWhere() {
    const review = this.loaded,
      stop = this.stop_;
    if (!stop) return;
    const { turn, seat, kind } = this.decision ?? {};
    const words =
      turn === undefined || seat === undefined
        ? [t("rv.end")]
        : [t("rv.turn", { n: turn }), playerName(review, seat), t(`rv.kind.${kind}`)];
    fill(this.where, [handName(review, stop.hand), ...words].join(" · "));
  }

  #drawBoard() {
    const stop = this.stop_;
    if (!stop) return;
    if (!this.decision) {
      const end = this.loaded.hands[stop.hand]?.end;
      if (end)
        this.board.update(
          { ...end, viewer: this.#filter().seat ?? this.loaded.seats[0] ?? 0 },
          { animate: false, open: true },
        );
      return;
    }
    const decision = this.decision;
    const position = this.open ? decision.position : closed(decision.position);
    this.board.update(position, {
      animate: false,
      open: this.open,
      highlight: highlights(decision),
      danger: decision.threat ? dangers(decision) : null,
    });
  }

  // --- panels -----------------------------------------------------------------------------------------------

  #drawPanel() {
    fill(this.panel, ...this.#content());
  }

  /** @returns {HTMLElement[]} */
  #content() {
    const review = this.loaded;
    if (this.tab === "mistakes") {
      return mistakesElements(
        review,
        this.#filter(),
        this.stop_?.number ?? null,
        (number) => void this.#goTo(number),
        () => {
          this.#drawPanel();
          this.#drawHands();
        },
      );
    }
    if (this.tab === "rates") return ratesElements(review, this.#filter(), this.luck);
    if (this.tab === "luck")
      return this.luck
        ? luckElements(this.luck, review, this.#filter().seat, this.measure, (measure) => {
            this.measure = measure;
            this.#drawPanel();
          })
        : [h("p", null, t("rv.luck.running"))];
    if (!this.decision) {
      const end = this.stop_ ? review.hands[this.stop_.hand]?.end : null;
      return end ? resultElements(end, review) : [h("p", { class: "soft" }, t("rv.nothing"))];
    }
    return this.tab === "opponents"
      ? opponentsElements(this.decision, review)
      : [...decisionElements(this.decision, review, null, this.#why()), ...this.#askChances(this.decision)];
  }

  /**
   * Where the reviewer does not say how the hand may end after each choice, another one can be asked.
   * @param {Decision} decision
   */
  #askChances(decision) {
    const known = decision.choices.some((one) => "win" in one.numbers);
    if (known || !this.source.chances || this.loaded.family !== "riichi") return [];
    const button = h(
      "button",
      { type: "button", class: "rv-chances", onclick: () => void this.#loadChances(decision, button) },
      t("rv.chances"),
    );
    return [button];
  }

  /**
   * @param {Decision} decision
   * @param {HTMLButtonElement} button
   */
  async #loadChances(decision, button) {
    button.disabled = true;
    fill(button, t("rv.chances.running"));
    try {
      const found = (await this.source.chances?.(decision.number)) ?? {};
      for (const choice of decision.choices) Object.assign(choice.numbers, found[String(choice.action)] ?? {});
    } catch (problem) {
      this.app.toast(problem instanceof Error ? problem.message : String(problem), "error");
    }
    if (this.decision === decision && this.tab === "choices") this.#drawPanel();
  }

  /** A place for the facts behind the decision that is shown; it is filled when they are there. */
  #why() {
    const decision = /** @type {Decision} */ (this.decision);
    const place = h("div", { class: "rv-why-place" }, whyElements(decision, this.loaded, null));
    void this.source.why(decision.number).then(
      (why) => fill(place, why ? whyElements(decision, this.loaded, why) : null),
      () => fill(place),
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

  /** @param {KeyboardEvent} event */
  #tabKey(event) {
    const step = event.key === "ArrowRight" ? 1 : event.key === "ArrowLeft" ? -1 : 0;
    if (!step) return;
    event.preventDefault();
    event.stopPropagation();
    this.#chooseTab(TABS[(TABS.indexOf(this.tab) + step + TABS.length) % TABS.length] ?? "choices");
    /** @type {HTMLElement | null} */ (this.tabs.querySelector('[aria-selected="true"]'))?.focus();
  }

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

  // --- the rest ---------------------------------------------------------------------------------------------

  /** @param {number | null} seat */
  async #choosePlayer(seat) {
    this.#filter().seat = seat;
    this.#drawTop();
    this.#drawCard();
    this.#drawPanel();
    const stops = this.#stops();
    const number = this.stop_?.number ?? 0;
    const next =
      stops.find((stop) => stop.hand === this.stop_?.hand && (stop.number === null || stop.number >= number)) ??
      stops[0];
    if (next) await this.#go(next);
  }

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

  #leave() {
    this.quiz?.stop();
    this.#layout();
    this.#drawBoard();
  }

  #startQuiz() {
    const box = h("div", { class: "rv-quiz" });
    fill(this.root, box);
    this.quiz = new Quiz(box, this.source, this.loaded, this.#filter().seat, this.app, () => this.#leave());
    this.quiz.start();
  }

  async #share() {
    const link = new URL(
      `#/review/${this.loaded.id}${this.stop_?.number != null ? `?at=${this.stop_.number}` : ""}`,
      location.href,
    ).href;
    try {
      await navigator.clipboard.writeText(link);
      this.app.toast(t("rv.copied"));
    } catch {
      prompt(t("rv.share"), link);
    }
  }

  /** Offers a review by another agent, or of another seat. */
  async #again() {
    const review = this.loaded;
    const menu = await ask("GET /api/reviews/agents");
    /** @type {{label: string, name: string, unit: string}[]} */
    const reviewers = menu[review.family].reviewers;
    const agent = h(
      "select",
      { id: "rv-again-agent" },
      reviewers.map((one) =>
        h(
          "option",
          { value: one.label, selected: one.label === review.agent },
          `${one.name} – ${t(`rv.by.${one.unit}`)}`,
        ),
      ),
    );
    const seat = h(
      "select",
      { id: "rv-again-seat" },
      h("option", { value: "all" }, t("rv.seat.all")),
      [0, 1, 2, 3].map((one) => h("option", { value: one }, playerName(review, one))),
    );
    const box = dialog(
      t("rv.again"),
      t("shell.close"),
      h(
        "div",
        { class: "stack" },
        h("label", { class: "field" }, h("span", null, t("rv.agent")), agent),
        h("label", { class: "field" }, h("span", null, t("rv.whose")), seat),
        h("button", { type: "button", class: "primary", onclick: () => void begin() }, t("rv.start")),
      ),
    );
    const begin = async () => {
      const made = await ask("POST /api/reviews/{id}/again", {
        params: { id: review.id },
        body: { agent: agent.value, seat: /** @type {import("../schema.js").Again["seat"]} */ (seat.value) },
      });
      box.close();
      this.app.go(made.url);
    };
  }

  /** @param {"cancel" | "resume"} what */
  async #post(what) {
    await ask(`POST /api/reviews/{id}/${what}`, { params: { id: this.loaded.id } });
    await this.#refresh();
    this.#poll();
  }

  async #delete() {
    if (!confirm(t("rv.delete.sure", { name: this.loaded.name }))) return;
    await ask("DELETE /api/reviews/{id}", { params: { id: this.loaded.id } });
    this.app.go("#/review");
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

  /** @param {KeyboardEvent} event */
  #key(event) {
    const typing = event.target instanceof HTMLElement && event.target.closest("input, select, textarea, dialog");
    if (typing || this.quiz || event.ctrlKey || event.altKey || event.metaKey) return;
    /** @type {Record<string, () => void>} */
    const keys = {
      ArrowLeft: () => void this.#step(-1),
      ArrowRight: () => void this.#step(1),
      ArrowUp: () => void this.#mistake(-1),
      ArrowDown: () => void this.#mistake(1),
      Home: () => {
        const stop = this.#stops()[0];
        if (stop) void this.#go(stop);
      },
      o: () => {
        this.open = !this.open;
        this.#drawTop();
        this.#drawBoard();
      },
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
 * Classes of the tiles that were discarded, and that the agent would discard.
 * @param {Decision} decision
 * @returns {Record<string, string>}
 */
function highlights(decision) {
  /** @type {Record<string, string>} */
  const marks = {};
  for (const [action, mark] of /** @type {[number, string][]} */ ([
    [decision.best, "best"],
    [decision.played, "played"],
  ])) {
    const choice = decision.choices.find((one) => one.action === action);
    if (choice?.tile && (choice.kind === "discard" || choice.kind === "tsumogiri"))
      marks[choice.tile] = [marks[choice.tile], mark].filter(Boolean).join(" ");
  }
  return marks;
}

/**
 * The part of a score card that can be opened.
 * @param {HTMLElement} card
 * @returns {HTMLDetailsElement | null}
 */
function turningPoints(card) {
  return card.querySelector(".rv-turning");
}
