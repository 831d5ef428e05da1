"""The inputs of the riichi network, one by one: 34 tile tokens, four player tokens, a game token, a question token.

Every input is a yes-or-no channel of one token. Tile tokens share one set of channels, player tokens another; the game
and the question have their own. Players are relative: 0 is the viewer, 1 the next player, and so on. A position is
stored as the list of its active inputs, so that records are small and a device expands them with one scatter.

`docs/riichi_inputs.md` is written from this file. Topics marked as derived follow from the others by rules or tables
(shanten, useful tiles, what a win does to the ranks); a network can be trained without them.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from janshi.core.tiles import NUM_KINDS
from janshi.features.layout import Layout
from janshi.rules.riichi.state import PLAYERS

VERSION: Final = "riichi-1"
"""Changes whenever the meaning of an input changes; a network is trained for one version."""

OPPONENTS: Final = PLAYERS - 1
TURNS: Final = 24
"""Number of river positions with their own channels; later discards share the last."""
AGES: Final = 5
"""How long ago a discard was made: among the last 1, 4, 8 or 16 discards of all players, or earlier."""
RESULTS: Final = (1000, 2000, 3900, 5200, 8000, 12000, 16000, 24000, 32000)
"""Values of a non-dealer's win by ron; a dealer's is half as much again."""
GAPS: Final = (-24000, -16000, -12000, -8000, -4000, -2000, -1000, 0, 1000, 2000, 4000, 8000, 12000, 16000, 24000)
"""Thresholds of the difference between a player's points and the viewer's."""
SCORES: Final = (0, 4000, 8000, 12000, 16000, 20000, 24000, 28000, 32000, 36000, 40000, 48000)
"""Thresholds of points."""

TILES: Final = Layout()
HAND: Final = TILES.add("hand", "hand", count=4)
HAND_RED: Final = TILES.add("red five in hand", "hand", one=1)
DRAWN: Final = TILES.add("drawn", "hand", red=2)
MAY_DISCARD: Final = TILES.add("may discard", "legal", one=1)
UNSEEN: Final = TILES.add("unseen", "tiles", count=5)
DORA: Final = TILES.add("dora", "dora", count=3)
INDICATOR: Final = TILES.add("indicator", "dora", one=1)
SEAT_WIND: Final = TILES.add("seat wind", "tiles", player=PLAYERS)
ROUND_WIND: Final = TILES.add("round wind", "tiles", one=1)
CALLABLE: Final = TILES.add("tile in question", "question", source=PLAYERS, red=2)
RIVER: Final = TILES.add("river", "river", player=PLAYERS, drawn=2, turn=TURNS)
RIVER_RED: Final = TILES.add("river red", "river", player=PLAYERS)
RIICHI_TILE: Final = TILES.add("riichi tile", "river", player=PLAYERS)
CALLED: Final = TILES.add("called away", "river", player=PLAYERS)
AGE: Final = TILES.add("age of discard", "river", player=PLAYERS, age=AGES)
LAST: Final = TILES.add("last discard", "river", player=PLAYERS)
SAFE: Final = TILES.add("safe against", "safety", player=OPPONENTS)
PASSED: Final = TILES.add("passed since last change", "safety", player=OPPONENTS)
CHI: Final = TILES.add("chi", "melds", player=PLAYERS, count=2)
PON: Final = TILES.add("pon", "melds", player=PLAYERS)
KAN: Final = TILES.add("kan", "melds", player=PLAYERS, type=3)
MELD_RED: Final = TILES.add("red five in meld", "melds", player=PLAYERS)
CALLED_TILE: Final = TILES.add("called tile", "melds", player=PLAYERS, source=PLAYERS)
CALLED_AT: Final = TILES.add("when called", "melds", player=PLAYERS, part=4)
SHANTEN_KEPT: Final = TILES.add("keeps shanten", "efficiency", one=1)
USEFUL_AFTER: Final = TILES.add("useful tiles after discard", "efficiency", part=7)
USEFUL: Final = TILES.add("useful", "efficiency", one=1)
WAIT: Final = TILES.add("own wait", "efficiency", one=1)
SUJI: Final = TILES.add("suji", "danger", player=OPPONENTS, sides=2)
NO_CHANCE: Final = TILES.add("no chance", "danger", sides=2)

PLAYER: Final = Layout()
POINTS: Final = PLAYER.add("points at least", "scores", threshold=len(SCORES))
GAP: Final = PLAYER.add("points above the viewer's", "scores", threshold=len(GAPS))
RANK: Final = PLAYER.add("rank", "scores", rank=PLAYERS)
WIND: Final = PLAYER.add("wind", "situation", wind=PLAYERS)
RIICHI: Final = PLAYER.add("riichi", "riichi", type=2)
IPPATSU: Final = PLAYER.add("ippatsu", "riichi", one=1)
RIICHI_TURN: Final = PLAYER.add("turn of riichi", "riichi", turn=TURNS)
SINCE_RIICHI: Final = PLAYER.add("discards since riichi", "riichi", part=6)
DISCARDS: Final = PLAYER.add("discards", "river", count=TURNS + 1)
DRAWN_RUN: Final = PLAYER.add("tsumogiri in a row", "river", count=6)
OPEN_MELDS: Final = PLAYER.add("open melds", "melds", count=5)
KANS: Final = PLAYER.add("kans", "melds", count=3)
MELD_DORA: Final = PLAYER.add("dora in melds", "melds", count=6)
TO_ACT: Final = PLAYER.add("acts now", "situation", one=1)
OVERTAKE_RON: Final = PLAYER.add("viewer overtakes by ron from", "standing", result=len(RESULTS))
OVERTAKE_OTHER: Final = PLAYER.add("viewer overtakes by ron from another", "standing", result=len(RESULTS))
OVERTAKE_TSUMO: Final = PLAYER.add("viewer overtakes by tsumo", "standing", result=len(RESULTS))
OVERTAKEN_RON: Final = PLAYER.add("overtakes the viewer by ron from", "standing", result=len(RESULTS))
OVERTAKEN_OTHER: Final = PLAYER.add("overtakes the viewer by ron from another", "standing", result=len(RESULTS))
OVERTAKEN_TSUMO: Final = PLAYER.add("overtakes the viewer by tsumo", "standing", result=len(RESULTS))

GAME: Final = Layout()
ROUND: Final = GAME.add("hand of the game", "situation", kyoku=12)
HANDS_LEFT: Final = GAME.add("hands left at least", "situation", count=8)
HONBA: Final = GAME.add("honba", "situation", count=6)
STICKS: Final = GAME.add("sticks", "situation", count=5)
TILES_LEFT: Final = GAME.add("tiles left", "situation", part=19)
LAST_TILES: Final = GAME.add("last tiles", "situation", count=8)
INDICATORS: Final = GAME.add("indicators", "dora", count=5)
IN_RIICHI: Final = GAME.add("opponents in riichi", "riichi", count=4)
LENGTH: Final = GAME.add("rounds", "rules", rounds=2)
RED_FIVES: Final = GAME.add("red fives", "rules", yes=1)
OPEN_TANYAO: Final = GAME.add("open tanyao", "rules", yes=1)
EXTRA_ROUND: Final = GAME.add("extra round", "rules", yes=1)
BUST_ENDS: Final = GAME.add("bust ends", "rules", yes=1)
HEAD_BUMP: Final = GAME.add("one ron only", "rules", yes=1)

QUESTION: Final = Layout()
PHASE: Final = QUESTION.add("phase", "question", phase=3)
SOURCE: Final = QUESTION.add("tile comes from", "question", player=PLAYERS)
ASKED_KIND: Final = QUESTION.add("tile in question: kind", "question", kind=NUM_KINDS)
DRAWN_KIND: Final = QUESTION.add("drawn tile: kind", "question", kind=NUM_KINDS)
LEGAL: Final = QUESTION.add("may", "legal", action=16)
DECLARING: Final = QUESTION.add("riichi said", "question", one=1)
CLOSED: Final = QUESTION.add("closed hand", "hand", one=1)
REDS: Final = QUESTION.add("red fives held", "hand", count=4)
DORA_HELD: Final = QUESTION.add("dora held", "hand", count=6)
FURITEN: Final = QUESTION.add("furiten", "hand", one=1)
FIRST_TURN: Final = QUESTION.add("first turn", "situation", one=1)
SHANTEN: Final = QUESTION.add("shanten", "efficiency", count=8)
WAITS: Final = QUESTION.add("kinds waited for", "efficiency", count=7)

TOPICS: Final = {
    "hand": "the viewer's concealed tiles, red fives and drawn tile",
    "legal": "what may be done now",
    "tiles": "how many tiles of a kind are unseen, and whose wind it is",
    "dora": "indicators and the dora they make",
    "question": "the tile that the viewer may call or win on, or has drawn",
    "river": "all discards in order, from the hand or drawn, red, at riichi, called away, and how long ago",
    "safety": "kinds a player cannot win on: own discards and what passed since riichi; what passed since the last "
    "discard from the hand",
    "melds": "melds with the called tile, its source and time",
    "riichi": "who is in riichi and since when",
    "scores": "points, differences and ranks",
    "standing": "derived: which wins let the viewer overtake a player, and a player overtake the viewer",
    "efficiency": "derived: shanten, the discards that keep it, useful tiles, waits",
    "danger": "derived: suji and no-chance tiles",
    "situation": "round, honba, sticks, tiles left, winds",
    "rules": "flags of the rules",
}
"""The content of each topic's inputs."""

DERIVED: Final = ("standing", "efficiency", "danger")
"""Topics that follow from the others."""


@dataclass(frozen=True)
class Section:
    """The inputs of one kind of token: `tokens` tokens with the channels of one layout, starting at input `first`."""

    name: str
    layout: Layout
    tokens: int
    first: int

    @property
    def width(self) -> int:
        """Channels of each token."""
        return self.layout.size

    @property
    def end(self) -> int:
        """The input after the last."""
        return self.first + self.tokens * self.width


TILE_SECTION: Final = Section("tile", TILES, NUM_KINDS, 0)
PLAYER_SECTION: Final = Section("player", PLAYER, PLAYERS, TILE_SECTION.end)
GAME_SECTION: Final = Section("game", GAME, 1, PLAYER_SECTION.end)
QUESTION_SECTION: Final = Section("question", QUESTION, 1, GAME_SECTION.end)
SECTIONS: Final = (TILE_SECTION, PLAYER_SECTION, GAME_SECTION, QUESTION_SECTION)
INPUTS: Final = QUESTION_SECTION.end
"""How many inputs there are."""
NO_INPUT: Final = INPUTS
"""Pads lists of active inputs."""
TOKENS: Final = sum(section.tokens for section in SECTIONS)
