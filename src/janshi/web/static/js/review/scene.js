/**
 * What the board shows at a stop of a review, and the words above it.
 * @module
 */
import { t } from "../i18n.js";
import { dangers } from "./opponents.js";
import { closed, handName, playerName, withNames } from "./words.js";

/** @typedef {import("./types.js").Review} Review */
/** @typedef {import("./types.js").Decision} Decision */
/** @typedef {import("./stops.js").Stop} Stop */

/**
 * @param {import("../board.js").Board} board
 * @param {Review} review
 * @param {Stop} stop
 * @param {Decision | null} decision null at the end of a hand
 * @param {number | null} seat the chosen player
 * @param {boolean} open whether all hands are open
 */
export function showStop(board, review, stop, decision, seat, open) {
  if (decision) {
    const position = withNames(decision.position, review);
    board.update(open ? position : closed(position), {
      animate: false,
      open,
      highlight: highlights(decision),
      danger: decision.threat ? dangers(decision) : null,
    });
    return;
  }
  const end = review.hands[stop.hand]?.end;
  if (end)
    board.update({ ...withNames(end, review), viewer: seat ?? review.seats[0] ?? 0 }, { animate: false, open: true });
}

/**
 * Hand, turn, player and kind of a decision.
 * @param {Review} review
 * @param {Stop} stop
 * @param {Decision | null} decision
 */
export function whereWords(review, stop, decision) {
  const words = decision
    ? [t("rv.turn", { n: decision.turn }), playerName(review, decision.seat), t(`rv.kind.${decision.kind}`)]
    : [t("rv.end")];
  return [handName(review, stop.hand), ...words].join(" · ");
}

/**
 * Classes of the tiles that were discarded, and that the agent would discard.
 * @param {Decision} decision
 * @returns {Record<string, string>}
 */
function highlights(decision) {
  /** @type {Record<string, string>} */
  const marks = {};
  for (const [action, mark] of /** @type {[number, string][]} */ ([
    [decision.best, "best"],
    [decision.played, "played"],
  ])) {
    const choice = decision.choices.find((one) => one.action === action);
    if (choice?.tile && (choice.kind === "discard" || choice.kind === "tsumogiri"))
      marks[choice.tile] = [marks[choice.tile], mark].filter(Boolean).join(" ");
  }
  return marks;
}
