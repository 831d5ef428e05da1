"""Wins of tenpai hands against the rules' own scoring of every complete hand."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from slow_mdp import TABLES, Root, counts_of, distance, kind, read_set, with_calls
from slow_mdp import Hand as SlowHand

from janshi.agents.mdp.hands import pack_high, pack_low
from janshi.agents.mdp.process import STANCES
from janshi.agents.mdp.scene import new_holding, new_process
from janshi.agents.mdp.solve import new_values, solve
from janshi.agents.mdp.space import build_reaction, build_turn, new_space
from janshi.agents.mdp.worth import LUCKY, Scoring, is_closed, note_all, note_tariff
from janshi.agents.payoffs import BASES, PAYOFF_DTYPE
from janshi.core.melds import CONCEALED_KAN, Meld
from janshi.core.tiles import FIRST_RED, NUM_KINDS, format_tiles, parse_tiles
from janshi.models.labels import OPPONENTS
from janshi.rules.riichi.dora import dora_of
from janshi.rules.riichi.hand import WINDS, Hand, NoYakuError
from janshi.rules.riichi.points import base_points, limit_of
from janshi.rules.riichi.ruleset import TENHOU
from janshi.rules.riichi.state import new_context

RULES = TENHOU
SPACE, VALUES = new_space(3000), new_values(3000)
FRAME, _ = new_context(RULES)


class Position:
    """A root with its melds, red fives, dora and winds, as the kernels and as the rules see it."""

    def __init__(
        self, hand: str, melds: str = "", indicators: str = "9s", river: str = "", unseen_reds: int = 0, left: int = 4,
        seat: int = 1, round_wind: int = 0,
    ) -> None:  # fmt: skip
        self.tiles, self.melds = parse_tiles(hand), [Meld.parse(word) for word in melds.split()]
        self.indicators, self.seat, self.round_wind = indicators, seat, round_wind
        counts = counts_of(hand)
        held = with_melds(counts, self.melds)
        root_left = tuple(min(left, 4 - n) for n in held)
        kinds = [m.kind for m in self.melds]
        self.root = Root(counts, root_left, len(self.melds), has_value=True, runs=bool(kinds))
        self.holding, self.payoffs, self.process = new_holding(), np.zeros(1, PAYOFF_DTYPE), new_process()
        self.fill_holding(river, unseen_reds)
        self.fill_numbers()

    def fill_holding(self, river: str, unseen_reds: int) -> None:
        h = self.holding[0]
        for indicator in parse_tiles(self.indicators):
            h["dora"][dora_of(indicator)] += 1
        h["melds"], h["closed"] = len(self.melds), all(m.type == CONCEALED_KAN for m in self.melds)
        for i, meld in enumerate(self.melds):
            h["meld_type"][i], h["meld_kind"][i] = meld.type, meld.kind
            h["meld_han"] += sum(tile >= FIRST_RED for tile in meld.tiles)
        h["meld_han"] += int((with_melds((0,) * NUM_KINDS, self.melds) * h["dora"]).sum())
        h["reds"] = sum(1 << tile - FIRST_RED for tile in self.tiles if tile >= FIRST_RED)
        h["unseen_reds"] = unseen_reds
        h["seat_wind"], h["round_wind"] = self.seat, self.round_wind
        h["river"] = sum(1 << k for k in range(NUM_KINDS) if river and counts_of(river)[k])

    def fill_numbers(self) -> None:
        """Random worths, higher for more points, and chances of discards."""
        chance = np.random.default_rng(1)
        for name in ("tsumo", "ron"):
            self.payoffs[name] = np.sort(chance.normal(size=self.payoffs[name].shape), axis=-1)
        self.process["given"] = 0.05 * chance.random(self.process["given"].shape)
        luck = chance.random(LUCKY)
        self.holding["luck"] = luck / luck.sum()

    def note(self, n: int, m: int = 0) -> dict[SlowHand, Any]:
        """The wins of all tenpai hands of the set, by the kernels."""
        root = self.root
        root.write(SPACE)
        counts = np.array(root.hand, np.int8)
        words = pack_low(counts), pack_high(counts)
        if sum(root.hand) % 3 == 2:
            assert build_turn(*words, n, m, SPACE, TABLES[0])
        else:
            assert build_reaction(*words, max(0, distance(root.hand, root.melded)), n, m, SPACE, TABLES[0])
        z = Scoring(self.holding[0], FRAME[0]["rules"], FRAME[0]["win"], FRAME[0]["score"], self.payoffs[0])
        note_tariff(z)
        count = note_all(self.process[0]["given"], SPACE, z, VALUES.ready)
        hands, standing, _ = read_set(SPACE)
        numbers = SPACE.standing["wins"][: len(standing)]
        assert sorted(numbers[numbers >= 0]) == list(range(count))
        assert [q for q, number in zip(standing, numbers) if number >= 0] == [
            q for q in standing if hands.standing[q].waits
        ]
        self.waits = {q: hands.standing[q].waits for q in standing}
        return {q: VALUES.ready[number].copy() for q, number in zip(standing, numbers) if number >= 0}

    # --- the same by the rules

    def text(self, hand: SlowHand, won: int) -> tuple[str, int]:
        """A complete hand as people write it, its melds with it; and how many reds are among the held fives."""
        counts, calls = hand
        tiles = [k for k in range(NUM_KINDS) for _ in range(counts[k])]
        melds = [[k] * 3 if what == "pon" else [k, k + 1, k + 2] for what, k in calls]
        for red in range(3):
            five = 9 * red + 4
            if int(self.holding[0]["reds"]) >> red & 1:
                for group in (tiles, *melds):
                    if five in group:
                        group[group.index(five)] = FIRST_RED + red
                        break
        words = [format_tiles(tiles)] + [f"({format_tiles(meld)})" for meld in melds] + [str(m) for m in self.melds]
        return " ".join(words) if len(words) > 1 else words[0], won

    def scored(self, hand: SlowHand, won: int, tsumo: bool, riichi: bool) -> Any:
        text, won = self.text(hand, won)
        try:
            return Hand(text).score(
                won, tsumo=tsumo, riichi=riichi, seat_wind=WINDS[self.seat], round_wind=WINDS[self.round_wind],
                dora_indicators=self.indicators, rules=RULES,
            )  # fmt: skip
        except NoYakuError:
            return None

    def worth(self, report: Any, stance: int, way: int, extra: float) -> float:
        """Expected worth of a win: with ippatsu and ura-dora by chance after riichi, and a red five by chance."""
        row = self.payoffs[0]["tsumo"][stance, 0] if way == 0 else self.payoffs[0]["ron"][stance, 0, way]
        if report.yakuman:
            return float(np.interp(report.base, BASES, row))

        def by(han: int) -> float:
            base = base_points(limit_of(han, report.fu, FRAME[0]["rules"]), han, report.fu, 0)
            return float(np.interp(base, BASES, row))

        def lucky(han: int) -> float:
            if stance == 0:
                return by(han)
            return sum(float(self.holding[0]["luck"][more]) * by(han + more) for more in range(LUCKY))

        return (1 - extra) * lucky(report.han) + extra * lucky(report.han + 1)

    def wanted(self, hand: SlowHand, waits: Any) -> dict[str, Any]:
        """The wins of a tenpai hand: chances, and those times worths."""
        out = {name: np.zeros(STANCES) for name in ("tsumo", "tsumo_worth")}
        out |= {name: np.zeros((STANCES, OPPONENTS)) for name in ("ron", "ron_worth")}
        held, h = with_calls(hand), self.holding[0]
        closed = bool(h["closed"]) and not hand[1]
        river = {k for k in range(NUM_KINDS) if int(h["river"]) >> k & 1}
        furiten = any(k in river or held[k] < self.root.hand[k] for k in waits)
        extra = 0.0
        for red in range(3):
            five = 9 * red + 4
            drawn = held[five] - self.root.hand[five]
            if int(h["unseen_reds"]) >> red & 1 and drawn > 0:
                extra += drawn / self.root.left[five]
        unseen = sum(self.root.left) - self.root.far(hand)
        for k in waits:
            left = self.root.left_after(hand, k)
            for stance in range(STANCES if closed else 1):
                report = self.scored(hand, k, True, stance == 1) if left > 0 else None
                if report:
                    out["tsumo"][stance] += left / unseen
                    out["tsumo_worth"][stance] += left / unseen * self.worth(report, stance, 0, min(1.0, extra))
                report = self.scored(hand, k, False, stance == 1) if left > 0 and not furiten else None
                for other in range(OPPONENTS if report else 0):
                    rate = left * self.process[0]["given"][stance, other, k]
                    out["ron"][stance, other] += rate
                    out["ron_worth"][stance, other] += rate * self.worth(report, stance, other + 1, min(1.0, extra))
        out["may_riichi"] = int(closed and any(self.root.left_after(hand, k) > 0 for k in waits))
        return out

    def compare(self, n: int, m: int = 0, most: int = 60) -> dict[SlowHand, Any]:
        found = self.note(n, m)
        step = max(1, len(found) // most)
        for hand in list(found)[::step]:
            wanted = self.wanted(hand, self.waits[hand])
            for name, numbers in wanted.items():
                assert found[hand][name] == pytest.approx(numbers, abs=1e-9), (self.text(hand, 0)[0], name)
        return found


def with_melds(counts: Any, melds: list[Meld]) -> Any:
    out = np.array(counts, np.int64)
    for meld in melds:
        for tile in meld.tiles:
            out[tile if tile < FIRST_RED else 9 * (tile - FIRST_RED) + 4] += 1
    return out


@pytest.mark.parametrize(
    ("hand", "indicators"),
    [
        ("234m345p23467s22p", "1z"),  # tanyao, pinfu
        ("234m340p23467s22p", "3p"),  # dora and red fives
        ("123m456p789s1122z", "9s"),  # riichi or the seat wind only
        ("123m456p78s99m234s", "1m"),  # riichi or pinfu
        ("1133m2288p4466s7z", "6z7p"),  # seven pairs
        ("111222333m4445p", "2m"),  # four triplets by tsumo: yakuman
        ("19m19p19s1234567z", "9p"),  # thirteen orphans
        ("1112345678999m", "8m"),  # nine gates
        ("555666777z11m22p", "4z"),  # big three dragons
        ("22233344455p66s", "1p2p3p"),  # counted yakuman with dora
        ("123m456p789s123s1z", "1z"),  # a lone wait
    ],
)
def test_wins_of_a_closed_hand(hand: str, indicators: str):
    found = Position(hand, indicators=indicators).compare(0)
    assert len(found) == 1
    (y,) = found.values()
    assert y["tsumo"][1] > 0
    assert y["may_riichi"]


@pytest.mark.parametrize(
    ("hand", "melds"),
    [
        ("234m23467s22p", "(345p)"),
        ("234m23467s22p", "(340p)"),
        ("23467s22p", "(340p) (888s)"),
        ("789m23467s22p", "(555z)"),
        ("789m23467s22p", "(123m)"),  # no yaku
        ("234m23467s22p", "[9999m]"),  # still closed
        ("2346s", "(111z) (444z) (8888p)"),
        ("3s", "(222z) (333z) (111z) (444+4z)"),  # four winds
    ],
)
def test_wins_with_melds_at_the_root(hand: str, melds: str):
    found = Position(hand, melds, indicators="2p9m").compare(0)
    (y,) = found.values()
    assert bool(y["may_riichi"]) == ("(" not in melds)


def test_all_tenpai_hands_of_sets():
    for hand, indicators in (
        ("234m340p2267s9m1z3z", "4p1m"),
        ("1233m340p2267s05m", "7s"),
        ("1122m4455p6s7s88s3z7z", "1p"),
    ):
        found = Position(hand, indicators=indicators).compare(2 if hand.endswith("3z") else 1, 0, most=40)
        assert len(found) > 3


def test_hands_with_calls_on_the_way():
    position = Position("234m3407p246688s", indicators="7s")
    found = position.compare(2, 3)
    called = {len(hand[1]) for hand in found}
    assert {1, 2} <= called
    assert all(not y["may_riichi"] for hand, y in found.items() if hand[1])
    red = Position("40m22345p24668s1z", indicators="7s", unseen_reds=0b110)
    assert any(("chi", kind("3m")) in hand[1] for hand in red.compare(2, 3)), "a red five in a called meld counts"


def test_a_red_five_among_drawn_fives():
    """Of the three unseen 5p one is red: drawn once, it is the red one with a chance of a third."""
    position = Position("234m34p23467s22p9m", unseen_reds=0b010)
    hand = (counts_of("234m345p23467s22p"), ())
    found = position.compare(1)
    plain = Position("234m34p23467s22p9m").note(1)
    assert position.root.left[kind("5p")] == 4
    assert (found[hand]["tsumo_worth"] > plain[hand]["tsumo_worth"]).all()
    assert found[hand]["tsumo"].tolist() == plain[hand]["tsumo"].tolist()


def random_tenpai(chance: Any) -> str:
    """Four sets and a pair, less a tile; often of one suit."""
    while True:
        counts, suit = np.zeros(NUM_KINDS, np.int64), 9 * int(chance.integers(3))
        for _ in range(4):
            if chance.random() < 0.6:
                first = (suit if chance.random() < 0.6 else 9 * int(chance.integers(3))) + int(chance.integers(7))
                counts[first : first + 3] += 1
            else:
                counts[chance.integers(NUM_KINDS)] += 3
        counts[chance.integers(NUM_KINDS)] += 2
        if counts.max() <= 4:
            tiles = [k for k in range(NUM_KINDS) for _ in range(counts[k])]
            del tiles[chance.integers(14)]
            return format_tiles(tiles)


def test_random_tenpai_hands():
    """The kernels score with riichi and take its han away again; the rules score both ways."""
    chance, silent = np.random.default_rng(3), 0
    for _ in range(150):
        indicators = format_tiles(chance.integers(NUM_KINDS, size=2).tolist())
        found = Position(random_tenpai(chance), indicators=indicators, left=3, seat=int(chance.integers(4))).compare(0)
        silent += sum(y["ron"][0].any() == 0 and y["ron"][1].any() for y in found.values())
    assert silent > 10, "hands that have no yaku but riichi"


# --- furiten


def test_furiten_by_the_river():
    free, river = (Position("234m345p23467s22p", river=river).compare(0) for river in ("", "9m5s"))
    other = Position("234m345p23467s22p", river="6m").compare(0)
    for (y,), may in ((free.values(), True), (river.values(), False), (other.values(), True)):
        assert y["ron"].all() == may
        assert y["ron_worth"].any() == may
        assert y["tsumo"].all()


def test_furiten_by_tiles_discarded_on_the_way():
    """From 234567s a discarded 2s leaves a wait for it, a discarded 1z does not."""
    found = Position("234m345p234567s2p1z").compare(1)
    hand = (counts_of("234m345p34567s2p1z"), ())
    pairs = {q: y for q, y in found.items() if q[0][kind("2p")] == 2}
    assert hand not in found
    waits_for_2s = [y for q, y in pairs.items() if q[0][kind("2s")] == 0]
    keeps_2s = [y for q, y in pairs.items() if q[0][kind("2s")] == 1 and q[0][kind("7s")] == 0]
    assert waits_for_2s
    assert all(not y["ron"].any() and y["tsumo"].all() for y in waits_for_2s)
    assert all(not y["ron"].any() for y in keeps_2s), "it waits for 1s, 4s, 7s"


def test_a_wait_of_which_nothing_is_left_wins_nothing():
    position = Position("123m456p789s123s1z", left=0)
    (y,) = position.compare(0).values()
    assert not y["tsumo"].any()
    assert not y["may_riichi"]


def with_waits_left(tiles: int) -> tuple[Position, Any]:
    """A hand that waits for 5s 8s and 2s, of which `tiles` are among the 60 unseen tiles; and its wins."""
    position = Position("234m345p34567s22p")
    left = [0] * NUM_KINDS
    for i in range(tiles):
        left[kind(("5s", "8s", "2s")[i % 3])] += 1
    left[kind("1z")], left[kind("9m")] = 4, 56 - tiles  # what else is unseen does not matter
    position.root = replace(position.root, left=tuple(left))
    (y,) = position.note(0).values()
    return position, y


def test_more_unseen_winning_tiles_never_make_a_tenpai_hand_worth_less():
    """Given that a win is worth more than all else, and a discard of each unseen tile equally likely."""
    worths, riichi = [], []
    for tiles in range(1, 10):
        position, y = with_waits_left(tiles)
        m = position.process[0]
        assert y["tsumo"] == pytest.approx(tiles / 60)
        m["other_win"], m["other_worth"], m["washout"] = 0.05, -5.0, -4.5
        m["any_lose"], m["any_lose_worth"] = 0.03, 0.03 * -8.0
        m["turns"], m["last_riichi"], m["wins"], m["riichi"], m["folds"] = 8, 6, 1, 1, 0
        m["given"] = 0.02
        position.note(0)
        solve(m, 0, SPACE, VALUES)
        worths.append(float(VALUES.standing[0, 0]))
        riichi.append(float(VALUES.riichi[0, 0]))
    assert (np.diff(worths) > 0).all()
    assert (np.diff(riichi) > 0).all()


def test_which_melds_leave_a_hand_closed():
    assert is_closed(np.array([CONCEALED_KAN, CONCEALED_KAN, 0, 0], np.int8), 2)
    assert not is_closed(np.array([CONCEALED_KAN, 1, 0, 0], np.int8), 2)
    assert is_closed(np.array([1, 0, 0, 0], np.int8), 0)
