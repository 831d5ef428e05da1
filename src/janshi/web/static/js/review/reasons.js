/**
 * Two or three sentences on why the reviewer prefers its choice, made from the figures shown and from nothing else.
 * @module
 */
import { h } from "../dom.js";
import { traitsOf } from "../families.js";
import { number, t } from "../i18n.js";
import { rounded } from "./reach.js";
import { dealIn, reachWords, shantenWords } from "./why.js";
import { choiceElement, percent, playerName } from "./words.js";

/** @typedef {import("./types.js").Review} Review */
/** @typedef {import("./types.js").Decision} Decision */
/** @typedef {import("./types.js").Why} Why */
/** @typedef {import("./types.js").Facts} Facts */
/** @typedef {import("./types.js").Weighed} Weighed */
/** @typedef {(Node | string)[]} Sentence */
/** @typedef {{weight: number, key: string, values: Record<string, string | number>}} Reason */

const MOST = 3;
/** Differences that are worth a sentence; that of chances is a trait of the family. */
const DANGER = 0.01;
const TILES = 3;
const POINTS = 700;
/** Points of wins in reach, in Guobiao. */
const REACH = 0.2;
const SHARE = 0.15;

/**
 * @param {Decision} decision
 * @param {Review} review
 * @param {Why} why
 * @returns {Sentence[]}
 */
export function sentences(decision, review, why) {
  const played = decision.choices.find((one) => one.action === decision.played);
  const best = decision.choices.find((one) => one.action === decision.best);
  if (!played || !best || decision.agreed) return [];
  const [mine, theirs] = [why.choices[String(played.action)], why.choices[String(best.action)]];
  const found = [
    ...(mine && theirs
      ? [...dangers(mine, theirs, decision, review), ...speeds(mine, theirs), ...values(mine, theirs)]
      : []),
    ...chances(played, best, traitsOf(review.family).least_chance),
    ...safe(mine, theirs, decision),
  ].sort((a, b) => b.weight - a.weight);
  const last = lastHand(why, review);
  const chosen = found.slice(0, last.length ? MOST - 1 : MOST);
  if (!chosen.length && mine && theirs)
    chosen.push({ weight: 0, key: mine.fan ? "why.say.alikefan" : "why.say.alike", values: {} });
  const named = { played: choiceElement(played, review.family), best: choiceElement(best, review.family) };
  return [...chosen, ...last].map((reason) => withChoices(t(reason.key, reason.values), named));
}

/**
 * A text with the choices in their places.
 * @param {string} text
 * @param {{played: HTMLElement, best: HTMLElement}} named
 * @returns {Sentence}
 */
function withChoices(text, named) {
  return text
    .split(/(\{played\}|\{best\})/)
    .filter(Boolean)
    .map((part) =>
      part === "{played}"
        ? h("span", { class: "rv-named" }, named.played.cloneNode(true))
        : part === "{best}"
          ? h("span", { class: "rv-named" }, named.best.cloneNode(true))
          : part,
    );
}

/**
 * How near to a win: by shape or, where a win needs eight fan, by the tiles missing to them and the wins in reach.
 * @param {Facts} mine
 * @param {Facts} theirs
 * @returns {Reason[]}
 */
function speeds(mine, theirs) {
  const [a, b] = [mine.fan, theirs.fan];
  if (!a || !b) return shapes(mine, theirs);
  /** @type {Reason[]} */
  const found = [];
  if (a.missing !== b.missing) {
    const nearer = b.missing < a.missing;
    const values = nearer ? { near: b.missing, far: a.missing } : { near: a.missing, far: b.missing };
    found.push({ weight: nearer ? 3 : 1, key: nearer ? "why.say.fewer" : "why.say.missing", values });
  }
  const [high, low] = b.points > a.points ? [b.points, a.points] : [a.points, b.points];
  if (high - low >= REACH && high >= low * (1 + SHARE)) {
    const gains = b.points > a.points;
    const values = { more: reachWords(high), fewer: reachWords(low) };
    found.push({ weight: gains ? 2.2 : 0.8, key: gains ? "why.say.reach" : "why.say.lessreach", values });
  }
  return found.length ? found : shapes(mine, theirs);
}

/**
 * @param {Facts} mine
 * @param {Facts} theirs
 * @returns {Reason[]}
 */
function shapes(mine, theirs) {
  if (theirs.shanten < mine.shanten) {
    const values = { near: shantenWords(theirs.shanten), far: shantenWords(mine.shanten), tiles: theirs.tiles };
    return [{ weight: 3, key: "why.say.closer", values }];
  }
  if (theirs.shanten > mine.shanten) {
    const values = { near: shantenWords(mine.shanten), far: shantenWords(theirs.shanten), tiles: mine.tiles };
    return [{ weight: 1, key: "why.say.farther", values }];
  }
  const more = theirs.tiles - mine.tiles;
  const [many, few] = more > 0 ? [theirs.tiles, mine.tiles] : [mine.tiles, theirs.tiles];
  if (Math.abs(more) < TILES) return [];
  const values = { near: shantenWords(mine.shanten), more: many, fewer: few };
  return [{ weight: more > 0 ? 2 : 0.5, key: more > 0 ? "why.say.more" : "why.say.less", values }];
}

/**
 * @param {Facts} mine
 * @param {Facts} theirs
 * @returns {Reason[]}
 */
function values(mine, theirs) {
  const [a, b] = [mine.reach, theirs.reach];
  if (!a || !b) return [];
  /** @type {Reason[]} */
  const found = [];
  if (a.points !== null && b.points !== null) {
    const more = b.points - a.points;
    const [high, low] = more > 0 ? [b.points, a.points] : [a.points, b.points];
    if (Math.abs(more) >= POINTS && high >= low * (1 + SHARE))
      found.push({
        weight: more > 0 ? 2.2 : 0.8,
        key: more > 0 ? "why.say.dearer" : "why.say.cheaper",
        values: { more: number(rounded(high)), fewer: number(rounded(low)) },
      });
  }
  if (a.without_yaku > b.without_yaku + SHARE)
    found.push({ weight: 2.5, key: "why.say.noyaku", values: { share: percent(a.without_yaku) } });
  return found;
}

/**
 * The opponent for whom the two discards differ most.
 * @param {Facts} mine
 * @param {Facts} theirs
 * @param {Decision} decision
 * @param {Review} review
 * @returns {Reason[]}
 */
function dangers(mine, theirs, decision, review) {
  const [a, b] = [mine.danger, theirs.danger];
  if (!a || !b) return [];
  const gaps = a.map((chance, i) => chance - (b[i] ?? 0));
  const at = gaps.reduce((most, gap, i) => (Math.abs(gap) > Math.abs(gaps[most] ?? 0) ? i : most), 0);
  const gap = gaps[at] ?? 0;
  if (Math.abs(gap) < DANGER) return [];
  const [high, low] = gap > 0 ? [a[at] ?? 0, b[at] ?? 0] : [b[at] ?? 0, a[at] ?? 0];
  const values = {
    name: playerName(review, (decision.seat + 1 + at) % 4),
    more: percent(high),
    fewer: percent(low),
  };
  return [
    { weight: (gap > 0 ? 2 : 1) + 20 * Math.abs(gap), key: gap > 0 ? "why.say.safer" : "why.say.riskier", values },
  ];
}

/**
 * @param {Weighed} played
 * @param {Weighed} best
 * @param {number} least difference that is worth a sentence
 * @returns {Reason[]}
 */
function chances(played, best, least) {
  const [winPlayed, winBest] = [played.numbers.win, best.numbers.win];
  const [losePlayed, loseBest] = [dealIn(played), dealIn(best)];
  if (winPlayed === undefined || winBest === undefined || losePlayed === undefined || loseBest === undefined)
    return [];
  const gap = Math.max(Math.abs(winBest - winPlayed), Math.abs(loseBest - losePlayed));
  if (gap < least) return [];
  const values = {
    winPlayed: percent(winPlayed),
    winBest: percent(winBest),
    losePlayed: percent(losePlayed),
    loseBest: percent(loseBest),
  };
  return [{ weight: 1.8 + 10 * gap, key: "why.say.chances", values }];
}

/**
 * @param {Facts | undefined} mine
 * @param {Facts | undefined} theirs
 * @param {Decision} decision
 * @returns {Reason[]}
 */
function safe(mine, theirs, decision) {
  if (!decision.threat || !mine || !theirs || mine.safe === null || theirs.safe === null) return [];
  if (theirs.safe <= mine.safe) return [];
  return [{ weight: 1.2, key: "why.say.safe", values: { more: theirs.safe, fewer: mine.safe } }];
}

/**
 * In the last hand: the win that overtakes the next player ahead.
 * @param {Why} why
 * @param {Review} review
 * @returns {Reason[]}
 */
function lastHand(why, review) {
  const next = why.situation?.ahead[why.situation.ahead.length - 1];
  if (!why.situation || why.situation.hands_left > 0 || !next) return [];
  const name = playerName(review, next.seat);
  if (next.ron === null && next.tsumo === null) return [{ weight: 0, key: "why.say.lastnone", values: { name } }];
  const direct = next.ron === null ? t("why.enough") : number(next.ron);
  return next.ron_others === null
    ? [{ weight: 0, key: "why.say.lastdirect", values: { name, direct } }]
    : [{ weight: 0, key: "why.say.last", values: { name, direct, points: number(next.ron_others) } }];
}
