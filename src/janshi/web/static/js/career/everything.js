/**
 * Export everything, or delete everything.
 * @module
 */
import { ask } from "../api.js";
import { dialog, h } from "../dom.js";
import { number, t } from "../i18n.js";

export class Everything {
  /**
   * @param {import("../types.js").App} app
   * @param {() => Promise<void>} changed
   */
  constructor(app, changed) {
    this.app = app;
    this.changed = changed;
    this.element = h(
      "section",
      { class: "row career-everything", "aria-label": t("career.everything") },
      h("a", { class: "button", href: "/api/career/export", download: "" }, t("career.export")),
      h("button", { type: "button", class: "bad", onclick: () => this.#ask() }, t("career.delete")),
      h("p", { class: "soft small" }, t("career.kept")),
    );
  }

  #ask() {
    const box = dialog(
      t("career.delete"),
      t("shell.close"),
      h("p", null, t("career.delete.sure")),
      h(
        "div",
        { class: "row" },
        h(
          "button",
          { type: "button", class: "primary", onclick: () => void this.#delete().then(() => box.close()) },
          t("career.delete.yes"),
        ),
        h("button", { type: "button", onclick: () => box.close() }, t("career.delete.no")),
      ),
    );
  }

  async #delete() {
    try {
      const { deleted } = await ask("DELETE /api/career");
      this.app.toast(t("career.deleted", { n: number(deleted) }));
      await this.changed();
    } catch (problem) {
      this.app.toast(problem instanceof Error ? problem.message : String(problem), "error");
    }
  }
}
