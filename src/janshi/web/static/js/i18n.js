/**
 * Words of the page in English, Japanese and Chinese. A page's words lie in `words/<page>.js`, which exports
 * `{en: {...}, ja: {...}, zh: {...}}` as its default; the router adds them before it mounts the page. Words of the
 * shell and of agents are always there; those of errors are in `error_words.js`.
 * @module
 */
import agents from "./words/agents.js";
import common from "./words/common.js";
import opponents from "./words/opponents.js";

/** @typedef {"en" | "ja" | "zh"} Language */
/** @typedef {import("./types.js").Phrase} Phrase */
/** @typedef {Record<string, string>} Words */
/** @typedef {{en: Words, ja: Words, zh: Words}} Dictionary */

/** @type {{id: Language, name: string}[]} */
export const LANGUAGES = [
  { id: "en", name: "English" },
  { id: "ja", name: "日本語" },
  { id: "zh", name: "中文" },
];

/** @type {Dictionary} */
const dictionary = { en: {}, ja: {}, zh: {} };
addWords(common);
addWords(agents);
addWords(opponents);

/** @type {Language} */
let current = chosen();

/**
 * Adds words; a later word of the same key wins.
 * @param {Partial<Dictionary>} words
 */
export function addWords(words) {
  for (const { id } of LANGUAGES) Object.assign(dictionary[id], words[id] ?? {});
}

/** @returns {Language} */
function chosen() {
  const saved = read("janshi.language");
  const wanted = saved ? [saved] : (navigator.languages ?? [navigator.language]);
  for (const text of wanted) {
    const id = text.slice(0, 2).toLowerCase();
    if (id === "en" || id === "ja" || id === "zh") return id;
  }
  return "en";
}

/** @returns {Language} */
export function language() {
  return current;
}

/** @param {Language} id */
export function setLanguage(id) {
  current = id;
  document.documentElement.lang = id;
  write("janshi.language", id);
}

/**
 * The text of a key in the language of the page, with `{name}` replaced from values; missing texts are in English.
 * @param {string} key
 * @param {Record<string, string | number>} [values]
 * @returns {string}
 */
export function t(key, values) {
  const text = dictionary[current][key] ?? dictionary.en[key] ?? key;
  if (!values) return text;
  return text.replace(/\{(\w+)\}/g, (whole, name) => (name in values ? String(values[name]) : whole));
}

/**
 * The text of a key, or a given one if no language has the key (names of yaku, agents, …).
 * @param {string} key
 * @param {string} otherwise
 * @returns {string}
 */
export function tOr(key, otherwise) {
  return dictionary[current][key] ?? dictionary.en[key] ?? otherwise;
}

/**
 * A phrase as text; an unknown pattern is shown as it is.
 * @param {string} kind what keys of such patterns begin with
 * @param {Phrase} phrase
 * @param {(value: string) => string} [shown] how a value is written
 * @returns {string}
 */
export function phraseWords(kind, { pattern, values }, shown = String) {
  return tOr(`${kind}.${pattern}`, pattern).replace(/\{(\w+)\}/g, (whole, name) => {
    const value = values[name];
    if (value === undefined) return whole;
    return typeof value === "object" ? phraseWords(kind, value, shown) : shown(String(value));
  });
}

/**
 * A number as people of the language write it.
 * @param {number} value
 * @param {Intl.NumberFormatOptions} [options]
 * @returns {string}
 */
export function number(value, options) {
  return new Intl.NumberFormat(current, options).format(value);
}

/**
 * The same with its sign always shown.
 * @param {number} value
 * @param {Intl.NumberFormatOptions} [options]
 * @returns {string}
 */
export function signed(value, options) {
  return number(value, { signDisplay: "exceptZero", ...options });
}

/**
 * A message that stands alone, with a capital where it begins with a plain word: names of files stay as they are.
 * @param {string} text
 * @returns {string}
 */
export function sentence(text) {
  return /^[a-z]+[ ,:;]/.test(text) ? (text[0] ?? "").toUpperCase() + text.slice(1) : text;
}

/**
 * @param {string} key
 * @returns {string | null}
 */
export function read(key) {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}

/**
 * @param {string} key
 * @param {string} value
 */
export function write(key, value) {
  try {
    localStorage.setItem(key, value);
  } catch {
    // Storage may be forbidden; then the choice lasts as long as the page.
  }
}
