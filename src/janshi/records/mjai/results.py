"""Results in mjai, and what follows from the play where a dialect leaves it out.

The original dialect has its own names for yaku and for reasons of draws; its names of wind and dragon yaku do not say
which wind or dragon. Mortal's dialect has only the payments.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from janshi.core.tiles import COPIES, WHITE
from janshi.records.ids import PLAYERS, HandBuilder
from janshi.records.mjai.writer import REASONS
from janshi.records.model import DrawRecord, HandRecord, Kind, WinRecord
from janshi.rules.riichi.yaku import DOUBLE_RIICHI, DRAGON, ROUND_WIND, SEAT_WIND, YAKU

LIVE_TILES: Final = 70
"""Tiles that can be drawn in a hand, including replacements after kans."""

KIND_OF_REASON: Final = {reason: kind for kind, reason in REASONS.items()} | {
    "sufonrenda": "four winds",
    "howanpai": "exhaustive draw",
    "sanchahora": "triple ron",
}
"""Kinds of draws by the original dialect's reasons, in all their spellings."""

_LUCK_AND_SHAPE: Final = (
    "menzenchin_tsumoho reach ippatsu chankan rinshankaiho haiteiraoyue hoteiraoyui pinfu tanyaochu ipeko"
)
_TWO_HAN_AND_MORE: Final = (
    "double_reach chitoitsu honchantaiyao ikkitsukan sanshokudojun sanshokudoko sankantsu toitoiho sananko shosangen "
    "honroto ryanpeko junchantaiyao honiso chiniso renho tenho chiho daisangen suanko suankotanki tsuiso ryuiso "
    "chinroto churenpoton junseichurenpoton kokushimuso kokushimuso13 daisushi shosushi sukantsu dora uradora akadora"
)
_JIKAZE, _BAKAZE, _SANGENPAI = -1, -2, -3
ORIGINAL_YAKU: Final = {
    **{name: number for number, name in enumerate(_LUCK_AND_SHAPE.split())},
    **{name: number for number, name in enumerate(_TWO_HAN_AND_MORE.split(), DOUBLE_RIICHI)},
    "jikaze": _JIKAZE,
    "bakaze": _BAKAZE,
    "sangenpai": _SANGENPAI,
}
"""The original dialect's names of the yaku; those of winds and dragons do not say which."""
NUMBER_OF_NAME: Final = {yaku.romaji: yaku.number for yaku in YAKU}
"""Yaku by the names that we write."""
YAKUMAN: Final = frozenset(yaku.number for yaku in YAKU if yaku.yakuman)


def kind_of_draw(builder: HandBuilder, changes: Sequence[int]) -> str:
    """The kind of draw a hand ended in, if the record does not say."""
    events = builder.events
    if any(changes):
        return "exhaustive draw" if max(changes) <= 3000 else "nagashi mangan"
    if sum(event.kind == Kind.DRAW for event in events) >= LIVE_TILES - len(builder.kans):
        return "exhaustive draw"
    if builder.drawn >= 0:
        return "nine terminals"
    if len(builder.paid) == PLAYERS:
        return "four riichi"
    if len(builder.kans) == COPIES:
        return "four kans"
    discards = [event for event in events if event.kind == Kind.DISCARD]
    if len(discards) == PLAYERS and len({event.tile // COPIES for event in discards}) == 1:
        return "four winds"
    return "triple ron"


def showing(builder: HandBuilder, draw: DrawRecord) -> Sequence[int]:
    """Whose hands are shown at a draw."""
    if draw.kind == "nine terminals":
        return [player for player in range(PLAYERS) if builder.drawn in builder.hands[player]]
    if draw.kind == "triple ron":
        return [player for player in range(PLAYERS) if builder.last and player != builder.last.player]
    return range(PLAYERS) if draw.kind == "four riichi" else draw.tenpai or ()


def name_winds_and_dragons(win: WinRecord, hand: HandRecord) -> None:
    """Number the yaku that the original dialect does not name in full."""
    if all(number >= 0 for number, _ in win.yaku):
        return
    held = [tile_id // COPIES for tile_id in win.hand]
    pons = [event.tile // COPIES for event in hand.events if event.kind == Kind.PON and event.player == win.winner]
    kans = [
        event.tiles[0] // COPIES
        for event in hand.events
        if event.kind in (Kind.OPEN_KAN, Kind.CONCEALED_KAN) and event.player == win.winner
    ]
    dragons = [i for i in range(3) if held.count(WHITE + i) >= 3 or WHITE + i in pons or WHITE + i in kans]
    numbered: list[tuple[int, int]] = []
    for number, han in win.yaku:
        if number == _JIKAZE:
            numbered.append((SEAT_WIND + (win.winner - hand.dealer) % PLAYERS, han))
        elif number == _BAKAZE:
            numbered.append((ROUND_WIND + hand.round // PLAYERS, han))
        elif number == _SANGENPAI:
            numbered += [(DRAGON + i, 1) for i in dragons]
        else:
            numbered.append((number, han))
    win.yaku = tuple(numbered)
