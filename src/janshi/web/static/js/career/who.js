/**
 * Who you are: names as they stand in the records, chosen among the players found.
 * @module
 */
import { ask } from "../api.js";
import { fill, h } from "../dom.js";
import { number, t } from "../i18n.js";

const PAUSE = 250;

export class Who {
  /**
   * @param {import("../types.js").App} app
   * @param {() => Promise<void>} done called when the names were kept
   * @param {AbortSignal} signal
   */
  constructor(app, done, signal) {
    this.app = app;
    this.done = done;
    this.signal = signal;
    this.timer = 0;
    /** @type {string[]} */
    this.names = [];
    this.found = h("ul", { class: "career-players" });
    this.chosen = h("div", { class: "row career-chosen" });
    this.search = h("input", {
      type: "search",
      id: "career-search",
      autocomplete: "off",
      placeholder: t("career.who.search"),
      "aria-label": t("career.who.search"),
      oninput: () => {
        clearTimeout(this.timer);
        this.timer = setTimeout(() => void this.look(), PAUSE);
      },
    });
    this.keep = h(
      "button",
      { type: "button", class: "primary", onclick: () => void this.save() },
      t("career.who.keep"),
    );
    this.element = h(
      "section",
      { class: "card career-who", "aria-labelledby": "career-who" },
      h("h2", { id: "career-who" }, t("career.who")),
      h("p", { class: "soft" }, t("career.who.about")),
      this.search,
      this.found,
      this.chosen,
    );
  }

  /** @param {string[]} [names] those chosen before */
  async load(names = []) {
    this.names = [...names];
    this.#draw();
    await this.look();
  }

  async look() {
    const { players } = await ask("GET /api/career/players", {
      params: { search: this.search.value },
      signal: this.signal,
    });
    fill(
      this.found,
      players.length
        ? players.map(({ name, games }) =>
            h(
              "li",
              null,
              h(
                "button",
                {
                  type: "button",
                  "aria-pressed": String(this.names.includes(name)),
                  onclick: () => this.toggle(name),
                },
                h("span", null, name),
                h(
                  "span",
                  { class: "soft small" },
                  t(games === 1 ? "career.game" : "career.games", { n: number(games) }),
                ),
              ),
            ),
          )
        : h("li", { class: "soft" }, t("career.who.none")),
    );
  }

  /** @param {string} name */
  toggle(name) {
    this.names = this.names.includes(name) ? this.names.filter((one) => one !== name) : [...this.names, name];
    for (const button of this.found.querySelectorAll("button"))
      button.setAttribute("aria-pressed", String(this.names.includes(button.firstElementChild?.textContent ?? "")));
    this.#draw();
  }

  #draw() {
    this.keep.disabled = !this.names.length;
    fill(
      this.chosen,
      h("span", null, this.names.length ? t("career.who.you", { names: this.names.join(" · ") }) : ""),
      this.keep,
    );
  }

  async save() {
    try {
      await ask("PUT /api/career/names", { body: { names: this.names } });
      await this.done();
    } catch (problem) {
      this.app.toast(problem instanceof Error ? problem.message : String(problem), "error");
    }
  }
}
