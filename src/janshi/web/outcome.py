"""How a hand ended, as JSON: who won with what, what it counted, who pays, and the final result of a game."""

from __future__ import annotations

from typing import Any, Final

from janshi.rules.riichi.result import indicators
from janshi.rules.riichi.yaku import DORA, YAKU
from janshi.rules.simplified.distance import KIND_NAMES
from janshi.web.families import GAME_OVER, Family, meld_tiles, sort_by_kind

TSUMO, RON, EXHAUSTIVE = "tsumo", "ron", "exhaustive draw"
KINDS: Final = {
    "self-drawn": TSUMO,
    "discard": RON,
    "robbed kong": RON,
    "draw": EXHAUSTIVE,
    "self-draw": TSUMO,
    "win on a discard": RON,
}
"""What the families call their results, in the words of riichi."""


def outcome(table: Any, family: Family) -> dict[str, Any] | None:
    """The result of the hand that has just ended, or None."""
    result = table.result
    if result is None:
        return None
    players = table.game.players
    told = _TELLERS[family.name](table, family, result)
    told.setdefault("tenpai", [False] * players)
    over = family.phases[int(table.state["phase"])] == GAME_OVER
    return {**told, "scores": list(table.scores), "final": _final(table, family) if over else None}


def _final(table: Any, family: Family) -> dict[str, Any]:
    """Ranks and points at the end of a game."""
    scores = list(table.scores)
    if family.name == "riichi":
        return {"ranks": table.ranks(), "points": [round(float(points), 1) for points in table.final_points()]}
    order = sorted(range(len(scores)), key=lambda seat: (-scores[seat], seat))
    return {"ranks": [order.index(seat) + 1 for seat in range(len(scores))], "points": scores}


def shown_seats(table: Any) -> tuple[int, ...]:
    """Whose hands are laid open at the end of a hand."""
    result = table.result
    if result is None:
        return ()
    if hasattr(result, "wins"):
        return _shown_in_riichi(table, result)
    winner = result.winner if hasattr(result, "winner") else result.win and result.win.player
    return () if winner is None else (winner,)


def _shown_in_riichi(table: Any, result: Any) -> tuple[int, ...]:
    if result.wins:
        return tuple(win.player for win in result.wins)
    if result.kind == "nine terminals":
        return (table.actor,)
    if result.kind == "triple ron":
        return tuple(seat for seat in range(4) if seat != table.actor)
    return tuple(range(4)) if result.kind == "four riichi" else tuple(result.tenpai)


def ura_texts(table: Any, family: Family) -> list[str]:
    """The ura indicators, if a winner in riichi has turned them."""
    result = table.result
    if not any(table.in_riichi(win.player) for win in result.wins) or not table.rules.ura_dora:
        return []
    return [family.text(kind) for kind in indicators(table.state, ura=True)]


# --- riichi


def _riichi(table: Any, family: Family, result: Any) -> dict[str, Any]:
    told = {
        "kind": result.kind,
        "winners": [_riichi_win(table, family, win) for win in result.wins],
        "changes": list(result.changes),
        "tenpai": [seat in result.tenpai for seat in range(4)],
    }
    if result.nagashi:
        told["nagashi"] = list(result.nagashi)
    return told


def _riichi_win(table: Any, family: Family, win: Any) -> dict[str, Any]:
    report = win.report
    riichi = table.in_riichi(win.player) and table.rules.ura_dora
    return {
        **_won(table, family, win.player, win.loser, int(table.state["drawn" if win.loser is None else "tile"])),
        "yaku": _yaku(report),
        "han": report.han,
        "fu": report.fu,
        "yakuman": report.yakuman,
        "limit": report.limit,
        "points": win.points,
        "total": report.total,
        "honba": report.honba,
        "sticks": report.sticks,
        "fu_parts": [{"name": name, "fu": fu} for name, fu in report.fu_parts],
        "payments": [{"payer": payer, "points": points} for payer, points in report.payments],
        "dora": [family.text(tile) for tile in table.dora_indicators],
        "ura": [family.text(kind) for kind in indicators(table.state, ura=True)] if riichi else [],
    }


def _yaku(report: Any) -> list[dict[str, Any]]:
    """Yaku and dora with the han of each (of a yakuman: how many yakuman)."""
    rows = [(line.yaku, line.han) for line in report.yaku]
    if not report.yakuman:
        rows += [(yaku, n) for yaku, n in zip(YAKU[DORA:], (report.dora, report.ura, report.red)) if n]
    return [{"name": yaku.name, "romaji": yaku.romaji, "kanji": yaku.kanji, "han": han} for yaku, han in rows]


def _won(table: Any, family: Family, winner: int, loser: int | None, tile: int) -> dict[str, Any]:
    """The winner's hand without the winning tile, that tile, and the payer."""
    tiles = list(table.hand(winner))
    if loser is None and tile in tiles:
        tiles.remove(tile)
    s = table.state
    melds = []
    for i in range(int(s["melds"][winner])):
        kind = family.melds[int(s["meld_type"][winner, i])]
        red = int(s["meld_red"][winner, i]) if family.name == "riichi" else 0
        laid, taken = meld_tiles(family, kind, int(s["meld_kind"][winner, i]), red), int(s["meld_tile"][winner, i])
        source = int(s["meld_from"][winner, i])
        melds.append(
            {
                "kind": kind,
                "tiles": [family.text(t) for t in laid],
                "called": laid.index(taken) if taken in laid else None,
                "from": source if source >= 0 else None,
            }
        )
    hand = [family.text(t) for t in sort_by_kind(tiles)]
    return {"seat": winner, "loser": loser, "hand": hand, "melds": melds, "tile": family.text(tile)}


# --- the others


def _guobiao(table: Any, family: Family, result: Any) -> dict[str, Any]:
    winners = []
    if result.win is not None:
        win = result.win
        fans = [
            {"name": fan.name, "chinese": fan.chinese, "points": fan.value * count, "count": count}
            for fan, count in win.fans
        ]
        points = result.changes[win.player]
        told = _won(table, family, win.player, win.loser, win.tile)
        winners = [{**told, "fan": fans, "total": win.total, "points": points}]
    kind = KINDS.get(result.kind, result.kind)
    return {"kind": kind, "winners": winners, "changes": list(result.changes), "penalised": result.penalised}


def _simplified(table: Any, family: Family, result: Any) -> dict[str, Any]:
    winners = []
    if result.winner is not None:
        values = table.rules
        worth = dict(zip(KIND_NAMES, (values.honour_pung, values.straight, values.flush, values.all_pungs)))
        fans = [{"name": name, "points": worth[name], "count": 1} for name in result.hands]
        if result.kongs:
            fans.append({"name": "kong", "points": values.kong * result.kongs, "count": result.kongs})
        tile = int(table.state["drawn" if result.payer is None else "tile"])
        told = _won(table, family, result.winner, result.payer, tile)
        winners = [{**told, "fan": fans, "total": result.fan, "points": result.scores[result.winner]}]
    kind = KINDS.get(result.name, result.name)
    return {"kind": kind, "winners": winners, "changes": list(result.scores)}


_TELLERS: Final = {"riichi": _riichi, "guobiao": _guobiao, "simplified": _simplified}
