/**
 * The top of a review: the game's name, whose decisions are shown, what can be done with it, and its progress.
 * @module
 */
import { h } from "../dom.js";
import { errorNode } from "../error_words.js";
import { t } from "../i18n.js";
import { gameName, playerName } from "./words.js";

/** @typedef {import("./types.js").Review} Review */
/**
 * @typedef {object} HeadActions
 * @property {(seat: number | null) => void} choose
 * @property {() => void} reveal
 * @property {() => void} watch
 * @property {() => void} quiz
 */
/**
 * @typedef {object} ServerActions
 * @property {() => void} share
 * @property {() => void} again
 * @property {(what: "cancel" | "resume") => void} post
 * @property {() => void} remove
 */

/**
 * @param {Review} review
 * @param {number | null} seat the player who is shown
 * @param {boolean} open whether all hands are open
 * @param {HeadActions} act
 * @param {ServerActions | null} server null for a review without a server
 */
export function headElements(review, seat, open, act, server) {
  const players = h(
    "select",
    { "aria-label": t("rv.whose"), id: "rv-player" },
    review.seats.length > 1 ? h("option", { value: "" }, t("rv.seat.all")) : null,
    review.seats.map((one) => h("option", { value: one, selected: one === seat }, playerName(review, one))),
  );
  players.addEventListener("change", () => act.choose(players.value === "" ? null : Number(players.value)));
  return [
    h(
      "div",
      { class: "rv-title" },
      h("h1", null, gameName(review)),
      h(
        "span",
        { class: "small soft" },
        `${t(`rv.format.${review.format}`)} · ${t("rv.by", { agent: review.agent })}`,
      ),
    ),
    players,
    h("button", { type: "button", "aria-pressed": open ? "true" : "false", onclick: act.reveal }, t("rv.open")),
    h("button", { type: "button", class: "rv-watch-button", onclick: act.watch }, t("replay.title")),
    h("button", { type: "button", class: "rv-quiz-button", onclick: act.quiz }, t("rv.quiz")),
    ...(server ? serverButtons(review, server) : []),
  ];
}

/**
 * @param {Review} review
 * @param {ServerActions} act
 */
function serverButtons(review, act) {
  const finished = review.state !== "waiting" && review.state !== "thinking";
  const stopped = review.state === "cancelled" || review.state === "failed";
  const button = (/** @type {string} */ words, /** @type {() => void} */ onclick, cls = "") =>
    h("button", { type: "button", class: cls, onclick }, t(words));
  return [
    button("rv.share", act.share, "rv-share"),
    button("rv.again", act.again, "rv-again"),
    h("a", { class: "button rv-export", href: `/api/reviews/${review.id}/export`, download: "" }, t("rv.export")),
    review.mine && !finished ? button("rv.cancel", () => act.post("cancel")) : null,
    review.mine && stopped ? button("rv.resume", () => act.post("resume")) : null,
    review.mine && finished ? button("rv.delete", act.remove, "quiet") : null,
  ];
}

/** How far a review is, and where record and rules disagree. @param {Review} review */
export function progressElements(review) {
  const problems = review.problems.length
    ? h(
        "details",
        { class: "small" },
        h("summary", null, t("rv.problems")),
        h(
          "ul",
          null,
          review.problems.map((text) => h("li", null, text)),
        ),
      )
    : null;
  if (review.state === "done") return [problems];
  const failed = review.state === "failed";
  const words = failed
    ? t("rv.state.failed")
    : t(`rv.state.${review.state}`, { done: review.done, total: review.total, ahead: review.ahead });
  return [
    h("span", null, words),
    failed ? [" ", review.problem ? errorNode(review.problem) : review.message] : null,
    h("progress", { value: review.done, max: Math.max(1, review.total), "aria-label": t("rv.progress") }),
    problems,
  ];
}
