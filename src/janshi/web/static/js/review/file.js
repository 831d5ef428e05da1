/**
 * The start of an exported review: everything is in the page itself.
 * @module
 */
import { byId, fill, h } from "../dom.js";
import { setFamilies } from "../families.js";
import { LANGUAGES, addWords, language, setLanguage, t } from "../i18n.js";
import { FileSource } from "./source.js";
import { ReviewView } from "./view.js";
import words from "../words/review.js";

addWords(words);
const data = JSON.parse(byId("review-data").textContent ?? "{}");
setFamilies(data.families);

/** @type {import("../types.js").App} */
const app = {
  t,
  language,
  announce(text) {
    byId("announcer").textContent = text;
  },
  toast(text) {
    const box = h("div", { class: "toast", role: "status" }, text);
    byId("toasts").append(box);
    setTimeout(() => box.remove(), 3500);
  },
  go() {},
};

/** @type {ReviewView | null} */
let view = null;

async function show() {
  view?.stop();
  document.documentElement.lang = language();
  const select = h(
    "select",
    { "aria-label": t("shell.language") },
    LANGUAGES.map(({ id, name }) => h("option", { value: id, selected: id === language() }, name)),
  );
  select.addEventListener("change", () => {
    setLanguage(/** @type {import("../i18n.js").Language} */ (select.value));
    void show();
  });
  fill(
    byId("header"),
    h("strong", null, "Janshi"),
    h("span", { class: "rv-grow" }),
    h("div", { class: "shell-tools" }, select),
  );
  const root = byId("page");
  fill(root);
  view = new ReviewView(root, new FileSource(data), app);
  await view.start();
}

await show();
