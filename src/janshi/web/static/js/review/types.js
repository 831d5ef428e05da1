/**
 * The types of reviews. What the server answers is in `schema.d.ts`; nothing here runs.
 * @module
 */

/** @typedef {import("../schema.js").Unit} Unit */
/** @typedef {import("../schema.js").DecisionKind} Kind */
/** @typedef {import("../schema.js").RowText} Row */
/** @typedef {import("../schema.js").PlanText} Plan */
/** @typedef {import("../schema.js").RateText} Rate */
/** @typedef {import("../schema.js").HandHead} HandHead */
/** @typedef {import("../schema.js").ReviewText} Review */
/** @typedef {import("../schema.js").ReviewNews} ReviewNews */
/** @typedef {import("../schema.js").JudgedChoice} Weighed */
/** @typedef {import("../schema.js").DecisionText} Decision */
/** @typedef {import("../schema.js").QuizQuestion} Question */
/** @typedef {import("../schema.js").QuizScore} Score */
/** @typedef {import("../schema.js").QuizState} QuizState */
/** @typedef {import("../schema.js").QuizVerdict} Verdict */
/** @typedef {import("../schema.js").LuckText} Luck */
/** @typedef {import("../schema.js").CardText} Card */
/** @typedef {import("../schema.js").WhyText} Why */
/** @typedef {import("../schema.js").FactsText} Facts */
/** @typedef {import("../schema.js").MomentText} Moment */

/** @typedef {Record<string, Record<string, number>>} Chances how the hand may end, by action */

/**
 * Where a review comes from: the server, or the file that it was exported to.
 * @typedef {object} Source
 * @property {boolean} live whether there is a server behind it
 * @property {() => Promise<Review>} review
 * @property {(since: number) => Promise<ReviewNews>} news what is new since a decision
 * @property {(number: number) => Promise<Decision>} decision
 * @property {(number: number, action?: number) => Promise<Why | null>} why the facts behind a decision, if known
 * @property {(hand: number) => Promise<Moment[]>} watch all positions of a hand
 * @property {((number: number) => Promise<Chances>) | null} chances null if nobody can be asked
 * @property {() => Promise<Luck>} luck
 * @property {(seat: number, pick: "all" | "stakes") => Promise<void>} beginQuiz
 * @property {() => Promise<QuizState>} question
 * @property {(number: number, action: number) => Promise<Verdict>} answer
 */

export {};
