/**
 * The buttons that move through a review, and its tabs.
 * @module
 */
import { h } from "../dom.js";
import { t } from "../i18n.js";

export const TABS = ["choices", "mistakes", "opponents", "rates", "luck"];

/**
 * Buttons to the decision and to the mistake before and after.
 * @param {(step: 1 | -1) => void} step
 * @param {(step: 1 | -1) => void} mistake
 */
export function stepElements(step, mistake) {
  return [
    stepButton("prevmistake", "«", "↑", () => mistake(-1)),
    stepButton("prev", "‹", "←", () => step(-1)),
    stepButton("next", "›", "→", () => step(1)),
    stepButton("nextmistake", "»", "↓", () => mistake(1)),
  ];
}

/**
 * @param {string} key
 * @param {string} sign
 * @param {string} keys
 * @param {() => void} act
 */
function stepButton(key, sign, keys, act) {
  return h(
    "button",
    {
      type: "button",
      class: `rv-step rv-${key}`,
      title: `${t(`rv.${key}`)} (${keys})`,
      "aria-keyshortcuts": keys,
      onclick: act,
    },
    h("span", { "aria-hidden": "true" }, sign),
    h("span", { class: "rv-step-words" }, t(`rv.${key}`)),
  );
}

/**
 * @param {string} chosen
 * @param {(name: string) => void} choose
 */
export function tabElements(chosen, choose) {
  return TABS.map((name) =>
    h(
      "button",
      {
        type: "button",
        role: "tab",
        id: `rv-tab-${name}`,
        "aria-selected": name === chosen ? "true" : "false",
        "aria-controls": "rv-panel",
        tabindex: name === chosen ? 0 : -1,
        onclick: () => choose(name),
        onkeydown: (/** @type {KeyboardEvent} */ event) => tabKey(event, chosen, choose),
      },
      t(`rv.tab.${name}`),
    ),
  );
}

/**
 * @param {KeyboardEvent} event
 * @param {string} chosen
 * @param {(name: string) => void} choose
 */
function tabKey(event, chosen, choose) {
  const step = event.key === "ArrowRight" ? 1 : event.key === "ArrowLeft" ? -1 : 0;
  const list = event.currentTarget instanceof HTMLElement ? event.currentTarget.parentElement : null;
  if (!step) return;
  event.preventDefault();
  event.stopPropagation();
  choose(TABS[(TABS.indexOf(chosen) + step + TABS.length) % TABS.length] ?? "choices");
  /** @type {HTMLElement | null | undefined} */ (list?.querySelector('[aria-selected="true"]'))?.focus();
}
