// Tiles and melds in the two notations: mjai's "5mr", "E" and majiang-core's "m0", "z1".
//
// majiang-core writes a meld as its suit and digits, with a sign after the called tile that says whose it was, seen from
// the caller: "+" the player to the right, "=" across, "-" to the left. "m34-0" is 345m with the 4 called and the five red,
// "z222=2" an added kan, "p5550" a concealed one.

const HONOURS = "ESWNPFC";
const SIGNS = ["", "+", "=", "-"];

/** "5mr" -> "m0", "E" -> "z1". */
export function toMajiang(pai) {
    const honour = HONOURS.indexOf(pai);
    if (pai.length === 1 && honour >= 0) return `z${honour + 1}`;
    if (/^5[mps]r$/.test(pai)) return `${pai[1]}0`;
    if (/^[1-9][mps]$/.test(pai)) return `${pai[1]}${pai[0]}`;
    throw new Error(`no tile is called ${JSON.stringify(pai)}; expected one such as "1m", "5pr" or "E"`);
}

/** "m0" -> "5mr"; marks after the tile are left off. */
export function toMjai(p) {
    if (p[0] === "z") return HONOURS[p[1] - 1];
    return p[1] === "0" ? `5${p[0]}r` : `${p[1]}${p[0]}`;
}

/** The sign for a tile of player `target`, called by `actor`. */
function sign(actor, target) {
    return SIGNS[(4 + target - actor) % 4];
}

/** A chi, pon or open kan in majiang-core's notation, not yet in its order of digits. */
export function calledMeld({ actor, target, pai, consumed }) {
    const called = toMajiang(pai);
    const own = consumed.map(toMajiang);
    const digits = own.map((p) => p[1]);
    return called[0] + digits.sort().reverse().join("") + called[1] + sign(actor, target);
}

/** A concealed kan in majiang-core's notation. */
export function concealedKan({ consumed }) {
    const own = consumed.map(toMajiang);
    return own[0][0] + own.map((p) => p[1]).sort().reverse().join("");
}

/** A meld called by majiang-ai, as the action of mjai: its type and what it takes from the hand. */
export function callOf(meld) {
    const digits = meld.slice(1).match(/\d/g).map((d) => (d === "0" ? "5" : d));
    const same = digits.every((d) => d === digits[0]);
    const type = !same ? "chi" : digits.length === 4 ? "daiminkan" : "pon";
    const own = meld.slice(1).match(/\d(?![+=-])/g);
    return { type, consumed: own.map((d) => toMjai(meld[0] + d)) };
}

/** A kan of majiang-ai on its own turn, as the action of mjai. */
export function kanOf(meld) {
    const tiles = meld.slice(1).match(/\d/g).map((d) => toMjai(meld[0] + d));
    if (/\d{4}$/.test(meld)) return { type: "ankan", consumed: tiles };
    return { type: "kakan", pai: tiles[3], consumed: tiles.slice(0, 3) };
}
