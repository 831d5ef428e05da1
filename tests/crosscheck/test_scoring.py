"""Scoring against the PyPI package `mahjong` (random wins of every kind) and against Tenhou (wins of real games).

Known disagreements, each excluded by a precise predicate below:

- *Fu of thirteen orphans.* The peer gives 0 fu, we give the closed hand's 20 fu + ron or self-draw; no fu enter its
  points. Compared without fu (`fu_is_free`).

Everything else must be equal.
"""

from __future__ import annotations

import random
import re
import tarfile
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from effort import effort
from janshi.core.decompose import MAX_DECOMPOSITIONS, decompose
from janshi.core.readings import NO_READING, NO_RUN, pack_hand, read_sets
from janshi.rules.riichi import yaku as y
from janshi.rules.riichi.dora import dora_of
from janshi.rules.riichi.points import ron_payment, tsumo_payment, win_total
from janshi.rules.riichi.ruleset import Ruleset
from janshi.rules.riichi.score import score, score_batch
from janshi.rules.riichi.win import ADDED_KAN, CHI, CONCEALED_KAN, OPEN_KAN, PON, SCORE_DTYPE, WIN_DTYPE

pytest.importorskip("mahjong")
from mahjong.hand_calculating.hand import HandCalculator
from mahjong.hand_calculating.hand_config import HandConfig, HandConstants, OptionalRules
from mahjong.hand_calculating.yaku_config import YAKU_ID_TO_TENHOU_ID
from mahjong.meld import Meld

EAST = 27
RED_IDS = (16, 52, 88)
OUTER = [0, 8, 9, 17, 18, 26, *range(27, 34)]
GREEN = [19, 20, 21, 23, 25, 32]
KANS = (OPEN_KAN, CONCEALED_KAN, ADDED_KAN)
MELD_NAMES = {CHI: Meld.CHI, PON: Meld.PON, OPEN_KAN: Meld.KAN, CONCEALED_KAN: Meld.KAN, ADDED_KAN: Meld.SHOUMINKAN}
THEMES = {
    "any": list(range(34)),
    "man": list(range(9)),
    "pin and honours": [*range(9, 18), *range(27, 34)],
    "sou low": list(range(18, 24)),
    "simples": [k for k in range(27) if k % 9 not in (0, 8)],
    "outer": [*OUTER, *(9 * s + r for s in range(3) for r in (1, 2, 6, 7))],
    "terminals and honours": OUTER,
    "terminals": OUTER[:6],
    "honours": list(range(27, 34)),
    "winds": [27, 28, 29, 30, 27, 28, 29, 30, 5, 13],
    "dragons": [31, 32, 33, 31, 32, 33, 3, 22],
    "green": GREEN,
    "same ranks": [9 * s + r for s in range(3) for r in (2, 3, 4)],
    "straight": [*range(9), 27],
    "neighbours": [9, 10, 11, 12, 31],
}


@dataclass
class Case:
    """A random win, before it is written for either side."""

    concealed: list[int] = field(default_factory=list)
    melds: list[tuple[int, int]] = field(default_factory=list)
    win_kind: int = 0
    flags: dict[str, int] = field(default_factory=dict)
    indicators: list[int] = field(default_factory=list)
    ura_indicators: list[int] = field(default_factory=list)


def meld_kinds(meld: tuple[int, int]) -> list[int]:
    kind, meld_type = meld[1], meld[0]
    if meld_type == CHI:
        return [kind, kind + 1, kind + 2]
    return [kind] * (4 if meld_type in KANS else 3)


def random_set(rng: random.Random, kinds: list[int], runs: float) -> tuple[int, int]:
    """Sequence (CHI) or triplet (PON) of the theme's kinds."""
    starts = [k for k in kinds if k < EAST and k % 9 < 7 and k + 1 in kinds and k + 2 in kinds]
    if starts and rng.random() < runs:
        return CHI, rng.choice(starts)
    return PON, rng.choice(kinds)


def random_standard(rng: random.Random) -> Case | None:
    """Four sets and a pair of a theme, some of them called, some kans; None if a kind comes five times."""
    kinds = THEMES[rng.choice(list(THEMES))]
    runs, called, kans = rng.choice((0.0, 0.3, 0.7, 1.0)), rng.choice((0.0, 0.0, 0.4, 1.0)), rng.choice((0, 0.2, 0.8))
    case = Case(concealed=[rng.choice(kinds)] * 2)
    for _ in range(4):
        made = random_set(rng, kinds, runs)
        if made[0] == PON and rng.random() < kans:
            closed_only = called == 0.0 or rng.random() < 0.3
            case.melds.append((CONCEALED_KAN if closed_only else rng.choice(KANS), made[1]))
        elif rng.random() < called:
            case.melds.append(made)
        else:
            case.concealed += meld_kinds(made)
    return case


def random_special(rng: random.Random) -> Case:
    """Seven pairs, thirteen orphans or nine gates."""
    shape = rng.randrange(3)
    if shape == 0:
        kinds = [*set(THEMES[rng.choice(("any", "any", "simples", "pin and honours", "man", "honours", "outer"))])]
        return Case(concealed=2 * rng.sample(kinds, 7))
    if shape == 1:
        return Case(concealed=[*OUTER, rng.choice(OUTER)])
    suit = 9 * rng.randrange(3)
    return Case(concealed=[suit + r for r in (0, 0, 0, 1, 2, 3, 4, 5, 6, 7, 8, 8, 8, rng.randrange(9))])


def random_flags(rng: random.Random, case: Case) -> dict[str, int]:
    """Circumstances that do not contradict one another."""
    closed = all(t == CONCEALED_KAN for t, _ in case.melds)
    tsumo = rng.randrange(2)
    flags = {"tsumo": tsumo, "seat_wind": rng.randrange(4), "round_wind": rng.randrange(4)}
    flags["riichi"] = rng.choice((0, 0, 1, 1, 2)) if closed else 0
    flags["ippatsu"] = int(flags["riichi"] > 0 and rng.random() < 0.3)
    chance = rng.random()
    if chance < 0.1:
        flags["last_tile"] = 1
    elif chance < 0.15 and tsumo:
        flags["rinshan"] = 1
    elif chance < 0.15:
        flags["chankan"] = 1
    elif chance < 0.17 and tsumo and not case.melds:
        flags["first_turn"], flags["riichi"], flags["ippatsu"] = 1, 0, 0
    return flags


def random_case(rng: random.Random) -> Case:
    """Any win that fits into four copies of each tile."""
    while True:
        case = random_special(rng) if rng.random() < 0.08 else random_standard(rng)
        kinds = Counter(case.concealed)
        for meld in case.melds:
            kinds.update(meld_kinds(meld))
        if max(kinds.values()) <= 4:
            break
    case.win_kind = rng.choice(case.concealed)
    case.flags = random_flags(rng, case)
    case.indicators = [rng.randrange(34) for _ in range(rng.randint(1, 1 + len(case.melds)))]
    case.ura_indicators = [rng.randrange(34) for _ in case.indicators]
    return case


def deal_ids(rng: random.Random, case: Case) -> tuple[list[int], list[list[int]]]:
    """Physical tiles of the concealed part and of each meld."""
    copies = {kind: rng.sample(range(4), 4) for kind in range(34)}
    ids = [4 * kind + copies[kind].pop() for kind in case.concealed]
    return ids, [[4 * kind + copies[kind].pop() for kind in meld_kinds(meld)] for meld in case.melds]


def write_win(case: Case, ids: list[int], win: Any) -> None:
    """Write a case into a record of `WIN_DTYPE`."""
    for kind in case.concealed:
        win.hand[kind] += 1
    win.melds, win.win_kind = len(case.melds), case.win_kind
    for i, (meld_type, kind) in enumerate(case.melds):
        win.meld_type[i], win.meld_kind[i] = meld_type, kind
    for name, value in case.flags.items():
        setattr(win, name, value)
    tiles = [i // 4 for i in ids]
    win.dora = sum(tiles.count(dora_of(kind)) for kind in case.indicators)
    win.ura = sum(tiles.count(dora_of(kind)) for kind in case.ura_indicators)
    win.red = sum(i in RED_IDS for i in ids)


def peer_config(case: Case, options: OptionalRules) -> HandConfig:
    f, tsumo = case.flags.get, bool(case.flags["tsumo"])
    dealer, first = case.flags["seat_wind"] == 0, bool(f("first_turn"))
    return HandConfig(
        is_tsumo=tsumo,
        is_riichi=f("riichi") == 1,
        is_daburu_riichi=f("riichi") == 2,
        is_ippatsu=bool(f("ippatsu")),
        is_rinshan=bool(f("rinshan")),
        is_chankan=bool(f("chankan")),
        is_haitei=bool(f("last_tile")) and tsumo,
        is_houtei=bool(f("last_tile")) and not tsumo,
        is_tenhou=first and dealer,
        is_chiihou=first and not dealer,
        player_wind=EAST + case.flags["seat_wind"],
        round_wind=EAST + case.flags["round_wind"],
        tsumi_number=case.win_kind % 3,
        options=options,
    )


def peer_score(case: Case, concealed: list[int], melds: list[list[int]], options: OptionalRules) -> Any:
    made = [Meld(MELD_NAMES[t], tiles, opened=t != CONCEALED_KAN) for (t, _), tiles in zip(case.melds, melds)]
    win_id = next(i for i in concealed if i // 4 == case.win_kind)
    return HandCalculator.estimate_hand_value(
        concealed + [i for tiles in melds for i in tiles],
        win_id,
        melds=made,
        dora_indicators=[4 * kind for kind in case.indicators],
        ura_dora_indicators=[4 * kind for kind in case.ura_indicators],
        config=peer_config(case, options),
    )


def expected(case: Case, peer: Any) -> tuple[Any, ...]:
    """The peer's answer: yaku bits, han (0 for a yakuman), fu, what is paid."""
    if peer.error is not None:
        assert peer.error == HandCalculator.ERR_NO_YAKU
        return 0, 0, 0, ()
    bits = sum(1 << YAKU_ID_TO_TENHOU_ID[item.yaku_id] for item in peer.yaku)
    yakuman = any(item.is_yakuman for item in peer.yaku)
    paid = (peer.cost["main"] + peer.cost["main_bonus"],)
    if case.flags["tsumo"]:
        paid = (*paid, peer.cost["additional"] + peer.cost["additional_bonus"])
    return bits, 0 if yakuman else peer.han, peer.fu, (*paid, peer.cost["total"])


def ours(case: Case, out: Any) -> tuple[Any, ...]:
    """Our answer in the same form."""
    if out.yaku == 0:
        return 0, int(out.han), 0, ()
    base, honba = int(out["base"]), case.win_kind % 3
    dealer, tsumo = case.flags["seat_wind"] == 0, bool(case.flags["tsumo"])
    total = win_total(base, dealer, tsumo, honba)
    if tsumo:
        paid = (tsumo_payment(base, True, honba), tsumo_payment(base, dealer, honba), total)
    else:
        paid = (ron_payment(base, dealer, honba), total)
    return int(out.yaku), int(out.han), int(out.fu), paid


def fu_is_free(out: Any) -> bool:
    """Thirteen orphans: the peer has no fu."""
    return bool(int(out.yaku) & (1 << y.KOKUSHI | 1 << y.KOKUSHI_13))


TENHOU = OptionalRules(has_open_tanyao=True, has_aka_dora=True, has_double_yakuman=False)
OTHER = OptionalRules(
    has_open_tanyao=False,
    has_aka_dora=True,
    has_double_yakuman=True,
    kazoe_limit=HandConstants.KAZOE_SANBAIMAN,
    kiriage=True,
)
OTHER_RULES = Ruleset(open_tanyao=False, double_yakuman=True, counted_yakuman=False, rounded_mangan=True)


@pytest.mark.parametrize(
    ("rules", "options", "number", "seed"),
    [(Ruleset(), TENHOU, effort(12_000, 300_000), 1), (OTHER_RULES, OTHER, effort(8_000, 100_000), 2)],
    ids=["tenhou", "other flags"],
)
def test_scores_equal_the_peer(rules: Ruleset, options: OptionalRules, number: int, seed: int) -> None:
    rng = random.Random(seed)
    cases = [random_case(rng) for _ in range(number)]
    dealt = [deal_ids(rng, case) for case in cases]
    wins = np.zeros(number, WIN_DTYPE).view(np.recarray)
    outs = np.zeros(number, SCORE_DTYPE).view(np.recarray)
    for case, (concealed, melds), win in zip(cases, dealt, wins):
        write_win(case, concealed + [i for tiles in melds for i in tiles], win)
    score_batch(wins, rules.record()[0], outs)
    differ = []
    seen = 0
    for case, (concealed, melds), out in zip(cases, dealt, outs):
        theirs, mine = expected(case, peer_score(case, concealed, melds, options)), ours(case, out)
        seen |= mine[0]
        if fu_is_free(out):
            theirs, mine = (*theirs[:2], theirs[3]), (*mine[:2], mine[3])
        if theirs != mine:
            differ.append((case, theirs, mine))
    assert not differ, f"{len(differ)} differ, first: {differ[:3]}"
    assert [item.name for item in y.YAKU if not seen >> item.number & 1] == ["blessing of man"]


def test_readings_equal_decompose() -> None:
    """The readings of the scoring kernel are those of `core.decompose`."""
    rng = random.Random(3)
    pairs, types = np.zeros(MAX_DECOMPOSITIONS, np.uint8), np.zeros((MAX_DECOMPOSITIONS, 4), np.uint8)
    kinds = np.zeros((MAX_DECOMPOSITIONS, 4), np.uint8)
    for _ in range(5_000):
        case = random_case(rng)
        hand = np.bincount(case.concealed, minlength=34).astype(np.uint8)
        number = decompose(hand, pairs, types, kinds)
        theirs = {
            (int(pairs[i]), tuple(sorted((int(k), int(t)) for k, t in zip(kinds[i], types[i]) if t)))
            for i in range(number)
        }
        assert readings(hand) == theirs


def readings(hand: np.ndarray[Any, Any]) -> set[tuple[int, tuple[tuple[int, int], ...]]]:
    """Every reading the scoring kernel tries."""
    words, found = pack_hand(hand), set()
    for pair in np.flatnonzero(hand >= 2):
        rest = hand.astype(int)
        rest[pair] -= 2
        rows = [k for k in range(27) if k % 9 < 7 and (rest[k : k + 3] >= 3).all()]
        for thrice in (NO_RUN, *rows):
            sets = read_sets(words, int(pair), thrice)
            if sets != NO_READING:
                codes = [sets >> 8 * i & 255 for i in range(4)]
                found.add((int(pair), tuple(sorted((c & 63, c >> 6) for c in codes if c))))
    return found


def tenhou_meld(m: int) -> tuple[int, int, list[int]]:
    """Type, lowest kind and tile ids of a meld as Tenhou's logs pack it into an integer."""
    if m & 4:
        start = m >> 10
        kind = start // 3 // 7 * 9 + start // 3 % 7
        return CHI, kind, [4 * (kind + i) + (m >> 3 + 2 * i & 3) for i in range(3)]
    if m & 24:
        kind = (m >> 9) // 3
        spare = 4 * kind + (m >> 5 & 3)
        ids = [4 * kind + i for i in range(4)]
        return (PON, kind, [i for i in ids if i != spare]) if m & 8 else (ADDED_KAN, kind, ids)
    kind = (m >> 8) // 4
    return CONCEALED_KAN if m & 3 == 0 else OPEN_KAN, kind, [4 * kind + i for i in range(4)]


def tenhou_win(agari: dict[str, str], dealer: int, round_wind: int, win: Any) -> None:
    """Write a win of a log; its luck (riichi, last tile, ...) is taken from the yaku it lists."""

    def numbers(name: str) -> list[int]:
        return [int(part) for part in agari.get(name, "").split(",") if part]

    melds, who = [tenhou_meld(m) for m in numbers("m")], int(agari["who"])
    ids = numbers("hai")
    for i in ids:
        win.hand[i // 4] += 1
    for i, (meld_type, kind, tiles) in enumerate(melds):
        win.meld_type[i], win.meld_kind[i] = meld_type, kind
        ids += tiles
    win.melds, win.win_kind, win.tsumo = len(melds), numbers("machi")[0] // 4, agari["who"] == agari["fromWho"]
    win.seat_wind, win.round_wind = (who - dealer) % 4, round_wind
    listed = {*numbers("yaku")[::2], *numbers("yakuman")}
    win.riichi = 2 if y.DOUBLE_RIICHI in listed else int(y.RIICHI in listed)
    win.ippatsu, win.rinshan, win.chankan = y.IPPATSU in listed, y.RINSHAN in listed, y.CHANKAN in listed
    win.last_tile = bool(listed & {y.HAITEI, y.HOUTEI})
    win.first_turn = bool(listed & {y.TENHOU, y.CHIIHOU})
    kinds = [i // 4 for i in ids]
    win.dora = sum(kinds.count(dora_of(i // 4)) for i in numbers("doraHai"))
    win.ura = sum(kinds.count(dora_of(i // 4)) for i in numbers("doraHaiUra"))
    win.red = sum(i in RED_IDS for i in ids)


def tenhou_answer(agari: dict[str, str]) -> tuple[int, int, int, int]:
    """Yaku bits, han, fu and points (without honba and sticks) as the log has them; ura-dora of 0 are left out."""
    pairs = [int(part) for part in agari.get("yaku", "").split(",") if part]
    listed = [number for number, han in zip(pairs[::2], pairs[1::2]) if han]
    listed += [int(part) for part in agari.get("yakuman", "").split(",") if part]
    fu, points, _ = map(int, agari["ten"].split(","))
    return sum(1 << number for number in listed), sum(pairs[1::2]), fu, points


def tenhou_logs(pack: Path) -> Iterator[str]:
    with tarfile.open(pack) as tar:
        for member in tar:
            if (log := tar.extractfile(member)) is not None:
                yield log.read().decode()


def tenhou_wins(log: str) -> Iterator[tuple[dict[str, str], int, int]]:
    """Every win of a game with red fives: its attributes, the dealer and the round's wind."""
    game = re.search(r'<GO type="(\d+)"', log)
    if game is None or int(game[1]) & 0b10110:  # no red fives, no open tanyao, three players
        return
    dealer = round_wind = 0
    for tag, text in re.findall(r"<(INIT|AGARI) ([^>]*)/>", log):
        attributes = dict(re.findall(r'(\w+)="([^"]*)"', text))
        if tag == "INIT":
            dealer, round_wind = int(attributes["oya"]), int(attributes["seed"].split(",")[0]) // 4
        else:
            yield attributes, dealer, round_wind


@pytest.mark.parametrize(
    ("name", "wins"), [("houou-cases", 4_000), ("houou-2009", 3_500), ("houou-2018", effort(8_000, 30_000))]
)
def test_scores_equal_tenhou(shared: Path, name: str, wins: int) -> None:
    """Wins of real games, as Tenhou scored them: yaku, han, fu (but for yakuman) and points.

    Of the largest pack a quarter, and all in `make fuzz`; `make conformance` replays all games of all packs.
    """
    pack = shared / "records" / f"{name}.tar.xz"
    if not pack.exists():
        pytest.skip("needs the shared game records")
    rules = Ruleset().record()[0]
    out = np.zeros(1, SCORE_DTYPE).view(np.recarray)[0]
    count = 0
    for log in islice(tenhou_logs(pack), effort(1000, 10_000)):
        for agari, dealer, round_wind in tenhou_wins(log):
            win = np.zeros(1, WIN_DTYPE).view(np.recarray)[0]
            tenhou_win(agari, dealer, round_wind, win)
            score(win, rules, out)
            points = win_total(int(out["base"]), win.seat_wind == 0, bool(win.tsumo))
            bits, han, fu, paid = tenhou_answer(agari)
            assert (int(out.yaku), int(out.han), points) == (bits, han, paid), agari
            assert out.yakuman or out.fu == fu, agari
            count += 1
    assert count >= wins
