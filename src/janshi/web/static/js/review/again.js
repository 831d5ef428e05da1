/**
 * What a review on the server can be asked for: a link to share, another reviewer, its removal.
 * @module
 */
import { ask } from "../api.js";
import { dialog, h } from "../dom.js";
import { t } from "../i18n.js";
import { playerName } from "./words.js";

/** @typedef {import("./types.js").Review} Review */
/** @typedef {import("../types.js").App} App */

/**
 * Copies the address of a decision.
 * @param {Review} review
 * @param {number | null} number
 * @param {App} app
 */
export async function shareLink(review, number, app) {
  const link = new URL(`#/review/${review.id}${number === null ? "" : `?at=${number}`}`, location.href).href;
  try {
    await navigator.clipboard.writeText(link);
    app.toast(t("rv.copied"));
  } catch {
    prompt(t("rv.share"), link);
  }
}

/**
 * Offers a review by another agent, or of another seat.
 * @param {Review} review
 * @param {App} app
 */
export async function reviewAgain(review, app) {
  const menu = await ask("GET /api/reviews/agents");
  /** @type {{label: string, name: string, unit: string}[]} */
  const reviewers = menu[review.family].reviewers;
  const agent = h(
    "select",
    { id: "rv-again-agent" },
    reviewers.map((one) =>
      h(
        "option",
        { value: one.label, selected: one.label === review.agent },
        `${one.name} – ${t(`rv.by.${one.unit}`)}`,
      ),
    ),
  );
  const seat = h(
    "select",
    { id: "rv-again-seat" },
    h("option", { value: "all" }, t("rv.seat.all")),
    [0, 1, 2, 3].map((one) => h("option", { value: one }, playerName(review, one))),
  );
  const begin = async () => {
    const made = await ask("POST /api/reviews/{id}/again", {
      params: { id: review.id },
      body: { agent: agent.value, seat: /** @type {import("../schema.js").Again["seat"]} */ (seat.value) },
    });
    box.close();
    app.go(made.url);
  };
  const box = dialog(
    t("rv.again"),
    t("shell.close"),
    h(
      "div",
      { class: "stack" },
      h("label", { class: "field" }, h("span", null, t("rv.agent")), agent),
      h("label", { class: "field" }, h("span", null, t("rv.whose")), seat),
      h("button", { type: "button", class: "primary", onclick: () => void begin() }, t("rv.start")),
    ),
  );
}

/**
 * Deletes a review, if that is meant.
 * @param {Review} review
 * @param {App} app
 */
export async function removeReview(review, app) {
  if (!confirm(t("rv.delete.sure", { name: review.name }))) return;
  await ask("DELETE /api/reviews/{id}", { params: { id: review.id } });
  app.go("#/review");
}
