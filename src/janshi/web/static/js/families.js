/**
 * What the server says of each family of rules: scripts ask for a family's traits, never for its name.
 * @module
 */
import { ask } from "./api.js";

/** @typedef {import("./schema.js").FamilyTraits} Traits */

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
    setFamilies(await ask("GET /api/families"));
  } catch (problem) {
    loading = null; // the next page tries again
    throw problem;
  }
}

/**
 * An exported review has the traits in its file.
 * @param {import("./schema.js").AllTraits} all
 */
export function setFamilies(all) {
  known = new Map(Object.entries(all.families));
  usual = all.usual;
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
