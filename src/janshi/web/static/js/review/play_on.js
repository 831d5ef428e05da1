/**
 * Playing on from a position of a record: whose seat, against whom.
 * @module
 */
import { ask } from "../api.js";
import { dialog, h } from "../dom.js";
import { addWords, read, t } from "../i18n.js";
import { keepKey } from "../keyring.js";
import { optionText } from "../opponents.js";
import words from "../words/replay.js";
import { playerName } from "./words.js";

addWords(words);

/** @typedef {import("./types.js").Review} Review */

/**
 * Asks who plays, and starts a game at the position.
 * @param {Review} review
 * @param {import("../types.js").App} app
 * @param {{number?: number, hand?: number, moment?: number, seat: number}} place a decision, or a moment of a hand
 */
export async function playOn(review, app, place) {
  const agents = await ask("GET /api/agents", { params: { rules: review.family } });
  const seat = h(
    "select",
    { id: "rv-on-seat" },
    [0, 1, 2, 3].map((one) => h("option", { value: one, selected: one === place.seat }, playerName(review, one))),
  );
  const others = h(
    "select",
    { id: "rv-on-others" },
    agents.map((one) => h("option", { value: one.label }, optionText(one))),
  );
  const box = dialog(
    t("on.title"),
    t("shell.close"),
    h(
      "div",
      { class: "stack" },
      h("p", null, t("on.intro")),
      h("label", { class: "field" }, h("span", null, t("on.seat")), seat),
      h("label", { class: "field" }, h("span", null, t("on.others")), others),
      h("button", { type: "button", class: "primary", onclick: () => void begin() }, t("on.start")),
    ),
  );
  const begin = async () => {
    const { seat: _, ...where } = place;
    try {
      const { id, key } = await ask("POST /api/reviews/{id}/play", {
        params: { id: review.id },
        body: {
          hand: 0,
          moment: 0,
          ...where,
          seat: Number(seat.value),
          opponents: others.value,
          name: read("janshi.name") ?? t("on.you"),
        },
      });
      keepKey(id, key);
      box.close();
      app.go(`#/play/${id}`);
    } catch (problem) {
      app.toast(problem instanceof Error ? problem.message : String(problem), "error");
    }
  };
}
