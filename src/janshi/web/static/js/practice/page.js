/**
 * Practice: the problem of the day, problems to repeat, mistakes of one's own, drills against the clock, progress.
 * @module
 */
import { ask } from "../api.js";
import { fill, h } from "../dom.js";
import { addWords, t } from "../i18n.js";
import reviewWords from "../words/review.js";
import { Drill } from "./drill.js";
import { ProblemView } from "./problem.js";
import { progressElements } from "./progress.js";

/** @typedef {import("../schema.js").PracticeOverview} PracticeOverview */
/** @typedef {"daily" | "due" | "own" | "expert"} Source */
/** @typedef {"efficiency" | "defence"} DrillKind */

const SOURCES = /** @type {const} */ (["daily", "due", "own", "expert"]);
const DRILLS = /** @type {const} */ (["efficiency", "defence"]);

/**
 * @param {HTMLElement} root
 * @param {import("../types.js").Params} params
 * @param {import("../types.js").App} app
 * @returns {Promise<import("../types.js").Mounted>}
 */
export async function mount(root, params, app) {
  addWords(reviewWords);
  const page = new PracticePage(root, app);
  const source = SOURCES.find((one) => one === params.id);
  const drill = DRILLS.find((one) => one === params.id);
  if (source) await page.problems(source);
  else if (drill) page.drill(drill);
  else await page.overview();
  return { unmount: () => page.leave() };
}

class PracticePage {
  /**
   * @param {HTMLElement} root
   * @param {import("../types.js").App} app
   */
  constructor(root, app) {
    this.root = root;
    this.app = app;
    /** @type {Drill | ProblemView | null} */
    this.running = null;
  }

  leave() {
    this.running?.stop();
    this.running = null;
  }

  async overview() {
    const found = await ask("GET /api/practice");
    fill(
      this.root,
      h("h1", null, t("pr.title")),
      h("p", { class: "soft" }, t("pr.intro")),
      h(
        "div",
        { class: "pr-cards" },
        SOURCES.map((source) => sourceCard(source, found)),
        DRILLS.map((kind) => drillCard(kind, found)),
      ),
      ...progressElements(found, () => void this.forget()),
    );
  }

  async forget() {
    if (!confirm(t("pr.forget.sure"))) return;
    await ask("DELETE /api/practice");
    await this.overview();
  }

  /** @param {Source} source */
  async problems(source) {
    const view = new ProblemView(this.root, source, this.app);
    this.running = view;
    await view.next();
  }

  /** @param {DrillKind} kind */
  drill(kind) {
    const drill = new Drill(this.root, kind, this.app);
    this.running = drill;
    drill.intro();
  }
}

/**
 * @param {Source} source
 * @param {PracticeOverview} found
 */
function sourceCard(source, found) {
  const count = source === "daily" ? 1 : found[source];
  const state =
    source === "daily"
      ? found.daily === null
        ? t("pr.daily.open")
        : t(found.daily ? "pr.daily.right" : "pr.daily.wrong")
      : t("pr.waiting", { n: count });
  const streak = source === "daily" && found.streak > 1 ? h("p", null, t("pr.streak", { n: found.streak })) : null;
  const empty = count === 0 ? h("p", { class: "small soft" }, t(`pr.${source}.none`)) : null;
  return h(
    "section",
    { class: "card pr-card", dataset: { source } },
    h("h2", null, t(`pr.${source}`)),
    h("p", { class: "small soft" }, t(`pr.${source}.about`)),
    h("p", { class: "pr-state" }, state),
    streak,
    empty ?? h("a", { class: "button primary", href: `#/practice/${source}` }, t("pr.start")),
  );
}

/**
 * @param {DrillKind} kind
 * @param {PracticeOverview} found
 */
function drillCard(kind, found) {
  const results = found.drills[kind] ?? [];
  const best = results.length ? Math.max(...results.map((one) => one.right)) : null;
  return h(
    "section",
    { class: "card pr-card", dataset: { source: kind } },
    h("h2", null, t(`pr.${kind}`)),
    h("p", { class: "small soft" }, t(`pr.${kind}.about`)),
    h("p", { class: "pr-state" }, best === null ? t("pr.drill.never") : t("pr.drill.best", { n: best })),
    h("a", { class: "button primary", href: `#/practice/${kind}` }, t("pr.start")),
  );
}
