// Shanten for majiang-core, with what was found for each suit kept: majiang-ai spends more than half of its time on it. The
// numbers are those of majiang-core's own function.
//
// A reading of a suit is [sets, pairs and partial sets, single tiles]. majiang-core looks at two readings of each suit, the
// one with the fewest single tiles and the one with the most sets, joins those of all suits, and does so again with each pair
// of the hand set aside. Here every suit is read once.

const SETS = 4;
const BASE = 5;

/** Shanten of a joined reading; `pair` says whether a pair was set aside. */
function distance(sets, parts, singles, pair) {
    const blocks = pair ? SETS : SETS + 1;
    if (sets > SETS) {
        parts += sets - SETS;
        sets = SETS;
    }
    if (sets + parts > SETS) {
        singles += sets + parts - SETS;
        parts = SETS - sets;
    }
    singles = Math.min(singles, blocks - sets - parts);
    return 13 - sets * 3 - (parts + (pair ? 1 : 0)) * 2 - singles;
}

// --- one suit

/** What is left of a suit when no more sets are taken, in runs of neighbouring tiles. */
function leftover(counts) {
    let run = 0;
    let parts = 0;
    let singles = 0;
    for (let n = 1; n <= 9; n++) {
        run += counts[n];
        if (n === 9 || (n <= 7 && !counts[n + 1] && !counts[n + 2])) {
            parts += run >> 1;
            singles += run % 2;
            run = 0;
        }
    }
    return { few: [0, parts, singles], many: [0, parts, singles] };
}

/** The two readings of a suit, from rank `n` on. */
function readings(counts, n = 1) {
    if (n > 9) return leftover(counts);
    const best = readings(counts, n + 1);
    if (n <= 7 && counts[n] && counts[n + 1] && counts[n + 2]) {
        for (const k of [n, n + 1, n + 2]) counts[k]--;
        improve(best, readings(counts, n));
        for (const k of [n, n + 1, n + 2]) counts[k]++;
    }
    if (counts[n] >= 3) {
        counts[n] -= 3;
        improve(best, readings(counts, n + 1));
        counts[n] += 3;
    }
    return best;
}

/** Take the readings of a suit without a set, the set added, where they are better. */
function improve(best, { few, many }) {
    few[0]++;
    many[0]++;
    if (few[2] < best.few[2] || (few[2] === best.few[2] && few[1] < best.few[1])) best.few = few;
    if (many[0] > best.many[0] || (many[0] === best.many[0] && many[1] > best.many[1])) best.many = many;
}

function readNumbers(counts) {
    const { few, many } = readings(counts);
    return few.every((x, i) => x === many[i]) ? [few] : [few, many];
}

function readHonours(counts) {
    const reading = [0, 0, 0];
    for (let n = 1; n <= 7; n++) if (counts[n]) reading[3 - Math.min(counts[n], 3)]++;
    return [reading];
}

/** All readings of a suit, whole and with each pair set aside. */
function readSuit(counts, read) {
    const paired = [];
    for (let n = 1; n < counts.length; n++) {
        if (counts[n] < 2) continue;
        counts[n] -= 2;
        paired.push(...read(counts));
        counts[n] += 2;
    }
    return { whole: read(counts), paired };
}

/** Looks up suits, and reads those not met before. */
class Suits {
    constructor(ranks, read) {
        this.read = read;
        this.known = new Array(BASE ** ranks);
    }

    find(counts) {
        let key = 0;
        for (let n = 1; n < counts.length; n++) key = key * BASE + counts[n];
        return (this.known[key] ??= readSuit(counts.slice(), this.read));
    }
}

const numbers = new Suits(9, readNumbers);
const honours = new Suits(7, readHonours);

// --- whole hands

/** The least shanten over one reading of each suit. */
function least(melds, m, p, s, z, pair) {
    let min = 13;
    for (const a of m) {
        for (const b of p) {
            for (const c of s) {
                for (const d of z) {
                    const sets = melds + a[0] + b[0] + c[0] + d[0];
                    const parts = a[1] + b[1] + c[1] + d[1];
                    min = Math.min(min, distance(sets, parts, a[2] + b[2] + c[2] + d[2], pair));
                }
            }
        }
    }
    return min;
}

function standard(hand) {
    const tiles = hand._bingpai;
    const m = numbers.find(tiles.m);
    const p = numbers.find(tiles.p);
    const s = numbers.find(tiles.s);
    const z = honours.find(tiles.z);
    const melds = hand._fulou.length;
    const min = Math.min(
        least(melds, m.whole, p.whole, s.whole, z.whole, false),
        least(melds, m.paired, p.whole, s.whole, z.whole, true),
        least(melds, m.whole, p.paired, s.whole, z.whole, true),
        least(melds, m.whole, p.whole, s.paired, z.whole, true),
        least(melds, m.whole, p.whole, s.whole, z.paired, true),
    );
    return min === -1 && hand._zimo && hand._zimo.length > 2 ? 0 : min;
}

/** Put the faster functions in the place of majiang-core's. */
export function speedUp({ Util }) {
    const waits = Util.tingpai;
    Util.xiangting_yiban = standard;
    Util.xiangting = (hand) => {
        if (hand._fulou.length) return standard(hand);
        return Math.min(standard(hand), Util.xiangting_guoshi(hand), Util.xiangting_qidui(hand));
    };
    Util.tingpai = (hand, measure = Util.xiangting) => waits(hand, measure);
}
