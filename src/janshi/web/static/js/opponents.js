/**
 * The opponents as people meet them: portrait, name, level and rating, and how they play; the agent's id is small
 * print.
 * @module
 */
import { h } from "./dom.js";
import { number, t, tOr } from "./i18n.js";
import { portrait } from "./portraits.js";

/** @typedef {import("./schema.js").AgentText} Agent */
/** @typedef {Pick<Agent, "level" | "rating" | "ahead" | "games">} Strength */

/** The agent whose rating is the origin of the scale. */
const ORIGIN = "greedy";
const LEVELS = 5;
/** Agents that do not try to win, for trying out the table. */
const IDLE = new Set(["random", "tsumogiri"]);

/**
 * The name of an agent as an opponent.
 * @param {string} label an agent with its options
 * @param {string} [otherwise]
 * @returns {string}
 */
export function whoIs(label, otherwise = label) {
  const name = label.split(":")[0] ?? "";
  return tOr(`who.${label}`, tOr(`who.${name}`, otherwise));
}

/**
 * The name at the table: the server counts equal agents ("greedy 2"), and so does the page ("Yuki 2").
 * @param {string} name
 * @param {string | null | undefined} label of the agent in the seat, if there is one
 * @returns {string}
 */
export function seatName(name, label) {
  const agent = label?.split(":")[0] ?? "";
  if (!label || !agent || !name.startsWith(agent)) return name;
  const rest = name.slice(agent.length);
  return /^( \d+)?$/.test(rest) ? whoIs(label, agent) + rest : name;
}

/**
 * @template {import("./types.js").Position} P
 * @param {P} position
 * @returns {P} with the names of the page's language
 */
export function withNames(position) {
  return { ...position, seats: position.seats.map((seat) => ({ ...seat, name: seatName(seat.name, seat.agent) })) };
}

/**
 * How an agent plays, in one sentence.
 * @param {Agent} agent
 */
export function styleOf(agent) {
  return tOr(`style.${agent.label}`, tOr(`style.${agent.name}`, agent.style));
}

/**
 * An agent in a list: name, level and rating.
 * @param {Agent} agent
 */
export function optionText(agent) {
  const rating = agent.rating ? number(Math.round(agent.rating.value)) : "";
  const level = agent.level === null ? "" : t("level.short", { n: agent.level });
  return [whoIs(agent.label, agent.title), level, rating].filter(Boolean).join(" · ");
}

/**
 * Level and rating with its interval; what they mean is said on hover and to screen readers.
 * @param {Strength} agent
 */
export function strength(agent) {
  if (agent.level === null || !agent.rating) return h("span", { class: "small soft" }, t("level.unknown"));
  const { value, low, high } = agent.rating;
  const half = (high - low) / 2;
  const shown = { value: number(Math.round(value)), half: number(Math.max(1, Math.round(half))) };
  const help = half
    ? t("level.help", {
        games: number(agent.games),
        who: whoIs(ORIGIN),
        ahead: number(agent.ahead ?? 0, { style: "percent", maximumFractionDigits: 0 }),
      })
    : t("level.help_origin", { who: whoIs(ORIGIN) });
  return h(
    "span",
    { class: "strength", title: help },
    h(
      "span",
      { class: "level-dots", role: "img", "aria-label": t("level.of", { n: agent.level }) },
      Array.from({ length: LEVELS }, (_, i) => h("i", { class: i < (agent.level ?? 0) ? "full" : "" })),
    ),
    h("span", { class: "small numbers" }, t(half ? "level.rating" : "level.origin", shown)),
    h("span", { class: "visually-hidden" }, help),
  );
}

/**
 * An opponent as a card.
 * @param {Agent} agent
 */
export function opponentCard(agent) {
  const share = agent.agreement;
  return h(
    "div",
    { class: "opponent" },
    portrait(agent.label),
    h(
      "div",
      { class: "opponent-words" },
      h("strong", null, whoIs(agent.label, agent.title)),
      strength(agent),
      h("p", { class: "small opponent-style" }, styleOf(agent)),
      share === null
        ? null
        : h(
            "p",
            { class: "small soft" },
            t("level.agreement", { share: number(share, { style: "percent", maximumFractionDigits: 0 }) }),
          ),
      h("p", { class: "opponent-id soft" }, t("level.id", { id: agent.label })),
    ),
  );
}

/**
 * Labels of the opponents to start with: for a beginner the weakest three that play to win, else the strongest three.
 * @param {Agent[]} agents strongest first
 * @param {"weak" | "mixed" | "strong"} wanted
 * @param {number} count
 * @returns {string[]}
 */
export function suggested(agents, wanted, count) {
  const rated = agents.filter((one) => one.level !== null && !IDLE.has(one.name));
  const known = rated.length ? rated : agents;
  const weak = [...known].reverse();
  const middle = Math.floor(known.length / 2);
  const order =
    wanted === "weak" ? weak : wanted === "strong" ? known : [known[0], known[middle], weak[0]].filter(Boolean);
  return Array.from({ length: count }, (_, i) => order[i % order.length]?.label ?? agents[0]?.label ?? "");
}
