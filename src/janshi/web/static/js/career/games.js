/**
 * The list of games: sorted, a page at a time, each with its review and its record.
 * @module
 */
import { ask } from "../api.js";
import { fill, h } from "../dom.js";
import { number, t } from "../i18n.js";
import { scroller } from "../players/plot.js";
import { day, places, written } from "./words.js";

/** @typedef {import("../schema.js").CareerGame} Game */
/** @typedef {"played" | "luck" | "rank" | "points"} SortBy */

const COUNT = 20;
/** @type {{sort: SortBy, descending: boolean, first: number}} */
const state = { sort: "played", descending: true, first: 0 };

export class GameList {
  /**
   * @param {import("../types.js").App} app
   * @param {() => import("./page.js").Filter} filter
   * @param {AbortSignal} signal
   */
  constructor(app, filter, signal) {
    this.app = app;
    this.filter = filter;
    this.signal = signal;
    this.place = h("div", { class: "stack" });
    this.element = h(
      "section",
      { class: "card career-list", "aria-labelledby": "career-list" },
      h("h2", { id: "career-list" }, t("career.list")),
      this.place,
    );
  }

  async load() {
    try {
      const params = { ...this.filter(), ...state, count: COUNT };
      const { games, total } = await ask("GET /api/career/games", { params, signal: this.signal });
      fill(this.place, scroller(t("career.list"), this.#table(games)), this.#pages(total));
    } catch (problem) {
      if (!this.signal.aborted) this.app.toast(problem instanceof Error ? problem.message : String(problem), "error");
    }
  }

  /** @param {Game[]} games */
  #table(games) {
    return h(
      "table",
      { class: "players-figures career-games" },
      h(
        "thead",
        null,
        h(
          "tr",
          null,
          this.#head("played"),
          this.#head("rank"),
          this.#head("points"),
          this.#head("luck"),
          h("th", { scope: "col" }, t("career.column.opponents")),
          h("th", { scope: "col" }, ""),
        ),
      ),
      h(
        "tbody",
        null,
        games.map((game) => this.#row(game)),
      ),
    );
  }

  /** @param {SortBy} name */
  #head(name) {
    const here = state.sort === name;
    const order = here ? (state.descending ? "descending" : "ascending") : null;
    return h(
      "th",
      { scope: "col", "aria-sort": order },
      h(
        "button",
        {
          type: "button",
          class: "quiet career-sort",
          onclick: () => {
            Object.assign(state, { sort: name, descending: here ? !state.descending : name !== "rank", first: 0 });
            void this.load();
          },
        },
        t(`career.column.${name}`),
        here ? (state.descending ? " ↓" : " ↑") : "",
      ),
    );
  }

  /** @param {Game} game */
  #row(game) {
    const others = game.players.filter((_, seat) => seat !== game.seat);
    return h(
      "tr",
      null,
      h("td", { class: "numbers" }, day(game.played)),
      h("td", null, h("span", { class: `career-rank career-rank-${game.rank}` }, game.rank ?? "–")),
      h(
        "td",
        { class: "numbers" },
        written("points", game.points),
        game.score === null ? null : h("span", { class: "soft small" }, ` (${number(game.score)})`),
      ),
      h(
        "td",
        { class: "numbers", title: game.problem },
        game.luck === null
          ? h("span", { class: "soft" }, game.problem ? t("career.luck.impossible") : "…")
          : h("span", { class: game.luck >= 0 ? "good" : "bad" }, places(game.luck)),
      ),
      h("td", { class: "small soft career-opponents" }, others.join(", ")),
      h(
        "td",
        { class: "career-actions" },
        h(
          "button",
          { type: "button", class: "quiet", onclick: () => void this.review(game.id) },
          t(game.review_state === "done" ? "career.review.open" : "career.review"),
        ),
        h(
          "button",
          { type: "button", class: "quiet", onclick: () => void this.review(game.id, "watch") },
          t("career.watch"),
        ),
        h("a", { href: `/api/career/games/${game.id}/record`, download: "", class: "small" }, t("career.record")),
      ),
    );
  }

  /** @param {number} total */
  #pages(total) {
    const move = (/** @type {number} */ by) => {
      state.first = Math.max(0, state.first + by);
      void this.load();
    };
    const last = Math.min(state.first + COUNT, total);
    return h(
      "div",
      { class: "row career-pages" },
      h(
        "button",
        {
          type: "button",
          disabled: state.first === 0,
          "aria-label": t("career.previous"),
          onclick: () => move(-COUNT),
        },
        "←",
      ),
      h("span", { class: "numbers" }, `${number(state.first + 1)}–${number(last)} / ${number(total)}`),
      h(
        "button",
        { type: "button", disabled: last >= total, "aria-label": t("career.next"), onclick: () => move(COUNT) },
        "→",
      ),
    );
  }

  /**
   * Opens the review of a game, or its replay; a missing one is made first.
   * @param {number} id
   * @param {"review" | "watch"} [how]
   */
  async review(id, how = "review") {
    this.app.toast(t("career.review.reading"));
    try {
      const route = /** @type {const} */ (`POST /api/career/games/{id}/${how}`);
      const { url } = await ask(route, { params: { id } });
      this.app.go(url);
    } catch (problem) {
      this.app.toast(problem instanceof Error ? problem.message : String(problem), "error");
    }
  }
}
