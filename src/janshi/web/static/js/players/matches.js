/**
 * The matches that the arena has kept in the data directory.
 * @module
 */
import { ask } from "../api.js";
import { fill, h } from "../dom.js";
import { number, signed, t, tOr } from "../i18n.js";
import { rowPlot, scroller, waiting } from "./plot.js";
import { refusal } from "./words.js";

/** @typedef {import("../schema.js").Figure} Figure */
/** @typedef {import("../schema.js").MatchHead} MatchHead */
/** @typedef {import("../schema.js").MatchLine} MatchLine */
/** @typedef {import("../schema.js").Match} Match */

/**
 * @param {MatchHead[]} matches
 * @param {AbortSignal} signal
 */
export function matchList(matches, signal) {
  return h(
    "section",
    { "aria-labelledby": "players-matches" },
    h("h2", { id: "players-matches" }, t("players.matches")),
    matches.length
      ? null
      : h(
          "p",
          { class: "soft" },
          t("players.no_matches"),
          " ",
          h("code", null, "janshi match careful --vs greedy --east --walls 100 --out …/matches/first"),
        ),
    matches.map((match) => entry(match, signal)),
  );
}

/**
 * One match; its figures are fetched when it is opened.
 * @param {MatchHead} match
 * @param {AbortSignal} signal
 */
function entry(match, signal) {
  const place = h("div", { class: "players-match" });
  const box = h(
    "details",
    { class: "card players-entry" },
    h(
      "summary",
      null,
      h("strong", null, match.name),
      " ",
      h(
        "span",
        { class: "soft" },
        [
          match.rules,
          match.contestants.join(", "),
          t("players.played", { n: number(match.games), of: number(match.planned) }),
          match.created.slice(0, 10),
        ].join(" · "),
      ),
    ),
    place,
  );
  box.addEventListener("toggle", () => {
    if (box.open && !place.firstChild) void load(place, match.id, signal);
  });
  return box;
}

/**
 * @param {HTMLElement} place
 * @param {string} id
 * @param {AbortSignal} signal
 */
async function load(place, id, signal) {
  waiting(place);
  try {
    fill(place, ...view(await ask("GET /api/players/matches/{match}", { params: { match: id }, signal })));
  } catch (problem) {
    if (!signal.aborted) fill(place, refusal(problem));
  }
}

/**
 * @param {Match} match
 * @returns {import("../dom.js").Children[]}
 */
function view(match) {
  const rows = match.lines.flatMap((line) =>
    line.rank ? [{ name: line.label, note: t("players.games", { n: number(line.games) }), ...line.rank }] : [],
  );
  return [
    rows.length
      ? rowPlot({ title: t("players.plot.match", { name: match.name }), rows, x: { label: t("players.rank") } })
      : h("p", { class: "soft" }, t("players.too_few")),
    ratesTable(match.lines),
    match.differences.length
      ? h(
          "ul",
          null,
          match.differences.map((one) =>
            h(
              "li",
              null,
              t("players.difference", {
                first: one.first,
                second: one.second,
                rank: figure(one.rank, 3),
                points: figure(one.points, 2),
              }),
            ),
          ),
        )
      : null,
  ];
}

/** @param {MatchLine[]} lines */
function ratesTable(lines) {
  const names = [...new Set(lines.flatMap((line) => Object.keys(line.rates)))];
  return scroller(
    t("players.matches"),
    h(
      "table",
      { class: "players-figures" },
      h(
        "thead",
        null,
        h(
          "tr",
          null,
          h("th", { scope: "col" }, t("players.plot.series")),
          h("th", { scope: "col" }, t("players.column.points")),
          names.map((name) => h("th", { scope: "col" }, tOr(`players.rate.${name}`, name))),
          h("th", { scope: "col" }, t("players.column.time")),
          h("th", { scope: "col" }, t("players.column.faults")),
        ),
      ),
      h(
        "tbody",
        null,
        lines.map((line) =>
          h(
            "tr",
            null,
            h("th", { scope: "row" }, line.label),
            h("td", { class: "numbers" }, line.points ? figure(line.points, 2) : "–"),
            names.map((name) => h("td", { class: "numbers" }, share(line.rates[name]))),
            h("td", { class: "numbers" }, `${number(line.milliseconds, { maximumSignificantDigits: 3 })} ms`),
            h("td", { class: "numbers" }, number(Object.values(line.faults).reduce((sum, one) => sum + one, 0))),
          ),
        ),
      ),
    ),
  );
}

/**
 * @param {Figure} value
 * @param {number} digits
 */
function figure(value, digits) {
  const options = { minimumFractionDigits: digits, maximumFractionDigits: digits };
  return `${signed(value.value, options)} ± ${number((value.high - value.low) / 2, options)}`;
}

/** @param {Figure | undefined} value */
function share(value) {
  return value ? number(value.value, { style: "percent", maximumFractionDigits: 1 }) : "–";
}
