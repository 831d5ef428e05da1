"""majiang-ai behind its adapter: translation both ways, one reply a line, never an illegal action."""

from __future__ import annotations

import json
import subprocess
import tarfile
from pathlib import Path
from typing import Any

import pytest
from majiang_replay import ready_command, replies, tally

from janshi.protocols import majiang
from janshi.records import mjlog
from janshi.records.model import GameRecord
from patience import PATIENCE

LEAST_AGREEMENT = 0.45
"""Discards like an expert's: about 60 % in a large sample, 8 % if tiles or seats were mixed up."""
NONE = {"type": "none"}


@pytest.fixture(scope="session")
def command() -> list[str]:
    """The command that starts majiang-ai."""
    return ready_command()


# --- hands set up by hand


def tiles(text: str) -> list[str]:
    """`"12m0p1z"` -> 1m 2m 5pr E."""
    found: list[str] = []
    digits = ""
    for sign in text:
        if sign.isdigit():
            digits += sign
        else:
            found += ["ESWNPFC"[int(d) - 1] if sign == "z" else f"5{sign}r" if d == "0" else d + sign for d in digits]
            digits = ""
    return found


def start(hand: str, seat: int = 0, dora: str = "9p", **more: Any) -> list[dict[str, Any]]:
    """A game and its first hand, dealt by player 0, seen from a seat."""
    hands = [tiles(hand) if player == seat else ["?"] * 13 for player in range(4)]
    hand_starts = {
        "type": "start_kyoku", "bakaze": "E", "dora_marker": dora, "kyoku": 1, "honba": 0, "kyotaku": 0, "oya": 0,
        "scores": [25_000] * 4, "tehais": hands, **more,
    }  # fmt: skip
    return [{"type": "start_game", "id": seat}, hand_starts]


def draw(actor: int, pai: str = "?") -> dict[str, Any]:
    return {"type": "tsumo", "actor": actor, "pai": pai}


def discard(actor: int, pai: str, tsumogiri: bool = False) -> dict[str, Any]:
    return {"type": "dahai", "actor": actor, "pai": pai, "tsumogiri": tsumogiri}


def call(kind: str, actor: int, target: int, pai: str, *consumed: str) -> dict[str, Any]:
    return {"type": kind, "actor": actor, "target": target, "pai": pai, "consumed": list(consumed)}


def last_reply(command: list[str], events: list[dict[str, Any]]) -> dict[str, Any]:
    """The reply to the last event; if all events come at once, the bot must answer the same."""
    reply = replies(command, events)[-1]
    assert replies(command, [events]) == [reply]
    return reply


def test_wins_by_self_draw(command: list[str]):
    events = [*start("123m456p789s2255z"), draw(0, "E"), discard(0, "E", True)]
    events += [draw(1), discard(1, "9m"), draw(2), discard(2, "9m"), draw(3), discard(3, "9m")]
    assert last_reply(command, [*events, draw(0, "S")]) == {"type": "hora", "actor": 0, "target": 0, "pai": "S"}


def test_wins_on_a_discard_and_knows_furiten(command: list[str]):
    winning = [*start("123m456p789s2255z", seat=2), draw(0), discard(0, "P")]
    assert last_reply(command, winning) == {"type": "hora", "actor": 2, "target": 0, "pai": "P"}
    furiten = [*winning, draw(1), discard(1, "P")]
    assert last_reply(command, furiten)["type"] != "hora"


def test_riichi_is_declared_before_its_discard(command: list[str]):
    events = [*start("234m345p3456s22p1z", seat=1, oya=1, kyoku=2), draw(1, "7s")]
    assert last_reply(command, events) == {"type": "reach", "actor": 1}
    events.append({"type": "reach", "actor": 1})
    assert replies(command, events)[-1] == {"type": "dahai", "actor": 1, "pai": "E", "tsumogiri": False}


def test_a_riichi_it_did_not_want_gets_a_discard_that_keeps_tenpai(command: list[str]):
    events = [*start("123m456p789s1234z"), draw(0, "E"), {"type": "reach", "actor": 0}]
    with pytest.raises(AssertionError, match="no discard"):
        replies(command, events)
    events = [*start("123m456p789s1123z"), draw(0, "S"), {"type": "reach", "actor": 0}]
    assert last_reply(command, events)["pai"] == "W"


def test_five_drawn_beside_a_red_one_is_tsumogiri(command: list[str]):
    events = [*start("123m067p78999s11z"), draw(0, "5p"), {"type": "reach", "actor": 0}]
    assert last_reply(command, events) == {"type": "dahai", "actor": 0, "pai": "5p", "tsumogiri": True}


def test_nine_terminals(command: list[str]):
    reply = last_reply(command, [*start("19m19p19s123z2255m"), draw(0, "4p")])
    assert (reply["type"], reply["actor"]) == ("ryukyoku", 0)


def test_pon_with_a_red_five_and_a_discard_after_it(command: list[str]):
    events = [*start("34m05p34567s2288s", seat=3, dora="4p"), draw(0), discard(0, "9m"), draw(1), discard(1, "5p")]
    pon = last_reply(command, events)
    assert pon == call("pon", 3, 1, "5p", "5p", "5pr") or pon == call("pon", 3, 1, "5p", "5pr", "5p")
    reply = last_reply(command, [*events, pon])
    assert (reply["type"], reply["actor"], reply["tsumogiri"]) == ("dahai", 3, False)


def test_chi_takes_the_tiles_it_names(command: list[str]):
    events = [*start("2344m30p34567s22s", seat=1), draw(0), discard(0, "4p")]
    assert last_reply(command, events) == call("chi", 1, 0, "4p", "3p", "5pr")


def test_kans_on_its_turn(command: list[str]):
    ankan = [*start("1111z234m34p5678s"), draw(0, "5p")]
    assert last_reply(command, ankan) == {"type": "ankan", "actor": 0, "consumed": ["E"] * 4}
    pon = call("pon", 0, 3, "E", "E", "E")
    events = [*start("11z234m345p34578s", seat=0), draw(0, "9m"), discard(0, "9m", True)]
    events += [draw(1), discard(1, "9p"), draw(2), discard(2, "9p"), draw(3), discard(3, "E"), pon, discard(0, "3s")]
    events += [draw(1), discard(1, "9p"), draw(2), discard(2, "9p"), draw(3), discard(3, "9p"), draw(0, "E")]
    assert last_reply(command, events) == {"type": "kakan", "actor": 0, "pai": "E", "consumed": ["E"] * 3}


def test_robs_a_kan(command: list[str]):
    events = [*start("34m123p789s23499s", seat=2), draw(0), discard(0, "5m"), call("pon", 3, 0, "5m", "5m", "5mr")]
    events += [discard(3, "9p"), draw(0), discard(0, "9p", True), draw(1), discard(1, "9p", True), draw(2, "N")]
    events += [discard(2, "N", True), draw(3), {"type": "kakan", "actor": 3, "pai": "5m", "consumed": tiles("550m")}]
    assert last_reply(command, events) == {"type": "hora", "actor": 2, "target": 3, "pai": "5m"}


def test_counts_indicators_turned_after_the_question(command: list[str]):
    events = [*start("1111z234m34p5678s"), draw(0, "5p")]
    events += [
        {"type": "ankan", "actor": 0, "consumed": ["E"] * 4},
        draw(0, "9m"),
        {"type": "dora", "dora_marker": "3p"},
    ]
    one_by_one = replies(command, events)
    assert one_by_one[-1] == NONE
    assert replies(command, [events])[0]["type"] in ("dahai", "reach")


# --- the wire


def test_answers_hello_and_passes_over_what_it_does_not_know(command: list[str]):
    lines: list[Any] = [{"type": "hello", "protocol": "mjsonp"}, {"type": "none"}, [], {"type": "end_game"}]
    assert replies(command, lines) == [{"type": "join", "name": "majiang", "room": "default"}, NONE, NONE, NONE]


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ('{"type":', "JSON"),
        ('{"type":"tsumo","actor":0,"pai":"1m"}', "tsumo before start_game"),
        ('{"type":"start_game"}', "expected a seat 0 to 3"),
        (json.dumps(start("123m")), "expected 13 tiles"),
    ],
)
def test_says_what_it_cannot_understand_and_ends(command: list[str], line: str, told: str):
    done = subprocess.run(command, input=f"{line}\n{line}\n", capture_output=True, text=True, timeout=PATIENCE)
    (reply,) = map(json.loads, done.stdout.splitlines())
    assert reply["type"] == "error"
    assert told in reply["message"]
    assert done.returncode == 1


# --- real games


def real_game(shared: Path, hands: int) -> GameRecord:
    """The first hands of a real game."""
    with tarfile.open(shared / "records" / "houou-2009.tar.xz") as pack:
        entry = next(entry for entry in pack if entry.name.endswith(".mjlog"))
        content = pack.extractfile(entry)
        assert content is not None
        record = mjlog.read(content.read().decode(), entry.name)
    record.hands = record.hands[:hands]
    record.final_scores = record.final_points = None
    return record


def test_every_reply_along_a_real_game_is_legal(command: list[str], shared: Path):
    counted = tally(command, real_game(shared, hands=3))
    assert not counted.faults
    assert counted.decisions > 100
    assert counted.same / counted.discards > LEAST_AGREEMENT


@pytest.mark.parametrize("seed", range(4))
def test_all_that_majiang_core_offers_is_legal(command: list[str], shared: Path, seed: int):
    node, _, folder = command
    order = [node, str(Path(__file__).with_name("majiang_anything.mjs")), folder, str(majiang.ADAPTER), str(seed)]
    counted = tally(order, real_game(shared, hands=8))
    assert not counted.faults
    assert counted.kinds.keys() >= {"dahai", "none", "pon", "chi"}


# --- shanten

COMPARE = """
import { createRequire } from "node:module";
const [, , folder, adapter] = process.argv;
const core = createRequire(folder + "/package.json")("@kobalab/majiang-core");
const { speedUp } = await import(adapter);
const { xiangting, tingpai } = core.Util;
speedUp(core);
if (core.Util.xiangting === xiangting) throw new Error("not replaced");
let state = 1;
const random = (n) => ((state = (state * 48271) % 2147483647), state % n);
const seen = {};
for (let i = 0; i < 6000; i++) {
    const suits = i % 3 ? ["m", "p", "s", "z"] : ["m", "z"];
    const wall = suits.flatMap((s) => (s === "z" ? [1, 2, 3, 4, 5, 6, 7] : [1, 2, 3, 4, 5, 6, 7, 8, 9])
        .flatMap((n) => [0, 1, 2, 3].map((c) => s + (n === 5 && s !== "z" && c === 0 ? 0 : n))));
    for (let k = 0; k < 14; k++) {
        const j = k + random(wall.length - k);
        [wall[k], wall[j]] = [wall[j], wall[k]];
    }
    const melds = ["", ",z111+", ",z111+,p1111", ",z111+,p1111,s123-"][random(4)];
    const count = 13 - 3 * (melds.split(",").length - 1) + (i % 2);
    const hand = core.Shoupai.fromString(wall.slice(0, count).join("") + melds);
    const expected = xiangting(hand);
    seen[expected] = 1 + (seen[expected] ?? 0);
    const found = core.Util.xiangting(hand);
    if (found !== expected) throw new Error(`${hand}: ${found}, not ${expected}`);
    if (i % 2 || i % 8) continue;
    if (`${core.Util.tingpai(hand)}` !== `${tingpai(hand)}`) throw new Error(`${hand}: other waits`);
}
console.log(JSON.stringify(seen));
"""


def test_shanten_is_majiang_cores_own(command: list[str], tmp_path: Path):
    script = tmp_path / "compare.mjs"
    script.write_text(COMPARE, encoding="utf-8")
    node, folder = command[0], command[2]
    order = [node, str(script), folder, (majiang.ADAPTER / "shanten.mjs").as_uri()]
    done = subprocess.run(order, capture_output=True, text=True, timeout=PATIENCE)
    assert done.returncode == 0, done.stderr
    assert len(json.loads(done.stdout)) >= 6
