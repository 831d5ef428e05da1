/**
 * How to get the logs of one's games, folded away on the page where they are uploaded.
 * @module
 */
import { h } from "../dom.js";
import { addWords, t } from "../i18n.js";
import words from "../words/logs.js";

/** The steps of each site, as keys of words. */
const SITES = [
  ["logs.tenhou", ["logs.tenhou.1", "logs.tenhou.2", "logs.tenhou.3"]],
  ["logs.soul", ["logs.soul.1", "logs.soul.2", "logs.soul.3"]],
  ["logs.other", ["logs.other.1"]],
];

addWords(words);

/** @returns {HTMLElement} */
export function gettingLogs() {
  return h(
    "details",
    { class: "getting-logs" },
    h("summary", null, t("logs.title")),
    SITES.map(([site = "", steps]) =>
      h(
        "section",
        null,
        h("h3", null, t(String(site))),
        h(
          "ol",
          { class: "small" },
          [steps ?? []].flat().map((step) => h("li", null, t(step))),
        ),
      ),
    ),
    h("p", { class: "small soft" }, t("logs.private")),
  );
}
