/**
 * Errors of the server in the language of the page. The server sends them in English, with a code and values; the
 * other languages are tables in `words/errors/`, loaded when the first error is shown.
 * @module
 */
import { h } from "./dom.js";
import { language } from "./i18n.js";

/** @typedef {import("./schema.js").ErrorCode} ErrorCode */
/** @typedef {import("./schema.js").ProblemText} Problem */

/**
 * Errors in one language: words by code, and names that stand as values in them, by value and English name.
 * @typedef {{words: Record<ErrorCode, string>, names: Record<string, Record<string, string>>}} ErrorWords
 */

/** @type {Record<string, () => Promise<{default: ErrorWords}>>} */
const TABLES = {
  ja: () => import("./words/errors/ja.js"),
  zh: () => import("./words/errors/zh.js"),
};

/**
 * A problem in the language of the page.
 * @param {Problem} problem
 * @returns {Promise<string>}
 */
export async function errorText(problem) {
  const table = await TABLES[language()]?.();
  return table ? worded(problem, table.default) : problem.message;
}

/**
 * A problem as text on the page: in English until the words of the page's language are loaded.
 * @param {Problem} problem
 * @returns {HTMLElement}
 */
export function errorNode(problem) {
  const place = h("span", null, problem.message);
  void errorText(problem).then((text) => (place.textContent = text));
  return place;
}

/**
 * @param {Problem} problem
 * @param {ErrorWords} table
 * @returns {string}
 */
function worded(problem, table) {
  const words = table.words[problem.code] ?? problem.message;
  return words.replace(/\{(\w+)\}/g, (whole, name) => {
    const value = problem.values[name];
    if (value === undefined) return whole;
    return typeof value === "object" ? worded(value, table) : (table.names[name]?.[value] ?? String(value));
  });
}
