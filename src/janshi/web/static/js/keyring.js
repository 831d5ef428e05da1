/**
 * The keys of seats that this browser was given, kept here so that they need not stand in an address.
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
