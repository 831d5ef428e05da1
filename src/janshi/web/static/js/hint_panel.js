/**
 * The panel in which a player asks an agent for advice.
 * @module
 */
import { fill, h } from "./dom.js";
import { read, t, write } from "./i18n.js";
import { thoughtPanel } from "./hints.js";
import { agentsOf } from "./live.js";
import { whoIs } from "./opponents.js";

/** @typedef {import("./types.js").LiveState} LiveState */
/** @typedef {import("./types.js").Thought} Thought */

/** Units of agents that say what a choice loses, not only how often they make it. */
const VALUES = new Set(["rank", "points", "hand_points"]);

export class HintPanel {
  /** @param {(agent: string) => void} onAsk */
  constructor(onAsk) {
    this.onAsk = onAsk;
    /** @type {Thought | null} */
    this.thought = null;
    /** Number of the question the thought is about. */
    this.ask = -1;
    /** The question for which advice was requested and has not arrived. */
    this.waiting = -1;
    this.select = h("select", { "aria-label": t("hint.agent") });
    this.select.addEventListener("change", () => write("janshi.hint", this.select.value));
    this.button = h(
      "button",
      { type: "button", class: "hint-ask", onclick: () => this.request() },
      t("hint.ask"),
      h("kbd", { "aria-hidden": "true" }, "H"),
    );
    this.always = h("input", { type: "checkbox", checked: read("janshi.hint.always") === "yes" });
    this.always.addEventListener("change", () => {
      write("janshi.hint.always", this.always.checked ? "yes" : "no");
      if (this.always.checked) this.request();
    });
    this.body = h("div", { class: "hint-body", "aria-live": "polite" });
    this.element = h(
      "section",
      { class: "panel hint-panel" },
      h("h2", null, t("hint.title")),
      h("div", { class: "row hint-row" }, this.select, this.button),
      h("label", { class: "check small" }, this.always, t("hint.always")),
      this.body,
    );
    /** @type {LiveState | null} */
    this.state = null;
    this.loaded = "";
  }

  /** @param {LiveState} state */
  update(state) {
    this.state = state;
    if (this.loaded !== state.position.rules.id) void this.#load(state.position.rules.id);
    const ask = state.ask;
    if (!ask || ask.id !== this.ask) this.thought = null;
    this.button.disabled = !ask || this.waiting === ask.id || !this.select.value;
    if (ask && this.always.checked && this.ask !== ask.id && this.waiting !== ask.id) this.request();
    this.#draw();
  }

  /** Asks the chosen agent about the open question. */
  request() {
    const ask = this.state?.ask;
    if (!ask || !this.select.value || this.waiting === ask.id) return;
    this.waiting = ask.id;
    this.onAsk(this.select.value);
    this.button.disabled = true;
    this.#draw();
  }

  /**
   * @param {number} ask
   * @param {Thought} thought
   * @returns {boolean} whether it is about the open question
   */
  show(ask, thought) {
    this.waiting = -1;
    if (this.state?.ask?.id !== ask) return false;
    this.ask = ask;
    this.thought = thought;
    this.button.disabled = false;
    this.#draw();
    return true;
  }

  /** The request failed. */
  fail() {
    this.waiting = -1;
    this.always.checked = false;
    this.#draw();
  }

  /** @param {string} rules */
  async #load(rules) {
    this.loaded = rules;
    try {
      const agents = (await agentsOf(rules)).filter((one) => one.explains);
      const saved = agents.find((one) => one.label === read("janshi.hint"));
      const chosen = saved ?? agents.find((one) => VALUES.has(one.unit ?? "")) ?? agents[0];
      fill(
        this.select,
        agents.map((one) =>
          h("option", { value: one.label, selected: one === chosen }, `${whoIs(one.label, one.title)} (${one.name})`),
        ),
      );
      this.element.hidden = agents.length === 0;
      if (this.state) this.update(this.state);
    } catch {
      this.loaded = "";
    }
  }

  #draw() {
    const state = this.state;
    if (!state) return;
    const { seats, viewer, rules } = state.position;
    const names = seats.map((_, i) => seats[((viewer ?? 0) + 1 + i) % seats.length]?.name ?? "").slice(0, -1);
    if (this.thought) fill(this.body, thoughtPanel(this.thought, rules.family, names));
    else
      fill(
        this.body,
        h(
          "p",
          { class: "small soft" },
          this.waiting >= 0 ? t("hint.thinking") : state.ask ? t("hint.intro") : t("hint.nothing"),
        ),
      );
  }
}
