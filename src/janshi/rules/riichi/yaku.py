"""The yaku: their table (numbers as on Tenhou) and the kernels that find them.

Yaku found are bits of one integer, `1 << number`. A kernel either looks at the whole hand (`hand_yaku`: the same for
every reading) or at one reading of it as sets and a pair (`reading_yaku`).
"""

from __future__ import annotations

from typing import Any, Final, NamedTuple

from janshi.core._jit import kernel
from janshi.core.tiles import EAST, RANKS, WHITE
from janshi.rules.riichi.win import (
    GREENS,
    HONOUR_KINDS,
    MAN,
    OUTER,
    OUTER_RUNS,
    PIN,
    SOU,
    SUIT_MASK,
    TERMINALS,
    Melds,
    Reading,
    kinds_with,
    popcount,
)

MENZEN_TSUMO, RIICHI, IPPATSU, CHANKAN, RINSHAN, HAITEI, HOUTEI, PINFU, TANYAO, IIPEIKOU = range(10)
SEAT_WIND, ROUND_WIND, DRAGON = 10, 14, 18
"""Numbers of the first (East; white) of the seat winds, round winds and dragons."""
DOUBLE_RIICHI, CHIITOITSU, CHANTA, ITTSU, SANSHOKU, SANSHOKU_DOUKOU, SANKANTSU, TOITOI, SANANKOU = range(21, 30)
SHOUSANGEN, HONROUTOU, RYANPEIKOU, JUNCHAN, HONITSU, CHINITSU, RENHOU = range(30, 37)
TENHOU, CHIIHOU, DAISANGEN, SUUANKOU, SUUANKOU_TANKI, TSUUIISOU, RYUUIISOU, CHINROUTOU = range(37, 45)
CHUUREN, JUNSEI_CHUUREN, KOKUSHI, KOKUSHI_13, DAISUUSHII, SHOUSUUSHII, SUUKANTSU = range(45, 52)
DORA, URA_DORA, RED_DORA = range(52, 55)


class Yaku(NamedTuple):
    """One line of the yaku table."""

    number: int
    name: str
    romaji: str
    kanji: str
    closed_han: int
    """Han in a closed hand; for a yakuman how many yakuman it counts where double yakuman are played."""
    open_han: int
    """Han in an open hand; 0 if the yaku needs a closed hand."""
    yakuman: bool = False


YAKU: Final[tuple[Yaku, ...]] = (
    Yaku(0, "fully concealed self-draw", "menzen tsumo", "門前清自摸和", 1, 0),
    Yaku(1, "riichi", "riichi", "立直", 1, 0),
    Yaku(2, "one-shot", "ippatsu", "一発", 1, 0),
    Yaku(3, "robbing a kan", "chankan", "槍槓", 1, 1),
    Yaku(4, "after a kan", "rinshan kaihou", "嶺上開花", 1, 1),
    Yaku(5, "last draw", "haitei", "海底摸月", 1, 1),
    Yaku(6, "last discard", "houtei", "河底撈魚", 1, 1),
    Yaku(7, "all sequences", "pinfu", "平和", 1, 0),
    Yaku(8, "all simples", "tanyao", "断么九", 1, 1),
    Yaku(9, "twin sequences", "iipeikou", "一盃口", 1, 0),
    Yaku(10, "seat wind east", "jikaze ton", "自風 東", 1, 1),
    Yaku(11, "seat wind south", "jikaze nan", "自風 南", 1, 1),
    Yaku(12, "seat wind west", "jikaze shaa", "自風 西", 1, 1),
    Yaku(13, "seat wind north", "jikaze pei", "自風 北", 1, 1),
    Yaku(14, "round wind east", "bakaze ton", "場風 東", 1, 1),
    Yaku(15, "round wind south", "bakaze nan", "場風 南", 1, 1),
    Yaku(16, "round wind west", "bakaze shaa", "場風 西", 1, 1),
    Yaku(17, "round wind north", "bakaze pei", "場風 北", 1, 1),
    Yaku(18, "white dragon", "haku", "役牌 白", 1, 1),
    Yaku(19, "green dragon", "hatsu", "役牌 發", 1, 1),
    Yaku(20, "red dragon", "chun", "役牌 中", 1, 1),
    Yaku(21, "double riichi", "daburu riichi", "両立直", 2, 0),
    Yaku(22, "seven pairs", "chiitoitsu", "七対子", 2, 0),
    Yaku(23, "outside hand", "chanta", "混全帯幺九", 2, 1),
    Yaku(24, "full straight", "ittsu", "一気通貫", 2, 1),
    Yaku(25, "three-colour sequences", "sanshoku doujun", "三色同順", 2, 1),
    Yaku(26, "three-colour triplets", "sanshoku doukou", "三色同刻", 2, 2),
    Yaku(27, "three kans", "sankantsu", "三槓子", 2, 2),
    Yaku(28, "all triplets", "toitoi", "対々和", 2, 2),
    Yaku(29, "three concealed triplets", "sanankou", "三暗刻", 2, 2),
    Yaku(30, "little three dragons", "shousangen", "小三元", 2, 2),
    Yaku(31, "all terminals and honours", "honroutou", "混老頭", 2, 2),
    Yaku(32, "two twin sequences", "ryanpeikou", "二盃口", 3, 0),
    Yaku(33, "pure outside hand", "junchan", "純全帯幺九", 3, 2),
    Yaku(34, "half flush", "honitsu", "混一色", 3, 2),
    Yaku(35, "full flush", "chinitsu", "清一色", 6, 5),
    Yaku(36, "blessing of man", "renhou", "人和", 0, 0),  # in Tenhou's numbering, but never scored
    Yaku(37, "blessing of heaven", "tenhou", "天和", 1, 0, True),
    Yaku(38, "blessing of earth", "chiihou", "地和", 1, 0, True),
    Yaku(39, "big three dragons", "daisangen", "大三元", 1, 1, True),
    Yaku(40, "four concealed triplets", "suuankou", "四暗刻", 1, 0, True),
    Yaku(41, "four concealed triplets, single wait", "suuankou tanki", "四暗刻単騎", 2, 0, True),
    Yaku(42, "all honours", "tsuuiisou", "字一色", 1, 1, True),
    Yaku(43, "all green", "ryuuiisou", "緑一色", 1, 1, True),
    Yaku(44, "all terminals", "chinroutou", "清老頭", 1, 1, True),
    Yaku(45, "nine gates", "chuuren poutou", "九蓮宝燈", 1, 0, True),
    Yaku(46, "pure nine gates", "junsei chuuren poutou", "純正九蓮宝燈", 2, 0, True),
    Yaku(47, "thirteen orphans", "kokushi musou", "国士無双", 1, 0, True),
    Yaku(48, "thirteen orphans, thirteen-sided wait", "kokushi musou juusanmen", "国士無双13面", 2, 0, True),
    Yaku(49, "big four winds", "daisuushii", "大四喜", 2, 2, True),
    Yaku(50, "little four winds", "shousuushii", "小四喜", 1, 1, True),
    Yaku(51, "four kans", "suukantsu", "四槓子", 1, 1, True),
    Yaku(52, "dora", "dora", "ドラ", 0, 0),
    Yaku(53, "ura dora", "ura dora", "裏ドラ", 0, 0),
    Yaku(54, "red five", "aka dora", "赤ドラ", 0, 0),
)

YAKUMAN: Final = sum(1 << y.number for y in YAKU if y.yakuman)
DOUBLE_YAKUMAN: Final = sum(1 << y.number for y in YAKU if y.yakuman and y.closed_han == 2)
_ORDINARY: Final = tuple(y for y in YAKU if not y.yakuman)
_CLOSED_PLANES: Final = tuple(sum((y.closed_han >> b & 1) << y.number for y in _ORDINARY) for b in range(3))
_OPEN_PLANES: Final = tuple(sum((y.open_han >> b & 1) << y.number for y in _ORDINARY) for b in range(3))
CLOSED_1, CLOSED_2, CLOSED_4 = _CLOSED_PLANES
OPEN_1, OPEN_2, OPEN_4 = _OPEN_PLANES


@kernel
def han_of(yaku: int, closed: int) -> int:
    """Han of ordinary yaku without dora; the table's han are held in bit planes (ones, twos, fours)."""
    if closed:
        return popcount(yaku & CLOSED_1) + 2 * popcount(yaku & CLOSED_2) + 4 * popcount(yaku & CLOSED_4)
    return popcount(yaku & OPEN_1) + 2 * popcount(yaku & OPEN_2) + 4 * popcount(yaku & OPEN_4)


@kernel
def yakuman_of(yaku: int, double_yakuman: int) -> int:
    """How many yakuman: they add up, and some count twice where the rules say so."""
    return popcount(yaku & YAKUMAN) + int(double_yakuman != 0) * popcount(yaku & DOUBLE_YAKUMAN)


@kernel
def luck_yaku(win: Any, rules: Any, closed: int) -> int:
    """Yaku of how the hand was won: riichi, self-draw, kan draws, last tiles, blessings."""
    tsumo, rinshan, chankan = win.tsumo != 0, win.rinshan != 0, win.chankan != 0
    yaku = int(closed and tsumo) << MENZEN_TSUMO
    yaku |= int(closed and win.riichi == 1) << RIICHI
    yaku |= int(closed and win.riichi == 2) << DOUBLE_RIICHI
    yaku |= int(closed and win.riichi != 0 and win.ippatsu != 0 and rules.ippatsu != 0) << IPPATSU
    yaku |= int(chankan and not tsumo) << CHANKAN
    yaku |= int(rinshan and tsumo) << RINSHAN
    yaku |= int(win.last_tile != 0 and tsumo and not rinshan) << HAITEI
    yaku |= int(win.last_tile != 0 and not tsumo and not chankan) << HOUTEI
    blessed = win.first_turn != 0 and tsumo and win.melds == 0
    yaku |= int(blessed and win.seat_wind == 0) << TENHOU
    return yaku | int(blessed and win.seat_wind != 0) << CHIIHOU


@kernel
def flush_yaku(kinds: int) -> int:
    """Flushes: half, full, all honours, all green, by the mask of kinds in the hand."""
    suits = int(kinds & MAN != 0) + int(kinds & PIN != 0) + int(kinds & SOU != 0)
    honours = kinds & HONOUR_KINDS != 0
    yaku = int(suits == 1 and honours) << HONITSU
    yaku |= int(suits == 1 and not honours) << CHINITSU
    yaku |= int(suits == 0) << TSUUIISOU
    return yaku | int(kinds & ~GREENS == 0) << RYUUIISOU


@kernel
def outer_yaku(kinds: int, open_tanyao: int, closed: int) -> int:
    """All simples, all terminals and honours, all terminals, by the mask of kinds in the hand."""
    yaku = int(kinds & OUTER == 0 and (closed or open_tanyao)) << TANYAO
    yaku |= int(kinds & ~OUTER == 0) << HONROUTOU
    return yaku | int(kinds & ~TERMINALS == 0) << CHINROUTOU


@kernel
def wind_yaku(triplets: int, pairs: int, seat_wind: int, round_wind: int) -> int:
    """Wind triplets; `triplets` and `pairs` are masks of kinds held at least three and two times."""
    winds = triplets >> EAST & 15
    yaku = (winds >> seat_wind & 1) << (SEAT_WIND + seat_wind)
    yaku |= (winds >> round_wind & 1) << (ROUND_WIND + round_wind)
    yaku |= int(winds == 15) << DAISUUSHII
    return yaku | int(popcount(winds) == 3 and pairs >> EAST & 15 == 15) << SHOUSUUSHII


@kernel
def dragon_yaku(triplets: int, pairs: int) -> int:
    """Dragon triplets; `triplets` and `pairs` are masks of kinds held at least three and two times."""
    dragons = triplets >> WHITE & 7
    yaku = dragons << DRAGON
    yaku |= int(dragons == 7) << DAISANGEN
    return yaku | int(popcount(dragons) == 2 and pairs >> WHITE & 7 == 7) << SHOUSANGEN


@kernel
def kan_yaku(melds: Melds) -> int:
    """Three and four kans."""
    kans = popcount(melds.open_kans | melds.concealed_kans)
    return int(kans == 3) << SANKANTSU | int(kans == 4) << SUUKANTSU


@kernel
def gates_yaku(win: Any, kinds: int, triplets: int) -> int:
    """Nine gates, 1112345678999 and any other tile of the suit; pure if that tile was the winning one."""
    if win.melds != 0:
        return 0
    for suit in range(3):
        shift = RANKS * suit
        if kinds == SUIT_MASK << shift and triplets >> shift & triplets >> (shift + RANKS - 1) & 1:
            pure = int(win.hand[int(win.win_kind)]) % 2 == 0  # the extra tile makes 2 or 4 of its kind
            return 1 << (JUNSEI_CHUUREN if pure else CHUUREN)
    return 0


@kernel
def hand_yaku(win: Any, rules: Any, melds: Melds) -> int:
    """Every yaku that does not depend on how the tiles are read as sets.

    Holds for standard hands and seven pairs (which has no honour triplets, hence none of their yaku).
    """
    kinds = kinds_with(win.hand, 1) | melds.tiles
    triplets = kinds_with(win.hand, 3) | melds.pons | melds.open_kans | melds.concealed_kans
    pairs = kinds_with(win.hand, 2) | triplets
    yaku = luck_yaku(win, rules, melds.closed) | kan_yaku(melds)
    yaku |= flush_yaku(kinds) | outer_yaku(kinds, int(rules.open_tanyao), melds.closed)
    yaku |= wind_yaku(triplets, pairs, int(win.seat_wind), int(win.round_wind)) | dragon_yaku(triplets, pairs)
    return yaku | gates_yaku(win, kinds, triplets)


@kernel
def outside_yaku(runs: int, triplets: int, pair: int) -> int:
    """Outside hands: a terminal (pure) or honour in every set and the pair, with a sequence among them."""
    outer = triplets | 1 << pair
    if runs == 0 or runs & ~OUTER_RUNS or outer & ~OUTER:
        return 0
    return 1 << (CHANTA if outer & HONOUR_KINDS else JUNCHAN)


@kernel
def in_three_suits(sets: int) -> bool:
    """Whether all three suits have a set of the same rank."""
    return sets & sets >> RANKS & sets >> (2 * RANKS) & SUIT_MASK != 0


@kernel
def full_straight(runs: int) -> bool:
    """Whether there are 123, 456 and 789 of one suit."""
    return runs & runs >> 3 & runs >> 6 & (1 | 1 << RANKS | 1 << 2 * RANKS) != 0


@kernel
def twin_yaku(twins: int, closed: int) -> int:
    """Twin sequences once or twice, in a closed hand."""
    return int(closed and twins == 1) << IIPEIKOU | int(closed and twins == 2) << RYANPEIKOU


@kernel
def reading_yaku(reading: Reading, melds: Melds) -> int:
    """Yaku of one reading, wherever the winning tile stands in it."""
    runs = reading.runs | melds.runs
    triplets = reading.triplets | melds.pons | melds.open_kans | melds.concealed_kans
    yaku = outside_yaku(runs, triplets, reading.pair) | twin_yaku(reading.twins, melds.closed)
    yaku |= int(full_straight(runs)) << ITTSU
    yaku |= int(in_three_suits(runs)) << SANSHOKU
    yaku |= int(in_three_suits(triplets)) << SANSHOKU_DOUKOU
    return yaku | int(runs == 0) << TOITOI


@kernel
def concealed_triplets_yaku(count: int, single_wait: bool) -> int:
    """Three or four concealed triplets."""
    if count == 4:
        return 1 << (SUUANKOU_TANKI if single_wait else SUUANKOU)
    return int(count == 3) << SANANKOU
