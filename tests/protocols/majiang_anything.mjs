// The adapter with another player behind it: one that takes anything majiang-core offers, at random, and wins when it can.
//
//     node majiang_anything.mjs FOLDER ADAPTER SEED
//
// majiang-ai chooses among the same offers, so that whatever it may ever answer is tried in much less time.

import { createRequire } from "node:module";
import { createInterface } from "node:readline";
import { pathToFileURL } from "node:url";

const [, , folder, adapter, seed] = process.argv;
const load = createRequire(`${folder}/package.json`);
const { Seat } = await import(pathToFileURL(`${adapter}/seat.mjs`));
const { speedUp } = await import(pathToFileURL(`${adapter}/shanten.mjs`));
const core = load("@kobalab/majiang-core");
speedUp(core);

let state = Number(seed) * 7919 + 1;
const random = (n) => ((state = (state * 48271) % 2147483647), state % n);
const any = (offers) => offers[random(offers.length)];

class Anything extends load("@kobalab/majiang-ai") {
    select_pingju() {
        return random(2) && this.allow_pingju(this.shoupai);
    }
    select_fulou(dapai) {
        const p = dapai.p.slice(0, 2) + "_+=-"[(4 + dapai.l - this._menfeng) % 4];
        const hand = this.shoupai;
        const offers = [this.get_gang_mianzi(hand, p), this.get_peng_mianzi(hand, p), this.get_chi_mianzi(hand, p)];
        return any([...offers.flat(), ...(random(4) ? [] : [undefined])]);
    }
    select_gang() {
        return any([...this.get_gang_mianzi(this.shoupai), ...(random(4) ? [] : [undefined])]);
    }
    select_dapai() {
        const riichi = this.allow_lizhi(this.shoupai);
        return riichi && random(4) ? `${any(riichi)}*` : any(this.get_dapai(this.shoupai));
    }
}

const seat = new Seat(core, Anything);
createInterface({ input: process.stdin }).on("line", (line) => {
    process.stdout.write(`${JSON.stringify(seat.react([JSON.parse(line)].flat()))}\n`);
});
