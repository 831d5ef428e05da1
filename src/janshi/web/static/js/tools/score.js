/**
 * The hand calculator: circumstances of a win, and its yaku or fan, fu and payments in words.
 * @module
 */
import { ApiError, ask } from "../api.js";
import { fill, h } from "../dom.js";
import { language, number, t, tOr } from "../i18n.js";
import { tileRow } from "../tiles.js";
import { offerOf } from "./families.js";
import { WAITING, handSize, parseHand } from "./hand.js";

/** @typedef {import("./page.js").ToolState} ToolState */

/** @typedef {import("../schema.js").Routes} Routes */
/** @typedef {import("../schema.js").Reason} Reason */
/** @typedef {import("../schema.js").Worth} Worth */

/** The calculator's controls and its result. */
export class ScoreTool {
  /**
   * @param {ToolState} state
   * @param {() => void} onChange
   */
  constructor(state, onChange) {
    this.state = state;
    this.onChange = onChange;
    this.offer = offerOf(state.family);
    const { presets, checks, numbers } = this.offer;
    this.result = h("section", { class: "card tools-result", "aria-live": "polite", "aria-label": t("tools.result") });
    this.controls = h(
      "section",
      { class: "card tools-how" },
      h("h2", null, t("tools.how_won")),
      h(
        "div",
        { class: "tools-winds" },
        this.select("seat_wind", ["E", "S", "W", "N"], "wind."),
        this.select("round_wind", ["E", "S", "W", "N"], "wind."),
        presets.length ? this.select("rules", presets, "tools.rules.") : null,
      ),
      h(
        "div",
        { class: "tools-checks" },
        checks.map((name) => this.check(name)),
      ),
      h(
        "div",
        { class: "tools-numbers" },
        Object.entries(numbers).map(([name, most]) => this.count(name, most)),
      ),
    );
    /** @type {AbortController | null} */
    this.asking = null;
  }

  /** @param {string} name */
  check(name) {
    const input = h("input", {
      type: "checkbox",
      name,
      checked: Boolean(this.state.how[name]),
      onchange: () => this.set(name, input.checked),
    });
    return h(
      "label",
      { class: "check", title: tOr(`tools.why.${name}`, "") },
      input,
      h("span", null, t(`tools.how.${name}`)),
    );
  }

  /**
   * @param {string} name
   * @param {string[]} values
   * @param {string} words
   */
  select(name, values, words) {
    const select = h(
      "select",
      { name, onchange: () => this.set(name, select.value) },
      values.map((value) =>
        h("option", { value, selected: value === (this.state.how[name] ?? values[0]) }, t(words + value)),
      ),
    );
    return h("label", { class: "field" }, h("span", null, t(`tools.how.${name}`)), select);
  }

  /**
   * @param {string} name
   * @param {number} most
   */
  count(name, most) {
    const input = h("input", {
      type: "number",
      name,
      min: "0",
      max: String(most),
      step: "1",
      inputmode: "numeric",
      value: String(this.state.how[name] ?? 0),
      oninput: () => this.set(name, Math.max(0, Math.min(most, Math.trunc(Number(input.value) || 0)))),
    });
    return h("label", { class: "field" }, h("span", null, t(`tools.how.${name}`)), input);
  }

  /**
   * @param {string} name
   * @param {boolean | number | string} value
   */
  set(name, value) {
    this.state.how[name] = value;
    this.onChange();
  }

  /** The request to the server. */
  question() {
    const { family, text, extras, how } = this.state;
    const { presets, checks, numbers, indicators } = this.offer;
    const names = [
      ...checks,
      ...Object.keys(numbers),
      "seat_wind",
      "round_wind",
      ...(presets.length ? ["rules"] : []),
    ];
    /** @type {Record<string, unknown>} */
    const asked = { family, tiles: text };
    for (const name of names) if (how[name] !== undefined) asked[name] = how[name];
    const turned = { dora: true, ura: how.riichi || how.double_riichi };
    for (const name of indicators) asked[`${name}_indicators`] = turned[name] ? (extras[name] ?? "") : "";
    return /** @type {Routes["POST /api/tools/score"]["body"]} */ (/** @type {unknown} */ (asked));
  }

  async ask() {
    this.stop();
    const hand = parseHand(this.state.text);
    const size = handSize(hand);
    if (size <= WAITING && !hand.rest) {
      fill(this.result, h("p", { class: "soft" }, t("tools.missing", { n: WAITING + 1 - size })));
      return;
    }
    const asking = new AbortController();
    this.asking = asking;
    try {
      const worth = await ask("POST /api/tools/score", { body: this.question(), signal: asking.signal });
      fill(this.result, ...worthView(worth));
    } catch (problem) {
      if (asking.signal.aborted) return;
      fill(this.result, refusal(problem));
    }
  }

  stop() {
    this.asking?.abort();
    this.asking = null;
  }
}

/**
 * Why there is no answer.
 * @param {unknown} problem
 */
export function refusal(problem) {
  const text = problem instanceof ApiError ? problem.message : t("error.network");
  return h("p", { class: "tools-refused", role: "alert" }, text);
}

/**
 * @param {Worth} worth
 * @returns {import("../dom.js").Children[]}
 */
function worthView(worth) {
  return [
    h("p", { class: `tools-worth${worth.wins ? "" : " bad"}` }, headline(worth)),
    worth.wins ? null : h("p", { class: "bad" }, t("tools.too_few", { n: worth.needed })),
    h("h2", null, t(offerOf(worth.family).reasons)),
    reasonTable(worth),
    worth.fu_parts.length ? h("h2", null, t("tools.fu")) : null,
    worth.fu_parts.length ? fuTable(worth) : null,
    worth.payments.length ? h("h2", null, t("tools.payments")) : null,
    worth.payments.length ? paymentTable(worth) : null,
  ];
}

/** @param {Worth} worth */
function headline(worth) {
  const points = t("tools.points", { n: number(worth.total) });
  if (worth.unit === "fan")
    return [t("tools.fan_total", { n: worth.total_fan }), worth.wins ? points : ""].filter(Boolean).join(" · ");
  if (worth.yakuman) return `${worth.yakuman > 1 ? `${worth.yakuman} × ` : ""}${t("tools.limit.yakuman")} · ${points}`;
  const limit = worth.limit ? ` · ${t(`tools.limit.${worth.limit}`)}` : "";
  return `${t("tools.han_fu", { han: worth.han, fu: worth.fu })}${limit} · ${points}`;
}

/** @param {Worth} worth */
function reasonTable(worth) {
  const unit = t(`tools.unit.${worth.unit}`);
  return h(
    "table",
    { class: "tools-table" },
    h(
      "thead",
      { class: "visually-hidden" },
      h("tr", null, h("th", { scope: "col" }, t("tools.name")), h("th", { scope: "col" }, unit)),
    ),
    h(
      "tbody",
      null,
      worth.reasons.map((reason) =>
        h(
          "tr",
          null,
          h("td", null, ...reasonCell(worth, reason)),
          h(
            "td",
            { class: "numbers tools-figure" },
            `${worth.unit === "yakuman" ? `${reason.value} ` : `${number(reason.value)} `}${unit}`,
          ),
        ),
      ),
    ),
  );
}

/**
 * @param {Worth} worth
 * @param {Reason} reason
 */
function reasonCell(worth, reason) {
  const { table, native } = offerOf(worth.family);
  const words = table[reason.number];
  const at = ["en", "ja", "zh"].indexOf(language());
  const name = words?.[at] ?? reason.name;
  const other = at === 0 ? `${reason.native} ${reason.reading}` : name === reason.native ? "" : reason.native;
  return [
    h("strong", null, name, reason.count > 1 ? ` × ${reason.count}` : ""),
    " ",
    h("span", { class: "soft small", lang: at === 0 ? native : null }, other),
    h("div", { class: "small" }, words?.[at + 3] ?? ""),
    reason.tiles.length
      ? h(
          "div",
          { class: "tools-groups" },
          reason.tiles.map((tiles) => tileRow(tiles, { size: 22 })),
        )
      : null,
  ];
}

/** @param {Worth} worth */
function fuTable(worth) {
  const counted = worth.fu_parts.reduce((sum, part) => sum + part.fu, 0);
  const rows = worth.fu_parts.map((part) => [t(`tools.fu.${part.name}`), part.fu]);
  return h(
    "table",
    { class: "tools-table" },
    h(
      "tbody",
      null,
      rows.map(([name, fu]) =>
        h(
          "tr",
          null,
          h("td", null, String(name)),
          h("td", { class: "numbers tools-figure" }, t("tools.n_fu", { n: Number(fu) })),
        ),
      ),
      counted === worth.fu
        ? null
        : h(
            "tr",
            { class: "tools-sum" },
            h("td", null, t("tools.rounded", { n: counted })),
            h("td", { class: "numbers tools-figure" }, t("tools.n_fu", { n: worth.fu })),
          ),
    ),
  );
}

/** @param {Worth} worth */
function paymentTable(worth) {
  return h(
    "table",
    { class: "tools-table" },
    h(
      "tbody",
      null,
      worth.payments.map(({ payer, points }) =>
        h(
          "tr",
          null,
          h("td", null, t(`tools.pays.${payer}`)),
          h("td", { class: "numbers tools-figure" }, number(points)),
        ),
      ),
      h(
        "tr",
        { class: "tools-sum" },
        h("td", null, t("tools.total")),
        h("td", { class: "numbers tools-figure" }, number(worth.total)),
      ),
    ),
  );
}
