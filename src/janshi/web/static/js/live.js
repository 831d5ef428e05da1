/**
 * A game on the page, for players and watchers: the table, the bar of buttons, the panel beside, and the connection.
 * @module
 */
import { ActionBar, actionName, choiceName } from "./actions.js";
import { address, ask } from "./api.js";
import { Board, roundName } from "./board.js";
import { fill, h } from "./dom.js";
import { errorText } from "./error_words.js";
import { number, read, t, tOr, write } from "./i18n.js";
import { isTaken, kindsOfKey, pressTileKey } from "./keys.js";
import { withNames } from "./opponents.js";
import { finalPanel, resultPanel } from "./result.js";
import { confirmDiscards } from "./settings.js";
import { play, setSound, soundOf, soundOn } from "./sound.js";
import { LiveSocket } from "./socket.js";
import { tileName } from "./tiles.js";

/** @typedef {import("./types.js").LiveState} LiveState */
/** @typedef {import("./types.js").LiveEvent} LiveEvent */
/** @typedef {import("./types.js").Choice} Choice */
/** @typedef {import("./types.js").App} App */
/** @typedef {import("./socket.js").SocketState} SocketState */

/** Milliseconds before the next move of another player is shown, by setting. */
export const SPEEDS = /** @type {Record<string, number>} */ ({ instant: 0, fast: 130, normal: 320, slow: 700 });
/** With more states than this waiting to be shown, the page skips ahead. */
const BEHIND = 24;
const LOG_LINES = 60;
/** Milliseconds after which the page says that a move takes long. */
const SLOW = 4000;

/** @returns {string} */
export function speed() {
  const saved = read("janshi.speed") ?? "";
  return saved in SPEEDS ? saved : "normal";
}

export class GameView {
  /**
   * @param {HTMLElement} root
   * @param {string} id
   * @param {string | null} key
   * @param {App} app
   */
  constructor(root, id, key, app) {
    this.root = root;
    this.id = id;
    this.key = key;
    this.app = app;
    /** @type {LiveState | null} what is shown */
    this.state = null;
    /** @type {LiveState[]} what is still to be shown */
    this.queue = [];
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.timer = undefined;
    this.fresh = true;
    /** The question that was answered and not yet acknowledged. */
    this.answered = -1;
    this.resultHidden = false;
    /** @type {string | null} */
    this.resultKey = null;
    this.board = new Board();
    this.bar = new ActionBar((choice) => this.answer(choice));
    this.result = h("section", { class: "result", hidden: true, "aria-label": t("result.label") });
    this.connection = h("div", { class: "connection", role: "status", hidden: true });
    /** What the game waits for until its first position arrives. */
    this.preparing = h("p", { class: "small soft" });
    this.beginning = h(
      "div",
      { class: "beginning", role: "status" },
      h("span", { class: "spinner", "aria-hidden": "true" }),
      h("strong", null, t("play.preparing")),
      this.preparing,
    );
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.slow = undefined;
    this.log = h("ol", { class: "log small", "aria-label": t("play.log"), tabindex: 0 });
    this.side = h("aside", { class: "game-side", "aria-label": t("play.panel") });
    this.stage = h("div", { class: "stage" }, this.board.element, this.result, this.beginning, this.connection);
    this.element = h(
      "div",
      { class: "game" },
      h("h1", { class: "visually-hidden" }, t("play.title")),
      h("div", { class: "game-main" }, this.stage, this.bar.element),
      this.side,
    );
    root.append(this.element);
    this.onKey = (/** @type {KeyboardEvent} */ event) => this.#keyDown(event);
    addEventListener("keydown", this.onKey);
    this.socket = this.connect();
  }

  /** @returns {LiveSocket} */
  connect() {
    return new LiveSocket(
      address("/api/live/{id}/socket", { id: this.id, key: this.key }),
      (message) => this.#message(message),
      (state, reason) => this.#connected(state, reason),
    );
  }

  unmount() {
    removeEventListener("keydown", this.onKey);
    clearTimeout(this.timer);
    clearTimeout(this.slow);
    this.socket.close();
    document.title = "Janshi";
  }

  // --- what the server says ---------------------------------------------------------------------------------

  /** @param {import("./schema.js").Said} message */
  #message(message) {
    if (message.type === "state") this.#enqueue({ ...message, position: withNames(message.position) });
    else if (message.type === "error") void errorText(message).then((text) => this.onError(text));
    else if (message.type === "waiting") void errorText(message).then((text) => this.#waits(text));
    else this.onMessage(message);
  }

  /**
   * Other messages, for subclasses.
   * @param {import("./schema.js").Said} message
   */
  onMessage(message) {
    void message;
  }

  /** @param {string} message */
  onError(message) {
    this.answered = -1;
    this.app.toast(message, "error");
    if (this.state) this.draw(this.state, false);
  }

  /** @param {LiveState} state */
  #enqueue(state) {
    this.#banner("");
    if (this.fresh) {
      this.fresh = false;
      this.queue = [];
      clearTimeout(this.timer);
      this.timer = undefined;
      this.#show(state, false);
      return;
    }
    this.queue.push(state);
    if (this.timer === undefined) this.#next();
  }

  #next() {
    this.timer = undefined;
    const state = this.queue.shift();
    if (!state) return;
    const delay = this.queue.length > BEHIND ? 15 : this.holds(state);
    this.#show(state, true);
    if (delay > 0) this.timer = setTimeout(() => this.#next(), delay);
    else this.#next();
  }

  /**
   * How long a state stays before the next one is shown.
   * @param {LiveState} state
   * @returns {number}
   */
  holds(state) {
    const viewer = state.position.viewer;
    const seen = state.events.some(
      (event) => seatOf(event) !== viewer && ["discard", "call", "kan", "riichi", "win"].includes(event.type),
    );
    return seen ? (SPEEDS[speed()] ?? 0) : 0;
  }

  /**
   * @param {LiveState} state
   * @param {boolean} animate
   */
  #show(state, animate) {
    this.state = state;
    this.beginning.hidden = true;
    clearTimeout(this.slow);
    if (!state.over && !state.next?.wanted && !state.watch?.paused) this.slow = setTimeout(() => this.#late(), SLOW);
    if (!state.ask || state.ask.id !== this.answered) this.answered = -1;
    this.draw(state, animate);
    this.#tell(state);
    if (animate) this.#sound(state);
    this.bar.setClock(state.ask?.deadline ?? null);
  }

  /** Says that a move takes long, and why, if Janshi is still getting ready. */
  async #late() {
    const state = this.state;
    if (!state || this.open(state).length || state.position.turn === state.position.viewer) return;
    const status = await ask("GET /api/status").catch(() => null);
    if (this.state !== state) return;
    const words = [t("play.slow", { name: this.name(state.position.turn) })];
    if (status && !status.finished) words.push(t("play.loading"));
    this.bar.say(words.join(" "));
  }

  /** @param {LiveState} state */
  #sound(state) {
    const asked = state.position.phase === "reaction" && this.open(state).length > 0;
    const found = soundOf(state.events, { own: state.position.viewer, asked });
    if (found) play(found);
  }

  /**
   * @param {SocketState} state
   * @param {string} reason
   */
  #connected(state, reason) {
    this.element.dataset.connection = state;
    if (state === "lost") this.fresh = true;
    const words =
      state === "lost"
        ? t("play.lost")
        : state === "closed"
          ? reason || t("play.closed")
          : state === "connecting" && this.state
            ? t("play.connecting")
            : "";
    this.#banner(words, state === "closed");
    if (state === "closed") this.beginning.hidden = true;
    if (state === "lost") this.app.announce(t("play.lost"));
    if (state === "open" && this.state) this.app.announce(t("play.back"));
    if (state === "open") this.onOpen();
  }

  /**
   * @param {string} words empty for none
   * @param {boolean} [over] whether nothing more will come, so that a way out is needed
   */
  #banner(words, over = false) {
    this.connection.hidden = !words;
    fill(this.connection, words, over ? h("a", { class: "button", href: "#/" }, t("error.home")) : null);
  }

  /** @param {string} words what the game waits for, unless it has begun meanwhile */
  #waits(words) {
    if (!this.fresh) return;
    if (this.beginning.hidden) this.#banner(words);
    else fill(this.preparing, words);
  }

  /** The connection is open, for the first time or again. */
  onOpen() {}

  // --- drawing ----------------------------------------------------------------------------------------------

  /**
   * @param {LiveState} state
   * @param {boolean} animate
   */
  draw(state, animate) {
    const choices = this.open(state);
    this.board.update(state.position, {
      animate,
      choices,
      onChoice: (choice) => this.answer(choice),
      confirm: confirmDiscards(),
      ...this.boardOptions(state),
    });
    this.#drawResult(state);
    this.drawBar(state, choices);
    this.drawSide(state);
    this.element.dataset.state = state.over
      ? "over"
      : state.next?.wanted
        ? "hand_over"
        : choices.length
          ? "asked"
          : "waiting";
    document.title = choices.length
      ? `● ${t("play.your_turn")} · Janshi`
      : `${state.position.round_name ? roundName(state.position) : t("play.title")} · Janshi`;
  }

  /**
   * The choices that are open now.
   * @param {LiveState} state
   * @returns {Choice[]}
   */
  open(state) {
    return state.ask && state.ask.id !== this.answered ? state.ask.choices : [];
  }

  /**
   * @param {LiveState} state
   * @returns {Partial<import("./types.js").BoardOptions>}
   */
  boardOptions(state) {
    void state;
    return {};
  }

  /**
   * @param {LiveState} state
   * @param {Choice[]} choices
   */
  drawBar(state, choices) {
    this.bar.show(this.statusWords(state, choices), choices, state.position.rules.family);
  }

  /**
   * Fills the panel beside the table.
   * @param {LiveState} state
   */
  drawSide(state) {
    void state;
  }

  /**
   * @param {LiveState} state
   * @param {Choice[]} choices
   */
  statusWords(state, choices) {
    const { position } = state;
    if (choices.length) {
      const discards = choices.some((one) => one.kind === "discard" || one.kind === "tsumogiri");
      const last = position.last;
      if (!discards && last && position.phase === "reaction")
        return t("play.react", { name: this.name(last.seat), tile: tileName(last.tile) });
      return discards ? t("play.choose") : t("play.your_turn");
    }
    if (position.phase !== "turn" && position.phase !== "reaction") return "";
    return position.turn === position.viewer ? "" : t("play.waiting", { name: this.name(position.turn) });
  }

  /** @param {number | undefined} seat */
  name(seat) {
    const data = this.state?.position.seats[seat ?? -1];
    return data ? data.name || t(`wind.${data.wind}`) : "";
  }

  /** @param {LiveState} state */
  #drawResult(state) {
    const { position } = state;
    const ended =
      position.result !== null && (position.phase === "hand_over" || position.phase === "game_over" || state.over);
    const key = ended ? JSON.stringify([position.result, state.over]) : null;
    if (key !== this.resultKey) {
      this.resultKey = key;
      this.resultHidden = false;
      if (ended) fill(this.result, finalPanel(position), resultPanel(position));
      this.result.scrollTop = 0;
      if (ended) this.app.announce(this.result.textContent ?? "");
    }
    this.result.hidden = !ended || this.resultHidden;
  }

  /** Shows the table behind a result, or the result again. */
  toggleResult() {
    this.resultHidden = !this.resultHidden;
    if (this.state) this.draw(this.state, false);
  }

  // --- what happened ----------------------------------------------------------------------------------------

  /** @param {LiveState} state */
  #tell(state) {
    const { family } = state.position.rules;
    const words = state.events.map((event) => this.#eventWords(event)).filter(Boolean);
    for (const event of state.events) this.#shout(event, family);
    if (state.events.some((event) => event.type === "hand"))
      this.log.append(h("li", { class: "log-hand" }, roundName(state.position)));
    for (const line of words) this.log.append(h("li", null, line));
    while (this.log.childElementCount > LOG_LINES) this.log.firstElementChild?.remove();
    this.log.scrollTop = this.log.scrollHeight;
    const choices = this.open(state);
    if (choices.length && state.position.viewer !== null) words.push(this.#offer(state, choices));
    if (words.length) this.app.announce(words.join(". "));
  }

  /**
   * @param {LiveEvent} event
   * @param {string} family
   */
  #shout(event, family) {
    if (event.type === "call")
      this.board.shout(event.seat, actionName(event.kind.includes("kan") ? "kan" : event.kind, family));
    if (event.type === "kan") this.board.shout(event.seat, actionName("kan", family));
    if (event.type === "riichi") this.board.shout(event.seat, actionName("riichi", family), "riichi");
    if (event.type === "win")
      this.board.shout(event.seat, actionName(event.loser === null ? "tsumo" : "ron", family), "win");
  }

  /**
   * @param {LiveEvent} event
   * @returns {string}
   */
  #eventWords(event) {
    const seat = seatOf(event);
    const tile = "tile" in event ? event.tile : null;
    const kind = "kind" in event ? event.kind : "";
    const values = { name: this.name(seat), tile: tile ? tileName(tile) : "", call: tOr(`meld.${kind}`, kind) };
    const own = seat !== undefined && seat === this.state?.position.viewer;
    const tell = (/** @type {string} */ what) => t(own ? `event.own.${what}` : `event.${what}`, values);
    if (event.type === "draw") return tile && own ? t("event.draw", values) : "";
    if (event.type === "discard") return tell(event.riichi ? "discard_riichi" : "discard");
    if (event.type === "call" || event.type === "kan") return tell("call");
    if (event.type === "win") return tell(event.loser === null ? "tsumo" : "ron");
    if (event.type === "riichi") return tell("riichi");
    return event.type === "dora" ? t("event.dora", values) : "";
  }

  /**
   * @param {LiveState} state
   * @param {Choice[]} choices
   */
  #offer(state, choices) {
    const { family } = state.position.rules;
    const calls = choices.filter((one) => one.kind !== "discard" && one.kind !== "tsumogiri");
    const words = calls.map((one) => choiceName(one, family)).join(", ");
    return calls.length === choices.length
      ? t("play.offer", { choices: words })
      : [t("play.choose"), words].filter(Boolean).join(" ");
  }

  // --- what the player does ---------------------------------------------------------------------------------

  /** @param {Choice} choice */
  answer(choice) {
    const ask = this.state?.ask;
    if (!this.state || !ask || ask.id === this.answered) return;
    if (!this.socket.send({ type: "answer", ask: ask.id, action: choice.action })) {
      this.app.toast(t("play.lost"), "error");
      return;
    }
    this.answered = ask.id;
    this.draw(this.state, false);
  }

  nextHand() {
    if (this.state?.next?.wanted) this.socket.send({ type: "next" });
  }

  /** @param {KeyboardEvent} event */
  #keyDown(event) {
    if (isTaken(event) || !this.state) return;
    if (pressTileKey(this.board, event) || this.#choiceKey(event) || this.pageKey(event)) event.preventDefault();
  }

  /**
   * Keys of the page that mounts the game.
   * @param {KeyboardEvent} event
   * @returns {boolean} whether the key meant something
   */
  pageKey(event) {
    void event;
    return false;
  }

  /**
   * @param {KeyboardEvent} event
   * @returns {boolean}
   */
  #choiceKey(event) {
    const kinds = kindsOfKey(event.key);
    const found = this.state ? this.open(this.state).filter((one) => kinds.includes(one.kind)) : [];
    if (found.length > 1) {
      const buttons = found.map(
        (one) => /** @type {HTMLElement | null} */ (this.bar.buttons.querySelector(`[data-action="${one.action}"]`)),
      );
      const at = buttons.findIndex((one) => one === document.activeElement);
      buttons[(at + 1) % buttons.length]?.focus();
      return true;
    }
    if (!found[0]) return false;
    this.answer(found[0]);
    return true;
  }

  // --- parts that players and watchers share -------------------------------------------------------------------

  /**
   * Links to the record of the game in every format of its rules.
   * @param {LiveState} state
   */
  downloads(state) {
    const formats = state.position.rules.formats ?? [];
    return h(
      "div",
      { class: "row downloads" },
      formats.map((format) =>
        h(
          "a",
          {
            class: "button",
            download: "",
            href: address("/api/live/{id}/record", { id: this.id, format, key: this.key }),
          },
          `${t("play.download")} ${t(`format.${format}`)}`,
        ),
      ),
    );
  }

  /** A switch for the sounds of the table. */
  soundSwitch() {
    const box = h("input", { type: "checkbox", checked: soundOn() });
    box.addEventListener("change", () => setSound(box.checked));
    return h("label", { class: "chip", title: t("play.sound.help") }, box, h("span", null, t("play.sound")));
  }

  /** A choice of how fast the others' moves are shown. */
  speedSelect() {
    const select = h(
      "select",
      null,
      Object.keys(SPEEDS).map((one) => h("option", { value: one, selected: one === speed() }, t(`speed.${one}`))),
    );
    select.addEventListener("change", () => write("janshi.speed", select.value));
    return h("label", { class: "field inline" }, h("span", null, t("play.speed")), select);
  }
}

/**
 * Whose event it is.
 * @param {LiveEvent} event
 * @returns {number | undefined}
 */
function seatOf(event) {
  return "seat" in event ? event.seat : undefined;
}

/** @type {Map<string, Promise<import("./schema.js").AgentText[]>>} */
const known = new Map();

/**
 * The agents that play by some rules, strongest first; a family's are fetched once.
 * @param {string} rules
 * @returns {Promise<import("./schema.js").AgentText[]>}
 */
export function agentsOf(rules) {
  const family = rules.split("/")[0] ?? rules;
  const found = known.get(family) ?? ask("GET /api/agents", { params: { rules: family } });
  known.set(family, found);
  found.catch(() => known.delete(family));
  return found;
}

/** @param {number} seconds */
export function secondsText(seconds) {
  return t("play.seconds", { n: number(seconds, { maximumFractionDigits: 1 }) });
}
