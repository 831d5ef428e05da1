// One seat of a table: mjai events in, majiang-ai's answers out as mjai actions.
//
// majiang-core numbers players by seat wind (0 = dealer) and marks riichi on the discard; mjai numbers them by
// seat and sends `reach` first. Results are not passed on: the next `start_kyoku` brings the scores.

import { callOf, calledMeld, concealedKan, kanOf, toMajiang, toMjai } from "./notation.mjs";

const NONE = { type: "none" };
const PLAYERS = [0, 1, 2, 3];
const WINDS = "ESWN";
const EVENTS = new Set(
    "tsumo dahai reach reach_accepted chi pon daiminkan ankan kakan dora hora ryukyoku start_kyoku".split(" "),
);
const AFTERTHOUGHTS = new Set(["dora", "reach_accepted"]);

/** The rules of a game in majiang-core's words: Tenhou's, with red fives and open tanyao as in `start_game`. */
function rulesOf(core, { aka_flag: aka, rules = {} }) {
    const red = (rules.red_fives ?? aka ?? true) ? 1 : 0;
    return core.rule({
        赤牌: { m: red, p: red, s: red },
        クイタンあり: rules.open_tanyao ?? true,
        喰い替え許可レベル: 0,
        最大同時和了数: 2,
        リーチ後暗槓許可レベル: 2,
        カンドラ後乗せ: true,
        連風牌は2符: false,
        ダブル役満あり: false,
        切り上げ満貫あり: false,
    });
}

export class Seat {
    constructor(core, AI) {
        this.core = core;
        this.AI = AI;
        this.player = null;
    }

    /** Take some events and answer the last; indicators turned after it are passed on before it. */
    react(events) {
        const last = events.findLastIndex((event) => !AFTERTHOUGHTS.has(event.type));
        const earlier = events.filter((_, i) => i !== last);
        for (const event of earlier) this.#take(event, false);
        return (last >= 0 && this.#take(events[last], true)) || NONE;
    }

    #take(event, asked) {
        if (event.type === "hello") return { type: "join", name: "majiang", room: "default" };
        if (event.type === "start_game") return this.#startGame(event);
        if (!EVENTS.has(event.type)) return NONE;
        if (!this.player) throw new Error(`${event.type} before start_game`);
        return this[event.type](event, asked);
    }

    /** Tell majiang-ai, and return its answer as an mjai action if one is wanted. */
    #tell(message, event, asked) {
        let answer = null;
        this.player.action(message, asked ? (given) => (answer = given) : null);
        return answer && this.#action(answer, event);
    }

    #wind(seat) {
        return (4 + seat - this.dealer) % 4;
    }

    // --- events

    #startGame(event) {
        if (!PLAYERS.includes(event.id)) throw new Error(`start_game: id is ${event.id}, expected a seat 0 to 3`);
        this.id = event.id;
        this.player = new this.AI();
        this.scores = [25000, 25000, 25000, 25000];
        const names = event.names ?? ["0", "1", "2", "3"];
        this.#tell({ kaiju: { id: this.id, rule: rulesOf(this.core, event), title: "", player: names, qijia: 0 } });
    }

    start_kyoku(event) {
        this.dealer = event.oya ?? event.kyoku - 1;
        this.scores = event.scores ?? this.scores;
        this.declared = this.replacement = this.drawn = this.promised = null;
        const own = event.tehais[this.id].map(toMajiang);
        if (own.length !== 13) throw new Error(`start_kyoku: a hand of ${own.length} tiles, expected 13 tiles`);
        const seats = PLAYERS.map((wind) => (wind + this.dealer) % 4);
        this.#tell({
            qipai: {
                zhuangfeng: WINDS.indexOf(event.bakaze),
                jushu: this.dealer,
                changbang: event.honba,
                lizhibang: event.kyotaku,
                defen: seats.map((seat) => this.scores[seat]),
                baopai: toMajiang(event.dora_marker),
                shoupai: seats.map((seat) => (seat === this.id ? own.join("") : "")),
            },
        });
    }

    tsumo(event, asked) {
        const own = event.actor === this.id;
        const draw = { l: this.#wind(event.actor), p: own ? toMajiang(event.pai) : "" };
        const message = this.replacement === event.actor ? { gangzimo: draw } : { zimo: draw };
        this.replacement = null;
        this.drawn = own ? draw.p : null;
        return this.#tell(message, event, asked && own);
    }

    dahai(event, asked) {
        const marks = (event.tsumogiri ? "_" : "") + (this.declared === event.actor ? "*" : "");
        this.declared = null;
        const own = event.actor === this.id;
        if (own) this.drawn = this.promised = null;
        const message = { dapai: { l: this.#wind(event.actor), p: toMajiang(event.pai) + marks } };
        return this.#tell(message, event, asked && !own);
    }

    reach(event, asked) {
        this.declared = event.actor;
        return event.actor === this.id && asked ? this.#discard(this.promised ?? this.#riichiDiscard()) : NONE;
    }

    chi(event, asked) {
        return this.#call(event, asked && event.actor === this.id);
    }

    pon(event, asked) {
        return this.#call(event, asked && event.actor === this.id);
    }

    daiminkan(event) {
        this.replacement = event.actor;
        return this.#call(event, false);
    }

    #call(event, asked) {
        const meld = this.core.Shoupai.valid_mianzi(calledMeld(event));
        if (!meld) throw new Error(`${event.type} of ${event.pai} with ${event.consumed} is no meld`);
        return this.#tell({ fulou: { l: this.#wind(event.actor), m: meld } }, event, asked);
    }

    ankan(event) {
        this.replacement = event.actor;
        return this.#tell({ gang: { l: this.#wind(event.actor), m: concealedKan(event) } }, event, false);
    }

    kakan(event, asked) {
        this.replacement = event.actor;
        const wind = this.#wind(event.actor);
        const added = toMajiang(event.pai);
        const kind = added.replace("0", "5");
        const melds = this.player.model.shoupai[wind]._fulou;
        const pon = melds.find((m) => /\d{3}[+=-]$/.test(m) && m.replace(/0/g, "5").startsWith(kind + kind[1]));
        if (!pon) throw new Error(`kakan of ${event.pai}: player ${event.actor} has no such pon`);
        return this.#tell({ gang: { l: wind, m: pon + added[1] } }, event, asked && event.actor !== this.id);
    }

    dora(event) {
        return this.#tell({ kaigang: { baopai: toMajiang(event.dora_marker) } });
    }

    reach_accepted(event) {
        this.#score(event);
    }

    hora(event) {
        this.#score(event);
    }

    ryukyoku(event) {
        this.#score(event);
    }

    /** Keep the scores, for servers that leave them out of `start_kyoku`. */
    #score(event) {
        this.scores = event.scores ?? this.scores;
    }

    // --- answers

    #action(answer, event) {
        const actor = this.id;
        if (answer.hule) return { type: "hora", actor, target: event.actor, pai: event.pai };
        if (answer.daopai) return { type: "ryukyoku", actor, reason: "kyushukyuhai" };
        if (answer.gang) return { ...kanOf(answer.gang), actor };
        if (answer.fulou) return { ...callOf(answer.fulou), actor, target: event.actor, pai: event.pai };
        if (!answer.dapai) return NONE;
        if (!answer.dapai.endsWith("*")) return this.#discard(answer.dapai);
        this.promised = answer.dapai;
        return { type: "reach", actor };
    }

    #discard(p) {
        return { type: "dahai", actor: this.id, pai: toMjai(p), tsumogiri: p[2] === "_" || this.#isOnlyDrawn(p) };
    }

    /** Whether the only such tile is the one just drawn: majiang-core overlooks it for a plain five beside a red one. */
    #isOnlyDrawn(p) {
        const [suit, rank] = p;
        const held = this.player.shoupai._bingpai[suit];
        const count = rank === "5" && suit !== "z" ? held[5] - held[0] : held[rank];
        return this.drawn === suit + rank && count === 1;
    }

    /** The discard of a riichi that majiang-ai did not ask for: the one it values most of those that keep tenpai. */
    #riichiDiscard() {
        const hand = this.player.shoupai;
        const unseen = this.player._suanpai.paishu_all();
        const choices = this.player.allow_lizhi(hand) || [];
        if (!choices.length) throw new Error(`reach of player ${this.id}, but no discard of ${hand} keeps tenpai`);
        const worth = choices.map((p) => this.player.eval_shoupai(hand.clone().dapai(p), unseen));
        return choices[worth.indexOf(Math.max(...worth))];
    }
}
