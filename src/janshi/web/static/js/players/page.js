/**
 * The players: who they are, how strong, how they learned, and the matches kept on this machine.
 * @module
 */
import { agentIdea } from "../agent_words.js";
import { ask } from "../api.js";
import { fill, h } from "../dom.js";
import { traitsOf } from "../families.js";
import { language, number, signed, t, tOr } from "../i18n.js";
import { strength as strengthOf, whoIs } from "../opponents.js";
import { portrait } from "../portraits.js";
import { curvesOf } from "./curves.js";
import { matchList } from "./matches.js";
import { rowPlot, scroller, waiting } from "./plot.js";
import { refusal } from "./words.js";

/** @typedef {import("../schema.js").Figure} Figure */
/** @typedef {import("../schema.js").Measurement} Measurement */
/** @typedef {import("../schema.js").Player} Player */
/** @typedef {import("../schema.js").MatchHead} MatchHead */
/** @typedef {{players: Player[], curves: import("../schema.js").Curves, matches: MatchHead[]}} Shown */

const UNRATED = -9999;
const UNMEASURED = { level: null, rating: null, ahead: null, games: 0 };

/** @type {{family: string, against: Record<string, string>}} */
const state = { family: "riichi", against: {} };

/**
 * @param {HTMLElement} root
 * @param {import("../types.js").Params} params
 * @returns {import("../types.js").Mounted}
 */
export function mount(root, params) {
  const leaving = new AbortController();
  const asked = params.query.get("family");
  if (asked) state.family = asked;
  void load(root, leaving.signal);
  return { unmount: () => leaving.abort() };
}

/**
 * @param {HTMLElement} root
 * @param {AbortSignal} signal
 */
async function load(root, signal) {
  waiting(root);
  try {
    const [players, curves, matches] = await Promise.all([
      ask("GET /api/players", { signal }),
      ask("GET /api/players/curves", { signal }),
      ask("GET /api/players/matches", { signal }),
    ]);
    draw(root, { players, curves, matches }, signal);
  } catch (problem) {
    if (!signal.aborted) fill(root, refusal(problem));
  }
}

/**
 * @param {HTMLElement} root
 * @param {Shown} data
 * @param {AbortSignal} signal
 */
function draw(root, data, signal) {
  const players = data.players
    .filter((player) => player.families.includes(state.family))
    .sort((a, b) => ratingOf(b) - ratingOf(a));
  const again = () => {
    const kept = document.activeElement instanceof HTMLElement ? document.activeElement.dataset.keep : undefined;
    draw(root, data, signal);
    if (kept) /** @type {HTMLElement | null} */ (root.querySelector(`[data-keep="${kept}"]`))?.focus();
  };
  fill(
    root,
    h("h1", null, t("players.title")),
    h("p", { class: "soft" }, t("players.about")),
    h(
      "div",
      { class: "players-switch", role: "group", "aria-label": t("players.rules") },
      [...new Set(data.players.flatMap((player) => player.families))].map((family) =>
        h(
          "button",
          {
            type: "button",
            "aria-pressed": String(family === state.family),
            dataset: { keep: family },
            onclick: () => {
              state.family = family;
              again();
            },
          },
          tOr(`players.${family}`, family),
        ),
      ),
    ),
    h(
      "div",
      { class: "players-columns" },
      h(
        "section",
        { class: "card", "aria-labelledby": "players-strength" },
        h("h2", { id: "players-strength" }, t("players.strength")),
        strength(players, again),
      ),
      h(
        "section",
        { class: "card", "aria-labelledby": "players-curves" },
        h("h2", { id: "players-curves" }, t("players.curves")),
        curvesOf(data.curves, state.family, again),
      ),
    ),
    h("h2", null, t("players.list")),
    h("div", { class: "players-cards" }, players.map(card)),
    matchList(data.matches, signal),
  );
}

/**
 * The rating by which the list is sorted; players without one come last.
 * @param {Player} player
 * @returns {number}
 */
function ratingOf(player) {
  return player.standings[state.family]?.rating.value ?? UNRATED;
}

/**
 * The measurements of a family against one opponent as a plot; the opponent can be chosen.
 * @param {Player[]} players
 * @param {() => void} again
 */
function strength(players, again) {
  const all = players.flatMap((player) => player.measured).filter((one) => one.rules.startsWith(`${state.family}/`));
  const opponents = [...new Set(all.map((one) => one.against))];
  const { ranked, yardstick } = traitsOf(state.family);
  const against = state.against[state.family] ?? opponents.find((name) => name === yardstick) ?? opponents[0];
  if (!against) return h("p", { class: "soft" }, t("players.none"));
  const rows = all
    .filter((one) => one.against === against)
    .map((one) => ({ one, figure: ranked ? one.rank : one.points }))
    .filter(({ figure }) => figure !== null)
    .map(({ one, figure }) => ({
      name: one.agent,
      note: t("players.games", { n: number(one.games) }),
      .../** @type {Figure} */ (figure),
    }))
    .sort((a, b) => (ranked ? a.value - b.value : b.value - a.value));
  const select = h(
    "select",
    {
      dataset: { keep: "against" },
      onchange: () => {
        state.against[state.family] = select.value;
        again();
      },
    },
    opponents.map((name) => h("option", { value: name, selected: name === against }, name)),
  );
  return h(
    "div",
    { class: "stack" },
    h("label", { class: "players-against" }, h("span", null, t("players.against")), select),
    rowPlot({
      title: t("players.plot.strength", { against }),
      rows,
      x: { label: t(ranked ? "players.rank" : "players.points") },
      reference: { value: ranked ? 2.5 : 0, label: t(ranked ? "players.even_rank" : "players.even_points") },
    }),
  );
}

/** @param {Player} player */
function card(player) {
  const mine = player.measured.filter((one) => one.rules.startsWith(`${state.family}/`));
  return h(
    "article",
    { class: "card players-card" },
    h(
      "header",
      { class: "players-head" },
      portrait(player.name),
      h(
        "div",
        { class: "opponent-words" },
        h("h3", null, whoIs(player.name, player.title), " ", h("code", { class: "small soft" }, player.name)),
        player.third_party ? h("span", { class: "small soft" }, t("players.third_party")) : null,
        strengthOf(player.standings[state.family] ?? UNMEASURED),
      ),
    ),
    h("p", null, tOr(`style.${player.name}`, "")),
    player.agreement !== null && traitsOf(state.family).agreement
      ? h("p", { class: "small players-agreement" }, t("players.agreement", { share: percent(player.agreement) }))
      : null,
    h("p", { class: "small soft" }, agentIdea(player)),
    player.paper ? h("p", { class: "small soft" }, t("players.paper", { paper: player.paper })) : null,
    player.needs ? h("p", { class: "small soft" }, t("players.needs", { option: player.needs })) : null,
    mine.length ? measuredTable(player.name, mine) : null,
    mine.length || ratingOf(player) !== UNRATED ? null : h("p", { class: "soft small" }, t("players.none")),
    h("p", { class: "small soft" }, t("players.page", { page: `docs/${player.page}` })),
  );
}

/**
 * @param {string} name
 * @param {Measurement[]} measured
 */
function measuredTable(name, measured) {
  const heads = ["against", "rank", "points", "win", "deal_in", "time", "measured"];
  return scroller(
    t("players.strength_of", { name }),
    h(
      "table",
      { class: "players-figures" },
      h(
        "thead",
        null,
        h(
          "tr",
          null,
          heads.map((head) => h("th", { scope: "col" }, t(`players.column.${head}`))),
        ),
      ),
      h(
        "tbody",
        null,
        measured.map((one) =>
          h(
            "tr",
            { title: language() === "en" ? one.machine : null },
            h("th", { scope: "row" }, one.against),
            figure("rank", interval(one.rank, 2, false)),
            figure("points", interval(one.points, 1, true)),
            figure("win", percent(one.win)),
            figure("deal_in", percent(one.deal_in)),
            figure("time", time(one.milliseconds)),
            h(
              "td",
              { class: "small", dataset: { column: t("players.column.measured") } },
              h("span", null, one.date, h("br"), t("players.games", { n: number(one.games) })),
            ),
          ),
        ),
      ),
    ),
  );
}

/**
 * A cell that also says its column, for screens on which every row is a list.
 * @param {string} column
 * @param {string} text
 */
function figure(column, text) {
  return h("td", { class: "numbers", dataset: { column: t(`players.column.${column}`) } }, text);
}

/**
 * @param {Figure | null} figure
 * @param {number} digits
 * @param {boolean} sign
 */
function interval(figure, digits, sign) {
  if (!figure) return "–";
  const format = sign ? signed : number;
  const options = { minimumFractionDigits: digits, maximumFractionDigits: digits };
  return `${format(figure.value, options)} ± ${number((figure.high - figure.low) / 2, options)}`;
}

/** @param {number | null} share */
function percent(share) {
  return share === null ? "–" : number(share, { style: "percent", maximumFractionDigits: 1 });
}

/** @param {number | null} milliseconds */
function time(milliseconds) {
  if (milliseconds === null) return "–";
  return milliseconds >= 1
    ? `${number(milliseconds, { maximumSignificantDigits: 3 })} ms`
    : `${number(1000 * milliseconds, { maximumSignificantDigits: 3 })} µs`;
}
