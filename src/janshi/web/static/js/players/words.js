/**
 * Words shared by the parts of the players' page.
 * @module
 */
import { ApiError } from "../api.js";
import { h } from "../dom.js";
import { t } from "../i18n.js";

/**
 * Why there is nothing to show.
 * @param {unknown} problem
 */
export function refusal(problem) {
  return h("p", { class: "bad", role: "alert" }, problem instanceof ApiError ? problem.message : t("error.network"));
}
