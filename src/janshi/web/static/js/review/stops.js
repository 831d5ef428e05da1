/**
 * Where one can stop in a review: the decisions of the chosen player, and the ends of hands.
 * @module
 */

/** @typedef {import("./types.js").Review} Review */
/** @typedef {{hand: number, number: number | null}} Stop a decision, or (null) the end of a hand */

/**
 * The decisions of the chosen player so far, and the end of every hand that is finished.
 * @param {Review} review
 * @param {number | null} seat
 * @returns {Stop[]}
 */
export function stopsOf(review, seat) {
  /** @type {Stop[]} */
  const stops = [];
  let at = 0;
  const complete = review.done >= review.total;
  const last = review.rows[review.rows.length - 1];
  for (let hand = 0; hand < review.hands.length; hand += 1) {
    for (; at < review.rows.length && review.rows[at]?.hand === hand; at += 1) {
      const row = review.rows[at];
      if (row && (seat === null || row.seat === seat)) stops.push({ hand, number: row.number });
    }
    if (complete || (last && last.hand > hand)) stops.push({ hand, number: null });
  }
  return stops;
}

/**
 * The last decision before the end of a hand.
 * @param {Review} review
 * @param {number} hand
 */
export function lastBefore(review, hand) {
  const rows = review.rows.filter((row) => row.hand <= hand);
  return rows[rows.length - 1]?.number ?? 0;
}

/**
 * The stop to go to when another player is chosen: in the same hand, not before this one.
 * @param {Stop[]} stops
 * @param {Stop | null} here
 */
export function nearest(stops, here) {
  const number = here?.number ?? 0;
  return stops.find((stop) => stop.hand === here?.hand && (stop.number === null || stop.number >= number)) ?? stops[0];
}
