/**
 * The page of watching agents play: a form to begin with, stored matches, and the game of the address.
 * @module
 */
import { ask } from "./api.js";
import { fill, h, soon } from "./dom.js";
import { number, read, t, write } from "./i18n.js";
import { keepKey, keyOf } from "./keyring.js";
import { GameView, secondsText } from "./live.js";
import { AgentFields, loadRules, readSeed, rulesField, rulesName } from "./setup.js";

/** @typedef {import("./types.js").LiveState} LiveState */
/** @typedef {import("./types.js").App} App */

const PACES = [0, 0.1, 0.25, 0.5, 1, 2, 4];

/** @type {import("./types.js").PageModule["mount"]} */
export async function mount(root, params, app) {
  if (params.id) {
    root.classList.add("page-game");
    return new WatchView(root, params.id, params.query.get("key") ?? keyOf(params.id), app);
  }
  const form = h("section", { class: "card lobby-form" }, h("h2", null, t("watch.agents")));
  const matches = h("section", { class: "card" }, h("h2", null, t("watch.matches")));
  const place = h("div", { class: "lobby" });
  root.append(place);
  const drawn = Promise.all([drawForm(form, app), drawMatches(matches, app)]);
  await soon(drawn);
  fill(
    place,
    h("header", { class: "lobby-head" }, h("h1", null, t("watch.title")), h("p", { class: "soft" }, t("watch.intro"))),
    form,
    matches,
  );
  await drawn;
  return { unmount() {} };
}

/**
 * @param {App} app
 * @param {Promise<{id: string, key: string}>} asked
 */
async function begin(app, asked) {
  try {
    const { id, key } = await asked;
    keepKey(id, key);
    app.go(`#/watch/${id}`);
  } catch (problem) {
    app.toast(problem instanceof Error ? problem.message : String(problem), "error");
  }
}

/**
 * @param {HTMLElement} place
 * @param {App} app
 */
async function drawForm(place, app) {
  const rules = await loadRules();
  const agents = new AgentFields(t("watch.seats"));
  /** @type {Promise<void> | null} */
  let loading = null;
  const field = rulesField(rules, "riichi/tenhou_east", (one) => {
    loading = agents.load(
      one.id,
      ["E", "S", "W", "N"].slice(0, one.players).map((wind) => t(`wind.${wind}`)),
      "strong",
    );
  });
  const seed = h("input", {
    inputmode: "numeric",
    autocomplete: "off",
    pattern: "[0-9]*",
    placeholder: t("lobby.seed_none"),
  });
  const start = h("button", { type: "submit", class: "primary big" }, t("watch.start"));
  const form = h(
    "form",
    { class: "stack" },
    field.element,
    agents.element,
    h(
      "details",
      null,
      h("summary", null, t("lobby.more")),
      h("label", { class: "field" }, h("span", null, t("lobby.seed")), seed),
    ),
    h("div", null, start),
  );
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    start.disabled = true;
    try {
      await begin(
        app,
        ask("POST /api/live", {
          body: { rules: field.select.value, seats: agents.labels, seed: readSeed(seed.value) },
        }),
      );
    } catch (problem) {
      app.toast(problem instanceof Error ? problem.message : String(problem), "error");
    }
    start.disabled = false;
  });
  field.tell();
  place.append(form);
  await loading;
}

/**
 * @param {HTMLElement} place
 * @param {App} app
 */
async function drawMatches(place, app) {
  const matches = await ask("GET /api/matches");
  if (!matches.length) {
    place.append(h("p", { class: "soft" }, t("watch.no_matches")));
    return;
  }
  place.append(
    h(
      "ul",
      { class: "games" },
      matches.map((match) => {
        const games = h("div", { class: "match-games" });
        const details = h(
          "details",
          null,
          h(
            "summary",
            null,
            h("strong", null, match.name),
            h(
              "span",
              { class: "small soft" },
              " ",
              [rulesName(match.rules), match.players.join(", "), t("watch.games", { n: number(match.games) })].join(
                " · ",
              ),
            ),
          ),
          games,
        );
        details.addEventListener("toggle", () => {
          if (details.open && !games.childElementCount) void drawGames(games, match.name, app);
        });
        return h("li", null, details);
      }),
    ),
  );
}

/**
 * @param {HTMLElement} place
 * @param {string} name
 * @param {App} app
 */
async function drawGames(place, name, app) {
  try {
    const { games } = await ask("GET /api/matches/{name}", { params: { name } });
    fill(
      place,
      h(
        "ul",
        { class: "games" },
        games.map((game) =>
          h(
            "li",
            null,
            h(
              "button",
              {
                type: "button",
                class: "quiet",
                onclick: () => begin(app, ask("POST /api/watch", { body: { match: name, game: game.game } })),
              },
              t("watch.game", { n: game.game }),
              " ",
              game.seats.map((who, i) => `${who} ${number(game.scores[i] ?? 0)}`).join(" · "),
            ),
          ),
        ),
      ),
    );
  } catch (problem) {
    fill(place, h("p", { class: "bad" }, problem instanceof Error ? problem.message : String(problem)));
  }
}

class WatchView extends GameView {
  /** @type {{pace: HTMLInputElement, paceText: HTMLElement, open: HTMLInputElement, record: HTMLElement} | null} */
  parts = null;
  /** @type {boolean | null} */
  recorded = null;

  /** @param {LiveState} state */
  holds(state) {
    void state;
    return 0;
  }

  /**
   * @param {LiveState} state
   */
  drawBar(state) {
    const watch = state.watch;
    const ended = state.position.result !== null;
    const result = () =>
      ended
        ? [
            h(
              "button",
              { type: "button", class: "action", onclick: () => this.toggleResult() },
              t(this.resultHidden ? "play.show_result" : "play.show_table"),
            ),
          ]
        : [];
    if (state.over) {
      this.bar.showButtons(t("play.over"), ["over", this.resultHidden], () => [
        h("a", { class: "button primary", href: "#/watch" }, t("watch.again")),
        ...result(),
      ]);
      return;
    }
    const paused = watch?.paused ?? false;
    this.bar.showButtons(
      paused ? t("watch.paused") : this.statusWords(state, []),
      ["watch", paused, ended, this.resultHidden],
      () => [
        h(
          "button",
          { type: "button", class: "action primary", dataset: { kind: "pause" }, onclick: () => this.togglePause() },
          paused ? `▶ ${t("watch.play")}` : `❚❚ ${t("watch.pause")}`,
          h("kbd", { "aria-hidden": "true" }, "␣"),
        ),
        h(
          "button",
          {
            type: "button",
            class: "action",
            dataset: { kind: "step" },
            onclick: () => this.socket.send({ type: "step" }),
          },
          t("watch.step"),
          h("kbd", { "aria-hidden": "true" }, "→"),
        ),
        ...result(),
      ],
    );
  }

  togglePause() {
    this.socket.send({ type: this.state?.watch?.paused ? "resume" : "pause" });
  }

  /** @param {LiveState} state */
  drawSide(state) {
    this.parts ??= this.#makeSide();
    const { watch } = state;
    const { pace, paceText, open, record } = this.parts;
    if (watch && document.activeElement !== pace) pace.value = String(PACES.length - 1 - closest(watch.pace));
    paceText.textContent = watch ? (watch.pace ? secondsText(watch.pace) : t("watch.fastest")) : "";
    if (watch) open.checked = watch.open;
    if (this.recorded === state.over) return;
    this.recorded = state.over;
    fill(
      record,
      h("p", { class: "small soft" }, t(state.over ? "play.record_whole" : "play.record_part")),
      this.downloads(state),
    );
  }

  /** @param {boolean} open */
  #setOpen(open) {
    write("janshi.open", open ? "yes" : "no");
    this.socket.send({ type: "open", open });
  }

  onOpen() {
    if (read("janshi.open") !== "no" && this.key) this.socket.send({ type: "open", open: true });
  }

  #makeSide() {
    const paceText = h("output", { class: "numbers" });
    const pace = h("input", { type: "range", min: 0, max: PACES.length - 1, step: 1, "aria-label": t("watch.pace") });
    pace.addEventListener("input", () =>
      this.socket.send({ type: "pace", seconds: PACES[PACES.length - 1 - Number(pace.value)] ?? 0.5 }),
    );
    const open = h("input", { type: "checkbox" });
    open.addEventListener("change", () => this.#setOpen(open.checked));
    const record = h("div");
    this.side.append(
      h(
        "section",
        { class: "panel" },
        h("h2", null, t("watch.controls")),
        h("label", { class: "field" }, h("span", null, t("watch.pace"), " ", paceText), pace),
        h("label", { class: "check" }, open, t("watch.open"), " ", h("kbd", { "aria-hidden": "true" }, "O")),
        h("div", { class: "auto-row" }, this.soundSwitch()),
      ),
      h("details", { class: "panel" }, h("summary", null, t("play.record")), record),
      h("details", { class: "panel", open: true }, h("summary", null, t("play.log")), this.log),
    );
    return { pace, paceText, open, record };
  }

  /**
   * @param {KeyboardEvent} event
   * @returns {boolean}
   */
  pageKey(event) {
    if (event.key === " ") this.togglePause();
    else if (event.key === "ArrowRight") this.socket.send({ type: "step" });
    else if (event.key.toLowerCase() === "o") this.#setOpen(!this.state?.watch?.open);
    else return false;
    return true;
  }
}

/** @param {number} pace */
function closest(pace) {
  return PACES.reduce((best, one, i) => (Math.abs(one - pace) < Math.abs((PACES[best] ?? 0) - pace) ? i : best), 0);
}
