/**
 * The keys of this browser's seats, kept here so that they need not be in the address.
 * @module
 */
import { read, write } from "./i18n.js";

const NAME = "janshi.keys";
const MOST = 200;

/** @returns {Record<string, string>} */
function all() {
  try {
    return JSON.parse(read(NAME) ?? "{}");
  } catch {
    return {};
  }
}

/**
 * @param {string} id
 * @returns {string | null}
 */
export function keyOf(id) {
  return all()[id] ?? null;
}

/**
 * @param {string} id
 * @param {string} key
 */
export function keepKey(id, key) {
  const entries = Object.entries({ ...all(), [id]: key });
  write(NAME, JSON.stringify(Object.fromEntries(entries.slice(-MOST))));
}
