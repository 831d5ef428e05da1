/**
 * Melds: the called tile lies sideways, at the place that shows who discarded it.
 * @module
 */
import { h } from "./dom.js";
import { t } from "./i18n.js";
import { tile, tileName } from "./tiles.js";

/** @typedef {import("./types.js").Meld} Meld */

/**
 * Where a called tile lies among the tiles of a meld: left for the player on the left, and so on.
 * @param {number} seat
 * @param {number} from
 * @param {number} players
 * @param {number} size tiles in the row
 * @returns {number}
 */
export function calledPlace(seat, from, players, size) {
  const turns = (from - seat + players) % players;
  if (turns === players - 1) return 0;
  return turns === 1 ? size - 1 : 1;
}

/**
 * @param {Meld} meld
 * @param {number} seat whose meld it is
 * @param {number} players
 * @param {(seat: number) => string} nameOf
 * @returns {HTMLElement}
 */
export function meldElement(meld, seat, players, nameOf) {
  const row =
    meld.kind === "concealed_kan"
      ? concealed(meld)
      : meld.called === null || meld.from === null
        ? meld.tiles.map(silent)
        : open(meld, seat, players);
  return h("span", { class: `meld meld-${meld.kind}`, role: "img", "aria-label": meldName(meld, nameOf) }, row);
}

/** @param {string} text */
const silent = (text) => tile(text, { label: "" });

/** @param {Meld} meld */
function concealed(meld) {
  return meld.tiles.map((text, i) => tile(text, { label: "", back: i === 0 || i === 3 }));
}

/**
 * @param {Meld} meld
 * @param {number} seat
 * @param {number} players
 */
function open(meld, seat, players) {
  const tiles = [...meld.tiles];
  const [called = "?"] = tiles.splice(meld.called ?? 0, 1);
  const added = meld.kind === "added_kan" ? tiles.pop() : null;
  const place = calledPlace(seat, meld.from ?? seat, players, tiles.length + 1);
  const lying = added ? h("span", { class: "meld-pile" }, turned(added), turned(called)) : turned(called);
  const row = tiles.map(silent);
  row.splice(place, 0, lying);
  return row;
}

/** @param {string} text */
const turned = (text) => tile(text, { label: "", sideways: true });

/**
 * @param {Meld} meld
 * @param {(seat: number) => string} nameOf
 */
export function meldName(meld, nameOf) {
  const words = `${t(`meld.${meld.kind}`)} ${meld.tiles.map(tileName).join(", ")}`;
  return meld.from === null ? words : `${words} ${t("meld.from", { name: nameOf(meld.from) })}`;
}
