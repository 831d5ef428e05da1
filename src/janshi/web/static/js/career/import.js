/**
 * Importing files, folders and archives: dropped or chosen, sent in batches, with progress and what could not be read.
 * @module
 */
import { ask } from "../api.js";
import { fill, h } from "../dom.js";
import { number, t } from "../i18n.js";
import { gettingLogs } from "../review/getting_logs.js";
import { mebibytes } from "./words.js";

/** @typedef {import("../schema.js").CareerState} State */
/** @typedef {{file: File, path: string}} Found */

const BATCH_FILES = 100;
const BATCH_BYTES = 16 * 2 ** 20;
const MOST_BYTES = 255 * 2 ** 20;

export class ImportBox {
  /**
   * @param {import("../types.js").App} app
   * @param {(state: State) => void} changed
   * @param {AbortSignal} signal
   */
  constructor(app, changed, signal) {
    this.app = app;
    this.changed = changed;
    this.signal = signal;
    /** @type {string[]} endings of files that are sent from folders */
    this.endings = [];
    this.sending = { sent: 0, total: 0 };
    this.progress = h("div", { class: "career-progress", role: "status" });
    this.problems = h("div", { class: "career-problems" });
    this.listed = -1;
    this.files = this.#picker("career-files", {});
    this.folder = this.#picker("career-folder", { webkitdirectory: true });
    this.zone = h(
      "div",
      { class: "career-drop" },
      h("p", { class: "career-drop-title" }, t("career.drop")),
      h("p", { class: "soft small" }, t("career.drop.formats")),
      h(
        "div",
        { class: "row career-drop-buttons" },
        h("button", { type: "button", class: "primary", onclick: () => this.files.click() }, t("career.choose.files")),
        h("button", { type: "button", onclick: () => this.folder.click() }, t("career.choose.folder")),
      ),
      this.files,
      this.folder,
    );
    this.box = h(
      "details",
      { class: "card career-import" },
      h("summary", null, h("h2", null, t("career.import"))),
      this.zone,
      gettingLogs(),
    );
    this.element = h(
      "section",
      { class: "stack", "aria-label": t("career.import") },
      this.box,
      this.progress,
      this.problems,
    );
    this.#listen();
  }

  /** @param {boolean} open */
  open(open) {
    this.box.open = open;
  }

  /**
   * @param {string} id
   * @param {Record<string, unknown>} props
   */
  #picker(id, props) {
    const input = h("input", {
      ...props,
      type: "file",
      multiple: true,
      class: "visually-hidden",
      id,
      tabindex: "-1",
      "aria-label": t(id === "career-files" ? "career.choose.files" : "career.choose.folder"),
      onchange: () => {
        const chosen = [...(input.files ?? [])];
        void this.send(chosen.map((file) => ({ file, path: file.webkitRelativePath || file.name })));
        input.value = "";
      },
    });
    return input;
  }

  /** The whole page takes drops. */
  #listen() {
    const { signal } = this;
    addEventListener(
      "dragover",
      (event) => {
        event.preventDefault();
        this.zone.classList.add("over");
      },
      { signal },
    );
    addEventListener("dragleave", () => this.zone.classList.remove("over"), { signal });
    addEventListener(
      "drop",
      (event) => {
        event.preventDefault();
        this.zone.classList.remove("over");
        void dropped(event).then((found) => this.send(found));
      },
      { signal },
    );
  }

  /**
   * Sends files in batches; what lies in folders only if it is named like a record or an archive.
   * @param {Found[]} found
   */
  async send(found) {
    const wanted = found.filter(({ path }) => !path.includes("/") || this.#isRecord(path));
    const large = wanted.filter(({ file }) => file.size > MOST_BYTES);
    if (large.length) this.app.toast(t("career.too_large", { name: large[0]?.file.name ?? "" }), "error");
    const rest = wanted.filter(({ file }) => file.size <= MOST_BYTES);
    if (!rest.length) {
      if (!large.length) this.app.toast(t("career.nothing"), "error");
      return;
    }
    this.sending = { sent: 0, total: rest.length };
    this.open(true);
    try {
      for (const batch of batches(rest)) {
        const form = new FormData();
        for (const { file, path } of batch) form.append("files", file, path);
        const state = await ask("POST /api/career/files", { form, signal: this.signal });
        this.sending.sent += batch.length;
        this.changed(state);
      }
    } catch (problem) {
      if (!this.signal.aborted) this.app.toast(problem instanceof Error ? problem.message : String(problem), "error");
    } finally {
      this.sending = { sent: 0, total: 0 };
    }
  }

  /** @param {string} path */
  #isRecord(path) {
    const name = (path.split("/").at(-1) ?? "").toLowerCase();
    const plain = name.replace(/\.gz$/, "");
    if (name.startsWith(".")) return false;
    return /^20\d{8}gm-/.test(name) || this.endings.some((end) => plain.endsWith(end) || name.endsWith(end));
  }

  /** @param {State} state */
  show(state) {
    const { importing } = state;
    const { sent, total } = this.sending;
    const any = importing.games + importing.duplicates + importing.problems + importing.uploads + total > 0;
    fill(
      this.progress,
      total > sent ? h("p", null, t("career.sending", { n: number(sent), of: number(total) })) : null,
      importing.uploads ? this.#bar(importing) : null,
      any
        ? h(
            "p",
            { class: "career-counts" },
            t("career.counts", {
              games: number(importing.games),
              duplicates: number(importing.duplicates),
              problems: number(importing.problems),
            }),
          )
        : null,
    );
    if (importing.problems !== this.listed) {
      this.listed = importing.problems;
      if (importing.problems) void this.#list();
      else fill(this.problems);
    }
  }

  /** @param {State["importing"]} importing */
  #bar(importing) {
    const { read_bytes: read, total_bytes: total } = importing;
    return h(
      "div",
      { class: "career-reading" },
      h("progress", { max: Math.max(total, 1), value: read, "aria-label": t("career.import") }),
      h(
        "span",
        { class: "small" },
        t("career.reading", { name: importing.reading, read: mebibytes(read), total: mebibytes(total) }),
      ),
      h("button", { type: "button", class: "quiet", onclick: () => void this.#cancel() }, t("career.cancel")),
    );
  }

  async #cancel() {
    this.changed(await ask("DELETE /api/career/files"));
  }

  async #list() {
    const { problems, total } = await ask("GET /api/career/problems", { signal: this.signal });
    fill(
      this.problems,
      h(
        "details",
        { class: "card career-bad" },
        h("summary", null, t("career.problems", { n: number(total) })),
        h(
          "ul",
          null,
          problems.map(({ file, what }) => h("li", null, h("code", null, file), h("span", { class: "soft" }, what))),
        ),
        total > problems.length
          ? h("p", { class: "soft small" }, t("career.problems.more", { n: number(total - problems.length) }))
          : null,
      ),
    );
  }
}

/**
 * @param {Found[]} files
 * @returns {Found[][]}
 */
function batches(files) {
  /** @type {Found[][]} */
  const made = [[]];
  let bytes = 0;
  for (const one of files) {
    const last = /** @type {Found[]} */ (made.at(-1));
    if (last.length && (last.length === BATCH_FILES || bytes + one.file.size > BATCH_BYTES)) {
      made.push([one]);
      bytes = one.file.size;
    } else {
      last.push(one);
      bytes += one.file.size;
    }
  }
  return made;
}

/**
 * All files of a drop, those in folders included.
 * @param {DragEvent} event
 * @returns {Promise<Found[]>}
 */
async function dropped(event) {
  const items = [...(event.dataTransfer?.items ?? [])].filter((item) => item.kind === "file");
  const entries = items.map((item) => ({ entry: item.webkitGetAsEntry(), file: item.getAsFile() }));
  const found = await Promise.all(
    entries.map(({ entry, file }) => (entry ? inside(entry) : file ? [{ file, path: file.name }] : [])),
  );
  return found.flat();
}

/**
 * @param {FileSystemEntry} entry
 * @returns {Promise<Found[]>}
 */
async function inside(entry) {
  if (entry.isFile) {
    const file = await new Promise((/** @type {(file: File) => void} */ done, failed) =>
      /** @type {FileSystemFileEntry} */ (entry).file(done, failed),
    );
    return [{ file, path: entry.fullPath.replace(/^\//, "") }];
  }
  const reader = /** @type {FileSystemDirectoryEntry} */ (entry).createReader();
  /** @type {Found[]} */
  const found = [];
  for (;;) {
    const some = await new Promise((/** @type {(some: FileSystemEntry[]) => void} */ done, failed) =>
      reader.readEntries(done, failed),
    );
    if (!some.length) return found;
    for (const one of some) found.push(...(await inside(one)));
  }
}
