/**
 * What the settings and help dialogs hold.
 * @module
 */
import { h } from "./dom.js";
import { language, LANGUAGES, read, setLanguage, t, write } from "./i18n.js";
import { setSound, soundOn } from "./sound.js";
import { corners, setCorners, setTheme, theme } from "./theme.js";
import { tileRow } from "./tiles.js";

/**
 * @param {() => void} changed called when the page must be drawn again
 * @returns {HTMLElement[]}
 */
export function settingsContent(changed) {
  return [
    h(
      "div",
      { class: "stack" },
      languages(changed),
      themes(),
      cornerBox(),
      confirmation(changed),
      soundBox(),
      h("p", { class: "small soft" }, t("shell.motion")),
    ),
  ];
}

/**
 * A group of radio buttons.
 * @template {string} T
 * @param {string} legend
 * @param {string} name
 * @param {[T, string][]} choices value and words
 * @param {T} chosen
 * @param {(value: T) => void} onChange
 */
function radios(legend, name, choices, chosen, onChange) {
  return h(
    "fieldset",
    null,
    h("legend", null, legend),
    h(
      "div",
      { class: "row" },
      choices.map(([value, words]) =>
        h(
          "label",
          { class: "check" },
          h("input", { type: "radio", name, value, checked: value === chosen, onchange: () => onChange(value) }),
          words,
        ),
      ),
    ),
  );
}

/** @param {() => void} changed */
function languages(changed) {
  return radios(
    t("shell.language"),
    "language",
    LANGUAGES.map(({ id, name }) => [id, name]),
    language(),
    (id) => {
      setLanguage(id);
      changed();
    },
  );
}

function themes() {
  return radios(
    t("shell.theme"),
    "theme",
    [
      ["auto", t("shell.theme.auto")],
      ["light", t("shell.theme.light")],
      ["dark", t("shell.theme.dark")],
    ],
    theme(),
    setTheme,
  );
}

function cornerBox() {
  const box = h("input", { type: "checkbox", checked: corners() });
  box.addEventListener("change", () => setCorners(box.checked));
  return h(
    "div",
    null,
    h("label", { class: "check" }, box, t("shell.corners")),
    h("div", null, tileRow(["1m", "0m", "7p", "0p", "9s", "0s", "1z", "6z"], { size: 34, label: "" })),
  );
}

function soundBox() {
  const box = h("input", { type: "checkbox", checked: soundOn() });
  box.addEventListener("change", () => setSound(box.checked));
  return h("label", { class: "check" }, box, t("shell.sound"));
}

/** @typedef {"auto" | "yes" | "no"} Confirm */

/** @returns {Confirm} */
export function confirmSetting() {
  const saved = read("janshi.confirm");
  return saved === "yes" || saved === "no" ? saved : "auto";
}

/** Whether a discard takes two taps here. */
export function confirmDiscards() {
  const setting = confirmSetting();
  return setting === "yes" || (setting === "auto" && matchMedia("(max-width: 640px) and (pointer: coarse)").matches);
}

/** @param {() => void} changed */
function confirmation(changed) {
  return radios(
    t("shell.confirm"),
    "confirm",
    [
      ["auto", t("shell.confirm.auto")],
      ["yes", t("shell.confirm.yes")],
      ["no", t("shell.confirm.no")],
    ],
    confirmSetting(),
    (value) => {
      write("janshi.confirm", value);
      changed();
    },
  );
}

/** Keys of the page and what they do, by the words' keys. */
const KEYS = [
  ["← →", "help.arrows"],
  ["1 … 9, 0, Q W E R", "help.numbers"],
  ["Enter", "help.enter"],
  ["Space", "help.space"],
  ["D", "help.drawn"],
  ["C", "act.chi"],
  ["P", "act.pon"],
  ["K", "act.kan"],
  ["L", "act.riichi"],
  ["V", "help.win"],
  ["N", "act.nine_terminals"],
  ["X / Esc", "act.pass"],
  ["H", "help.hint"],
  ["U", "help.undo"],
  ["O", "help.open"],
  ["?", "help.help"],
];

/** Whether this is a screen without a keyboard and a mouse, as far as the browser knows. */
function touchOnly() {
  return matchMedia("(hover: none) and (pointer: coarse)").matches;
}

/** What the help is called: on a phone it is not about keys. */
export function helpTitle() {
  return t(touchOnly() ? "shell.help.touch" : "shell.help");
}

/** @returns {HTMLElement[]} */
export function helpContent() {
  return [...(touchOnly() ? [h("p", null, t("help.touch"))] : keyTable()), ...marks()];
}

function keyTable() {
  return [
    h("p", null, t("help.intro")),
    h(
      "table",
      { class: "keys" },
      h(
        "tbody",
        null,
        KEYS.map(([keys = "", words = ""]) =>
          h(
            "tr",
            null,
            h(
              "td",
              null,
              keys.split(", ").map((key) => [h("kbd", null, key), " "]),
            ),
            h("td", null, t(words)),
          ),
        ),
      ),
    ),
  ];
}

function marks() {
  return [
    h("h3", null, t("help.marks")),
    h(
      "ul",
      { class: "small" },
      ["help.mark.red", "help.mark.sideways", "help.mark.shade", "help.mark.meld", "help.mark.faded"].map((key) =>
        h("li", null, t(key)),
      ),
    ),
  ];
}
