"""The words of tenhou.net/6: yaku, limits, results and ranks, as Tenhou writes them and as exports of other sites do.

Results are texts such as `30符4飜7700点`, `満貫2000-4000点`, `跳満6000点∀` (each pays), `立直(1飜)`, `大三元(役満)`.
Exports of Mahjong Soul spell some of these words differently or in English; each means one of Tenhou's words.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final, NamedTuple

from janshi.rules.riichi.yaku import YAKU

YAKU_WORDS: Final = tuple({8: "断幺九", 48: "国士無双１３面"}.get(yaku.number, yaku.kanji) for yaku in YAKU)
"""Tenhou's words for the yaku, by number."""
LIMIT_WORDS: Final = ("", "満貫", "跳満", "倍満", "三倍満", "役満")
"""Tenhou's words for the limits: none, mangan .. sanbaiman, yakuman."""
RANK_WORDS: Final = (
    "新人",
    *(f"{digit}級" for digit in "９８７６５４３２１"),
    *("初段", "二段", "三段", "四段", "五段", "六段", "七段", "八段", "九段", "十段", "天鳳位"),
)
"""Tenhou's ranks, by number."""

WIN_WORD: Final = "和了"
DRAW_WORDS: Final = {
    "exhaustive draw": "流局",
    "nagashi mangan": "流し満貫",
    "nine terminals": "九種九牌",
    "four winds": "四風連打",
    "four riichi": "四家立直",
    "four kans": "四槓散了",
    "triple ron": "三家和了",
}
"""Tenhou's word for each kind of drawn hand."""
ALL_TENPAI, ALL_NOTEN = "全員聴牌", "全員不聴"
DRAW_OF_WORD: Final = {word: kind for kind, word in DRAW_WORDS.items()}

SEAT_WIND_WORD, ROUND_WIND_WORD = "役牌:自風牌", "役牌:場風牌"
"""Mahjong Soul's words, which do not name the wind."""

_ENGLISH: Final = (
    "Fully Concealed Hand;Riichi;Ippatsu;Robbing a Kan;After a Kan;Under the Sea;Under the River;Pinfu;All Simples;"
    "Pure Double Sequence;;;;;;;;;White Dragon;Green Dragon;Red Dragon;Double Riichi;Seven Pairs;Half Outside Hand;"
    "Pure Straight;Mixed Triple Sequence;Triple Triplets;Three Quads;All Triplets;Three Concealed Triplets;"
    "Little Three Dragons;All Terminals and Honors;Twice Pure Double Sequence;Fully Outside Hand;Half Flush;Full Flush;"
    "Hand of Man;Blessing of Heaven;Blessing of Earth;Big Three Dragons;Four Concealed Triplets;"
    "Single-wait Four Concealed Triplets;All Honors;All Green;All Terminals;Nine Gates;True Nine Gates;"
    "Thirteen Orphans;Thirteen-wait Thirteen Orphans;Four Big Winds;Four Little Winds;Four Quads;"
    "Dora;Ura Dora;Red Five"
)
_ENGLISH_YAKU: Final = tuple(_ENGLISH.split(";"))
"""Mahjong Soul's English words for the yaku, by Tenhou's numbers."""
_YAKU_NUMBERS: Final = {
    **{word: number for number, word in enumerate(_ENGLISH_YAKU) if word},
    **{word: number for number, word in enumerate(YAKU_WORDS)},
    "ダブル立直": 21,
    "断么九": 8,
    "国士無双13面": 48,
    "国士無双十三面待ち": 48,
}

_SAME: Final = (
    "満貫;Mangan;切り上げ満貫;Kiriage Mangan;Rounded Mangan",
    "跳満;Haneman",
    "倍満;Baiman",
    "三倍満;Sanbaiman",
    "役満;Yakuman;数え役満;Kazoe Yakuman;Counted Yakuman;ダブル役満;トリプル役満",
    "符;Fu",
    "飜;Han;翻",
    "点;Points",
    "和了;Agari",
    "流局;Ryuukyoku;Exhaustive Draw",
    "流し満貫;Nagashi Mangan;Mangan at Draw",
    "四槓散了;四開槓;Suukaikan;Four Kan Abortion",
    "三家和了;三家和;Sanchahou;Three Ron Abortion",
    "九種九牌;Kyuushu Kyuuhai;Nine Terminal Abortion",
    "四風連打;Suufon Renda;Four Wind Abortion",
    "四家立直;Suucha Riichi;Four Riichi Abortion",
)
_OTHER_WORDS: Final = {other: line.split(";")[0] for line in _SAME for other in line.split(";")[1:]}

_POINTS: Final = re.compile(
    r"(?:(?P<fu>\d{1,3})(?P<fu_word>\D{1,8}?)(?P<han>\d{1,3})(?P<han_word>\D{1,8}?)|(?P<limit>(?:\d倍)?\D{1,20}?))"
    r"(?P<first>\d{1,7})(?:-(?P<second>\d{1,7}))?(?P<points_word>\D{1,8}?)(?P<all>∀?)",
    re.ASCII,
)
_YAKU: Final = re.compile(r"(?P<name>.+)\((?:(?P<han>\d{1,3})(?P<han_word>\D{1,8})|(?P<limit>.+))\)", re.ASCII)

Words = tuple[tuple[str, str], ...]
"""Pairs of one of Tenhou's words and the one written in its place."""


class PointsText(NamedTuple):
    """What a win's text says: fu and han (None for a limit), the limit's number, the points and foreign words."""

    fu: int | None
    han: int | None
    limit: int
    points: int
    words: Words


class YakuText(NamedTuple):
    """What a yaku's text says: its number (or -1 for a wind that is not named), han (None for a yakuman)."""

    number: int
    han: int | None
    name: str
    words: Words


def tenhou_word(word: str) -> str:
    """Tenhou's word for a word of another site."""
    return _OTHER_WORDS.get(word.strip(), word)


def _foreign(*written: str) -> Words:
    return tuple((tenhou_word(word), word) for word in written if tenhou_word(word) != word)


@lru_cache(maxsize=4096)
def parse_points(text: str) -> PointsText:
    """Read a win's text; raises ValueError."""
    match = _POINTS.fullmatch(text)
    if match is None or tenhou_word(match["points_word"]) != "点":
        raise ValueError(f"expected points such as 30符4飜7700点 or 満貫2000-4000点, found {text!r}")
    first, second = int(match["first"]), match["second"]
    points = 2 * first + int(second) if second else 3 * first if match["all"] else first
    if match["limit"] is None:
        words = _foreign(match["fu_word"], match["han_word"], match["points_word"])
        if (tenhou_word(match["fu_word"]), tenhou_word(match["han_word"])) != ("符", "飜"):
            raise ValueError(f"expected fu and han such as 30符4飜, found {text!r}")
        return PointsText(int(match["fu"]), int(match["han"]), 0, points, words)
    several = match["limit"][0].isdigit()  # 2倍役満
    limit = "役満" if several else tenhou_word(match["limit"])
    if limit not in LIMIT_WORDS:
        raise ValueError(f"expected a limit such as 満貫 or 役満, found {text!r}")
    words = _foreign(match["points_word"]) if several else _foreign(match["limit"], match["points_word"])
    return PointsText(None, None, LIMIT_WORDS.index(limit), points, words)


@lru_cache(maxsize=4096)
def parse_yaku(text: str) -> YakuText:
    """Read a yaku's text; raises ValueError."""
    match = _YAKU.fullmatch(text)
    if match is None:
        raise ValueError(f"expected a yaku such as 立直(1飜), found {text!r}")
    name = match["name"]
    number = _YAKU_NUMBERS.get(name, -1)
    if number < 0 and name not in (SEAT_WIND_WORD, ROUND_WIND_WORD, "Seat Wind", "Prevalent Wind"):
        raise ValueError(f"unknown yaku {name!r}")
    words: Words = ((YAKU_WORDS[number], name),) if number >= 0 and YAKU_WORDS[number] != name else ()
    if match["han"] is None:
        if not match["limit"].strip().endswith(("役満", "Yakuman")):
            raise ValueError(f"expected han such as (2飜) or (役満), found {text!r}")
        return YakuText(number, None, name, words + _foreign(match["limit"]))
    if tenhou_word(match["han_word"]) != "飜":
        raise ValueError(f"expected han such as (2飜) or (役満), found {text!r}")
    return YakuText(number, int(match["han"]), name, words + _foreign(match["han_word"]))


def format_points(
    points: int, limit: int, fu: int | None, han: int | None, tsumo: bool, dealer: bool, words: dict[str, str]
) -> str:
    """The text of a win, `words` in place of Tenhou's; a self-drawn win shows what each of the others pays."""
    fu_word, han_word, points_word = (words.get(word, word) for word in "符飜点")
    head = words.get(LIMIT_WORDS[limit], LIMIT_WORDS[limit]) if limit else f"{fu or 0}{fu_word}{han or 0}{han_word}"
    if not tsumo:
        return f"{head}{points}{points_word}"
    if dealer:
        return f"{head}{points // 3}{points_word}∀"
    other = -(-points // 400) * 100  # the dealer pays twice as much, rounded up to a hundred
    return f"{head}{other}-{points - 2 * other}{points_word}"


def format_yaku(number: int, han: int | None, words: dict[str, str]) -> str:
    """The text of a yaku, `words` in place of Tenhou's; without han, of a yakuman."""
    name = words.get(YAKU_WORDS[number], YAKU_WORDS[number])
    return f"{name}({words.get('役満', '役満').strip() if han is None else f'{han}' + words.get('飜', '飜')})"
