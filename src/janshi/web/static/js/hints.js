/**
 * What an agent thinks of a decision, as bars that say what they mean.
 * @module
 */
import { actionName, choiceName } from "./actions.js";
import { saidLine, unitName } from "./agent_words.js";
import { h } from "./dom.js";
import { number, t, tOr } from "./i18n.js";
import { whoIs } from "./opponents.js";
import { tile } from "./tiles.js";

/** @typedef {import("./types.js").Thought} Thought */
/** @typedef {import("./types.js").WeighedChoice} WeighedChoice */

/** Rows that are shown before "more". */
const SHOWN = 6;
/** Bars are scaled to the largest loss, but at least to this, so that small differences look small. */
const LEAST_SCALE = /** @type {Record<string, number>} */ ({ rank: 0.1, points: 500, hand_points: 5 });

/**
 * @param {Thought} thought
 * @param {string} family
 * @param {string[]} opponents names of the players after the viewer, in turn order
 * @returns {HTMLElement}
 */
export function thoughtPanel(thought, family, opponents) {
  const [best] = thought.choices;
  const rows = thought.choices.map((choice) => row(choice, thought, family));
  return h(
    "div",
    { class: "thought" },
    best
      ? h(
          "p",
          { class: "thought-best" },
          t("hint.best", { agent: agentOf(thought), choice: choiceName(best, family) }),
        )
      : null,
    best && thought.steps?.length
      ? h("p", { class: "small soft thought-line" }, t("hint.line", { line: saidLine(best, thought.steps) }))
      : null,
    thought.alike ? h("p", { class: "small thought-alike" }, t("hint.alike")) : null,
    h("ol", { class: "thought-rows" }, rows.slice(0, SHOWN)),
    rows.length > SHOWN
      ? h(
          "details",
          { class: "thought-more" },
          h("summary", null, t("hint.more", { n: rows.length - SHOWN })),
          h("ol", { class: "thought-rows" }, rows.slice(SHOWN)),
        )
      : null,
    tenpai(thought, opponents),
    legend(thought),
  );
}

/**
 * @param {WeighedChoice} choice
 * @param {Thought} thought
 * @param {string} family
 */
function row(choice, thought, family) {
  const { win, danger } = chances(choice, thought);
  const { loss, experts } = choice;
  const unit = unitName(thought.unit);
  const often = knowsExperts(thought) ? "experts" : "chooses";
  const words = [
    choiceName(choice, family),
    loss === null
      ? experts === null
        ? t("hint.unknown")
        : ""
      : t("hint.loses", { loss: lossText(loss, thought.unit), unit }),
    experts === null ? "" : `${t(`hint.${often}`)} ${percent(experts)}`,
  ];
  if (win !== null) words.push(`${t("hint.win")} ${percent(win)}`);
  if (danger !== null) words.push(`${t("hint.danger")} ${percent(danger)}`);
  return h(
    "li",
    {
      class: `thought-row${choice.action === thought.best ? " thought-first" : ""}`,
      "aria-label": words.filter(Boolean).join(", "),
    },
    h(
      "span",
      { class: "thought-what" },
      choice.tile && (choice.kind === "discard" || choice.kind === "tsumogiri")
        ? tile(choice.tile, { label: "" })
        : h("span", { class: "thought-name" }, actionName(choice.kind, family)),
    ),
    h(
      "span",
      { class: "thought-bars" },
      loss === null ? null : bar("loss", loss / largestLoss(thought), lossWords(choice, thought)),
      loss === null && experts === null ? h("span", { class: "small soft" }, t("hint.unknown")) : null,
      experts === null ? null : bar(often, experts, percent(experts)),
      win === null ? null : bar("win", win, percent(win)),
      danger === null ? null : bar("danger", danger, percent(danger)),
    ),
  );
}

/**
 * The label of a bar: the loss, or that it is the best choice.
 * @param {WeighedChoice} choice
 * @param {Thought} thought
 */
function lossWords(choice, thought) {
  return choice.action === thought.best && !thought.alike ? t("hint.first") : lossText(choice.loss ?? 0, thought.unit);
}

/** @param {Thought} thought */
function largestLoss(thought) {
  return Math.max(LEAST_SCALE[thought.unit ?? ""] ?? 1e-9, ...thought.choices.map((one) => one.loss ?? 0));
}

/**
 * @param {"loss" | "experts" | "chooses" | "win" | "danger" | "tenpai"} kind
 * @param {number} part
 * @param {string} words
 */
function bar(kind, part, words) {
  const width = Number.isFinite(part) ? Math.max(0, Math.min(1, part)) : 0;
  return h(
    "span",
    { class: `bar bar-${kind}`, "aria-hidden": "true" },
    h("i", { style: { width: `${(width * 100).toFixed(1)}%` } }),
    h("span", null, t(`hint.bar.${kind}`)),
    h("b", { class: "numbers" }, words),
  );
}

/**
 * The chances among an agent's numbers for a choice: of winning the hand, and of dealing in.
 * @param {WeighedChoice} choice
 * @param {Thought} thought
 * @returns {{win: number | null, danger: number | null}}
 */
function chances(choice, thought) {
  const discards = choice.kind === "discard" || choice.kind === "tsumogiri";
  const tile = discards && choice.tile ? thought.danger?.[choice.tile] : undefined;
  return {
    win: choice.numbers?.["win"] ?? null,
    danger: tile ?? choice.numbers?.["lose"] ?? choice.numbers?.["deal-in"] ?? null,
  };
}

/**
 * @param {number} loss
 * @param {string | null} unit
 */
function lossText(loss, unit) {
  return number(loss, { maximumFractionDigits: unit === "points" ? 0 : unit === "hand_points" ? 1 : 3 });
}

/** @param {Thought} thought */
export function agentOf(thought) {
  return whoIs(thought.agent, thought.agent.split(":")[0]);
}

/** @param {number} value */
function percent(value) {
  return number(value, { style: "percent", maximumFractionDigits: 1 });
}

/**
 * @param {Thought} thought
 * @param {string[]} opponents
 */
function tenpai(thought, opponents) {
  if (!thought.tenpai?.length) return null;
  return h(
    "div",
    { class: "thought-tenpai" },
    h("h3", null, t("hint.tenpai")),
    h(
      "ul",
      null,
      thought.tenpai.map((chance, i) =>
        h(
          "li",
          null,
          h("span", null, opponents[i] ?? ""),
          bar("tenpai", chance, percent(chance)),
          h("span", { class: "visually-hidden" }, percent(chance)),
        ),
      ),
    ),
  );
}

/** Whether the agent knows what experts choose, not only what it chooses itself. @param {Thought} thought */
function knowsExperts(thought) {
  return thought.unit === "rank" || thought.unit === "points";
}

/** @param {Thought} thought */
function legend(thought) {
  const numbers = thought.choices.map((choice) => chances(choice, thought));
  const lines =
    thought.unit === null
      ? [["chooses", t("hint.legend.chooses")]]
      : [["loss", tOr(`hint.legend.loss.${thought.unit}`, t("hint.legend.loss", { unit: unitName(thought.unit) }))]];
  if (thought.unit !== null && thought.choices.some((one) => one.experts !== null))
    lines.push(knowsExperts(thought) ? ["experts", t("hint.legend.experts")] : ["chooses", t("hint.legend.chooses")]);
  if (numbers.some((one) => one.win !== null)) lines.push(["win", t("hint.legend.win")]);
  if (numbers.some((one) => one.danger !== null)) lines.push(["danger", t("hint.legend.danger")]);
  if (thought.danger) lines.push(["danger", t("hint.legend.tiles")]);
  return h(
    "ul",
    { class: "thought-legend small soft" },
    lines.map(([kind = "", words = ""]) => h("li", null, h("i", { class: `swatch swatch-${kind}` }), words)),
  );
}
