/**
 * The tools: what a winning hand is worth, and what an unfinished one needs, by both rule sets.
 * @module
 */
import { fill, h } from "../dom.js";
import { t } from "../i18n.js";
import { HandEditor } from "./hand.js";
import { EfficiencyTool } from "./efficiency.js";
import { FAMILIES, offerOf } from "./families.js";
import { ScoreTool } from "./score.js";

/** @typedef {"score" | "efficiency"} ToolName */
/** @typedef {import("./families.js").ToolFamily} ToolFamily */

/**
 * What the page remembers while it is away.
 * @typedef {object} ToolState
 * @property {ToolName} tool
 * @property {ToolFamily} family
 * @property {string} text
 * @property {Record<string, string>} extras
 * @property {Record<string, boolean | number | string>} how circumstances of a win
 */

/** @type {ToolState} */
const state = { tool: "score", family: "riichi", text: "", extras: { dora: "", ura: "", seen: "" }, how: {} };

/**
 * @param {HTMLElement} root
 * @param {import("../types.js").Params} params
 * @param {import("../types.js").App} app
 * @returns {import("../types.js").Mounted}
 */
export function mount(root, params, app) {
  readAddress(params.query);
  const page = new ToolsPage(root, app);
  page.draw();
  return { unmount: () => page.leave() };
}

/** @param {URLSearchParams} query */
function readAddress(query) {
  const tool = query.get("tool");
  const family = FAMILIES.find((one) => one === query.get("family"));
  if (tool === "score" || tool === "efficiency") state.tool = tool;
  if (family) state.family = family;
  const tiles = query.get("tiles");
  if (tiles !== null) state.text = tiles.slice(0, 120);
}

/** Updates the address, so that a link shows the same hand. */
function writeAddress() {
  const query = new URLSearchParams({ tool: state.tool, family: state.family });
  if (state.text) query.set("tiles", state.text);
  history.replaceState(null, "", `#/tools?${query}`);
}

class ToolsPage {
  /**
   * @param {HTMLElement} root
   * @param {import("../types.js").App} app
   */
  constructor(root, app) {
    this.root = root;
    this.app = app;
    /** @type {ScoreTool | EfficiencyTool | null} */
    this.tool = null;
    this.timer = 0;
  }

  draw() {
    this.leave();
    const score = state.tool === "score";
    const tool = score
      ? new ScoreTool(state, () => this.asked())
      : new EfficiencyTool(state, (text) => editor.set(text));
    const offer = offerOf(state.family);
    const more = score ? offer.indicators : /** @type {import("./hand.js").Target[]} */ (["seen"]);
    const editor = new HandEditor({
      text: state.text,
      extras: Object.fromEntries(more.map((name) => [name, state.extras[name] ?? ""])),
      targets: ["hand", "chi", "pon", "open_kan", "concealed_kan", ...more],
      red: offer.red,
      onChange: (text, extras) => {
        state.text = text;
        Object.assign(state.extras, extras);
        this.asked();
      },
    });
    this.tool = tool;
    const example = h(
      "button",
      { type: "button", class: "quiet", onclick: () => editor.set(offer.examples[state.tool]) },
      t("tools.example"),
    );
    fill(
      this.root,
      h("h1", null, t("tools.title")),
      h(
        "div",
        { class: "tools-switches" },
        this.switches(t("tools.tool"), ["score", "efficiency"], state.tool, (one) => {
          state.tool = /** @type {ToolName} */ (one);
        }),
        this.switches(t("tools.rules"), FAMILIES, state.family, (one) => {
          state.family = /** @type {ToolFamily} */ (one);
        }),
        example,
      ),
      h("p", { class: "soft" }, t(`tools.about.${state.tool}`)),
      h("div", { class: "tools-columns" }, h("div", { class: "stack" }, editor.element, tool.controls), tool.result),
    );
    this.ask();
  }

  /**
   * Buttons of which one is pressed.
   * @param {string} label
   * @param {string[]} names
   * @param {string} chosen
   * @param {(name: string) => void} choose
   */
  switches(label, names, chosen, choose) {
    return h(
      "div",
      { class: "tools-switch", role: "group", "aria-label": label },
      names.map((name) =>
        h(
          "button",
          {
            type: "button",
            "aria-pressed": String(name === chosen),
            dataset: { choose: name },
            onclick: () => {
              choose(name);
              this.draw();
              /** @type {HTMLElement | null} */ (this.root.querySelector(`[data-choose="${name}"]`))?.focus();
            },
          },
          t(`tools.${name}`),
        ),
      ),
    );
  }

  /** Asks the server after a short pause in typing. */
  asked() {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.ask(), 120);
  }

  ask() {
    writeAddress();
    void this.tool?.ask();
  }

  leave() {
    clearTimeout(this.timer);
    this.tool?.stop();
    this.tool = null;
  }
}
