/**
 * Light, dark, or as the system says; and how tiles are drawn.
 * @module
 */
import { read, write } from "./i18n.js";

/** @typedef {"auto" | "light" | "dark"} Theme */

/** @returns {Theme} */
export function theme() {
  const saved = read("janshi.theme");
  return saved === "light" || saved === "dark" ? saved : "auto";
}

/** @param {Theme} value */
export function setTheme(value) {
  document.documentElement.dataset.theme = value;
  write("janshi.theme", value);
}

/** Whether tiles have Latin numbers in their corners. */
export function corners() {
  return read("janshi.corners") === "yes";
}

/** @param {boolean} value */
export function setCorners(value) {
  write("janshi.corners", value ? "yes" : "no");
  applyCorners();
}

/** Sets the attributes that the style sheets use. */
export function applyCorners() {
  document.documentElement.dataset.corners = corners() ? "yes" : "no";
}
