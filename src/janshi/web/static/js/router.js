/**
 * From the address after `#` to a page. A page is a module that exports `mount(root, params, app)`.
 * @module
 */
import { addWords, t } from "./i18n.js";
import { byId, fill, h } from "./dom.js";
import { loadFamilies } from "./families.js";

/** @typedef {import("./types.js").App} App */
/** @typedef {import("./types.js").Mounted} Mounted */
/** @typedef {import("./types.js").PageModule} PageModule */

/**
 * @typedef {object} Route
 * @property {string} name first part of the address and name of the module, its words and its style
 * @property {() => Promise<PageModule>} load
 * @property {() => Promise<{default: import("./i18n.js").Dictionary}>} words
 * @property {string[]} styles
 */

/** @type {Route[]} */
export const ROUTES = [
  // the style of these two is in index.html
  { name: "play", load: () => import("./play.js"), words: () => import("./words/play.js"), styles: [] },
  { name: "watch", load: () => import("./watch.js"), words: () => import("./words/play.js"), styles: [] },
  // @ts-ignore a page may be missing while the others work
  {
    name: "review",
    load: () => import("./review/page.js"),
    words: () => import("./words/review.js"),
    styles: ["review"],
  },
  {
    name: "career",
    load: () => import("./career/page.js"),
    words: () => import("./words/career.js"),
    styles: ["players", "career"],
  },
  {
    name: "practice",
    load: () => import("./practice/page.js"),
    words: () => import("./words/practice.js"),
    styles: ["review", "practice"],
  },
  // @ts-ignore
  { name: "tools", load: () => import("./tools/page.js"), words: () => import("./words/tools.js"), styles: ["tools"] },
  // @ts-ignore
  {
    name: "players",
    load: () => import("./players/page.js"),
    words: () => import("./words/players.js"),
    styles: ["players"],
  },
];

/** @type {Mounted | null} */
let mounted = null;
let turn = 0;
let address = "";

/**
 * Shows the page of the present address, and of every later one.
 * @param {App} app
 * @param {(name: string) => void} onPage called with the name of the page that is shown
 */
export function start(app, onPage) {
  const go = () => void show(app, onPage);
  addEventListener("hashchange", go);
  go();
}

/** Mounts the present page again (after a change of language). */
export function refresh() {
  dispatchEvent(new HashChangeEvent("hashchange"));
}

/**
 * The route and the parameter of an address such as `#/play/abc?key=…`.
 * @param {string} hash
 * @returns {{route: Route, params: import("./types.js").Params}}
 */
export function parse(hash) {
  const [path = "", search = ""] = hash.replace(/^#\/?/, "").split("?");
  const [name = "", ...rest] = path.split("/").filter(Boolean).map(decodeURIComponent);
  const route = ROUTES.find((one) => one.name === name) ?? ROUTES[0];
  if (!route) throw new Error("no routes");
  return { route, params: { id: rest[0] ?? null, rest, query: new URLSearchParams(search) } };
}

/**
 * @param {App} app
 * @param {(name: string) => void} onPage
 */
async function show(app, onPage) {
  const { route, params } = parse(location.hash);
  const mine = ++turn;
  if (location.hash !== address) closeDialogs(); // they belong to the page that is left
  address = location.hash;
  onPage(route.name);
  try {
    const needed = [loadFamilies(), ...route.styles.map(style)];
    const [page, words] = await Promise.all([route.load(), route.words(), ...needed]);
    if (mine !== turn) return;
    addWords(words.default);
    mounted?.unmount();
    mounted = null;
    const root = emptyPage();
    root.className = `page page-${route.name}`;
    scrollTo(0, 0);
    const shown = (await page.mount(root, params, app)) ?? null;
    if (mine === turn) mounted = shown;
    else shown?.unmount(); // the user moved on while it was loading
  } catch (problem) {
    console.error(problem);
    if (mine === turn) fill(byId("page"), failure(problem));
  }
}

/**
 * An empty element in the place of the page's: a page that the user left while it was loading draws into the old one.
 * @returns {HTMLElement}
 */
function emptyPage() {
  const old = byId("page");
  const root = /** @type {HTMLElement} */ (old.cloneNode(false));
  const focused = document.activeElement === old;
  old.replaceWith(root);
  if (focused) root.focus();
  return root;
}

function closeDialogs() {
  for (const one of document.querySelectorAll("dialog[open]")) if (one instanceof HTMLDialogElement) one.close();
}

/** @param {unknown} problem */
function failure(problem) {
  const message = problem instanceof Error ? problem.message : String(problem);
  return h(
    "section",
    { class: "card narrow" },
    h("h1", null, t("error.page")),
    h("p", null, message),
    h("button", { type: "button", onclick: refresh }, t("error.again")),
    " ",
    h("a", { class: "button", href: "#/" }, t("error.home")),
  );
}

/** @type {Map<string, Promise<void>>} */
const styles = new Map();

/**
 * Loads the style sheet of a page once, before the page is shown.
 * @param {string} name
 * @returns {Promise<void>}
 */
function style(name) {
  const known = styles.get(name);
  if (known) return known;
  const loading = new Promise((/** @type {(value: void) => void} */ done) => {
    const link = h("link", { rel: "stylesheet", href: new URL(`../style/${name}.css`, import.meta.url).href });
    link.addEventListener("load", () => done());
    link.addEventListener("error", () => done());
    document.head.append(link);
  });
  styles.set(name, loading);
  return loading;
}
