// Plays games of majiang-ai against itself with majiang-core's own Game and prints their logs, one a line.
//   node majiang_games.mjs PACKAGES FIRST_SEED COUNT [ROUNDS]
// The files in majiang_games/ are seeds 1 and 2. ROUNDS 0 plays one hand, 1 East only, 2 (the default) East and South.
// PACKAGES is the folder printed by `python -c "from janshi.protocols import majiang; print(majiang.install())"`.
import { createRequire } from "node:module";

const [, , packages, first, count, rounds] = process.argv;
const require = createRequire(`${packages}/package.json`);
const Majiang = require("@kobalab/majiang-core");
const Player = require("@kobalab/majiang-ai");

// The wall is shuffled by Math.random: a generator with a seed makes the same games again.
function seeded(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

for (let seed = Number(first); seed < Number(first) + Number(count); seed++) {
  Math.random = seeded(seed);
  const players = [0, 1, 2, 3].map(() => new Player());
  const game = new Majiang.Game(players, () => {}, Majiang.rule({ 場数: Number(rounds ?? 2) }), `seed ${seed}`);
  game.do_sync();
  console.log(JSON.stringify(game._paipu));
}
