/**
 * The shell: header, settings, help, messages; then the page of the address.
 * @module
 */
import { byId, dialog, fill, h } from "./dom.js";
import { LANGUAGES, language, sentence, setLanguage, t } from "./i18n.js";
import { ROUTES, refresh, start } from "./router.js";
import { applyCorners } from "./theme.js";
import { tile } from "./tiles.js";
import { helpContent, helpTitle, settingsContent } from "./settings.js";

/** @type {import("./types.js").App} */
const app = {
  t,
  language,
  announce(text) {
    const place = byId("announcer");
    place.textContent = "";
    requestAnimationFrame(() => {
      place.textContent = text;
    });
  },
  toast(text, kind = "info") {
    const box = h(
      "div",
      { class: `toast toast-${kind}`, role: kind === "error" ? "alert" : "status" },
      sentence(text),
    );
    byId("toasts").append(box);
    setTimeout(() => box.remove(), kind === "error" ? 7000 : 3500);
  },
  go(hash) {
    location.hash = hash;
  },
};

let current = "";

/** Draws the header in the language of the page. */
function header() {
  byId("skip").textContent = t("shell.skip");
  document.documentElement.lang = language();
  fill(byId("header"), brand(), nav(), tools());
}

function brand() {
  return h(
    "a",
    { class: "brand", href: "#/play", "aria-label": t("shell.home") },
    tile("7z", { label: "" }),
    h("span", null, "Janshi"),
  );
}

function nav() {
  return h(
    "nav",
    { class: "shell-nav", "aria-label": t("nav.label") },
    ROUTES.map(({ name }) =>
      h("a", { href: `#/${name}`, "aria-current": name === current ? "page" : null }, t(`nav.${name}`)),
    ),
  );
}

function tools() {
  const select = h(
    "select",
    { "aria-label": t("shell.language"), id: "language" },
    LANGUAGES.map(({ id, name }) => h("option", { value: id, selected: id === language() }, name)),
  );
  select.addEventListener("change", () => {
    setLanguage(/** @type {import("./i18n.js").Language} */ (select.value));
    refresh();
  });
  return h(
    "div",
    { class: "shell-tools" },
    select,
    h(
      "button",
      {
        type: "button",
        class: "icon button-help",
        "aria-label": t("shell.help"),
        title: `${t("shell.help")} (?)`,
        onclick: help,
      },
      "?",
    ),
    h(
      "button",
      {
        type: "button",
        class: "icon",
        "aria-label": t("shell.settings"),
        title: t("shell.settings"),
        onclick: settings,
      },
      "⚙",
    ),
  );
}

function help() {
  dialog(helpTitle(), t("shell.close"), ...helpContent());
}

function settings() {
  dialog(
    t("shell.settings"),
    t("shell.close"),
    ...settingsContent(refresh),
    h("button", { type: "button", class: "quiet", onclick: help }, helpTitle()),
  );
}

/** @param {KeyboardEvent} event */
function onKey(event) {
  const typing =
    event.target instanceof HTMLElement && event.target.closest("input, select, textarea, [contenteditable]");
  if (event.key !== "?" || typing || document.querySelector("dialog[open]")) return;
  event.preventDefault();
  help();
}

applyCorners();
header();
addEventListener("keydown", onKey);
byId("skip").addEventListener("click", (event) => {
  event.preventDefault();
  byId("page").focus();
});
start(app, (name) => {
  current = name;
  header();
  // on a phone not all pages fit
  document.querySelector(".shell-nav [aria-current]")?.scrollIntoView({ block: "nearest", inline: "nearest" });
});
