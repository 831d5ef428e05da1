"""The fan: one table of names, values and the fan that each one excludes (the non-repeat principle).

Numbers follow the official list from the highest value to the lowest, from 0; the concealed and melded kong (5 fan),
which is not in the list of 1998 but has become usual, is placed by its value. Flowers come last. A fan that implies
another is not paid for both: `excludes` names the implied ones.

Kernels hold the fan they found as bits in two words: `big` for the numbers below `SMALL`, `small` for the others.
"""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np

from janshi.rules.guobiao.win import NUM_FAN

BIG_FOUR_WINDS, BIG_THREE_DRAGONS, ALL_GREEN, NINE_GATES, FOUR_KONGS, SEVEN_SHIFTED_PAIRS, ORPHANS = range(7)
ALL_TERMINALS, LITTLE_FOUR_WINDS, LITTLE_THREE_DRAGONS, ALL_HONOURS, FOUR_CONCEALED_PUNGS = range(7, 12)
PURE_TERMINAL_CHOWS, QUADRUPLE_CHOW, FOUR_SHIFTED_PUNGS, FOUR_SHIFTED_CHOWS, THREE_KONGS = range(12, 17)
ALL_TERMINALS_AND_HONOURS, PAIRS, GREATER_KNITTED, ALL_EVEN_PUNGS, FULL_FLUSH, PURE_TRIPLE_CHOW = range(17, 23)
PURE_SHIFTED_PUNGS, UPPER_TILES, MIDDLE_TILES, LOWER_TILES, PURE_STRAIGHT = range(23, 28)
THREE_SUITED_TERMINAL_CHOWS, PURE_SHIFTED_CHOWS, ALL_FIVES, TRIPLE_PUNG, THREE_CONCEALED_PUNGS = range(28, 33)
LESSER_KNITTED, KNITTED, UPPER_FOUR, LOWER_FOUR, BIG_THREE_WINDS, MIXED_STRAIGHT, REVERSIBLE = range(33, 40)
MIXED_TRIPLE_CHOW, MIXED_SHIFTED_PUNGS, CHICKEN_HAND, LAST_DRAW, LAST_CLAIM, OUT_ON_REPLACEMENT = range(40, 46)
ROBBING_THE_KONG, ALL_PUNGS, HALF_FLUSH, MIXED_SHIFTED_CHOWS, ALL_TYPES, MELDED_HAND = range(46, 52)
TWO_CONCEALED_KONGS, TWO_DRAGONS, CONCEALED_AND_MELDED_KONG, OUTSIDE_HAND, FULLY_CONCEALED = range(52, 57)
TWO_MELDED_KONGS, LAST_OF_KIND, DRAGON_PUNG, PREVALENT_WIND, SEAT_WIND, CONCEALED_HAND, ALL_CHOWS = range(57, 64)
TILE_HOG, DOUBLE_PUNG, TWO_CONCEALED_PUNGS, CONCEALED_KONG, ALL_SIMPLES, PURE_DOUBLE_CHOW = range(64, 70)
MIXED_DOUBLE_CHOW, SHORT_STRAIGHT, TWO_TERMINAL_CHOWS, TERMINAL_PUNG, MELDED_KONG, VOIDED_SUIT = range(70, 76)
NO_HONOURS, EDGE_WAIT, CLOSED_WAIT, SINGLE_WAIT, SELF_DRAWN, FLOWERS = range(76, 82)


class Fan(NamedTuple):
    """One line of the table."""

    number: int
    name: str
    chinese: str
    pinyin: str
    value: int
    excludes: tuple[int, ...] = ()
    """Numbers of the fan that this one implies, which are not counted beside it."""


def _f(number: int, chinese: str, pinyin: str, name: str, value: int, *excludes: int) -> Fan:
    return Fan(number, name, chinese, pinyin, value, excludes)


FANS: Final[tuple[Fan, ...]] = (
    _f(0, "大四喜", "dà sì xǐ", "big four winds", 88, 37, 47, 60, 61, 73),
    _f(1, "大三元", "dà sān yuán", "big three dragons", 88, 53, 59),
    _f(2, "绿一色", "lǜ yī sè", "all green", 88, 48, 75),
    _f(3, "九莲宝灯", "jiǔ lián bǎo dēng", "nine gates", 88, 21, 56, 62, 75, 76),
    _f(4, "四杠", "sì gàng", "four kongs", 88, 47, 79),
    _f(5, "连七对", "lián qī duì", "seven shifted pairs", 88, 18, 21, 62, 75, 76, 79),
    _f(6, "十三幺", "shí sān yāo", "thirteen orphans", 88, 50, 62, 79),
    _f(7, "清幺九", "qīng yāo jiǔ", "all terminals", 64, 17, 47, 55, 65, 73, 76),
    _f(8, "小四喜", "xiǎo sì xǐ", "little four winds", 64, 37, 73),
    _f(9, "小三元", "xiǎo sān yuán", "little three dragons", 64, 53, 59),
    _f(10, "字一色", "zì yī sè", "all honours", 64, 17, 47, 55, 73, 75),
    _f(11, "四暗刻", "sì àn kè", "four concealed pungs", 64, 47, 56, 62),
    _f(12, "一色双龙会", "yī sè shuāng lóng huì", "pure terminal chows", 64, 18, 21, 63, 69, 72, 75, 76),
    _f(13, "一色四同顺", "yī sè sì tóng shùn", "quadruple chow", 48, 22, 23, 64, 69),
    _f(14, "一色四节高", "yī sè sì jié gāo", "four pure shifted pungs", 48, 22, 23, 47),
    _f(15, "一色四步高", "yī sè sì bù gāo", "four pure shifted chows", 32, 29, 71, 72),
    _f(16, "三杠", "sān gàng", "three kongs", 32),
    _f(17, "混幺九", "hùn yāo jiǔ", "all terminals and honours", 32, 47, 55, 73),
    _f(18, "七对", "qī duì", "seven pairs", 24, 62, 79),
    _f(19, "七星不靠", "qī xīng bù kào", "greater honours and knitted tiles", 24, 50, 62, 79),
    _f(20, "全双刻", "quán shuāng kè", "all even pungs", 24, 47, 68, 76),
    _f(21, "清一色", "qīng yī sè", "full flush", 24, 75, 76),
    _f(22, "一色三同顺", "yī sè sān tóng shùn", "pure triple chow", 24, 23, 69),
    _f(23, "一色三节高", "yī sè sān jié gāo", "pure shifted pungs", 24, 22),
    _f(24, "全大", "quán dà", "upper tiles", 24, 35, 76),
    _f(25, "全中", "quán zhōng", "middle tiles", 24, 68, 76),
    _f(26, "全小", "quán xiǎo", "lower tiles", 24, 36, 76),
    _f(27, "清龙", "qīng lóng", "pure straight", 16),
    _f(28, "三色双龙会", "sān sè shuāng lóng huì", "three-suited terminal chows", 16, 63, 70, 72, 76),
    _f(29, "一色三步高", "yī sè sān bù gāo", "pure shifted chows", 16),
    _f(30, "全带五", "quán dài wǔ", "all fives", 16, 68, 76),
    _f(31, "三同刻", "sān tóng kè", "triple pung", 16),
    _f(32, "三暗刻", "sān àn kè", "three concealed pungs", 16),
    _f(33, "全不靠", "quán bù kào", "lesser honours and knitted tiles", 12, 50, 62, 79),
    _f(34, "组合龙", "zǔ hé lóng", "knitted straight", 12),
    _f(35, "大于五", "dà yú wǔ", "upper four", 12, 76),
    _f(36, "小于五", "xiǎo yú wǔ", "lower four", 12, 76),
    _f(37, "三风刻", "sān fēng kè", "big three winds", 12),
    _f(38, "花龙", "huā lóng", "mixed straight", 8),
    _f(39, "推不倒", "tuī bù dǎo", "reversible tiles", 8, 75),
    _f(40, "三色三同顺", "sān sè sān tóng shùn", "mixed triple chow", 8),
    _f(41, "三色三节高", "sān sè sān jié gāo", "mixed shifted pungs", 8),
    _f(42, "无番和", "wú fān hú", "chicken hand", 8),
    _f(43, "妙手回春", "miào shǒu huí chūn", "last tile draw", 8, 80),
    _f(44, "海底捞月", "hǎi dǐ lāo yuè", "last tile claim", 8),
    _f(45, "杠上开花", "gàng shàng kāi huā", "out with replacement tile", 8, 80),
    _f(46, "抢杠和", "qiǎng gàng hú", "robbing the kong", 8, 58),
    _f(47, "碰碰和", "pèng pèng hú", "all pungs", 6),
    _f(48, "混一色", "hùn yī sè", "half flush", 6, 75),
    _f(49, "三色三步高", "sān sè sān bù gāo", "mixed shifted chows", 6),
    _f(50, "五门齐", "wǔ mén qí", "all types", 6),
    _f(51, "全求人", "quán qiú rén", "melded hand", 6, 79),
    _f(52, "双暗杠", "shuāng àn gàng", "two concealed kongs", 6, 66, 67),
    _f(53, "双箭刻", "shuāng jiàn kè", "two dragon pungs", 6, 59),
    _f(54, "明暗杠", "míng àn gàng", "concealed kong and melded kong", 5, 67, 74),
    _f(55, "全带幺", "quán dài yāo", "outside hand", 4),
    _f(56, "不求人", "bù qiú rén", "fully concealed hand", 4, 80),
    _f(57, "双明杠", "shuāng míng gàng", "two melded kongs", 4, 74),
    _f(58, "和绝张", "hú jué zhāng", "last tile of its kind", 4),
    _f(59, "箭刻", "jiàn kè", "dragon pung", 2),
    _f(60, "圈风刻", "quān fēng kè", "prevalent wind", 2),
    _f(61, "门风刻", "mén fēng kè", "seat wind", 2),
    _f(62, "门前清", "mén qián qīng", "concealed hand", 2),
    _f(63, "平和", "píng hú", "all chows", 2, 76),
    _f(64, "四归一", "sì guī yī", "tile hog", 2),
    _f(65, "双同刻", "shuāng tóng kè", "double pung", 2),
    _f(66, "双暗刻", "shuāng àn kè", "two concealed pungs", 2),
    _f(67, "暗杠", "àn gàng", "concealed kong", 2),
    _f(68, "断幺", "duàn yāo", "all simples", 2, 76),
    _f(69, "一般高", "yī bān gāo", "pure double chow", 1),
    _f(70, "喜相逢", "xǐ xiāng féng", "mixed double chow", 1),
    _f(71, "连六", "lián liù", "short straight", 1),
    _f(72, "老少副", "lǎo shào fù", "two terminal chows", 1),
    _f(73, "幺九刻", "yāo jiǔ kè", "pung of terminals or honours", 1),
    _f(74, "明杠", "míng gàng", "melded kong", 1),
    _f(75, "缺一门", "quē yī mén", "one voided suit", 1),
    _f(76, "无字", "wú zì", "no honours", 1),
    _f(77, "边张", "biān zhāng", "edge wait", 1),
    _f(78, "坎张", "kǎn zhāng", "closed wait", 1),
    _f(79, "单钓将", "dān diào jiàng", "single wait", 1),
    _f(80, "自摸", "zì mō", "self-drawn", 1),
    _f(81, "花牌", "huā pái", "flower tiles", 1),
)

MINIMUM: Final = 8
"""Fan a hand must have to win, flowers not counted."""

SMALL: Final = 41
"""First number of the word `small`."""
REPEATED: Final = (
    TILE_HOG,
    DOUBLE_PUNG,
    PURE_DOUBLE_CHOW,
    MIXED_DOUBLE_CHOW,
    SHORT_STRAIGHT,
    TWO_TERMINAL_CHOWS,
    TERMINAL_PUNG,
)
"""Fan that a hand can have several times; kernels count them in one word, four bits each, in this order."""


def _word(numbers: tuple[int, ...], first: int) -> int:
    return sum(1 << number - first for number in numbers if first <= number < first + SMALL)


VALUES: Final = np.array([fan.value for fan in FANS], np.int64)
EXCLUDES_BIG: Final = np.array([_word(fan.excludes, 0) for fan in FANS], np.int64)
"""By number: the fan it excludes, as bits of `big`."""
EXCLUDES_SMALL: Final = np.array([_word(fan.excludes, SMALL) for fan in FANS], np.int64)
TIMES_AT: Final = np.array([4 * REPEATED.index(n) if n in REPEATED else -1 for n in range(NUM_FAN)], np.int64)
"""By number: where its count is in the word of repeated fan; -1 for a fan counted once."""
_PRIME: Final = 67  # the powers of two up to 2**66 differ modulo this prime
_BIT_OF_REST: Final = {(1 << bit) % _PRIME: bit for bit in range(63)}
BIT_NUMBER: Final = np.array([_BIT_OF_REST.get(rest, 0) for rest in range(_PRIME)], np.int64)
"""Number of a single bit, by its value modulo 67."""
