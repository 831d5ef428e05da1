/**
 * Translates what agents say: names of agents, of their figures and of actions, and phrases. Agents speak English;
 * what `words/agents.js` does not translate is shown unchanged.
 * @module
 */
import { language, phraseWords, t, tOr } from "./i18n.js";
import { tileName } from "./tiles.js";

/** @typedef {import("./types.js").Phrase} Phrase */

/** Tiles as agents write them: "5m", "0p", "345s". */
const TILES = /\b([0-9]+)([mpsz])\b/g;
/** The names that the first and second tile of an action have in its pattern. */
const PLACES = ["{tile}", "{taken}"];

/** @param {string} name */
export function agentName(name) {
  return tOr(`agent.${name}`, name);
}

/**
 * What an agent does.
 * @param {{name: string, idea: string}} agent
 */
export function agentIdea(agent) {
  return capital(tOr(`idea.${agent.name}`, agent.idea));
}

/**
 * The name of a number of an explanation.
 * @param {string} name
 */
export function numberName(name) {
  return tOr(`number.${name}`, name);
}

/** @param {string | null} unit */
export function unitName(unit) {
  return unit === null ? "" : tOr(`unit.${unit}`, unit);
}

/**
 * A phrase as text.
 * @param {Phrase} phrase
 * @returns {string}
 */
export function said(phrase) {
  return phraseWords("say", phrase, tilesIn);
}

/**
 * Phrases one after another.
 * @param {Phrase[]} phrases
 */
export function saidAll(phrases) {
  return phrases.map(said).join(t("text.comma"));
}

/**
 * How a choice continues: the choice, its discard, then step by step.
 * @param {{name: string, then?: Phrase[]}} choice
 * @param {Phrase[]} steps
 */
export function saidLine(choice, steps) {
  const first = [actionWords(choice.name), ...(choice.then ?? []).map(said)];
  return first.join(t("text.comma")) + steps.map(said).join("");
}

/**
 * The name of an action ("discard 5z", "chi low red", "chi 345m taking 4m").
 * @param {string} name
 * @returns {string}
 */
export function actionWords(name) {
  const tiles = name.match(TILES) ?? [];
  let place = 0;
  const pattern = name.replace(TILES, (whole) => PLACES[place++] ?? whole);
  return capital(said({ pattern, values: { tile: tiles[0] ?? "", taken: tiles[1] ?? "" } }));
}

/**
 * A text with the names of tiles, if those are short; in English tiles stay as players write them.
 * @param {string} text
 */
export function tilesIn(text) {
  if (language() === "en") return text;
  const named = text.replace(TILES, (whole, ranks, suit) =>
    ranks.length === 1 ? tileName(whole) : tOr(`tile.${suit}`, whole).replace("{n}", ranks),
  );
  return named.replaceAll(", ", t("text.list"));
}

/** @param {string} text */
function capital(text) {
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}
