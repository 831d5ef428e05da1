/**
 * A hand that can be typed or clicked: `123m406p789s22z (345m) [1111z]`. The last concealed tile is
 * the one drawn or won on.
 * @module
 */
import { fill, h } from "../dom.js";
import { t } from "../i18n.js";
import { tile, tileName, tileOrder } from "../tiles.js";

/** @typedef {{tiles: string[], melds: string[], rest: string}} Written what was read, and what could not be */
/** @typedef {"hand" | "chi" | "pon" | "open_kan" | "concealed_kan" | "dora" | "ura" | "seen"} Target */

/**
 * Options of an editor.
 * @typedef {object} EditorOptions
 * @property {string} text the hand at first
 * @property {Record<string, string>} extras further lists of tiles by target ("dora", "ura", "seen"), as texts
 * @property {Target[]} targets what a click can add to
 * @property {boolean} red whether there are red fives
 * @property {(text: string, extras: Record<string, string>) => void} onChange
 */

const MELDS = /\([^()]*\)|\[[^[\]]*\]/g;
/** Number of tiles of a hand between turns, counting a meld as three. */
export const WAITING = 13;

/**
 * Reads a hand; anything that is not a tile is left in `rest`.
 * @param {string} text
 * @returns {Written}
 */
export function parseHand(text) {
  const melds = (text.match(MELDS) ?? []).map((meld) => meld.replace(/\s/g, ""));
  const { tiles, rest } = parseTiles(text.replace(MELDS, " "));
  return { tiles, melds, rest };
}

/**
 * @param {string} text
 * @returns {{tiles: string[], rest: string}}
 */
export function parseTiles(text) {
  /** @type {string[]} */
  const tiles = [];
  const rest = text.toLowerCase().replace(/([0-9]+)\s*([mps])|([1-7]+)\s*(z)/g, (_, ranks, suit, winds, honour) => {
    tiles.push(...[...(ranks ?? winds)].map((rank) => rank + (suit ?? honour)));
    return "";
  });
  return { tiles, rest: rest.replace(/[\s,]/g, "") };
}

/**
 * Tiles as people write them, in their order: `123m5p1m`.
 * @param {string[]} tiles
 * @returns {string}
 */
export function formatTiles(tiles) {
  return tiles.map((one, i) => (one.slice(-1) === tiles[i + 1]?.slice(-1) ? one.slice(0, -1) : one)).join("");
}

/**
 * @param {string[]} tiles
 * @param {string[]} melds
 * @returns {string}
 */
export function formatHand(tiles, melds) {
  return [formatTiles(tiles), ...melds].filter(Boolean).join(" ");
}

/**
 * Tiles of a meld's text.
 * @param {string} meld
 * @returns {string[]}
 */
export function meldTiles(meld) {
  return parseTiles(meld.replace(/[()[\]+]/g, "")).tiles;
}

/**
 * Number of tiles of a hand, counting a meld as three.
 * @param {Written} hand
 * @returns {number}
 */
export function handSize(hand) {
  return hand.tiles.length + 3 * hand.melds.length;
}

/**
 * @param {string[]} tiles
 * @returns {string[]}
 */
export function sorted(tiles) {
  return [...tiles].sort((a, b) => tileOrder(a) - tileOrder(b));
}

/**
 * The meld that a click on a tile means.
 * @param {Target} target
 * @param {string} clicked of a chi the lowest tile
 * @returns {string | null}
 */
export function meldOf(target, clicked) {
  const suit = clicked.slice(-1);
  const rank = clicked.startsWith("0") ? 5 : Number(clicked[0]);
  if (target === "chi") return suit === "z" || rank > 7 ? null : `(${clicked[0]}${rank + 1}${rank + 2}${suit})`;
  const copies = target === "pon" ? 2 : 3;
  const ranks = clicked[0] + String(rank).repeat(copies);
  return target === "concealed_kan" ? `[${ranks}${suit}]` : `(${ranks}${suit})`;
}

/**
 * Random tiles of a wall of 136.
 * @param {number} count
 * @param {boolean} red
 * @returns {string[]}
 */
export function randomTiles(count, red) {
  const wall = palette(false).flatMap((one) =>
    [0, 1, 2, 3].map((copy) => (red && copy === 0 && /^5[mps]/.test(one) ? `0${one[1]}` : one)),
  );
  for (let i = 0; i < count; i++) {
    const j = i + Math.floor(Math.random() * (wall.length - i));
    [wall[i], wall[j]] = [wall[j] ?? "", wall[i] ?? ""];
  }
  return wall.slice(0, count);
}

/** @param {boolean} red @returns {string[]} */
function palette(red) {
  const ranks = red ? [1, 2, 3, 4, 5, 0, 6, 7, 8, 9] : [1, 2, 3, 4, 5, 6, 7, 8, 9];
  return [
    ...["m", "p", "s"].flatMap((suit) => ranks.map((rank) => `${rank}${suit}`)),
    ...[1, 2, 3, 4, 5, 6, 7].map((rank) => `${rank}z`),
  ];
}

/** A field for typing, the hand in tiles, and a palette to click on. */
export class HandEditor {
  /** @param {EditorOptions} options */
  constructor(options) {
    this.options = options;
    this.text = options.text;
    this.extras = { ...options.extras };
    /** @type {Target} */
    this.target = "hand";
    this.input = h("input", {
      id: "tools-tiles",
      class: "tools-text",
      type: "text",
      value: this.text,
      spellcheck: "false",
      autocapitalize: "off",
      autocomplete: "off",
      "aria-describedby": "tools-how",
      oninput: () => this.typed(),
    });
    this.shown = h("div", { class: "tools-hand" });
    this.choice = h("div", { class: "tools-targets", role: "radiogroup", "aria-label": t("tools.target") });
    this.tray = h("div", {
      class: `tools-palette${options.red ? "" : " tools-nine"}`,
      role: "group",
      "aria-label": t("tools.palette"),
      onkeydown: (/** @type {KeyboardEvent} */ event) => this.move(event),
    });
    this.lists = h("div", { class: "tools-lists" });
    this.element = h(
      "section",
      { class: "card tools-editor" },
      h("label", { class: "field", for: "tools-tiles" }, h("span", null, t("tools.tiles")), this.input),
      h("p", { id: "tools-how", class: "small soft" }, t("tools.how")),
      this.shown,
      this.lists,
      this.choice,
      this.tray,
      h(
        "div",
        { class: "row" },
        h("button", { type: "button", onclick: () => this.random() }, t("tools.random")),
        h("button", { type: "button", onclick: () => this.clear() }, t("tools.clear")),
      ),
    );
    this.draw();
  }

  /** The hand as it is read. */
  get hand() {
    return parseHand(this.text);
  }

  /** @param {string} text */
  set(text) {
    this.text = text;
    this.input.value = text;
    this.changed();
  }

  /** Fourteen tiles of a shuffled wall. */
  random() {
    const tiles = randomTiles(WAITING + 1, this.options.red);
    this.set(formatTiles([...sorted(tiles.slice(0, WAITING)), ...tiles.slice(WAITING)]));
  }

  clear() {
    for (const name of Object.keys(this.extras)) this.extras[name] = "";
    this.target = "hand";
    this.set("");
    this.input.focus();
  }

  typed() {
    this.text = this.input.value;
    this.changed();
  }

  changed() {
    this.draw();
    this.options.onChange(this.text, this.extras);
  }

  /**
   * Adds a tile where the chosen target says.
   * @param {string} clicked
   */
  add(clicked) {
    const { tiles, melds } = this.hand;
    if (this.target in this.extras) {
      this.extras[this.target] = formatTiles([...parseTiles(this.extras[this.target] ?? "").tiles, clicked]);
      this.changed();
    } else if (this.target === "hand") {
      this.set(formatHand([...sorted(tiles), clicked], melds));
    } else {
      const meld = meldOf(this.target, clicked);
      if (meld) this.set(formatHand(tiles, [...melds, meld]));
      this.target = "hand";
      this.draw();
    }
  }

  /** @param {number} at */
  remove(at) {
    const { tiles, melds } = this.hand;
    this.set(
      formatHand(
        tiles.filter((_, i) => i !== at),
        melds,
      ),
    );
  }

  /** @param {number} at */
  removeMeld(at) {
    const { tiles, melds } = this.hand;
    this.set(
      formatHand(
        tiles,
        melds.filter((_, i) => i !== at),
      ),
    );
  }

  /**
   * @param {string} name
   * @param {number} at
   */
  removeExtra(name, at) {
    this.extras[name] = formatTiles(parseTiles(this.extras[name] ?? "").tiles.filter((_, i) => i !== at));
    this.changed();
  }

  /** Draws everything that follows from the text. */
  draw() {
    this.drawHand();
    this.drawLists();
    this.drawTargets();
    this.drawPalette();
  }

  drawHand() {
    const { tiles, melds, rest } = this.hand;
    const order = tiles
      .map((one, at) => ({ one, at }))
      .sort((a, b) => place(a.at, tiles, melds) - place(b.at, tiles, melds) || tileOrder(a.one) - tileOrder(b.one));
    fill(
      this.shown,
      h(
        "div",
        { class: "tools-row", role: "group", "aria-label": t("tools.concealed") },
        order.map(({ one, at }) =>
          h(
            "button",
            {
              type: "button",
              class: `tools-tile${place(at, tiles, melds) ? " tools-last" : ""}`,
              "aria-label": t("tools.remove", { tile: tileName(one) }),
              title: t("tools.remove", { tile: tileName(one) }),
              onclick: () => this.remove(at),
            },
            tile(one, { label: "" }),
          ),
        ),
      ),
      melds.map((meld, at) =>
        h(
          "button",
          {
            type: "button",
            class: "tools-meld",
            "aria-label": t("tools.remove_meld", { meld }),
            title: t("tools.remove_meld", { meld }),
            onclick: () => this.removeMeld(at),
          },
          meldTiles(meld).map((one, i) =>
            tile(one, { label: "", back: meld.startsWith("[") && (i === 0 || i === 3) }),
          ),
        ),
      ),
      tiles.length + melds.length ? null : h("p", { class: "soft" }, t("tools.empty")),
      rest ? h("p", { class: "bad small", role: "status" }, t("tools.unread", { text: rest })) : null,
    );
  }

  drawLists() {
    fill(
      this.lists,
      Object.keys(this.extras)
        .filter((name) => this.extras[name])
        .map((name) =>
          h(
            "div",
            { class: "tools-list" },
            h("span", { class: "small soft" }, t(`tools.target.${name}`)),
            parseTiles(this.extras[name] ?? "").tiles.map((one, at) =>
              h(
                "button",
                {
                  type: "button",
                  class: "tools-tile tools-small",
                  "aria-label": t("tools.remove", { tile: tileName(one) }),
                  onclick: () => this.removeExtra(name, at),
                },
                tile(one, { label: "" }),
              ),
            ),
          ),
        ),
    );
  }

  drawTargets() {
    const shown = this.options.targets;
    fill(
      this.choice,
      shown.map((target) =>
        h(
          "label",
          { class: "tools-target" },
          h("input", {
            type: "radio",
            name: "tools-target",
            value: target,
            checked: target === this.target,
            onchange: () => {
              this.target = target;
              this.drawPalette();
            },
          }),
          h("span", null, t(`tools.target.${target}`)),
        ),
      ),
    );
  }

  drawPalette() {
    const held =
      document.activeElement instanceof HTMLElement && this.tray.contains(document.activeElement)
        ? document.activeElement.dataset.tile
        : null;
    const counts = this.counts();
    const full = this.target === "hand" && handSize(this.hand) > WAITING;
    fill(
      this.tray,
      palette(this.options.red).map((one, i) =>
        h(
          "button",
          {
            type: "button",
            class: "tools-tile",
            dataset: { tile: one },
            tabindex: (held ? one === held : i === 0) ? "0" : "-1",
            title: tileName(one),
            "aria-label": tileName(one),
            "aria-disabled": full || this.spent(one, counts) ? "true" : null,
            onclick: () => {
              if (!full && !this.spent(one, counts)) this.add(one);
            },
          },
          tile(one, { label: "" }),
        ),
      ),
    );
    if (held)
      /** @type {HTMLElement | null} */ (this.tray.querySelector(`[data-tile="${CSS.escape(held)}"]`))?.focus();
  }

  /** How many tiles of each text are used in the hand and everywhere else. */
  counts() {
    const { tiles, melds } = this.hand;
    const extras = Object.values(this.extras).flatMap((text) => parseTiles(text).tiles);
    /** @type {Map<string, number>} */
    const counts = new Map();
    for (const one of [...tiles, ...melds.flatMap(meldTiles), ...extras]) counts.set(one, (counts.get(one) ?? 0) + 1);
    return counts;
  }

  /**
   * Whether no tile of this text is left.
   * @param {string} one
   * @param {Map<string, number>} counts
   */
  spent(one, counts) {
    if (one.startsWith("0")) return (counts.get(one) ?? 0) >= 1;
    const red = one[0] === "5" ? (counts.get(`0${one.slice(-1)}`) ?? 0) : 0;
    return (counts.get(one) ?? 0) + red >= 4;
  }

  /**
   * Arrow keys go through the palette.
   * @param {KeyboardEvent} event
   */
  move(event) {
    const buttons = [...this.tray.querySelectorAll("button")];
    const at = buttons.indexOf(/** @type {HTMLButtonElement} */ (document.activeElement));
    const row = this.options.red ? 10 : 9;
    const step = { ArrowRight: 1, ArrowLeft: -1, ArrowDown: row, ArrowUp: -row }[event.key];
    if (at < 0 || step === undefined) return;
    event.preventDefault();
    const next = buttons[Math.max(0, Math.min(buttons.length - 1, at + step))];
    for (const button of buttons) button.tabIndex = button === next ? 0 : -1;
    next?.focus();
  }
}

/**
 * 1 for the tile that stands apart: the last of a hand of 14.
 * @param {number} at
 * @param {string[]} tiles
 * @param {string[]} melds
 */
function place(at, tiles, melds) {
  return tiles.length + 3 * melds.length > WAITING && at === tiles.length - 1 ? 1 : 0;
}
