"""What an opponent shows, worked out slowly and plainly from a view."""

from __future__ import annotations

from typing import Any

from janshi.core.tiles import kind_of
from janshi.rules.riichi.dora import dora_of

TSUMOGIRI, RIICHI, CALLED = 1, 2, 4
CHI, PON, CONCEALED_KAN = 1, 2, 4


def river(view: Any, player: int) -> list[tuple[int, int, int]]:
    """(kind, flags, order) of each discard."""
    length = int(view["discards"][player])
    columns = (view["river"][player], view["river_flags"][player], view["river_order"][player])
    return [(kind_of(int(a)), int(b), int(c)) for a, b, c in list(zip(*columns))[:length]]


def melds(view: Any, player: int) -> list[tuple[int, list[int]]]:
    """(type, kinds) of each meld."""
    out = []
    for i in range(int(view["melds"][player])):
        kind, type = int(view["meld_kind"][player][i]), int(view["meld_type"][player][i])
        out.append((type, [kind, kind + 1, kind + 2] if type == CHI else [kind] * (3 if type == PON else 4)))
    return out


def riichi_order(view: Any, player: int) -> int | None:
    """When a player declared riichi."""
    return next((order for _, flags, order in river(view, player) if flags & RIICHI), None)


def safe_kinds(view: Any, player: int) -> set[int]:
    """Kinds that furiten rules out."""
    own = river(view, player)
    since = riichi_order(view, player)
    if since is None:
        since = own[-1][2] if own else -1
    others = [entry for p in range(4) if p != player for entry in river(view, p)]
    return {kind for kind, _, _ in own} | {kind for kind, _, order in others if order > since}


def dora_kinds(view: Any) -> list[int]:
    """The dora, one for each indicator."""
    return [dora_of(kind_of(int(tile))) for tile in view["indicators"] if tile >= 0]


def worth(view: Any, player: int, kind: int) -> int:
    """Han of a triplet of a kind."""
    if kind < 27:
        return 0
    if kind >= 31:
        return 1
    seat = (player - int(view["dealer"])) % 4
    return int(kind - 27 == seat) + int(kind - 27 == int(view["kyoku"]) // 4 % 4)


def meld_dora(view: Any, player: int) -> int:
    """Dora and red fives in the melds."""
    tiles = [kind for _, kinds in melds(view, player) for kind in kinds]
    reds = sum(1 for i in range(int(view["melds"][player])) if view["meld_red"][player][i])
    return reds + sum(tiles.count(kind) for kind in dora_kinds(view))


def role(view: Any, player: int, kind: int) -> int:
    """The role of a kind: rank from the nearer end, then dragon, wind of one han, of two, of none."""
    if kind < 27:
        return min(kind % 9, 8 - kind % 9)
    if kind >= 31:
        return 5
    return {1: 6, 2: 7, 0: 8}[worth(view, player, kind)]


def known_kinds(view: Any, player: int) -> set[int]:
    """Safe kinds, and those that were let go since the last discard from the hand."""
    if riichi_order(view, player) is not None:
        return safe_kinds(view, player)
    changes = [order for _, flags, order in river(view, player) if not flags & TSUMOGIRI]
    since = changes[-1] if changes else -1
    others = {kind for p in range(4) if p != player for kind, _, order in river(view, p) if order > since}
    return safe_kinds(view, player) | others


def free_lines(view: Any, player: int) -> int:
    """Pairs of ranks three apart of which neither is safe or was let go."""
    safe = known_kinds(view, player)
    return sum(not {9 * s + r, 9 * s + r + 3} & safe for s in range(3) for r in range(6))
