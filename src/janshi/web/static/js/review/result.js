/**
 * How a hand ended.
 * @module
 */
import { h } from "../dom.js";
import { number, signed, t, tOr } from "../i18n.js";
import { scoreName } from "../names.js";
import { playerName } from "./words.js";
import { tile, tileRow } from "../tiles.js";

/**
 * @param {import("../types.js").Position} end
 * @param {import("./types.js").Review} review
 * @returns {HTMLElement[]}
 */
export function resultElements(end, review) {
  const result = end.result;
  if (!result) return [h("p", { class: "soft" }, t("rv.end.none"))];
  const changes = h(
    "ul",
    { class: "rv-changes" },
    result.changes.map((change, seat) =>
      h(
        "li",
        null,
        h("span", null, playerName(review, seat)),
        h("span", { class: `numbers ${change > 0 ? "good" : change < 0 ? "bad" : ""}` }, signed(change)),
        h("span", { class: "numbers soft" }, number(result.scores[seat] ?? 0)),
      ),
    ),
  );
  return [
    h("h2", null, tOr(`rv.end.${result.kind}`, result.kind)),
    ...result.winners.map((winner) => winnerElement(winner, review)),
    changes,
  ];
}

/**
 * @param {import("../types.js").Winner} winner
 * @param {import("./types.js").Review} review
 */
function winnerElement(winner, review) {
  const from = winner.loser === null ? "" : ` ← ${playerName(review, winner.loser)}`;
  const yaku =
    winner.yaku?.map((one) => `${scoreName(one)} ${one.han}`) ??
    winner.fan?.map((one) => `${scoreName(one)} ${one.points}`) ??
    [];
  return h(
    "div",
    { class: "rv-winner" },
    h(
      "p",
      null,
      h("strong", null, playerName(review, winner.seat)),
      from,
      " ",
      h("span", { class: "numbers" }, number(winner.points)),
    ),
    h(
      "p",
      null,
      tileRow(winner.hand, { size: 24 }),
      " ",
      winner.melds.map((meld) => [tileRow(meld.tiles, { size: 24 }), " "]).flat(),
      tile(winner.tile, { size: 24, class: "rv-winning" }),
    ),
    h("p", { class: "small soft" }, yaku.join(t("text.list"))),
  );
}
