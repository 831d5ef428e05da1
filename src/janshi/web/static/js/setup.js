/**
 * Parts of the forms that start a game: choices of rules and agents.
 * @module
 */
import { ask } from "./api.js";
import { fill, h } from "./dom.js";
import { t, tOr } from "./i18n.js";
import { agentsOf } from "./live.js";
import { opponentCard, optionText, suggested } from "./opponents.js";

/** @typedef {import("./schema.js").RulesText} Rules */
/** @typedef {import("./schema.js").AgentText} Agent */

/** @returns {Promise<Rules[]>} */
export function loadRules() {
  return ask("GET /api/rules");
}

/** @param {string} id */
export function rulesName(id) {
  return tOr(`rules.${id}`, id);
}

/**
 * @param {Rules[]} rules
 * @param {string} chosen
 * @param {(rules: Rules) => void} onChange
 */
export function rulesField(rules, chosen, onChange) {
  const about = h("p", { class: "small soft" });
  const select = h(
    "select",
    { name: "rules", "aria-describedby": "rules-about" },
    [...new Set(rules.map((one) => one.family))].map((family) =>
      h(
        "optgroup",
        { label: tOr(`family.${family}`, family) },
        rules
          .filter((one) => one.family === family)
          .map((one) => h("option", { value: one.id, selected: one.id === chosen }, rulesName(one.id))),
      ),
    ),
  );
  about.id = "rules-about";
  const tell = () => {
    const found = rules.find((one) => one.id === select.value);
    about.textContent = tOr(`rules.about.${select.value}`, "");
    if (found) onChange(found);
  };
  select.addEventListener("change", tell);
  return {
    element: h(
      "div",
      { class: "field" },
      h("label", { class: "field" }, h("span", null, t("lobby.rules")), select),
      about,
    ),
    select,
    tell,
  };
}

/** Choices of an agent for each of some seats, with information about the agents. */
export class AgentFields {
  /** @param {string} legend */
  constructor(legend) {
    this.grid = h("div", { class: "agents-grid" });
    this.element = h("fieldset", null, h("legend", null, legend), this.grid);
    /** @type {HTMLSelectElement[]} */
    this.selects = [];
    this.rules = "";
    /** @type {Agent[]} */
    this.agents = [];
  }

  /**
   * @param {string} rules
   * @param {string[]} places words for each seat
   * @param {"weak" | "mixed" | "strong"} wanted who is chosen at first
   */
  async load(rules, places, wanted) {
    this.rules = rules;
    const agents = await agentsOf(rules);
    if (this.rules !== rules) return;
    this.agents = agents;
    const before = this.selects.map((one) => one.value);
    const first = suggested(agents, wanted, places.length);
    const known = new Set(agents.map((one) => one.label));
    this.selects = [];
    fill(
      this.grid,
      places.map((place, i) => this.#field(place, known.has(before[i] ?? "") ? (before[i] ?? "") : (first[i] ?? ""))),
    );
  }

  /**
   * @param {string} place
   * @param {string} chosen
   */
  #field(place, chosen) {
    const about = h("div", { class: "agent-about", "aria-live": "polite" });
    const select = h(
      "select",
      { "aria-label": place },
      this.agents.map((one) => h("option", { value: one.label, selected: one.label === chosen }, optionText(one))),
    );
    const tell = () => {
      const agent = this.agents.find((one) => one.label === select.value);
      fill(about, agent ? opponentCard(agent) : null);
    };
    select.addEventListener("change", tell);
    tell();
    this.selects.push(select);
    return h("div", { class: "agent-field" }, h("span", { class: "agent-place" }, place), select, about);
  }

  /** Labels of the chosen agents. */
  get labels() {
    return this.selects.map((one) => one.value);
  }
}

/**
 * The seed in the form: null for none.
 * @param {string} text
 * @returns {number | null}
 */
export function readSeed(text) {
  const trimmed = text.trim();
  if (!trimmed) return null;
  const seed = Number(trimmed);
  if (!Number.isSafeInteger(seed) || seed < 0) throw new Error(t("lobby.seed_wrong"));
  return seed;
}
