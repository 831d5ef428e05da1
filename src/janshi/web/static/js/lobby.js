/**
 * The lobby: quick games, a form for any other game, and unfinished games.
 * @module
 */
import { ask } from "./api.js";
import { fill, h, soon } from "./dom.js";
import { language, number, read, t, write } from "./i18n.js";
import { keepKey } from "./keyring.js";
import { agentsOf } from "./live.js";
import { seatName, suggested } from "./opponents.js";
import { portrait } from "./portraits.js";
import { AgentFields, loadRules, readSeed, rulesField, rulesName } from "./setup.js";
import { tileRow } from "./tiles.js";

/** @typedef {import("./types.js").App} App */
/** @typedef {import("./schema.js").KeptGame} Kept */

/** Where the others sit, by the number of players. */
const PLACES = /** @type {Record<number, string[]>} */ ({ 2: ["across"], 3: ["right", "left"] });
/** Games that start with one click: their rules and players. */
const QUICK = /** @type {const} */ ([
  { id: "first", rules: "riichi/tenhou_east", against: "weak", tiles: ["1z", "1z", "0p"] },
  { id: "east", rules: "riichi/tenhou_east", against: "mixed", tiles: ["3m", "4m", "0m"] },
  { id: "south", rules: "riichi/tenhou", against: "strong", tiles: ["2z", "2z", "0s"] },
  { id: "guobiao", rules: "guobiao/match", against: "strong", tiles: ["1p", "6z", "7z"] },
]);
const OPPONENTS = 3;
const TIMES = /** @type {Record<string, {base: number, extra: number} | null>} */ ({
  none: null,
  slow: { base: 10, extra: 30 },
  normal: { base: 5, extra: 15 },
  fast: { base: 3, extra: 5 },
});

/** Games in progress that are listed; a press shows the others. */
const SHOWN = 3;

/**
 * @param {HTMLElement} root
 * @param {App} app
 * @returns {Promise<import("./types.js").Mounted>}
 */
export async function mountLobby(root, app) {
  const resume = h("section", { class: "card resume", hidden: true });
  const ready = h("p", { class: "getting-ready", role: "status", hidden: true });
  const form = h("section", { class: "card lobby-form" }, h("h2", null, t("lobby.custom")));
  const place = h("div", { class: "lobby" });
  root.append(place);
  const drawn = Promise.all([drawResume(resume, app), drawForm(form, app)]);
  await soon(drawn);
  fill(
    place,
    h("header", { class: "lobby-head" }, h("h1", null, t("lobby.title")), h("p", { class: "soft" }, t("lobby.intro"))),
    ready,
    resume,
    h(
      "div",
      { class: "quick" },
      QUICK.map((game) => quickCard(game, app)),
    ),
    form,
  );
  const watching = watchStart(ready);
  await drawn;
  return { unmount: () => clearInterval(watching) };
}

/**
 * Shows that the server is getting ready, until it is.
 * @param {HTMLElement} place
 */
function watchStart(place) {
  const look = async () => {
    const status = await ask("GET /api/status").catch(() => null);
    place.hidden = !status || status.finished;
    place.textContent = t("play.loading");
    if (!status || status.finished) clearInterval(timer);
  };
  const timer = setInterval(look, 2000);
  void look();
  return timer;
}

/**
 * Begins a game and goes to it.
 * @param {App} app
 * @param {Record<string, unknown>} wanted
 */
async function begin(app, wanted) {
  try {
    const body = { practice: true, name: read("janshi.name") ?? t("lobby.you"), ...wanted };
    const { id, key } = await ask("POST /api/live", { body });
    keepKey(id, key);
    app.go(`#/play/${id}`);
  } catch (problem) {
    app.toast(problem instanceof Error ? problem.message : t("error.network"), "error");
  }
}

/**
 * @param {typeof QUICK[number]} game
 * @param {App} app
 */
function quickCard(game, app) {
  /** @type {string[]} */
  let against = [];
  const faces = h("span", { class: "quick-faces" });
  const button = h(
    "button",
    { type: "button", class: "card quick-card", dataset: { quick: game.id } },
    h("span", { class: "quick-head" }, tileRow([...game.tiles], { size: 30, label: "" }), faces),
    h("strong", null, t(`quick.${game.id}`)),
    h("span", { class: "small soft" }, t(`quick.${game.id}.about`)),
  );
  const known = agentsOf(game.rules).then((agents) => {
    against = suggested(agents, game.against, OPPONENTS);
    fill(
      faces,
      against.map((label) => portrait(label)),
    );
  });
  known.catch(() => {}); // pressing the card says what is wrong
  button.addEventListener("click", async () => {
    if (button.ariaBusy === "true") return;
    button.ariaBusy = "true";
    await known.catch(() => {});
    await begin(app, { rules: game.rules, seats: ["you", ...against], shuffle: true });
    button.ariaBusy = "false";
  });
  return button;
}

/**
 * @param {HTMLElement} place
 * @param {App} app
 */
async function drawResume(place, app) {
  const games = (await ask("GET /api/live")).filter((one) => one.kind === "play");
  const running = games.filter((one) => !one.over);
  const finished = games.filter((one) => one.over).slice(0, 10);
  place.hidden = games.length === 0;
  const list = (/** @type {Kept[]} */ some) =>
    h(
      "ul",
      { class: "games" },
      some.map((game) => gameRow(game, place, app)),
    );
  fill(
    place,
    running.length
      ? [
          h("h2", null, t("lobby.resume")),
          list(running.slice(0, SHOWN)),
          running.length > SHOWN
            ? h(
                "details",
                null,
                h("summary", null, t("lobby.more_games", { n: running.length - SHOWN })),
                list(running.slice(SHOWN)),
              )
            : null,
        ]
      : null,
    finished.length
      ? h("details", null, h("summary", null, t("lobby.finished", { n: finished.length })), list(finished))
      : null,
  );
}

/**
 * @param {Kept} game
 * @param {HTMLElement} place
 * @param {App} app
 */
function gameRow(game, place, app) {
  const when = new Intl.DateTimeFormat(language(), { dateStyle: "medium", timeStyle: "short" }).format(
    new Date(game.changed * 1000),
  );
  const seat = Number(Object.keys(game.keys)[0] ?? 0);
  const score = game.scores?.[seat];
  const remove = async () => {
    if (!confirm(`${t("lobby.delete", { rules: rulesName(game.rules), when })}?`)) return;
    try {
      await ask("DELETE /api/live/{id}", { params: { id: game.id } });
      await drawResume(place, app);
    } catch (problem) {
      app.toast(problem instanceof Error ? problem.message : String(problem), "error");
    }
  };
  return h(
    "li",
    { class: "game-row" },
    h(
      "a",
      { href: `#/play/${game.id}`, class: "game-link" },
      h("strong", null, rulesName(game.rules)),
      h(
        "span",
        { class: "small soft" },
        [
          game.names.map((name, i) => seatName(name, game.seats[i])).join(", "),
          when,
          score === undefined ? "" : t("result.points", { n: number(score) }),
        ]
          .filter(Boolean)
          .join(" · "),
      ),
    ),
    h(
      "button",
      {
        type: "button",
        class: "icon",
        "aria-label": t("lobby.delete", { rules: rulesName(game.rules), when }),
        title: t("lobby.delete_short"),
        onclick: remove,
      },
      "×",
    ),
  );
}

/**
 * @param {HTMLElement} place
 * @param {App} app
 */
async function drawForm(place, app) {
  const rules = await loadRules();
  const agents = new AgentFields(t("lobby.opponents"));
  let players = 4;
  const field = rulesField(rules, read("janshi.rules") ?? "riichi/tenhou_east", (one) => {
    players = one.players;
    const places = PLACES[players] ?? ["right", "across", "left"];
    seats.update(players);
    void agents.load(
      one.id,
      places.map((name) => t(`place.${name}`)),
      "weak",
    );
  });
  const seats = seatField();
  const { element: more, seed, name } = moreFields();
  const time = timeField();
  const practice = h("input", { type: "checkbox", checked: true });
  const start = h("button", { type: "submit", class: "primary big" }, t("lobby.start"));
  const form = h(
    "form",
    { class: "stack" },
    field.element,
    agents.element,
    h("div", { class: "two" }, seats.element, time.element),
    h(
      "label",
      { class: "check" },
      practice,
      h("span", null, t("lobby.practice"), h("small", { class: "soft block" }, t("lobby.practice_about"))),
    ),
    more,
    h("div", null, start),
  );
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    start.disabled = true;
    write("janshi.rules", field.select.value);
    try {
      const seat = seats.value(players);
      const labels = agents.labels;
      const all = Array.from({ length: players }, (_, i) => (i === 0 ? "you" : (labels[i - 1] ?? "greedy")));
      const turned = all.map((_, i) => all[(i - seat + players) % players] ?? "greedy");
      await begin(app, {
        rules: field.select.value,
        seats: turned,
        practice: practice.checked,
        time: TIMES[time.select.value] ?? null,
        seed: readSeed(seed.value),
        ...named(name.value),
      });
    } catch (problem) {
      app.toast(problem instanceof Error ? problem.message : String(problem), "error");
    }
    start.disabled = false;
  });
  field.tell();
  place.append(form);
}

/** @param {string} text */
function named(text) {
  const name = text.trim();
  if (name) write("janshi.name", name);
  return name ? { name } : {};
}

function seatField() {
  const select = h("select", null);
  return {
    element: h("label", { class: "field" }, h("span", null, t("lobby.seat")), select),
    /** @param {number} players */
    update(players) {
      fill(
        select,
        h("option", { value: "random" }, t("lobby.random")),
        ["E", "S", "W", "N"].slice(0, players).map((wind, i) => h("option", { value: i }, t(`wind.${wind}`))),
      );
    },
    /** @param {number} players */
    value(players) {
      return select.value === "random" ? Math.floor(Math.random() * players) : Number(select.value);
    },
  };
}

function timeField() {
  const select = h(
    "select",
    { name: "time" },
    Object.keys(TIMES).map((id) => h("option", { value: id }, t(`time.${id}`))),
  );
  return { element: h("label", { class: "field" }, h("span", null, t("lobby.time")), select), select };
}

function moreFields() {
  const seed = h("input", {
    inputmode: "numeric",
    autocomplete: "off",
    name: "seed",
    pattern: "[0-9]*",
    placeholder: t("lobby.seed_none"),
  });
  const name = h("input", {
    autocomplete: "nickname",
    maxlength: 40,
    name: "name",
    value: read("janshi.name") ?? "",
    placeholder: t("lobby.you"),
  });
  const element = h(
    "details",
    null,
    h("summary", null, t("lobby.more")),
    h(
      "div",
      { class: "two" },
      h("label", { class: "field" }, h("span", null, t("lobby.name")), name),
      h(
        "label",
        { class: "field" },
        h("span", null, t("lobby.seed")),
        seed,
        h("small", { class: "soft" }, t("lobby.seed_about")),
      ),
    ),
  );
  return { element, seed, name };
}
