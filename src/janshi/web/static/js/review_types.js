/**
 * The shapes of reviews, as JSDoc types. Nothing here runs.
 * @module
 */

/** @typedef {"rank" | "points" | "probability"} Unit what a loss is measured in; "probability": there are no values, only how often the reviewer makes a choice */
/** @typedef {"discard" | "call" | "riichi" | "fold" | "win"} Kind */

/**
 * A decision in short.
 * @typedef {object} Row
 * @property {number} number
 * @property {number} hand
 * @property {number} seat
 * @property {number} turn
 * @property {Kind} kind
 * @property {boolean} reaction
 * @property {string} tag
 * @property {number | null} loss in places or points
 * @property {number | null} [gap] how much more often experts make the reviewer's choice
 * @property {boolean} agreed
 * @property {string} played
 * @property {string} best
 */

/**
 * Mistakes that belong together.
 * @typedef {object} Plan
 * @property {number[]} numbers
 * @property {number} hand
 * @property {number} seat
 * @property {Kind} kind
 * @property {string} tag
 * @property {number | null} cost
 * @property {number} worst
 * @property {number} worst_loss
 */

/**
 * @typedef {object} Rate
 * @property {number} decisions
 * @property {number} valued
 * @property {number} agreed
 * @property {number} loss
 * @property {number | null} rate
 */

/**
 * @typedef {object} HandHead
 * @property {string} name
 * @property {number} honba
 * @property {number[]} scores
 * @property {number[]} decisions
 * @property {import("./types.js").Position} end
 */

/**
 * @typedef {object} Review
 * @property {string} id
 * @property {number} created
 * @property {string} name
 * @property {string} agent
 * @property {Unit} unit
 * @property {boolean} everything
 * @property {number[]} seats
 * @property {"waiting" | "thinking" | "done" | "failed" | "cancelled"} state
 * @property {string} message
 * @property {import("./types.js").Phrase | null} [phrase] the message for any language, where it is known
 * @property {number} ahead
 * @property {number} total
 * @property {number} done
 * @property {boolean} mine
 * @property {"riichi" | "guobiao"} family
 * @property {string} format
 * @property {string[]} names
 * @property {HandHead[]} hands
 * @property {string[]} problems
 * @property {Row[]} rows
 * @property {Plan[]} plans
 * @property {Record<string, Record<string, Rate>>} rates
 */

/** @typedef {import("./types.js").Choice & {value: number | null, loss: number | null, experts?: number | null, numbers: Record<string, number>, meant: string, then?: import("./types.js").Phrase[], kan?: string}} Weighed */

/**
 * A decision whole.
 * @typedef {object} Decision
 * @property {number} number
 * @property {number} hand
 * @property {number} seat
 * @property {number} turn
 * @property {Kind} kind
 * @property {boolean} reaction
 * @property {string} tag
 * @property {number} played
 * @property {number} best
 * @property {boolean} agreed
 * @property {number | null} loss
 * @property {number | null} [gap] how much more often experts make the reviewer's choice
 * @property {boolean} [alike] the reviewer gives all choices the same value
 * @property {Weighed[]} choices
 * @property {string} line how the best choice is meant to go on, in English
 * @property {import("./types.js").Phrase[]} [steps] the same for any language, after the choice itself; older reviews lack it
 * @property {number[]} tenpai
 * @property {{tenpai: number[], danger: number[][]} | null} opponents
 * @property {boolean} threat
 * @property {import("./types.js").Position} position
 */

/**
 * A question of the quiz: nothing in it tells the answer.
 * @typedef {object} Question
 * @property {number} number
 * @property {number} hand
 * @property {number} seat
 * @property {number} turn
 * @property {import("./types.js").Choice[]} choices
 * @property {import("./types.js").Position} position
 */

/** @typedef {{answered: number, right: number, rate: number | null, played_rate: number | null}} Score */
/** @typedef {{question: Question | null, questions: number, finished: boolean, score: Score}} QuizState */
/** @typedef {{decision: Decision, action: number, loss: number | null, as_good: boolean, score: Score}} Verdict */

/**
 * @typedef {object} Luck
 * @property {boolean} available
 * @property {boolean} [running]
 * @property {string} [why]
 * @property {import("./types.js").Phrase | null} [phrase] the same for any language, where it is known
 * @property {string[]} [kinds]
 * @property {[number, number, number, string, number, number[], number[]][]} [events] hand, kind, player, tile, turn, luck in places, in points
 * @property {Record<string, number[][]>} [total] by kind: [places, points][seat]
 * @property {number[][]} [luck] [places, points][seat]
 * @property {number[]} [ranks]
 * @property {number[]} [scores]
 * @property {number[]} [adjusted_ranks]
 * @property {number[]} [adjusted_scores]
 */

/**
 * Where a review comes from: the server, or the file that it was exported to.
 * @typedef {object} Source
 * @property {boolean} live whether there is a server behind it
 * @property {() => Promise<Review>} review
 * @property {(since: number) => Promise<Partial<Review> & Pick<Review, "rows" | "state">>} news what has been thought about since a decision
 * @property {(number: number) => Promise<Decision>} decision
 * @property {() => Promise<Luck>} luck
 * @property {(seat: number, pick: string) => Promise<void>} beginQuiz
 * @property {() => Promise<QuizState>} question
 * @property {(number: number, action: number) => Promise<Verdict>} answer
 */

export {};
