/**
 * Efficiency: how far a hand is from waiting, which tiles help, and what each discard leaves.
 * @module
 */
import { ask } from "../api.js";
import { fill, h } from "../dom.js";
import { number, signed, t } from "../i18n.js";
import { whoIs } from "../opponents.js";
import { fansWords, noYakuWords, valueWords, yakuWords } from "../review/reach.js";
import { tile, tileName } from "../tiles.js";
import { offerOf } from "./families.js";
import { WAITING, formatHand, handSize, parseHand } from "./hand.js";
import { refusal } from "./score.js";

/** @typedef {import("./page.js").ToolState} ToolState */
/** @typedef {import("../schema.js").Useful} Useful */
/** @typedef {import("../schema.js").Discard} Discard */
/** @typedef {import("../schema.js").Efficiency} Efficiency */
/** @typedef {import("../schema.js").WinsInReach} WinsInReach */

/** The result of the efficiency tool; a discard is carried out by its button. */
export class EfficiencyTool {
  /**
   * @param {ToolState} state
   * @param {(text: string) => void} setText
   */
  constructor(state, setText) {
    this.state = state;
    this.setText = setText;
    this.controls = h("p", { class: "small soft" }, t("tools.useful_means"));
    this.result = h("section", { class: "card tools-result", "aria-live": "polite", "aria-label": t("tools.result") });
    /** @type {AbortController | null} */
    this.asking = null;
  }

  async ask() {
    this.stop();
    const hand = parseHand(this.state.text);
    const size = handSize(hand);
    if (size < WAITING && !hand.rest) {
      fill(
        this.result,
        h("p", { class: "soft" }, t("tools.missing_some", { n: WAITING - size, more: WAITING + 1 - size })),
      );
      return;
    }
    const asking = new AbortController();
    this.asking = asking;
    try {
      const body = { family: this.state.family, tiles: this.state.text, seen: this.state.extras.seen ?? "" };
      const found = await ask("POST /api/tools/efficiency", { body, signal: asking.signal });
      fill(this.result, ...this.view(found));
      const promised = offerOf(found.family).promises.length > 0 && found.discards.length > 0;
      await Promise.all([this.#values(body, asking.signal), promised ? this.#promises(found, asking.signal) : null]);
    } catch (problem) {
      if (!asking.signal.aborted) fill(this.result, refusal(problem));
    }
  }

  /**
   * Fills in what wins are worth.
   * @param {import("../schema.js").EfficiencyQuestion} body
   * @param {AbortSignal} signal
   */
  async #values(body, signal) {
    const { hands } = await ask("POST /api/tools/reach", { body, signal });
    for (const one of hands) {
      const place = this.result.querySelector(`[data-wins="${one.tile ?? ""}"]`);
      if (place) fill(place, winsWords(one));
    }
  }

  /**
   * Fills in what discards promise, which takes a moment longer.
   * @param {Efficiency} found
   * @param {AbortSignal} signal
   */
  async #promises(found, signal) {
    const note = this.result.querySelector(".tools-note");
    if (found.melds.length || this.state.extras.seen) {
      if (note) note.textContent = t("tools.promise.closed");
      return;
    }
    const { discards } = await ask("POST /api/tools/outlook", { body: { tiles: this.state.text }, signal });
    const best = Math.max(...discards.map((one) => one.points));
    for (const one of discards) {
      const row = this.result.querySelector(
        `[data-discard="${one.tile}"], [data-discard="${one.tile.replace("0", "5")}"]`,
      );
      const [win, points] = row?.querySelectorAll(".tools-promise") ?? [];
      if (win) win.textContent = number(one.win, { style: "percent", maximumFractionDigits: 0 });
      if (points) points.textContent = signed(Math.round(one.points / 10) * 10);
      if (points && one.points === best) points.classList.add("tools-best");
    }
    if (note) note.textContent = t("tools.promise.about", { who: whoIs("mdp") });
  }

  stop() {
    this.asking?.abort();
    this.asking = null;
  }

  /**
   * @param {Efficiency} found
   * @returns {import("../dom.js").Children[]}
   */
  view(found) {
    const head = h("p", { class: "tools-worth" }, shantenWords(found.shanten));
    if (found.count === WAITING) {
      return [
        head,
        h("h2", null, t(found.shanten === 0 ? "tools.waits" : "tools.useful")),
        usefulRow(found.useful),
        h("p", null, t("tools.left", { n: found.left, kinds: found.useful.length })),
        found.shanten >= 0 ? winsLine("") : null,
        h("p", { class: "small soft" }, t(`tools.wins.about.${found.family}`)),
      ];
    }
    const most = Math.max(
      1,
      ...found.discards.filter((one) => one.shanten === found.discards[0]?.shanten).map((one) => one.left),
    );
    const { promises } = offerOf(found.family);
    const columns = ["discard", "after", "sum", "second", ...promises];
    return [
      head,
      h("h2", null, t("tools.discards")),
      h("p", { class: "small soft" }, t("tools.second.about")),
      h(
        "div",
        { class: "tools-scroll", role: "region", tabindex: "0", "aria-label": t("tools.discards") },
        h(
          "table",
          { class: "tools-table tools-discards" },
          h(
            "thead",
            null,
            h(
              "tr",
              null,
              columns.map((name) => h("th", { scope: "col" }, t(`tools.column.${name}`))),
            ),
          ),
          h(
            "tbody",
            null,
            found.discards.map((discard) => [
              this.row(discard, found.discards[0], most, promises),
              usefulLine(discard, columns.length),
            ]),
          ),
        ),
      ),
      h("p", { class: "small soft" }, t(`tools.wins.about.${found.family}`)),
      promises.length ? h("p", { class: "small soft tools-note" }, t("tools.promise.wait")) : null,
    ];
  }

  /**
   * @param {Discard} discard
   * @param {Discard | undefined} best
   * @param {number} most
   * @param {string[]} promises columns that are filled in later
   */
  row(discard, best, most, promises) {
    const top = discard.shanten === best?.shanten;
    return h(
      "tr",
      { class: top ? "tools-top" : "soft", dataset: { discard: discard.tile } },
      h(
        "td",
        null,
        h(
          "button",
          {
            type: "button",
            class: "tools-tile",
            "aria-label": t("tools.do_discard", { tile: tileName(discard.tile) }),
            onclick: () => this.discard(discard.tile),
          },
          tile(discard.tile, { label: "" }),
        ),
      ),
      h("td", { class: "small" }, shortShanten(discard.shanten)),
      h(
        "td",
        { class: "numbers tools-figure" },
        number(discard.left),
        top
          ? h(
              "div",
              { class: "tools-bar", "aria-hidden": "true" },
              h("div", { style: { width: `${(100 * discard.left) / most}%` } }),
            )
          : null,
      ),
      h(
        "td",
        { class: "numbers tools-figure" },
        discard.second === null ? "–" : number(discard.second, { maximumFractionDigits: 1 }),
      ),
      promises.map(() => h("td", { class: "numbers tools-figure tools-promise" }, "–")),
    );
  }

  /** @param {string} gone */
  discard(gone) {
    const { tiles, melds } = parseHand(this.state.text);
    const at = tiles.lastIndexOf(gone);
    this.setText(
      formatHand(
        tiles.filter((_, i) => i !== at),
        melds,
      ),
    );
  }
}

/**
 * The useful tiles of a discard, below its figures.
 * @param {Discard} discard
 * @param {number} columns
 */
function usefulLine(discard, columns) {
  return h(
    "tr",
    { class: "tools-line" },
    h(
      "td",
      { colspan: columns },
      h("span", { class: "visually-hidden" }, `${t("tools.column.useful")}: `),
      usefulRow(discard.useful),
      discard.shanten >= 0 ? winsLine(discard.tile) : null,
    ),
  );
}

/**
 * The line for the wins after a discard, with room for them while they are being computed.
 * @param {string} discarded the tile, or nothing for a hand of 13 tiles
 */
function winsLine(discarded) {
  return h("p", { class: "small tools-wins", dataset: { wins: discarded } }, h("span", { class: "soft" }, "…"));
}

/**
 * What wins are worth.
 * @param {WinsInReach} found
 */
function winsWords({ reach, fan }) {
  if (fan) {
    const said = t("tools.wins.fan", { n: number(fan.mean, { maximumFractionDigits: 0 }), missing: fan.missing });
    return [h("strong", null, said), " ", fansWords(fan)];
  }
  if (!reach) return h("span", { class: "soft" }, t("tools.wins.far"));
  const more = [yakuWords(reach), reach.points === null ? "" : noYakuWords(reach)].filter(Boolean);
  return [h("strong", null, t("tools.wins", { value: valueWords(reach) })), " ", more.join(t("text.list"))];
}

/** @param {number} shanten */
function shantenWords(shanten) {
  if (shanten < 0) return t("tools.complete");
  return shanten === 0 ? t("tools.tenpai") : t("tools.shanten", { n: shanten });
}

/** @param {number} shanten */
function shortShanten(shanten) {
  if (shanten < 0) return t("tools.complete");
  return shanten === 0 ? t("why.tenpai") : t("why.away", { n: shanten });
}

/** @param {Useful[]} useful */
function usefulRow(useful) {
  return h(
    "span",
    { class: "tools-useful", role: "list" },
    useful.map((one) =>
      h(
        "span",
        { class: "tools-one", role: "listitem" },
        tile(one.tile, { size: 26, label: `${tileName(one.tile)} × ${one.left}` }),
        h("span", { class: "small numbers", "aria-hidden": "true" }, String(one.left)),
      ),
    ),
  );
}
