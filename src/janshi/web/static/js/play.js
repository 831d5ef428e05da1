/**
 * The page of play: the lobby, or the game of the address.
 * @module
 */
import { h } from "./dom.js";

/** @type {import("./types.js").PageModule["mount"]} */
export function mount(root, params, app) {
  root.append(h("h1", null, app.t("nav.play")));
  return { unmount() {} };
}
