/**
 * The table seen from above: four rivers around the middle, hands at the edges, and the hand of the viewer below.
 *
 * ```js
 * const board = new Board();
 * place.append(board.element);                   // fills its place, which needs a height
 * board.update(position, { onChoice, choices }); // as often as you like: only what changed is drawn again
 * ```
 * @module
 */
import { fill, h } from "./dom.js";
import { traitsOf } from "./families.js";
import { number, t } from "./i18n.js";
import { meldElement } from "./melds.js";
import { portrait } from "./portraits.js";
import { tile, tileName, tileOrder, windGlyph } from "./tiles.js";

/** @typedef {import("./types.js").Position} Position */
/** @typedef {import("./types.js").Seat} Seat */
/** @typedef {import("./types.js").Choice} Choice */
/** @typedef {import("./types.js").BoardOptions} BoardOptions */
/** @typedef {{text: string, drawn: boolean, choice: Choice | null}} HandTile */
/** @typedef {Record<"box" | "river" | "stick" | "hand" | "melds", HTMLElement>} Layer */

const PLACES = 4;
const ROW = 6;
/** Maximum number of dora indicators. */
const INDICATORS = 5;
/** Kinds of choices that pick a tile of the hand. */
const DISCARDS = new Set(["discard", "tsumogiri"]);

/**
 * Where seats are: 0 below, 1 to the right, 2 across, 3 to the left.
 * @param {number} seat
 * @param {number} below
 * @param {number} players
 * @returns {number}
 */
export function placeOf(seat, below, players) {
  const turns = (seat - below + players) % players;
  if (players === 2) return turns * 2;
  return players === 3 && turns === 2 ? 3 : turns;
}

/**
 * The name of a round in the language of the page.
 * @param {Position} position
 */
export function roundName(position) {
  const players = position.seats.length;
  const wind = "ESWN"[Math.floor(position.round / players)] ?? "E";
  return t(`round.${wind}`, { n: (position.round % players) + 1 });
}

export class Board {
  constructor() {
    /** @type {Position | null} */
    this.position = null;
    /** @type {BoardOptions} */
    this.options = {};
    /** @type {HandTile[]} */
    this.handTiles = [];
    /** Index of the tile that is lifted, -1 for none. */
    this.selected = -1;
    /** @type {Map<string, string>} what each part was drawn from */
    this.drawn = new Map();
    this.layers = Array.from({ length: PLACES }, (_, place) => this.#layer(place));
    this.plates = Array.from({ length: PLACES }, (_, place) => h("div", { class: "plate", dataset: { place } }));
    this.centre = h("div", { class: "centre" });
    this.dora = h("div", { class: "dora", role: "img" });
    this.own = h("div", { class: "own" });
    this.hand = h("div", { class: "own-hand", role: "group" });
    this.ownMelds = h("div", { class: "own-melds melds" });
    this.own.append(this.hand, this.ownMelds);
    this.hand.addEventListener("keydown", (event) => this.#onKey(event));
    this.table = h("div", { class: "table" }, ...this.layers.map((layer) => layer.box), this.centre, ...this.plates);
    this.element = h("section", { class: "board", "aria-label": t("board.label") }, this.table, this.own);
  }

  /**
   * Shows a position.
   * @param {Position} position
   * @param {BoardOptions} [options]
   */
  update(position, options = {}) {
    this.position = position;
    this.options = options;
    this.element.classList.toggle("still", options.animate === false);
    for (let place = 0; place < PLACES; place += 1) this.#drawPlace(place);
    this.#part("centre", centreKey(position), () => fill(this.centre, ...this.#centre(position)));
    this.#drawOwn(position);
  }

  /** The seat that sits below. */
  get below() {
    return this.position?.viewer ?? 0;
  }

  /**
   * A call spoken over a seat for a moment.
   * @param {number} seat
   * @param {string} words
   * @param {string} [kind] class of the bubble
   */
  shout(seat, words, kind = "call") {
    const players = this.position?.seats.length ?? PLACES;
    const bubble = h(
      "div",
      { class: `shout shout-${kind}`, dataset: { place: placeOf(seat, this.below, players) }, "aria-hidden": "true" },
      words,
    );
    this.table.append(bubble);
    if (kind === "win") this.table.classList.add("won");
    setTimeout(() => {
      bubble.remove();
      if (kind === "win") this.table.classList.remove("won");
    }, 1300);
  }

  // --- choosing tiles of the hand ---------------------------------------------------------------------------

  /**
   * Lifts the tile at an index, if it may be discarded; -1 lowers all.
   * @param {number} index
   * @param {boolean} [focus]
   */
  select(index, focus = true) {
    this.selected = index >= 0 && index < this.handTiles.length ? index : -1;
    const buttons = this.#buttons();
    buttons.forEach((button, i) => {
      button.classList.toggle("selected", i === this.selected);
      button.tabIndex = i === Math.max(0, this.selected) ? 0 : -1;
    });
    if (focus && this.selected >= 0) buttons[this.selected]?.focus({ preventScroll: true });
  }

  /**
   * Lifts the next tile that may be discarded, to the left or right.
   * @param {1 | -1} step
   */
  move(step) {
    const length = this.handTiles.length;
    let at = this.selected < 0 ? (step > 0 ? -1 : length) : this.selected;
    for (let i = 0; i < length; i += 1) {
      at = (at + step + length) % length;
      if (!this.hasChoices() || this.handTiles[at]?.choice) break;
    }
    this.select(at);
  }

  /** Chooses the lifted tile; false if there is none. */
  confirm() {
    const choice = this.handTiles[this.selected]?.choice;
    if (!choice || !this.options.onChoice) return false;
    this.options.onChoice(choice);
    return true;
  }

  hasChoices() {
    return this.handTiles.some((one) => one.choice !== null);
  }

  /** @param {KeyboardEvent} event */
  #onKey(event) {
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    if (event.key === "ArrowRight" || event.key === "ArrowLeft") {
      this.move(event.key === "ArrowRight" ? 1 : -1);
      event.preventDefault();
      event.stopPropagation();
    } else if (event.key === "Home" || event.key === "End") {
      this.select(event.key === "Home" ? 0 : this.handTiles.length - 1);
      event.preventDefault();
    }
  }

  /** @param {number} index */
  #press(index) {
    const one = this.handTiles[index];
    if (!one?.choice || !this.options.onChoice) return this.select(index);
    if (this.options.confirm && this.selected !== index) return this.select(index);
    this.selected = index;
    this.options.onChoice(one.choice);
  }

  #buttons() {
    return /** @type {HTMLButtonElement[]} */ ([...this.hand.querySelectorAll("button")]);
  }

  // --- drawing ----------------------------------------------------------------------------------------------

  /**
   * Redraws a part if its data has changed.
   * @param {string} name
   * @param {unknown} source
   * @param {() => void} draw
   */
  #part(name, source, draw) {
    const key = JSON.stringify(source);
    if (this.drawn.get(name) === key) return;
    this.drawn.set(name, key);
    draw();
  }

  /**
   * @param {number} place
   * @returns {Layer}
   */
  #layer(place) {
    const river = h(
      "div",
      { class: "river", role: "img" },
      [0, 1, 2].map(() => h("div", { class: "river-row" })),
    );
    const stick = h("div", { class: "stick", hidden: true });
    const hand = h("div", { class: "edge-hand", role: "img" });
    const melds = h("div", { class: "melds" });
    const edge = h("div", { class: "edge" }, hand, melds);
    return {
      box: h("div", { class: "seat-layer", dataset: { place } }, stick, river, place === 0 ? null : edge),
      river,
      stick,
      hand,
      melds,
    };
  }

  /** @param {number} place */
  #drawPlace(place) {
    const position = /** @type {Position} */ (this.position);
    const players = position.seats.length;
    const seat = position.seats.findIndex((_, i) => placeOf(i, this.below, players) === place);
    const layer = /** @type {Layer} */ (this.layers[place]);
    const plate = /** @type {HTMLElement} */ (this.plates[place]);
    const data = position.seats[seat];
    layer.box.hidden = plate.hidden = !data;
    if (!data) return;
    const name = data.name || t(`wind.${data.wind}`);
    this.#part(`plate${place}`, [data.name, data.agent, data.wind, data.riichi, data.rank, data.flowers], () =>
      fill(plate, ...this.#plate(data)),
    );
    plate.classList.toggle(
      "to-move",
      position.turn === seat && position.phase !== "game_over" && position.phase !== "hand_over",
    );
    layer.stick.hidden = !data.riichi;
    this.#drawRiver(place, seat, data, name);
    if (place > 0) {
      const open = data.hand !== null;
      this.#part(`hand${place}`, [data.hand, data.count, data.drawn], () =>
        this.#edgeHand(layer.hand, data, name, open),
      );
      this.#part(`melds${place}`, [data.melds, seat], () => this.#melds(layer.melds, data, seat));
    }
  }

  /**
   * @param {HTMLElement} element
   * @param {Seat} data
   * @param {string} name
   * @param {boolean} open
   */
  #edgeHand(element, data, name, open) {
    const tiles = open ? [...(data.hand ?? [])].sort(byOrder) : Array(data.count).fill("?");
    const drawn = data.drawn === null ? null : h("span", { class: "edge-drawn" }, tile(data.drawn, { label: "" }));
    fill(
      element,
      tiles.map((text) => tile(text, { label: "" })),
      drawn,
    );
    element.setAttribute(
      "aria-label",
      `${t("board.hand", { name })}: ${open ? tiles.map(tileName).join(", ") : tiles.length}`,
    );
  }

  /**
   * @param {HTMLElement} element
   * @param {Seat} data
   * @param {number} seat
   */
  #melds(element, data, seat) {
    const position = /** @type {Position} */ (this.position);
    const nameOf = (/** @type {number} */ one) => position.seats[one]?.name ?? "";
    const more = data.melds.length > element.childElementCount && this.options.animate !== false;
    fill(
      element,
      [...data.melds].reverse().map((meld) => meldElement(meld, seat, position.seats.length, nameOf)),
    );
    if (more) element.firstElementChild?.classList.add("fresh");
  }

  /**
   * @param {number} place
   * @param {number} seat
   * @param {Seat} data
   * @param {string} name
   */
  #drawRiver(place, seat, data, name) {
    const layer = /** @type {Layer} */ (this.layers[place]);
    const position = /** @type {Position} */ (this.position);
    const last = position.last?.seat === seat ? data.river.length - 1 : -1;
    this.#part(`river${place}`, [data.river, last], () => {
      this.#layTiles(layer.river, data.river);
      [...layer.river.querySelectorAll(".river-tile")].forEach((one, i) => {
        one.classList.toggle("called", data.river[i]?.called ?? false);
        one.classList.toggle("last", i === last);
      });
      const words = data.river.map((one) =>
        [tileName(one.tile), one.riichi ? t("board.riichi") : "", one.called ? t("board.called") : ""]
          .filter(Boolean)
          .join(" "),
      );
      layer.river.setAttribute("aria-label", `${t("board.river", { name })}: ${words.join(", ")}`);
    });
  }

  /**
   * Adds new tiles to a river; those already there stay.
   * @param {HTMLElement} river
   * @param {import("./types.js").RiverTile[]} tiles
   */
  #layTiles(river, tiles) {
    const keys = tiles.map((one) => `${one.tile}${one.tsumogiri}${one.riichi}`);
    const lying = /** @type {HTMLElement[]} */ ([...river.querySelectorAll(".river-tile")]);
    const same = lying.length <= keys.length && lying.every((one, i) => one.dataset.key === keys[i]);
    if (!same)
      fill(
        river,
        [0, 1, 2].map(() => h("div", { class: "river-row" })),
      );
    for (let i = same ? lying.length : 0; i < tiles.length; i += 1) {
      const one = /** @type {import("./types.js").RiverTile} */ (tiles[i]);
      const fresh = same && i === tiles.length - 1 && this.options.animate !== false;
      const element = tile(one.tile, {
        label: "",
        sideways: one.riichi,
        class: `river-tile${one.tsumogiri ? " tsumogiri" : ""}${fresh ? " fresh" : ""}`,
      });
      element.dataset.key = keys[i] ?? "";
      river.children[Math.min(Math.floor(i / ROW), 2)]?.append(element);
    }
  }

  /** @param {Seat} data */
  #plate(data) {
    const rank = data.rank
      ? h(
          "span",
          {
            class: "plate-rank",
            role: "img",
            "aria-label": t("board.rank", { n: data.rank }),
            title: t("board.rank", { n: data.rank }),
          },
          number(data.rank),
        )
      : null;
    const kind = data.agent?.split(":")[0] ?? "";
    const agent = kind && kind !== data.name ? h("span", { class: "plate-agent" }, kind) : null;
    const flowers = data.flowers?.length
      ? h(
          "span",
          {
            class: "plate-flowers",
            role: "img",
            "aria-label": t("board.flowers", { n: data.flowers.length }),
            title: t("board.flowers", { n: data.flowers.length }),
          },
          `✿ ${data.flowers.length}`,
        )
      : null;
    const riichi = data.riichi ? h("span", { class: "plate-riichi" }, t("board.riichi")) : null;
    return [
      rank,
      data.agent ? portrait(data.agent, "portrait plate-face") : null,
      h(
        "span",
        { class: "plate-words" },
        h("span", { class: "plate-name", title: data.name }, data.name || t(`wind.${data.wind}`)),
        riichi || agent || flowers ? h("span", { class: "plate-line" }, riichi, agent, flowers) : null,
      ),
    ];
  }

  /** @param {Position} position */
  #centre(position) {
    const players = position.seats.length;
    const sides = position.seats.map((data, seat) =>
      h(
        "div",
        {
          class: `side${position.turn === seat ? " side-turn" : ""}${position.dealer === seat ? " side-dealer" : ""}`,
          dataset: { place: placeOf(seat, this.below, players) },
          role: "img",
          "aria-label": t("board.seat", { name: data.name, wind: t(`wind.${data.wind}`), score: number(data.score) }),
        },
        h("span", { class: "side-wind" }, windGlyph(data.wind)),
        h("span", { class: "side-score numbers" }, number(data.score)),
      ),
    );
    const counters = traitsOf(position.rules.family).honba
      ? h(
          "div",
          { class: "counters numbers" },
          h(
            "span",
            {
              class: "counter",
              title: t("board.honba", { n: position.honba }),
              role: "img",
              "aria-label": t("board.honba", { n: position.honba }),
            },
            h("i", { class: "mini-stick honba" }),
            position.honba,
          ),
          h(
            "span",
            {
              class: "counter",
              title: t("board.sticks", { n: position.sticks }),
              role: "img",
              "aria-label": t("board.sticks", { n: position.sticks }),
            },
            h("i", { class: "mini-stick" }),
            position.sticks,
          ),
        )
      : null;
    this.#part("dora", position.dora, () => {
      fill(
        this.dora,
        Array.from({ length: INDICATORS }, (_, i) => tile(position.dora[i] ?? "?", { label: "" })),
      );
      this.dora.setAttribute("aria-label", `${t("board.dora")}: ${position.dora.map(tileName).join(", ")}`);
    });
    const dora = position.dora.length ? this.dora : null;
    return [
      ...sides,
      h(
        "div",
        { class: "middle" },
        position.round_name ? h("div", { class: "round" }, roundName(position)) : null,
        counters,
        dora,
        h("div", { class: "left numbers" }, t("board.left", { n: position.left })),
      ),
    ];
  }

  /** @param {Position} position */
  #drawOwn(position) {
    const data = position.seats[this.below];
    if (!data) return;
    const choices = this.options.choices ?? [];
    this.handTiles = handTiles(data, choices);
    const source = [
      data.hand,
      data.count,
      data.drawn,
      this.handTiles.map((one) => one.choice?.action ?? null),
      this.options.highlight ?? null,
      this.options.danger ?? null,
      this.below === position.viewer,
    ];
    this.#part("own", source, () => {
      const drew = data.drawn !== null && this.#drew(data);
      const focused = this.hand.contains(document.activeElement);
      fill(this.hand, ...this.handTiles.map((one, i) => this.#handButton(one, i)));
      if (drew) this.hand.lastElementChild?.classList.add("fresh");
      this.hand.setAttribute(
        "aria-label",
        this.below === position.viewer ? t("board.your_hand") : t("board.hand", { name: data.name }),
      );
      this.selected = -1;
      if (focused) this.#keepFocus();
    });
    this.#part("ownMelds", [data.melds, this.below], () => this.#melds(this.ownMelds, data, this.below));
  }

  /**
   * Whether the viewer's drawn tile is new, and may be animated.
   * @param {Seat} data
   */
  #drew(data) {
    const key = JSON.stringify([data.hand, data.drawn, data.river.length]);
    const before = this.drawn.get("draw");
    this.drawn.set("draw", key);
    return before !== key && this.options.animate !== false;
  }

  /** Keeps the focus in the hand when its tiles are redrawn: on the drawn tile, without lifting it. */
  #keepFocus() {
    const buttons = this.#buttons();
    (buttons[buttons.length - 1] ?? null)?.focus({ preventScroll: true });
  }

  /**
   * @param {HandTile} one
   * @param {number} index
   */
  #handButton(one, index) {
    const possible = this.hasChoices();
    const marks = [
      "hand-tile",
      one.drawn ? "drawn" : "",
      possible && !one.choice ? "barred" : "",
      this.options.highlight?.[one.text] ?? "",
    ];
    const danger = this.options.danger?.[one.text] ?? this.options.danger?.[one.text.replace("0", "5")];
    const words = [one.text === "?" ? t("tile.?") : tileName(one.text), one.drawn ? t("board.drawn") : ""];
    if (danger !== undefined)
      words.push(t("board.danger", { chance: number(danger, { style: "percent", maximumFractionDigits: 1 }) }));
    return h(
      "button",
      {
        type: "button",
        class: marks.filter(Boolean).join(" "),
        tabindex: index === 0 ? 0 : -1,
        "aria-label": words.filter(Boolean).join(", "),
        "aria-disabled": possible && !one.choice ? "true" : null,
        onclick: () => this.#press(index),
        dataset: { index, tile: one.text },
      },
      tile(one.text, { label: "" }),
      danger === undefined ? null : dangerBar(danger),
    );
  }
}

/** @param {string} a @param {string} b */
function byOrder(a, b) {
  return tileOrder(a) - tileOrder(b);
}

/** @param {number} danger */
function dangerBar(danger) {
  const part = Math.min(1, danger / 0.2);
  return h("span", { class: "danger-bar", style: { "--part": part.toFixed(3) } }, h("i"));
}

/** @param {Position} position */
function centreKey(position) {
  return [
    position.round,
    position.honba,
    position.sticks,
    position.left,
    position.dora,
    position.turn,
    position.dealer,
    position.viewer,
    position.rules.family,
    position.seats.map((one) => [one.score, one.wind, one.name]),
  ];
}

/**
 * The tiles of the hand below, each with its choice.
 * @param {Seat} data
 * @param {Choice[]} choices
 * @returns {HandTile[]}
 */
function handTiles(data, choices) {
  const discards = choices.filter((one) => DISCARDS.has(one.kind));
  const tsumogiri = discards.find((one) => one.kind === "tsumogiri") ?? null;
  const byTile = new Map(discards.filter((one) => one.kind === "discard").map((one) => [one.tile, one]));
  const texts = data.hand ? [...data.hand].sort(byOrder) : Array(data.count).fill("?");
  /** @type {HandTile[]} */
  const tiles = texts.map((text) => ({ text, drawn: false, choice: byTile.get(text) ?? null }));
  if (data.drawn !== null)
    tiles.push({ text: data.drawn, drawn: true, choice: tsumogiri ?? byTile.get(data.drawn) ?? null });
  return tiles;
}
