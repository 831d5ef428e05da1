/**
 * The page of play: the lobby, or the game of the address.
 * @module
 */
import { choiceName } from "./actions.js";
import { ask, askText } from "./api.js";
import { h } from "./dom.js";
import { HintPanel } from "./hint_panel.js";
import { agentOf } from "./hints.js";
import { t } from "./i18n.js";
import { keyOf } from "./keyring.js";
import { GameView } from "./live.js";
import { mountLobby } from "./lobby.js";

/** @typedef {import("./types.js").LiveState} LiveState */
/** @typedef {import("./types.js").Choice} Choice */

/** @type {import("./types.js").PageModule["mount"]} */
export function mount(root, params, app) {
  if (!params.id) return mountLobby(root, app);
  root.classList.add("page-game");
  return new PlayView(root, params.id, params.query.get("key") ?? keyOf(params.id), app);
}

const AUTO = /** @type {const} */ (["win", "calls", "tsumogiri"]);

class PlayView extends GameView {
  /** @type {HintPanel | null} */
  hints = null;
  /** @type {PlaySide | null} */
  parts = null;

  /** @param {LiveState} state */
  drawSide(state) {
    if (!this.hints || !this.parts) {
      this.hints = new HintPanel((agent) => this.socket.send({ type: "hint", agent }));
      this.parts = new PlaySide(this);
      this.side.append(this.parts.options, this.hints.element, this.parts.record, this.parts.history);
    }
    this.hints.element.hidden = state.position.viewer === null || Boolean(state.clock) || state.over;
    this.hints.update(state);
    this.parts.update(state);
  }

  /** @param {any} message */
  onMessage(message) {
    if (message.type !== "hint" || !this.state) return;
    if (!this.hints?.show(message.ask, message.thought)) return;
    this.draw(this.state, false);
    const best = message.thought.choices[0];
    if (best)
      this.app.announce(
        t("hint.best", {
          agent: agentOf(message.thought),
          choice: choiceName(best, this.state.position.rules.family),
        }),
      );
  }

  /** @param {string} message */
  onError(message) {
    this.hints?.fail();
    super.onError(message);
  }

  /** @param {LiveState} state */
  boardOptions(state) {
    const thought = this.hints && state.ask && this.hints.ask === state.ask.id ? this.hints.thought : null;
    const best = thought?.choices[0];
    return {
      danger: thought?.danger ?? null,
      highlight: best?.tile && (best.kind === "discard" || best.kind === "tsumogiri") ? { [best.tile]: "best" } : null,
    };
  }

  /**
   * @param {LiveState} state
   * @param {Choice[]} choices
   */
  drawBar(state, choices) {
    if (state.over) {
      this.bar.showButtons(t("play.over"), ["over", this.resultHidden], () => [
        h("a", { class: "button primary", href: "#/play" }, t("play.again")),
        ...this.#reviewButton(state),
        this.#resultButton(),
      ]);
    } else if (state.next?.wanted) {
      const ready = state.position.viewer !== null && state.next.ready.includes(state.position.viewer);
      this.bar.showButtons(ready ? t("play.wait_others") : "", ["next", ready, this.resultHidden], () => [
        h(
          "button",
          {
            type: "button",
            class: "primary action",
            dataset: { kind: "next" },
            disabled: ready,
            onclick: () => this.nextHand(),
          },
          t("play.next"),
          h("kbd", { "aria-hidden": "true" }, "␣"),
        ),
        this.#resultButton(),
      ]);
    } else {
      super.drawBar(state, choices);
    }
  }

  /** @param {LiveState} state */
  #reviewButton(state) {
    if (!state.position.rules.reviewable) return [];
    const button = h(
      "button",
      { type: "button", class: "action", onclick: () => this.#review(state, button) },
      t("play.review"),
    );
    return [button];
  }

  /**
   * Hands the record to the reviewer and goes there.
   * @param {LiveState} state
   * @param {HTMLButtonElement} button
   */
  async #review(state, button) {
    button.disabled = true;
    try {
      const form = new FormData();
      const record = await askText("GET /api/live/{id}/record", { params: { id: this.id, key: this.key } });
      form.set(
        "file",
        new File([record], `Janshi ${state.position.rules.name} ${new Date().toISOString().slice(0, 10)}`),
      );
      form.set("seat", state.position.viewer === null ? "all" : String(state.position.viewer));
      const made = await ask("POST /api/reviews", { form });
      this.app.go(`#/review/${made.id}`);
    } catch (problem) {
      this.app.toast(problem instanceof Error ? problem.message : String(problem), "error");
      button.disabled = false;
    }
  }

  #resultButton() {
    return h(
      "button",
      { type: "button", class: "action", onclick: () => this.toggleResult() },
      t(this.resultHidden ? "play.show_result" : "play.show_table"),
    );
  }

  undo() {
    if (this.state?.can_undo) this.socket.send({ type: "undo" });
  }

  /**
   * @param {KeyboardEvent} event
   * @returns {boolean}
   */
  pageKey(event) {
    const key = event.key.toLowerCase();
    if (key === "h") this.hints?.request();
    else if (key === "u") this.undo();
    else if (key === " " && this.state?.next?.wanted) this.nextHand();
    else return false;
    return true;
  }
}

/** The panels beside a game that is played: options, record, what happened. */
class PlaySide {
  /** @param {PlayView} view */
  constructor(view) {
    this.view = view;
    this.boxes = AUTO.map((name) => {
      const box = h("input", { type: "checkbox" });
      box.addEventListener("change", () => view.socket.send({ type: "auto", [name]: box.checked }));
      return { name, box };
    });
    this.undo = h(
      "button",
      { type: "button", class: "undo", onclick: () => view.undo() },
      t("play.undo"),
      h("kbd", { "aria-hidden": "true" }, "U"),
    );
    this.options = h(
      "section",
      { class: "panel options-panel" },
      h("h2", { class: "visually-hidden" }, t("play.options")),
      h(
        "div",
        { class: "auto-row", role: "group", "aria-label": t("play.auto") },
        this.boxes.map(({ name, box }) =>
          h("label", { class: "chip", title: t(`auto.${name}.help`) }, box, h("span", null, t(`auto.${name}`))),
        ),
        view.soundSwitch(),
      ),
      h("div", { class: "row" }, this.undo, view.speedSelect()),
    );
    this.recordBody = h("div");
    this.record = h("details", { class: "panel" }, h("summary", null, t("play.record")), this.recordBody);
    this.history = h("details", { class: "panel" }, h("summary", null, t("play.log")), view.log);
    this.history.open = matchMedia("(min-width: 1000px)").matches;
  }

  /** @param {LiveState} state */
  update(state) {
    for (const { name, box } of this.boxes) box.checked = state.auto?.[name] ?? false;
    this.options.hidden = state.position.viewer === null;
    this.undo.hidden = !state.practice;
    this.undo.disabled = !state.can_undo;
    if (this.drawn === state.over) return;
    this.drawn = state.over;
    this.record.open = state.over;
    this.recordBody.replaceChildren(
      h("p", { class: "small soft" }, t(state.over ? "play.record_whole" : "play.record_part")),
      this.view.downloads(state),
    );
  }

  /** @type {boolean | null} */
  drawn = null;
}
