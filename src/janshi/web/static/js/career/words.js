/**
 * Numbers of a career as text.
 * @module
 */
import { number, signed, t } from "../i18n.js";

/** @typedef {import("../schema.js").CareerFigure} Figure */

/** How a figure is written: as a percentage, in points, or with digits. @type {Record<string, {style: string}>} */
const STYLES = {
  win_points: { style: "points" },
  loss_points: { style: "points" },
  rank: { style: "rank" },
  points: { style: "signed" },
};

/**
 * @param {string} name of a figure
 * @param {number | null} value
 * @returns {string}
 */
export function written(name, value) {
  if (value === null) return "–";
  const style = STYLES[name]?.style;
  if (style === "points") return number(value, { maximumFractionDigits: 0 });
  if (style === "rank") return number(value, { minimumFractionDigits: 3, maximumFractionDigits: 3 });
  if (style === "signed") return signed(value, { minimumFractionDigits: 1, maximumFractionDigits: 1 });
  return number(value, { style: "percent", minimumFractionDigits: 1, maximumFractionDigits: 1 });
}

/**
 * Half the width of an interval.
 * @param {string} name
 * @param {Figure} figure
 * @returns {string}
 */
export function halfWidth(name, figure) {
  if (figure.low === null || figure.high === null) return "";
  const half = (figure.high - figure.low) / 2;
  const style = STYLES[name]?.style;
  const shown = style === "signed" ? number(half, { maximumFractionDigits: 1 }) : written(name, half);
  return `± ${shown.replace(/[%\s]+$/u, "")}`;
}

/**
 * A number of places, with its sign.
 * @param {number} value
 */
export function places(value) {
  return signed(value, { minimumFractionDigits: 2, maximumFractionDigits: 2 });
}

/**
 * A day as the language writes it, with the hour left out.
 * @param {string | null} played
 */
export function day(played) {
  return played ? played.slice(0, 10) : t("career.undated");
}

/**
 * Bytes as mebibytes.
 * @param {number} bytes
 */
export function mebibytes(bytes) {
  return number(bytes / 2 ** 20, { minimumFractionDigits: 1, maximumFractionDigits: 1 });
}
