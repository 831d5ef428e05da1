/**
 * My games: a person's career.
 * @module
 */
import { ask } from "../api.js";
import { fill, h } from "../dom.js";
import { addWords, number, t } from "../i18n.js";
import { waiting } from "../players/plot.js";
import { refusal } from "../players/words.js";
import { curvesCard } from "./curves.js";
import { Everything } from "./everything.js";
import { figuresCard } from "./figures.js";
import { GameList } from "./games.js";
import { habitsCard } from "./habits.js";
import { ImportBox } from "./import.js";
import { luckCard } from "./luck.js";
import { lossesCard, queueElements } from "./losses.js";
import { summaryTiles } from "./summary.js";
import players from "../words/players.js";
import { Who } from "./who.js";
import { day } from "./words.js";

/** @typedef {import("../schema.js").CareerText} Career */
/** @typedef {import("../schema.js").CareerState} State */
/** @typedef {import("../types.js").App} App */
/** @typedef {{rounds: "all" | "east" | "south", last: number}} Filter */

addWords(players); // those of plots

const POLL = 1500;
const LATEST = [100, 300, 1000, 3000];

/**
 * @param {HTMLElement} root
 * @param {import("../types.js").Params} _params
 * @param {App} app
 * @returns {import("../types.js").Mounted}
 */
export function mount(root, _params, app) {
  const page = new CareerPage(root, app);
  void page.load();
  return { unmount: () => page.leave() };
}

export class CareerPage {
  /**
   * @param {HTMLElement} root
   * @param {App} app
   */
  constructor(root, app) {
    this.root = root;
    this.app = app;
    this.leaving = new AbortController();
    this.timer = 0;
    /** @type {Filter} */
    this.filter = { rounds: "all", last: 0 };
    /** @type {Career | null} */
    this.career = null;
    this.importing = new ImportBox(app, (state) => this.changed(state), this.leaving.signal);
    this.who = new Who(app, () => this.load(), this.leaving.signal);
    this.list = new GameList(app, () => this.filter, this.leaving.signal);
  }

  leave() {
    this.leaving.abort();
    clearTimeout(this.timer);
  }

  /** Loads the whole page. */
  async load() {
    const { signal } = this.leaving;
    if (!this.career) waiting(this.root);
    try {
      const career = await ask("GET /api/career", { params: this.filter, signal });
      this.career = career;
      this.draw(career);
      this.importing.show(career.state);
      this.watch(career.state);
    } catch (problem) {
      if (!signal.aborted) fill(this.root, refusal(problem));
    }
  }

  /**
   * Polls while work is in progress.
   * @param {State} state
   */
  watch(state) {
    clearTimeout(this.timer);
    const { importing, luck, reviews } = state;
    const busy = importing.uploads + luck.waiting + reviews.waiting + reviews.running > 0;
    if (busy && !this.leaving.signal.aborted) this.timer = setTimeout(() => void this.poll(), POLL);
  }

  async poll() {
    try {
      this.changed(await ask("GET /api/career/state", { signal: this.leaving.signal }));
    } catch {
      this.timer = setTimeout(() => void this.poll(), 4 * POLL); // the server may be starting again
    }
  }

  /**
   * Shows a new state; the whole page is loaded again when an import or the measuring of luck has ended.
   * @param {State} state
   */
  changed(state) {
    if (this.leaving.signal.aborted) return;
    const before = this.career?.state;
    this.importing.show(state);
    const ended =
      !before ||
      (state.importing.uploads === 0 && before.games !== state.games) ||
      (state.luck.waiting === 0 && before.luck.waiting > 0 && state.luck.known > 0) ||
      state.reviews.done !== before.reviews.done;
    const progress = this.root.querySelector(".career-measuring");
    if (progress) progress.textContent = measuring(state);
    const queue = this.root.querySelector(".career-queue");
    if (queue instanceof HTMLElement) fill(queue, ...queueElements(state, (after) => this.changed(after)));
    if (ended) void this.load();
    else this.watch(state);
  }

  /** @param {Career} career */
  draw(career) {
    const { state } = career;
    const head = h(
      "header",
      { class: "career-head" },
      h("h1", null, t("career.title")),
      state.mine ? this.whose(career) : null,
    );
    if (!state.games) {
      fill(this.root, head, h("p", { class: "soft" }, t("career.about")), this.importing.element);
      this.importing.open(true);
    } else if (!state.mine) {
      fill(this.root, head, this.who.element, this.importing.element);
      void this.who.load();
    } else {
      fill(this.root, head, this.filters(career), ...this.cards(career));
    }
    this.importing.endings = career.endings;
  }

  /**
   * Whose games, how many and from when to when.
   * @param {Career} career
   */
  whose(career) {
    const { state, first, last } = career;
    const others = state.games - state.mine;
    return h(
      "p",
      { class: "career-whose" },
      h("strong", null, state.names.join(" · ")),
      " ",
      h("button", { type: "button", class: "quiet", onclick: () => this.rename() }, t("career.change")),
      h(
        "span",
        { class: "soft small" },
        first && last ? t("career.between", { first: day(first), last: day(last) }) : "",
        others ? ` ${t("career.others", { n: number(others) })}` : "",
      ),
    );
  }

  rename() {
    const names = this.career?.state.names ?? [];
    fill(this.root, h("h1", null, t("career.title")), this.who.element);
    void this.who.load(names);
  }

  /** @param {Career} career */
  filters(career) {
    const { lengths, state } = career;
    const both = Object.values(lengths).filter(Boolean).length > 1;
    const lasts = LATEST.filter((n) => n < state.mine);
    if (!both && !lasts.length) return null;
    return h(
      "div",
      { class: "row career-filters" },
      both
        ? this.select("rounds", "career.length", [
            ["all", t("career.length.all")],
            ["east", `${t("career.length.east")} (${number(lengths.east ?? 0)})`],
            ["south", `${t("career.length.south")} (${number(lengths.south ?? 0)})`],
          ])
        : null,
      lasts.length
        ? this.select("last", "career.period", [
            ["0", t("career.period.all", { n: number(state.mine) })],
            ...lasts.map(
              (n) => /** @type {[string, string]} */ ([String(n), t("career.period.last", { n: number(n) })]),
            ),
          ])
        : null,
    );
  }

  /**
   * @param {"rounds" | "last"} name
   * @param {string} label
   * @param {[string, string][]} options
   */
  select(name, label, options) {
    const select = h(
      "select",
      {
        id: `career-${name}`,
        onchange: () => {
          if (name === "last") this.filter.last = Number(select.value);
          else this.filter.rounds = /** @type {Filter["rounds"]} */ (select.value);
          void this.load().then(() => document.getElementById(`career-${name}`)?.focus());
        },
      },
      options.map(([value, text]) => h("option", { value, selected: value === String(this.filter[name]) }, text)),
    );
    return h("label", { class: "career-filter" }, h("span", null, t(label)), select);
  }

  /** @param {Career} career */
  cards(career) {
    void this.list.load();
    return [
      h("p", { class: "career-measuring soft small", role: "status" }, measuring(career.state)),
      summaryTiles(career),
      h(
        "div",
        { class: "career-columns" },
        h("div", null, curvesCard(career), habitsCard(career)),
        h(
          "div",
          null,
          figuresCard(career),
          luckCard(career, (id, how) => this.list.review(id, how)),
        ),
      ),
      lossesCard(
        career,
        this.app,
        (state) => this.changed(state),
        () => void this.poll(),
      ),
      this.list.element,
      this.importing.element,
      new Everything(this.app, () => this.load()).element,
    ];
  }
}

/**
 * What is being measured in the background.
 * @param {State} state
 */
function measuring({ luck }) {
  const notes = [];
  if (luck.waiting)
    notes.push(t("career.measuring", { n: number(luck.known), of: number(luck.known + luck.waiting) }));
  if (luck.impossible) notes.push(t("career.no_luck", { n: number(luck.impossible) }));
  if (luck.trained) notes.push(t("career.trained", { n: number(luck.trained) }));
  return notes.join(" ");
}
