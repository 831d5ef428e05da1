"""The inputs of the network for values of draws: all four hands and the possible tiles, but never their order.

Tokens are those of `layout.py`: 34 kinds of tiles, four players, the game, the question. Players are relative to the
one who draws. Tile tokens show who holds, melded, discarded and needs the tile, who wins on it and for how much, and
how many copies nobody has seen.
"""

from __future__ import annotations

from typing import Final

from janshi.core.tiles import NUM_KINDS
from janshi.features.layout import Layout
from janshi.features.riichi.layout import SCORES, Section
from janshi.rules.riichi.state import PLAYERS

VERSION: Final = "open-1"
"""Changes whenever the meaning of an input changes."""
BASES: Final = (1, 1000, 2000, 3000, 6000)
"""Thresholds of the base points of a win."""
COUNTS: Final = (1, 3, 5, 8, 12, 16, 24, 32)
"""Thresholds of numbers of tiles."""

TILES: Final = Layout()
HELD: Final = TILES.add("held", "hands", player=PLAYERS, count=4)
HELD_RED: Final = TILES.add("red five held", "hands", player=PLAYERS)
MELDED: Final = TILES.add("melded", "melds", player=PLAYERS, type=3)
DISCARDED: Final = TILES.add("discarded", "river", player=PLAYERS)
PASSED: Final = TILES.add("passed since riichi", "river", player=PLAYERS)
USEFUL: Final = TILES.add("useful", "hands", player=PLAYERS)
TSUMO: Final = TILES.add("wins by drawing it", "hands", player=PLAYERS)
RON: Final = TILES.add("wins on it, base points at least", "hands", player=PLAYERS, threshold=len(BASES))
POOL: Final = TILES.add("nobody has seen", "tiles", count=5)
POOL_RED: Final = TILES.add("red five that nobody has seen", "tiles", one=1)
DORA: Final = TILES.add("dora", "dora", count=3)
SEAT_WIND: Final = TILES.add("seat wind", "tiles", player=PLAYERS)
ROUND_WIND: Final = TILES.add("round wind", "tiles", one=1)

PLAYER: Final = Layout()
POINTS: Final = PLAYER.add("points at least", "scores", threshold=len(SCORES))
RANK: Final = PLAYER.add("rank", "scores", rank=PLAYERS)
WIND: Final = PLAYER.add("wind", "situation", wind=PLAYERS)
RIICHI: Final = PLAYER.add("riichi", "riichi", type=2)
IPPATSU: Final = PLAYER.add("ippatsu", "riichi", one=1)
SHANTEN: Final = PLAYER.add("shanten", "hands", count=8)
FURITEN: Final = PLAYER.add("furiten", "hands", one=1)
MELDS: Final = PLAYER.add("melds", "melds", count=5)
OPEN: Final = PLAYER.add("open", "melds", one=1)
HELD_DORA: Final = PLAYER.add("dora and red fives", "dora", count=7)
USEFUL_LEFT: Final = PLAYER.add("useful tiles left at least", "hands", threshold=len(COUNTS))
WINS_LEFT: Final = PLAYER.add("winning tiles left at least", "hands", threshold=len(COUNTS))
VALUE: Final = PLAYER.add("best win by ron, base points at least", "hands", threshold=len(BASES))
TRIPLETS: Final = PLAYER.add("triplets of value honours", "hands", count=4)
HONOUR_PAIRS: Final = PLAYER.add("pairs of value honours", "hands", count=4)
FLUSH: Final = PLAYER.add("tiles of one suit and honours, at least 9", "hands", count=6)
PAIRS: Final = PLAYER.add("pairs", "hands", count=8)
OUTER: Final = PLAYER.add("terminals and honours", "hands", count=8)
DISCARDS: Final = PLAYER.add("discards", "river", part=8)

GAME: Final = Layout()
LEFT: Final = GAME.add("tiles left", "situation", part=19)
LAST: Final = GAME.add("last tiles", "situation", count=8)
HANDS_LEFT: Final = GAME.add("hands left at least", "situation", count=9)
HONBA: Final = GAME.add("honba", "situation", count=4)
STICKS: Final = GAME.add("sticks", "situation", count=5)
IN_RIICHI: Final = GAME.add("players in riichi", "riichi", count=5)
INDICATORS: Final = GAME.add("indicators", "dora", count=5)

QUESTION: Final = Layout()
REPLACEMENT: Final = QUESTION.add("the draw replaces a kan's tile", "question", one=1)

TILE_SECTION: Final = Section("tile", TILES, NUM_KINDS, 0)
PLAYER_SECTION: Final = Section("player", PLAYER, PLAYERS, TILE_SECTION.end)
GAME_SECTION: Final = Section("game", GAME, 1, PLAYER_SECTION.end)
QUESTION_SECTION: Final = Section("question", QUESTION, 1, GAME_SECTION.end)
SECTIONS: Final = (TILE_SECTION, PLAYER_SECTION, GAME_SECTION, QUESTION_SECTION)
INPUTS: Final = QUESTION_SECTION.end
"""How many inputs there are."""
NO_INPUT: Final = INPUTS
"""Pads lists of active inputs."""
