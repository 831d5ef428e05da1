/**
 * Where a review comes from: the server, or the data in an exported file.
 * @module
 */
import { ask } from "../api.js";
import { CLOSE, closed, costOf } from "./words.js";

/** @typedef {import("./types.js").Review} Review */
/** @typedef {import("./types.js").Decision} Decision */
/** @typedef {import("./types.js").Luck} Luck */
/** @typedef {import("./types.js").Why} Why */
/** @typedef {import("./types.js").Source} Source */

const AHEAD = 10;
/** A choice matters if choices cost this much on average, by unit; the same as on the server. */
const STAKES = { rank: 0.01, points: 200, hand_points: 1, probability: 0.4 };

/** A review on the server. @implements {Source} */
export class ServerSource {
  /** @param {string} id */
  constructor(id) {
    this.live = true;
    this.id = id;
    /** @type {Map<number, Promise<Decision>>} */
    this.known = new Map();
    /** @type {Map<string, Promise<import("./types.js").Why | null>>} */
    this.reasons = new Map();
    this.quiz = "";
  }

  /** @returns {Promise<Review>} */
  async review() {
    return /** @type {Review} */ (await ask("GET /api/reviews/{id}", { params: { id: this.id } }));
  }

  /**
   * What is new since a decision.
   * @param {number} since
   * @returns {Promise<import("./types.js").ReviewNews>}
   */
  news(since) {
    return ask("GET /api/reviews/{id}", { params: { id: this.id, since, short: true } });
  }

  /**
   * A decision; those after it are fetched with it.
   * @param {number} number
   * @returns {Promise<Decision>}
   */
  decision(number) {
    const known = this.known.get(number);
    if (known) return known;
    const params = { id: this.id, first: number, count: AHEAD };
    const batch = ask("GET /api/reviews/{id}/decisions", { params });
    for (let i = 0; i < AHEAD; i += 1) {
      const found = batch.then((received) => received.decisions.find((one) => one.number === number + i));
      const wanted = found.then((one) => {
        if (!one) throw new Error(`decision ${number + i} is not there yet`);
        return one;
      });
      wanted.catch(() => this.known.delete(number + i));
      if (!this.known.has(number + i)) this.known.set(number + i, wanted);
    }
    return /** @type {Promise<Decision>} */ (this.known.get(number));
  }

  /**
   * @param {number} number
   * @param {number} [action] a choice that is compared too
   * @returns {Promise<import("./types.js").Why | null>}
   */
  why(number, action) {
    const key = `${number} ${action ?? ""}`;
    const known = this.reasons.get(key);
    if (known) return known;
    const params = action === undefined ? { id: this.id, number } : { id: this.id, number, action };
    const asked = ask("GET /api/reviews/{id}/decisions/{number}/why", { params });
    asked.catch(() => this.reasons.delete(key));
    this.reasons.set(key, asked);
    return asked;
  }

  /**
   * How the hand may end after each choice, by action.
   * @param {number} number
   */
  async chances(number) {
    const params = { id: this.id, number };
    return (await ask("GET /api/reviews/{id}/decisions/{number}/chances", { params })).choices;
  }

  /**
   * All positions of a hand.
   * @param {number} hand
   * @returns {Promise<import("./types.js").Moment[]>}
   */
  async watch(hand) {
    return (await ask("GET /api/reviews/{id}/hands/{hand}", { params: { id: this.id, hand } })).moments;
  }

  /** @returns {Promise<Luck>} */
  luck() {
    return ask("GET /api/reviews/{id}/luck", { params: { id: this.id } });
  }

  /**
   * @param {number} seat
   * @param {"all" | "stakes"} pick
   */
  async beginQuiz(seat, pick) {
    const begun = await ask("POST /api/reviews/{id}/quiz", { params: { id: this.id }, body: { seat, pick } });
    this.quiz = begun.quiz;
  }

  /** @returns {Promise<import("./types.js").QuizState>} */
  question() {
    return ask("GET /api/reviews/{id}/quiz/{attempt}", { params: { id: this.id, attempt: this.quiz } });
  }

  /**
   * @param {number} number
   * @param {number} action
   * @returns {Promise<import("./types.js").Verdict>}
   */
  answer(number, action) {
    const params = { id: this.id, attempt: this.quiz };
    return ask("POST /api/reviews/{id}/quiz/{attempt}", { params, body: { number, action } });
  }
}

/** A review in a file. @implements {Source} */
export class FileSource {
  /** @param {{review: Review, decisions: Decision[], luck: Luck, why?: Record<string, Why>}} data */
  constructor(data) {
    this.live = false;
    /** @type {Source["chances"]} */
    this.chances = null;
    this.data = data;
    /** @type {Map<number, Decision>} */
    this.byNumber = new Map(data.decisions.map((one) => [one.number, one]));
    this.seat = 0;
    this.pick = "all";
    /** @type {Map<number, number>} */
    this.answers = new Map();
  }

  /** @returns {Promise<Review>} */
  async review() {
    return this.data.review;
  }

  /** Nothing changes in a file. @returns {Promise<Review>} */
  news() {
    return this.review();
  }

  /**
   * @param {number} number
   * @returns {Promise<Decision>}
   */
  async decision(number) {
    const found = this.byNumber.get(number);
    if (!found) throw new Error(`decision ${number} is not in this file`);
    return found;
  }

  /**
   * @param {number} number
   * @returns {Promise<import("./types.js").Why | null>}
   */
  async why(number) {
    return this.data.why?.[String(number)] ?? null;
  }

  /**
   * The positions of a hand that are in the file: those of its decisions.
   * @param {number} hand
   * @returns {Promise<import("./types.js").Moment[]>}
   */
  async watch(hand) {
    return this.data.decisions
      .filter((one) => one.hand === hand)
      .map(({ position, seat }, moment) => ({ moment, asked: [seat], position }));
  }

  /** @returns {Promise<Luck>} */
  async luck() {
    return this.data.luck;
  }

  /**
   * @param {number} seat
   * @param {string} pick
   */
  async beginQuiz(seat, pick) {
    this.seat = seat;
    this.pick = pick;
    this.answers.clear();
  }

  /** @returns {Promise<import("./types.js").QuizState>} */
  async question() {
    const asked = this.data.decisions.filter((one) => this.#isAsked(one));
    const next = asked.find((one) => !this.answers.has(one.number));
    return {
      question: next ? questionOf(next) : null,
      questions: asked.length,
      finished: !next,
      score: this.#score(),
    };
  }

  /**
   * @param {number} number
   * @param {number} action
   * @returns {Promise<import("./types.js").Verdict>}
   */
  async answer(number, action) {
    const decision = await this.decision(number);
    this.answers.set(number, action);
    const loss = this.#cost(decision, action);
    return {
      decision,
      action,
      loss,
      as_good: loss !== null && loss <= CLOSE[this.data.review.unit],
      score: this.#score(),
    };
  }

  /** @param {Decision} decision */
  #isAsked(decision) {
    const all = decision.choices.map((one) => this.#cost(decision, one.action));
    const costs = all.filter((one) => one !== null);
    if (decision.seat !== this.seat || costs.length < 2 || all[0] === null) return false;
    const mean = costs.reduce((sum, one) => sum + one, 0) / (costs.length - 1);
    return this.pick === "all" || mean >= STAKES[this.data.review.unit];
  }

  /**
   * The cost of a choice; null if the reviewer has no value.
   * @param {Decision} decision
   * @param {number} action
   * @returns {number | null}
   */
  #cost(decision, action) {
    const [best] = decision.choices;
    const one = decision.choices.find((choice) => choice.action === action);
    if (!one) return null;
    const often = one.experts ?? null;
    const most = best?.experts ?? null;
    const gap = often === null || most === null ? null : Math.max(0, most - often);
    return costOf({ loss: one.loss, gap }, this.data.review.unit);
  }

  /** @returns {import("./types.js").Score} */
  #score() {
    const given = [...this.answers].map(([number, action]) => ({
      decision: /** @type {Decision} */ (this.byNumber.get(number)),
      action,
    }));
    const costs = given.map(({ decision, action }) => ({
      mine: this.#cost(decision, action),
      played: this.#cost(decision, decision.played),
    }));
    const both = costs.filter((one) => one.mine !== null && one.played !== null);
    const mean = (/** @type {(number | null)[]} */ list) =>
      both.length ? list.reduce((/** @type {number} */ sum, one) => sum + (one ?? 0), 0) / both.length : null;
    const right = costs.filter((one) => one.mine !== null && one.mine <= CLOSE[this.data.review.unit]).length;
    return {
      answered: given.length,
      right,
      rate: mean(both.map((one) => one.mine)),
      played_rate: mean(both.map((one) => one.played)),
    };
  }
}

/**
 * @param {Decision} decision
 * @returns {import("./types.js").Question}
 */
function questionOf(decision) {
  const choices = [...decision.choices]
    .sort((a, b) => a.action - b.action)
    .map(({ action, kind, tile, tiles, name }) => ({ action, kind, tile, tiles: tiles ?? [], name }));
  return {
    number: decision.number,
    hand: decision.hand,
    seat: decision.seat,
    turn: decision.turn,
    reaction: decision.reaction,
    choices,
    position: closed(decision.position),
  };
}
