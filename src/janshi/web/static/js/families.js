/**
 * What the server says of each family of rules: scripts ask for a family's traits, never for its name.
 * @module
 */
import { ask } from "./api.js";

/** @typedef {import("./schema.js").FamilyText} Traits */

/** @type {Map<string, Traits>} */
let known = new Map();
/** @type {Traits | null} those of a family that the server does not know any more */
let usual = null;
/** @type {Promise<void> | null} */
let loading = null;

/** Fetches the traits of all families once; every page waits for them. */
export function loadFamilies() {
  loading ??= load();
  return loading;
}

async function load() {
  try {
    const found = await ask("GET /api/families");
    known = new Map(Object.entries(found.families));
    usual = found.usual;
  } catch (problem) {
    loading = null; // the next page tries again
    throw problem;
  }
}

/**
 * @param {string} family
 * @returns {Traits}
 */
export function traitsOf(family) {
  const found = known.get(family) ?? usual;
  if (!found) throw new Error("families are not loaded");
  return found;
}
