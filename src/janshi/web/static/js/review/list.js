/**
 * Uploading a game, and the reviews of this browser.
 * @module
 */
import { ask } from "../api.js";
import { fill, h, soon } from "../dom.js";
import { addWords, language, t, tOr } from "../i18n.js";
import words from "../words/replay.js";
import { gettingLogs } from "./getting_logs.js";
import { amount, gameName } from "./words.js";

addWords(words);

/** @typedef {import("../types.js").App} App */
/** @typedef {Record<string, import("../schema.js").ReviewerMenu>} Menu */
/** @typedef {import("../schema.js").ListedReview} Listed */

const POLL = 1500;
/** How many of the newest reviews stay when old ones are cleared. */
const KEPT = 10;
const MOST_BYTES = 2 * 1024 * 1024;
/** @type {Record<string, import("./types.js").Unit>} */
const UNITS = {
  apprentice: "rank",
  mdp: "rank",
  montecarlo: "rank",
  careful: "points",
  one_player: "probability",
  rvr: "hand_points",
};

export class ReviewList {
  /**
   * @param {HTMLElement} root
   * @param {App} app
   */
  constructor(root, app) {
    this.root = root;
    this.app = app;
    this.timer = 0;
    /** @type {Menu} */
    this.menu = {};
    this.list = h("section", { class: "card", "aria-label": t("rv.list") });
    this.problem = h("p", { class: "rv-problem", role: "alert", hidden: true });
    this.busy = h("p", { class: "rv-busy", role: "status", hidden: true }, t("rv.reading"));
    this.text = h("textarea", {
      rows: 4,
      spellcheck: "false",
      placeholder: t("rv.paste.hint"),
      "aria-label": t("rv.paste"),
      id: "rv-text",
    });
    this.file = h("input", {
      type: "file",
      class: "visually-hidden",
      id: "rv-file",
      onchange: () => this.#chosen(this.file.files),
    });
    this.agent = h("select", { id: "rv-agent" });
    this.seat = h(
      "select",
      { id: "rv-seat" },
      h("option", { value: "all" }, t("rv.seat.all")),
      h("option", { value: "none" }, t("replay.only")),
      [0, 1, 2, 3].map((n) => h("option", { value: n }, t("rv.seat.start", { n: n + 1 }))),
    );
  }

  async start() {
    const place = h("div");
    this.root.append(place);
    await soon(this.#drawMenu());
    place.replaceWith(this.#upload(), this.list);
    await this.#refresh();
  }

  async #drawMenu() {
    this.menu = await ask("GET /api/reviews/agents");
    const options = Object.entries(this.menu).map(([family, { reviewers }]) =>
      h(
        "optgroup",
        { label: tOr(`rv.family.${family}`, family) },
        reviewers.map((one) => h("option", { value: one.label }, `${one.name} – ${t(`rv.by.${one.unit}`)}`)),
      ),
    );
    fill(this.agent, h("option", { value: "" }, t("rv.agent.default")), options);
  }

  stop() {
    clearTimeout(this.timer);
    this.timer = -1;
  }

  #upload() {
    const drop = h(
      "label",
      { class: "rv-drop", for: "rv-file" },
      h("strong", null, t("rv.drop")),
      h("span", { class: "soft" }, t("rv.formats")),
    );
    drop.addEventListener("dragover", (event) => {
      event.preventDefault();
      drop.classList.add("over");
    });
    drop.addEventListener("dragleave", () => drop.classList.remove("over"));
    drop.addEventListener("drop", (event) => {
      event.preventDefault();
      drop.classList.remove("over");
      this.#chosen(event.dataTransfer?.files ?? null);
    });
    const field = (/** @type {string} */ words, /** @type {HTMLElement} */ input) =>
      h("label", { class: "field" }, h("span", null, words), input);
    const send = h("button", { type: "submit", class: "primary" }, t("rv.start"));
    const form = h(
      "form",
      {
        class: "card stack",
        onsubmit: (/** @type {Event} */ event) => {
          event.preventDefault();
          this.#pasted();
        },
      },
      h("h1", null, t("rv.title")),
      h("p", { class: "soft" }, t("rv.intro")),
      this.file,
      drop,
      gettingLogs(),
      field(t("rv.paste"), this.text),
      h("div", { class: "row" }, field(t("rv.agent"), this.agent), field(t("rv.whose"), this.seat), send),
      h("p", { class: "small soft" }, t("rv.guobiao.note")),
      this.busy,
      this.problem,
    );
    return form;
  }

  /** @param {FileList | null} files */
  #chosen(files) {
    const file = files?.[0];
    if (!file) return;
    if (file.size > MOST_BYTES) {
      this.#fail(t("rv.toolarge"));
      return;
    }
    const form = new FormData();
    form.set("file", file, file.name);
    void this.#send(form);
    this.file.value = "";
  }

  #pasted() {
    if (!this.text.value.trim()) {
      this.text.focus();
      return;
    }
    const form = new FormData();
    form.set("file", new Blob([this.text.value], { type: "text/plain" }), "pasted");
    void this.#send(form);
  }

  /** @param {FormData} form */
  async #send(form) {
    form.set("agent", this.agent.value);
    form.set("seat", this.seat.value);
    this.problem.hidden = true;
    this.busy.hidden = false;
    try {
      const made = await ask("POST /api/reviews", { form });
      this.app.go(made.url);
    } catch (problem) {
      this.#fail(problem instanceof Error ? problem.message : String(problem));
    } finally {
      this.busy.hidden = true;
    }
  }

  /** @param {string} message */
  #fail(message) {
    this.problem.textContent = message;
    this.problem.hidden = false;
    this.problem.scrollIntoView({ block: "nearest" });
  }

  async #refresh() {
    const { reviews } = await ask("GET /api/reviews");
    if (this.timer === -1) return;
    fill(
      this.list,
      h("h2", null, t("rv.list")),
      reviews.length
        ? h(
            "ul",
            { class: "rv-list" },
            reviews.map((one) => this.#item(one)),
          )
        : h("p", { class: "soft" }, t("rv.list.empty")),
      reviews.length > KEPT
        ? h("button", { type: "button", class: "quiet", onclick: () => void this.#clear() }, t("rv.clear"))
        : null,
    );
    if (reviews.some((one) => one.state === "waiting" || one.state === "thinking")) {
      this.timer = setTimeout(() => void this.#refresh().catch(() => {}), POLL);
    }
  }

  /** @param {Listed} one */
  #item(one) {
    const date = new Intl.DateTimeFormat(language(), { dateStyle: "medium", timeStyle: "short" }).format(
      one.created * 1000,
    );
    const state =
      one.state === "done"
        ? one.worst === null
          ? ""
          : t("rv.worst", { cost: amount(one.worst, UNITS[one.agent.split(":")[0] ?? ""] ?? "rank") })
        : t(`rv.listed.${one.state}`, { done: one.done, total: one.total });
    return h(
      "li",
      null,
      h(
        "a",
        { href: `#/review/${one.id}` },
        h("strong", null, gameName(one)),
        h("span", { class: "small soft" }, `${date} · ${t(`rv.format.${one.format}`)} · ${one.agent}`),
        h("span", { class: "small" }, state),
      ),
      h(
        "button",
        {
          type: "button",
          class: "icon",
          "aria-label": t("rv.delete.label", { name: one.name }),
          title: t("rv.delete"),
          onclick: () => void this.#delete(one),
        },
        "×",
      ),
    );
  }

  async #clear() {
    if (!confirm(t("rv.clear.sure", { keep: KEPT }))) return;
    await ask("DELETE /api/reviews", { params: { keep: KEPT } });
    await this.#refresh();
  }

  /** @param {Listed} one */
  async #delete(one) {
    if (!confirm(t("rv.delete.sure", { name: one.name }))) return;
    await ask("DELETE /api/reviews/{id}", { params: { id: one.id } });
    await this.#refresh();
  }
}
