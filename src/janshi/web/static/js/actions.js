/**
 * The bar of buttons for everything that is not a discard, and the line that says whose turn it is.
 * @module
 */
import { fill, h } from "./dom.js";
import { traitsOf } from "./families.js";
import { number, t, tOr } from "./i18n.js";
import { CHOICE_KEYS } from "./keys.js";
import { tile, tileName } from "./tiles.js";

/** @typedef {import("./types.js").Choice} Choice */

/** Order of the buttons, from the left. */
const ORDER = ["ron", "tsumo", "riichi", "kan", "pon", "chi", "nine_terminals", "pass"];
const DISCARDS = new Set(["discard", "tsumogiri"]);

/**
 * What a kind of choice is called by the players of a family of rules.
 * @param {string} kind
 * @param {string} family
 */
export function actionName(kind, family) {
  return tOr(`act.${traitsOf(family).terms}.${kind}`, t(`act.${kind}`));
}

/**
 * A choice as text.
 * @param {Choice} choice
 * @param {string} family
 */
export function choiceName(choice, family) {
  if (choice.kind === "other") return choice.name;
  const name = actionName(choice.kind, family);
  if (choice.kind === "pass" || choice.kind === "riichi" || choice.kind === "nine_terminals" || !choice.tile)
    return name;
  if (choice.kind === "chi")
    return `${name} ${(choice.tiles ?? []).map(tileName).join(", ")} + ${tileName(choice.tile)}`;
  return `${name} ${tileName(choice.tile)}`;
}

export class ActionBar {
  /** @param {(choice: Choice) => void} onChoice */
  constructor(onChoice) {
    this.onChoice = onChoice;
    this.line = h("p", { class: "action-line" });
    this.clock = h("div", { class: "clock", hidden: true }, h("i"));
    this.clockText = h("span", { class: "clock-text numbers", hidden: true });
    this.buttons = h("div", { class: "action-buttons", role: "group", "aria-label": t("play.actions") });
    this.element = h(
      "div",
      { class: "action-bar" },
      this.clock,
      h("div", { class: "action-head" }, this.line, this.clockText),
      this.buttons,
    );
    this.timer = 0;
    /** What the buttons were made from. */
    this.shown = "";
  }

  /**
   * @param {string} words
   * @param {Choice[]} choices
   * @param {string} family
   */
  show(words, choices, family) {
    this.say(words);
    const offered = choices
      .filter((one) => !DISCARDS.has(one.kind))
      .sort((a, b) => ORDER.indexOf(a.kind) - ORDER.indexOf(b.kind));
    this.#put(`choices ${offered.map((one) => [one.action, one.tile])}`, () =>
      offered.map((choice) => this.#button(choice, family)),
    );
  }

  /**
   * Buttons of another kind (next hand, …) instead of choices. They are rebuilt only when the key changes, so that a
   * button never disappears under a finger.
   * @param {string} words
   * @param {unknown[]} key
   * @param {() => HTMLElement[]} make
   */
  showButtons(words, key, make) {
    this.say(words);
    this.#put(JSON.stringify(key), make);
  }

  /**
   * The line above the buttons.
   * @param {string} words
   */
  say(words) {
    if (this.line.textContent !== words) this.line.textContent = words;
  }

  /**
   * @param {string} key
   * @param {() => HTMLElement[]} make
   */
  #put(key, make) {
    if (key === this.shown) return;
    this.shown = key;
    fill(this.buttons, make());
  }

  /**
   * @param {Choice} choice
   * @param {string} family
   */
  #button(choice, family) {
    const own = choice.kind === "chi" || choice.kind === "pon" ? [...(choice.tiles ?? [])] : [];
    const shown = choice.kind === "kan" && choice.tile ? [choice.tile] : own;
    return h(
      "button",
      {
        type: "button",
        class: `action action-${choice.kind}`,
        dataset: { action: choice.action, kind: choice.kind },
        "aria-label": choiceName(choice, family),
        "aria-keyshortcuts": CHOICE_KEYS[choice.kind] ?? null,
        onclick: () => this.onChoice(choice),
      },
      h("span", null, choice.kind === "other" ? choice.name : actionName(choice.kind, family)),
      shown.length
        ? h(
            "span",
            { class: "action-tiles" },
            shown.map((text) => tile(text, { label: "" })),
          )
        : null,
      h("kbd", { "aria-hidden": "true" }, CHOICE_KEYS[choice.kind] ?? ""),
    );
  }

  /**
   * Shows the remaining time, or nothing.
   * @param {number | null} seconds
   */
  setClock(seconds) {
    cancelAnimationFrame(this.timer);
    this.clock.hidden = this.clockText.hidden = seconds === null;
    if (seconds === null) return;
    const end = performance.now() + seconds * 1000;
    const tick = () => {
      const left = Math.max(0, (end - performance.now()) / 1000);
      this.clock.style.setProperty("--part", String(seconds ? left / seconds : 0));
      this.clock.classList.toggle("hurry", left < 5);
      this.clockText.textContent = t("play.seconds", { n: number(left, { maximumFractionDigits: 0 }) });
      if (left > 0 && this.clock.isConnected) this.timer = requestAnimationFrame(tick);
    };
    tick();
  }
}
