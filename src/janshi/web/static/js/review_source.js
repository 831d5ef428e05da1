/**
 * Where a review comes from: the server, or the data in an exported file.
 * @module
 */
import { getJson, postJson } from "./api.js";
import { closed } from "./review_words.js";

/** @typedef {import("./review_types.js").Review} Review */
/** @typedef {import("./review_types.js").Decision} Decision */
/** @typedef {import("./review_types.js").Luck} Luck */
/** @typedef {import("./review_types.js").Source} Source */

const AHEAD = 10;
/** What a bad choice costs, by unit; as the server has it. */
export const SCALES = { rank: 0.2, points: 2000, value: 10, probability: 4 };
const STAKES = 0.1;
const AS_GOOD = 0.025;

/** A review on the server. @implements {Source} */
export class ServerSource {
  /** @param {string} id */
  constructor(id) {
    this.live = true;
    this.base = `/api/reviews/${encodeURIComponent(id)}`;
    /** @type {Map<number, Promise<Decision>>} */
    this.known = new Map();
    this.quiz = "";
  }

  /** @returns {Promise<Review>} */
  review() {
    return getJson(this.base);
  }

  /**
   * What has been thought about since a decision.
   * @param {number} since
   * @returns {Promise<Partial<Review> & Pick<Review, "rows" | "state">>}
   */
  news(since) {
    return getJson(this.base, { since, short: true });
  }

  /**
   * A decision; those after it are fetched with it.
   * @param {number} number
   * @returns {Promise<Decision>}
   */
  decision(number) {
    const known = this.known.get(number);
    if (known) return known;
    const batch = getJson(`${this.base}/decisions`, { first: number, count: AHEAD });
    for (let i = 0; i < AHEAD; i += 1) {
      const found = batch.then((/** @type {{decisions: Decision[]}} */ told) =>
        told.decisions.find((one) => one.number === number + i),
      );
      const wanted = found.then((one) => {
        if (!one) throw new Error(`decision ${number + i} is not there yet`);
        return one;
      });
      wanted.catch(() => this.known.delete(number + i));
      if (!this.known.has(number + i)) this.known.set(number + i, wanted);
    }
    return /** @type {Promise<Decision>} */ (this.known.get(number));
  }

  /** @returns {Promise<Luck>} */
  luck() {
    return getJson(`${this.base}/luck`);
  }

  /**
   * @param {number} seat
   * @param {string} pick
   */
  async beginQuiz(seat, pick) {
    this.quiz = (await postJson(`${this.base}/quiz`, { seat, pick })).quiz;
  }

  /** @returns {Promise<import("./review_types.js").QuizState>} */
  question() {
    return getJson(`${this.base}/quiz/${this.quiz}`);
  }

  /**
   * @param {number} number
   * @param {number} action
   * @returns {Promise<import("./review_types.js").Verdict>}
   */
  answer(number, action) {
    return postJson(`${this.base}/quiz/${this.quiz}`, { number, action });
  }
}

/** A review in a file. @implements {Source} */
export class FileSource {
  /** @param {{review: Review, decisions: Decision[], luck: Luck}} data */
  constructor(data) {
    this.live = false;
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

  /** @returns {Promise<import("./review_types.js").QuizState>} */
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
   * @returns {Promise<import("./review_types.js").Verdict>}
   */
  async answer(number, action) {
    const decision = await this.decision(number);
    this.answers.set(number, action);
    const loss = lossOf(decision, action);
    return {
      decision,
      action,
      loss,
      as_good: (loss ?? 0) <= AS_GOOD * SCALES[this.data.review.unit],
      score: this.#score(),
    };
  }

  /** @param {Decision} decision */
  #isAsked(decision) {
    const losses = decision.choices.flatMap((one) => (one.loss === null ? [] : [one.loss]));
    if (decision.seat !== this.seat || losses.length < 2 || decision.choices[0]?.value === null) return false;
    const mean = losses.reduce((sum, one) => sum + one, 0) / (losses.length - 1);
    return this.pick === "all" || mean >= STAKES * SCALES[this.data.review.unit];
  }

  /** @returns {import("./review_types.js").Score} */
  #score() {
    const given = [...this.answers].map(([number, action]) => ({
      decision: /** @type {Decision} */ (this.byNumber.get(number)),
      action,
    }));
    const costs = given.map(({ decision, action }) => ({ mine: lossOf(decision, action), played: decision.loss }));
    const both = costs.filter((one) => one.mine !== null && one.played !== null);
    const mean = (/** @type {(number | null)[]} */ list) =>
      both.length ? list.reduce((/** @type {number} */ sum, one) => sum + (one ?? 0), 0) / both.length : null;
    const right = costs.filter(
      (one) => one.mine !== null && one.mine <= AS_GOOD * SCALES[this.data.review.unit],
    ).length;
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
 * @param {number} action
 * @returns {number | null}
 */
function lossOf(decision, action) {
  return decision.choices.find((one) => one.action === action)?.loss ?? null;
}

/**
 * @param {Decision} decision
 * @returns {import("./review_types.js").Question}
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
    choices,
    position: closed(decision.position),
  };
}
