"""What differs between the families of rules when a table is told as JSON: tiles' texts, melds, phases, hands.

Views of all families have the same shape but for a few fields; a `Family` reads those few.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Final

from janshi.core.tiles import FIRST_RED, FIVE_M, NUM_TILES, RANKS, format_tiles
from janshi.rules.game import Game
from janshi.rules.simplified.tiles import CORE_KINDS
from janshi.web.shapes import RulesName

Texts = list[str]
UNKNOWN: Final = "?"
"""The text of a tile that the viewer may not know."""
WINDS: Final = "ESWN"
FIVES: Final = tuple(FIVE_M + RANKS * suit for suit in range(3))
TURN, REACTION, HAND_OVER, GAME_OVER = "turn", "reaction", "hand_over", "game_over"
NONE: Final = -1
"""No tile."""
CHI: Final = "chi"
ADDED_KAN: Final = "added_kan"
_MELDS: Final = ("none", CHI, "pon", "open_kan", "concealed_kan", ADDED_KAN)
_PHASES: Final = (TURN, TURN, REACTION, REACTION, HAND_OVER, GAME_OVER)


@dataclass(frozen=True, slots=True)
class Family:
    """How a family of rules is read."""

    name: str
    texts: tuple[str, ...]
    """The text of each tile."""
    phases: tuple[str, ...]
    melds: tuple[str, ...]
    new_table: Callable[[int, Any], Any]
    """Makes a table from a seed and rules."""

    def text(self, tile: int) -> str:
        """The text of a tile."""
        return self.texts[tile] if tile >= 0 else UNKNOWN

    def tiles(self, counts: Sequence[int], reds: int = 0) -> list[int]:
        """The tiles of a hand given by counts of kinds and a bit set of red fives, in order."""
        tiles: list[int] = []
        for kind, count in enumerate(counts):
            if not count:
                continue
            if reds and kind in FIVES and reds >> FIVES.index(kind) & 1:
                tiles.append(FIRST_RED + FIVES.index(kind))
                count -= 1
            tiles += [kind] * count
        return tiles


def _riichi(seed: int, rules: Any) -> Any:
    from janshi.rules.riichi.table import Table

    return Table(seed, rules)


def _guobiao(seed: int, rules: Any) -> Any:
    from janshi.rules.guobiao.table import Table

    return Table(seed, rules)


def _simplified(seed: int, rules: Any) -> Any:
    from janshi.rules.simplified.table import Table

    return Table(seed, rules)


_TEXTS: Final = tuple(format_tiles([tile]) for tile in range(NUM_TILES))
_SMALL: Final = tuple(_TEXTS[kind] for kind in CORE_KINDS)
FAMILIES: Final = {
    "riichi": Family("riichi", _TEXTS, _PHASES, _MELDS, _riichi),
    "guobiao": Family("guobiao", _TEXTS, _PHASES, _MELDS, _guobiao),
    "simplified": Family(
        "simplified", _SMALL, (TURN, TURN, REACTION, GAME_OVER), ("none", CHI, "pon", "concealed_kan"), _simplified
    ),
}


def family_of(game: Game) -> Family:
    """The family of a game."""
    return FAMILIES[game.family.name]


@lru_cache(maxsize=64)
def rules_told(game: Game) -> RulesName:
    """The rules as a position tells them; one game's answer must not be written to."""
    rounds = getattr(game.rules, "rounds", 1)
    name = game.rules.name.replace("_", " ")
    return {"id": game.name, "family": game.family.name, "name": name, "rounds": rounds}


def meld_tiles(family: Family, kind: str, low: int, red: int = 0) -> list[int]:
    """The tiles of a meld from its lowest kind; `red` is 1 if it holds a red five, 2 if that was added to a pon."""
    size = 3 if kind in (CHI, "pon") or family.name == "simplified" else 4
    if low == NONE:
        return [NONE] * size
    tiles = [low, low + 1, low + 2] if kind == CHI else [low] * size
    if red:
        five = next(k for k in tiles if k in FIVES)
        tiles[3 if red == 2 else tiles.index(five)] = FIRST_RED + FIVES.index(five)
    return tiles if kind == ADDED_KAN else sort_by_kind(tiles)


def sort_by_kind(tiles: list[int]) -> list[int]:
    """Tiles in order, a red five before the other fives of its suit."""
    return sorted(tiles, key=lambda tile: FIVES[tile - FIRST_RED] - 0.5 if tile >= FIRST_RED else tile)
