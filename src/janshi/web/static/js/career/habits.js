/**
 * Habits that the figures bear out: kinds of hands that go worse, or better, than houou players'.
 * @module
 */
import { h } from "../dom.js";
import { number, t } from "../i18n.js";
import { scroller } from "../players/plot.js";
import { places } from "./words.js";

/** @typedef {import("../schema.js").CareerText} Career */
/** @typedef {import("../schema.js").HabitText} Habit */

/** @param {Career} career */
export function habitsCard(career) {
  const { habits } = career;
  const dear = habits.filter((one) => one.significant && one.cost > 0);
  const strong = habits.filter((one) => one.significant && one.cost < 0).reverse();
  return h(
    "section",
    { class: "card career-habits", "aria-labelledby": "career-habits" },
    h("h2", { id: "career-habits" }, t("career.habits")),
    h("p", { class: "soft small" }, t("career.habits.about", { games: number(career.houou.luck_games) })),
    habits.length ? null : h("p", null, t(career.houou.luck_games ? "career.habits.wait" : "career.habits.east")),
    list("career.habits.dear", dear, "bad"),
    list("career.habits.strong", strong, "good"),
    habits.length && !dear.length ? h("p", null, t("career.habits.none")) : null,
    habits.length
      ? h(
          "details",
          { class: "career-all" },
          h("summary", null, t("career.habits.all", { n: number(habits.length) })),
          scroller(t("career.habits"), table(habits)),
        )
      : null,
  );
}

/**
 * @param {string} title
 * @param {Habit[]} habits
 * @param {"good" | "bad"} tone
 */
function list(title, habits, tone) {
  if (!habits.length) return null;
  const most = Math.max(...habits.map((one) => Math.abs(one.cost)));
  return h(
    "div",
    null,
    h("h3", null, t(title)),
    h(
      "ul",
      { class: "career-habit-list" },
      habits.map((one) =>
        h(
          "li",
          null,
          h("strong", null, t(`career.habit.${one.kind}`)),
          h(
            "div",
            { class: "career-meter" },
            h("span", {
              class: `career-meter-fill career-${tone}`,
              style: { width: `${(100 * Math.abs(one.cost)) / most}%` },
            }),
          ),
          h("span", { class: tone }, t(tone === "bad" ? "career.habit.costs" : "career.habit.gains", costs(one))),
          h("span", { class: "soft small" }, t("career.habit.often", shares(one))),
        ),
      ),
    ),
  );
}

/** @param {Habit} habit */
function costs(habit) {
  const digits = { minimumFractionDigits: 2, maximumFractionDigits: 2 };
  const ends = [habit.cost_low, habit.cost_high].map(Math.abs).sort((a, b) => a - b);
  return {
    n: number(Math.abs(habit.cost), digits),
    low: number(ends[0] ?? 0, digits),
    high: number(ends[1] ?? 0, digits),
  };
}

/** @param {Habit} habit */
function shares(habit) {
  const digits = /** @type {const} */ ({ style: "percent", maximumFractionDigits: 1 });
  return {
    share: number(habit.share, digits),
    houou: number(habit.houou_share, digits),
    worth: places3(habit.worth),
    theirs: places3(habit.houou_worth),
  };
}

/** @param {number} value */
function places3(value) {
  return number(value, { signDisplay: "exceptZero", minimumFractionDigits: 3, maximumFractionDigits: 3 });
}

/** @param {Habit[]} habits */
function table(habits) {
  const percent = /** @type {const} */ ({ style: "percent", maximumFractionDigits: 1 });
  return h(
    "table",
    { class: "players-figures" },
    h(
      "thead",
      null,
      h(
        "tr",
        null,
        ["kind", "share", "worth", "difference", "cost"].map((name) =>
          h("th", { scope: "col" }, t(`career.habits.${name}`)),
        ),
      ),
    ),
    h(
      "tbody",
      null,
      habits.map((one) =>
        h(
          "tr",
          null,
          h("th", { scope: "row" }, t(`career.habit.${one.kind}`)),
          h("td", { class: "numbers" }, `${number(one.share, percent)} / ${number(one.houou_share, percent)}`),
          h("td", { class: "numbers" }, `${places3(one.worth)} / ${places3(one.houou_worth)}`),
          h("td", { class: "numbers" }, `${places3(one.difference)} (${places3(one.low)} – ${places3(one.high)})`),
          h("td", { class: "numbers" }, places(one.cost)),
        ),
      ),
    ),
  );
}
