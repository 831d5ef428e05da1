/**
 * The page of watching agents play.
 * @module
 */
import { h } from "./dom.js";

/** @type {import("./types.js").PageModule["mount"]} */
export function mount(root, params, app) {
  root.append(h("h1", null, app.t("nav.watch")));
  return { unmount() {} };
}
