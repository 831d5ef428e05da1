/**
 * How a hand ended: who won with what, its value, who pays; and the final result of a game.
 * @module
 */
import { h } from "./dom.js";
import { traitsOf } from "./families.js";
import { number, signed, t, tOr } from "./i18n.js";
import { meldElement } from "./melds.js";
import { scoreName } from "./names.js";
import { tile, windGlyph } from "./tiles.js";

/** @typedef {import("./types.js").Position} Position */
/** @typedef {import("./types.js").Result} Result */
/** @typedef {import("./types.js").Winner} Winner */

/**
 * @param {Position} position with a result
 * @returns {HTMLElement}
 */
export function resultPanel(position) {
  const result = /** @type {Result} */ (position.result);
  const title = result.winners.length
    ? null
    : h("h2", { class: "result-title" }, tOr(`result.${result.kind}`, result.kind));
  return h(
    "div",
    { class: "result-body" },
    title,
    result.winners.map((winner) => winnerPart(position, winner)),
    changes(position, result),
  );
}

/**
 * @param {Position} position
 * @param {number | null} seat
 */
function nameOf(position, seat) {
  return seat === null ? "" : position.seats[seat]?.name || t(`wind.${position.seats[seat]?.wind ?? "E"}`);
}

/**
 * @param {Position} position
 * @param {Winner} winner
 */
function winnerPart(position, winner) {
  const how =
    winner.loser === null ? t("result.tsumo") : t("result.ron_from", { name: nameOf(position, winner.loser) });
  return h(
    "section",
    { class: "winner" },
    h(
      "h2",
      { class: "result-title" },
      h("span", null, nameOf(position, winner.seat)),
      h("span", { class: "winner-how" }, how),
    ),
    h(
      "div",
      { class: "winner-hand" },
      h(
        "span",
        { class: "winner-tiles" },
        winner.hand.map((text) => tile(text)),
      ),
      h(
        "span",
        { class: "winner-melds melds" },
        winner.melds.map((meld) =>
          meldElement(meld, winner.seat, position.seats.length, (seat) => nameOf(position, seat)),
        ),
      ),
      h("span", { class: "winner-tile" }, tile(winner.tile)),
    ),
    dora(winner),
    winner.fan ? fans(winner) : yaku(winner),
  );
}

/** @param {Winner} winner */
function dora(winner) {
  if (!winner.dora?.length) return null;
  const part = (/** @type {string} */ words, /** @type {string[]} */ tiles) =>
    tiles.length
      ? h(
          "span",
          { class: "winner-dora" },
          words,
          tiles.map((text) => tile(text)),
        )
      : null;
  return h(
    "div",
    { class: "row small soft" },
    part(t("result.dora"), winner.dora),
    part(t("result.ura"), winner.ura ?? []),
  );
}

/** @param {Winner} winner */
function yaku(winner) {
  const yakuman = winner.yakuman ?? 0;
  const rows = (winner.yaku ?? []).map((one) =>
    h(
      "tr",
      null,
      h("td", null, scoreName(one)),
      h("td", { class: "numbers" }, yakuman ? t("result.yakuman") : t("result.han", { n: one.han })),
    ),
  );
  const limit = winner.limit ? tOr(`limit.${winner.limit}`, winner.limit) : "";
  const total = yakuman
    ? limit || t("result.yakuman")
    : [t("result.han_fu", { han: winner.han ?? 0, fu: winner.fu ?? 0 }), limit].filter(Boolean).join(" · ");
  return [
    h("table", { class: "yaku" }, h("tbody", null, rows)),
    h(
      "p",
      { class: "winner-total" },
      h("span", null, total),
      h("strong", { class: "numbers" }, t("result.points", { n: number(winner.points) })),
    ),
    fuDetails(winner),
  ];
}

/** @param {Winner} winner */
function fuDetails(winner) {
  if (!winner.fu_parts?.length || winner.yakuman) return null;
  return h(
    "details",
    { class: "small" },
    h("summary", null, t("result.fu_details")),
    h(
      "ul",
      null,
      winner.fu_parts.map((part) =>
        h("li", null, `${tOr(`fu.${part.name}`, part.name)}: ${t("result.fu", { n: part.fu })}`),
      ),
    ),
  );
}

/** @param {Winner} winner */
function fans(winner) {
  const rows = (winner.fan ?? []).map((one) =>
    h(
      "tr",
      null,
      h("td", null, scoreName(one), (one.count ?? 1) > 1 ? ` ×${one.count}` : ""),
      h("td", { class: "numbers" }, t("result.fan", { n: one.points })),
    ),
  );
  const total = winner.total ?? (winner.fan ?? []).reduce((sum, one) => sum + one.points, 0);
  return [
    h("table", { class: "yaku" }, h("tbody", null, rows)),
    h(
      "p",
      { class: "winner-total" },
      h("span", null, t("result.fan", { n: total })),
      h("strong", { class: "numbers" }, t("result.won", { n: number(winner.points) })),
    ),
  ];
}

/**
 * @param {Position} position
 * @param {Result} result
 */
function changes(position, result) {
  const drawn = !result.winners.length && result.kind === "exhaustive draw";
  const shown = drawn && traitsOf(position.rules.family).tenpai_shown;
  return h(
    "table",
    { class: "changes" },
    h(
      "thead",
      { class: "visually-hidden" },
      h(
        "tr",
        null,
        [t("result.player"), t("result.change"), t("result.score")].map((words) => h("th", { scope: "col" }, words)),
      ),
    ),
    h(
      "tbody",
      null,
      position.seats.map((seat, i) => {
        const change = result.changes[i] ?? 0;
        return h(
          "tr",
          null,
          h(
            "th",
            { scope: "row" },
            h(
              "span",
              { class: "row-name" },
              h(
                "span",
                { class: "wind-chip", role: "img", "aria-label": t(`wind.${seat.wind}`) },
                windGlyph(seat.wind),
              ),
              nameOf(position, i),
            ),
            shown ? h("span", { class: "tag" }, t(result.tenpai[i] ? "result.tenpai" : "result.noten")) : null,
          ),
          h(
            "td",
            { class: `numbers ${change > 0 ? "good" : change < 0 ? "bad" : "soft"}` },
            change ? signed(change) : "±0",
          ),
          h("td", { class: "numbers" }, number(result.scores[i] ?? seat.score)),
        );
      }),
    ),
  );
}

/**
 * The final ranks of a game that is over.
 * @param {Position} position
 * @returns {HTMLElement | null}
 */
export function finalPanel(position) {
  const final = position.result?.final;
  if (!final) return null;
  const apart = final.points.some((points, seat) => points !== position.result?.scores[seat]);
  const heads = ["result.rank", "result.player", "result.score", ...(apart ? ["result.final_points"] : [])];
  const order = final.ranks.map((rank, seat) => ({ rank, seat })).sort((a, b) => a.rank - b.rank);
  return h(
    "section",
    { class: "final" },
    h("h2", null, t("result.final")),
    h(
      "table",
      { class: "changes" },
      h(
        "thead",
        null,
        h(
          "tr",
          null,
          heads.map((key) => h("th", { scope: "col" }, t(key))),
        ),
      ),
      h(
        "tbody",
        null,
        order.map(({ rank, seat }) =>
          h(
            "tr",
            { class: seat === position.viewer ? "own-row" : null },
            h("td", { class: `place place-${rank}` }, number(rank)),
            h("th", { scope: "row" }, nameOf(position, seat)),
            h("td", { class: "numbers" }, number(position.result?.scores[seat] ?? 0)),
            apart
              ? h("td", { class: "numbers" }, signed(final.points[seat] ?? 0, { maximumFractionDigits: 1 }))
              : null,
          ),
        ),
      ),
    ),
  );
}
