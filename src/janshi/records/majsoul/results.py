"""Results of Mahjong Soul's hands: yaku by their numbers there, payments of several wins, kinds of draws."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from janshi.records.ids import PLAYERS, tiles_of_ids
from janshi.records.limits import YAKUMAN_LIMIT, limit_number
from janshi.records.mjai.results import kind_of_draw
from janshi.records.model import DrawRecord, WinRecord
from janshi.rules.riichi import yaku as y
from janshi.rules.riichi.ruleset import STICK

if TYPE_CHECKING:
    from janshi.records.majsoul.reader import _Hand

SEAT_WIND_ID, ROUND_WIND_ID = 10, 11
_ORDINARY: Final = (
    *(y.MENZEN_TSUMO, y.RIICHI, y.CHANKAN, y.RINSHAN, y.HAITEI, y.HOUTEI, y.DRAGON, y.DRAGON + 1, y.DRAGON + 2),
    *(y.SEAT_WIND, y.ROUND_WIND, y.TANYAO, y.IIPEIKOU, y.PINFU, y.CHANTA, y.ITTSU, y.SANSHOKU, y.DOUBLE_RIICHI),
    *(y.SANSHOKU_DOUKOU, y.SANKANTSU, y.TOITOI, y.SANANKOU, y.SHOUSANGEN, y.HONROUTOU, y.CHIITOITSU, y.JUNCHAN),
    *(y.HONITSU, y.RYANPEIKOU, y.CHINITSU, y.IPPATSU, y.DORA, y.RED_DORA, y.URA_DORA),
)
_YAKUMAN: Final = (
    *(y.TENHOU, y.CHIIHOU, y.DAISANGEN, y.SUUANKOU, y.TSUUIISOU, y.RYUUIISOU, y.CHINROUTOU, y.KOKUSHI, y.SHOUSUUSHII),
    *(y.SUUKANTSU, y.CHUUREN),
)
YAKU: Final[dict[int, int]] = {
    **dict(enumerate(_ORDINARY, 1)),
    **dict(enumerate(_YAKUMAN, 35)),
    **dict(enumerate((y.JUNSEI_CHUUREN, y.SUUANKOU_TANKI, y.KOKUSHI_13, y.DAISUUSHII), 47)),
}
"""Our numbers of the yaku by Mahjong Soul's; the winds are the first of their four. 34 (north) and 46 (eight dealer
wins) are of other games, numbers above 50 are local yaku."""
_NAMES: Final = (
    *("门前清自摸和", "立直", "枪杠", "岭上开花", "海底摸月", "河底捞鱼", "役牌 白", "役牌 发", "役牌 中"),
    *("役牌:门风牌", "役牌:场风牌", "断幺九", "一杯口", "平和", "混全带幺九", "一气通贯", "三色同顺"),
    *("两立直", "三色同刻", "三杠子", "对对和", "三暗刻", "小三元", "混老头", "七对子", "纯全带幺九"),
    *("混一色", "二杯口", "清一色", "一发", "宝牌", "红宝牌", "里宝牌", "拔北宝牌", "天和", "地和"),
    *("大三元", "四暗刻", "字一色", "绿一色", "清老头", "国士无双", "小四喜", "四杠子", "九莲宝灯"),
    *("八连庄", "纯正九莲宝灯", "四暗刻单骑", "国士无双十三面", "大四喜"),
)
NUMBERS: Final = {name: number for number, name in enumerate(_NAMES, 1)}
"""Mahjong Soul's numbers of the yaku by their names; the first records have only names."""
DRAWS: Final = {1: "nine terminals", 2: "four winds"}
"""Kinds of draws by their types; the others follow from the play."""
MOST_TYPE: Final = 5


def wins_of(reader: _Hand, message: Any) -> list[WinRecord]:
    """The wins of a `RecordHule`, in the order of turns after the discarder."""
    if not message.hules or len(message.delta_scores) != PLAYERS:
        reader.fail("a win without a winner or without its payments")
    last = reader.builder.last
    loser = -1 if last is None else last.player
    hules = sorted(message.hules, key=lambda hule: (hule.seat - loser) % PLAYERS)
    if len({hule.seat for hule in hules}) != len(hules) or any(hule.seat >= PLAYERS for hule in hules):
        reader.fail("several wins of one player, or of a player who does not exist")
    if any(hule.zimo for hule in hules) and len(hules) > 1:
        reader.fail("several wins by self-draw: expected one")
    wins = [_win(reader, hule, hule.seat if hule.zimo else loser) for hule in hules]
    changes = _changes(reader, hules, tuple(message.delta_scores), loser)
    for win, change in zip(wins, changes):
        win.changes = change
    ura = max((list(hule.li_doras) for hule in hules), key=len)
    reader.builder.complete_wins(reader.hand, wins, reader.tiles(ura))
    return wins


def _win(reader: _Hand, hule: Any, loser: int) -> WinRecord:
    win = WinRecord(hule.seat, loser, ())
    win.points = _points(hule)
    numbered = tuple((_number(reader, fan, hule.seat), fan.val) for fan in hule.fans)
    if hule.yiman:
        win.yakuman, win.limit = tuple(number for number, _ in numbered), YAKUMAN_LIMIT
    else:
        win.yaku, win.fu, win.han = numbered, hule.fu, hule.count
        win.limit = limit_number(hule.count, hule.fu)
    tile = tiles_of_ids(reader.rules.red_fives)[reader.builder.winning_tile(hule.seat, loser)]
    if reader.tile(hule.hu_tile) != tile:
        reader.fail(f"player {hule.seat} wins on {hule.hu_tile}: expected the tile just drawn, discarded or added")
    return win


def _points(hule: Any) -> int:
    if not hule.zimo:
        return int(hule.point_rong)
    dealer = hule.point_zimo_xian if hule.qinjia else hule.point_zimo_qin
    return int(dealer + 2 * hule.point_zimo_xian)


def _number(reader: _Hand, fan: Any, winner: int) -> int:
    """Our number of a yaku, which a record names by a number, or in the first years by its name."""
    number = fan.id or NUMBERS.get(fan.name)
    if number not in YAKU:
        reader.fail(f"yaku {fan.name or fan.id}, which is not known here")
    if number == SEAT_WIND_ID:
        return int(y.SEAT_WIND + (winner - reader.hand.dealer) % PLAYERS)
    if number == ROUND_WIND_ID:
        return int(y.ROUND_WIND + reader.hand.round // PLAYERS)
    return YAKU[number]


def _changes(reader: _Hand, hules: list[Any], total: tuple[int, ...], loser: int) -> list[tuple[int, ...]]:
    """Score changes of each win: sticks go to the first, and each is paid by the discarder."""
    if len(hules) == 1:
        return [total]
    sticks = STICK * (reader.hand.sticks + len(reader.builder.paid))
    found = []
    for number, hule in enumerate(hules):
        change = [0] * PLAYERS
        change[hule.seat] = total[hule.seat]
        change[loser] = -(total[hule.seat] - (0 if number else sticks))
        found.append(tuple(change))
    if tuple(map(sum, zip(*found))) != total:
        reader.fail("several wins of which one is paid by a liable player: their payments cannot be separated")
    return found


def draw_of(reader: _Hand, message: Any) -> DrawRecord:
    """A hand without a winner, by `RecordNoTile` or `RecordLiuJu`."""
    honba = reader.hand.honba
    if message.DESCRIPTOR.name == "RecordNoTile":
        changes = [0] * PLAYERS
        for score in message.scores:
            if len(score.delta_scores) not in (0, PLAYERS):
                reader.fail(f"payments are {list(score.delta_scores)}: expected four")
            changes = [a + b for a, b in zip(changes, score.delta_scores)] if score.delta_scores else changes
        if len(message.players) != PLAYERS:
            reader.fail(f"{len(message.players)} players at the draw: expected four")
        tenpai = tuple(player for player, state in enumerate(message.players) if state.tingpai)
        kind = "nagashi mangan" if message.liujumanguan else "exhaustive draw"
        return DrawRecord(kind, tuple(changes), {}, tenpai, honba)
    if not 1 <= message.type <= MOST_TYPE:
        reader.fail(f"a draw of type {message.type}: expected 1 to {MOST_TYPE}")
    kind = kind_of_draw(reader.builder, (0,) * PLAYERS)
    if DRAWS.get(message.type, kind) != kind:
        reader.fail(f"{DRAWS[message.type]}, but the play ends in {kind}")
    return DrawRecord(kind, (0,) * PLAYERS, {}, None, honba)
