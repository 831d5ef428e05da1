"""How a hand ended, as JSON: who won with what, what it was worth, who pays, and the final result of a game."""

from __future__ import annotations

from typing import Any

from janshi.web.families import WEB_LAYER
from janshi.web.tiles import meld_tiles, sort_by_kind, tile_text

TSUMO, RON, EXHAUSTIVE = "tsumo", "ron", "exhaustive draw"
"""The page's names of results, those of riichi for all families."""


def outcome(table: Any) -> dict[str, Any] | None:
    """The result of the hand that has just ended, or None."""
    if table.asked:
        return None
    shown = (WEB_LAYER.of(table.game.family).describe_result or describe_result)(table)
    shown.setdefault("tenpai", [False] * table.game.players)
    return {**shown, "scores": list(table.scores), "final": _final(table) if table.over else None}


def _final(table: Any) -> dict[str, Any]:
    """Ranks and points at the end of a game."""
    scores = list(table.scores)
    order = sorted(range(len(scores)), key=lambda seat: (-scores[seat], seat))
    points = table.game.final_points(table._states)[0].tolist()
    return {"ranks": [order.index(seat) + 1 for seat in range(len(scores))], "points": [round(p, 1) for p in points]}


def shown_seats(table: Any) -> tuple[int, ...]:
    """Whose hands are shown at the end of a hand."""
    return (WEB_LAYER.of(table.game.family).shown_seats or _winner_shown)(table)


def _winner_shown(table: Any) -> tuple[int, ...]:
    winner = getattr(getattr(table, "result", None), "winner", None)
    return () if winner is None else (winner,)


def result_kind(table: Any, name: str) -> str:
    """The page's name of a family's result."""
    return WEB_LAYER.of(table.game.family).results.get(name, name)


def describe_result(table: Any) -> dict[str, Any]:
    """The result of any game whose hands have at most one winner, from the table's `result`, if it has one.

    It may have a `name`, the `winner`, the `payer` of a win on a discard, and the `scores` of the hand.
    """
    result = getattr(table, "result", None)
    winner, payer = getattr(result, "winner", None), getattr(result, "payer", None)
    changes = list(getattr(result, "scores", table.scores))
    name = getattr(result, "name", EXHAUSTIVE if winner is None else TSUMO if payer is None else RON)
    winners = []
    if winner is not None:
        tile = int(table.state["drawn" if payer is None else "tile"])
        winners = [{**won(table, winner, payer, tile), "fan": [], "points": changes[winner]}]
    return {"kind": result_kind(table, name), "winners": winners, "changes": changes}


def won(table: Any, winner: int, loser: int | None, tile: int) -> dict[str, Any]:
    """The winner's hand without the winning tile, that tile, and the payer."""
    tiles = list(table.hand(winner))
    if loser is None and tile in tiles:
        tiles.remove(tile)
    texts, s = table.game.tile_texts, table.state
    count = int(s["melds"][winner]) if "melds" in s.dtype.names else 0
    hand = [texts[t] for t in sort_by_kind(tiles)]
    melds = [_meld(table, winner, i) for i in range(count)]
    return {"seat": winner, "loser": loser, "hand": hand, "melds": melds, "tile": tile_text(texts, tile)}


def _meld(table: Any, winner: int, i: int) -> dict[str, Any]:
    s, web = table.state, WEB_LAYER.of(table.game.family)
    kind = web.melds[int(s["meld_type"][winner, i])]
    red = int(s["meld_red"][winner, i]) if "meld_red" in s.dtype.names else 0
    laid = meld_tiles(kind, int(s["meld_kind"][winner, i]), red, web.kan_size)
    taken, source = int(s["meld_tile"][winner, i]), int(s["meld_from"][winner, i])
    return {
        "kind": kind,
        "tiles": [tile_text(table.game.tile_texts, tile) for tile in laid],
        "called": laid.index(taken) if taken in laid else None,
        "from": source if source >= 0 else None,
    }
