"""Guobiao for the page: walls and flowers in positions, its 235 actions, and the fan of a win."""

from __future__ import annotations

from typing import Any, Final

from janshi.rules.game import Game
from janshi.rules.guobiao import actions as act
from janshi.rules.guobiao.state import FLOWERS, PLAYERS
from janshi.web.choices import win_or_pass
from janshi.web.families import Read, Reasons, ReviewFamily, Traits, WebFamily
from janshi.web.outcome import EXHAUSTIVE, RON, TSUMO, result_kind, won
from janshi.web.reader import PositionReader
from janshi.web.review.threats import GuobiaoThreats
from janshi.web.tiles import ADDED_KAN, CHI, CONCEALED_KAN, OPEN_KAN, PON


class GuobiaoReader(PositionReader):
    """Reads a Guobiao position."""

    def round(self) -> dict[str, Any]:
        """Round, tiles left (in each wall if everybody has their own) and dealer."""
        prevalent = int(self.table.wind)  # a hand of Botzone may have any
        shown = {**super().round(), "round": prevalent * PLAYERS + self.dealer}
        return {**shown, "walls": self.walls() if self.table.state["own_walls"] else None}

    def walls(self) -> list[int]:
        """Tiles left for each player to draw."""
        return [int(n) for n in self.table.tiles_left]

    def left(self) -> int:
        """Tiles left to draw, in all walls."""
        return sum(self.walls()) if self.table.state["own_walls"] else self.walls()[0]

    def meld_kinds(self) -> list[list[int]]:
        """The lowest kind of each meld; also of concealed kongs if all hands are open."""
        return self.rows("all_meld_kind" if self.open else "meld_kind")

    def more(self, place: int) -> dict[str, Any]:
        """The flowers a player has set aside."""
        flowers = int(self.view["flowers"][place])
        return {"flowers": [i + 1 for i in range(FLOWERS) if flowers >> i & 1]}


def read_action(game: Game, view: Any, action: int) -> Read:
    """An action of the player of a view."""
    if action < act.CHI:
        return "discard", action, [action], None
    called = int(view["tile"])
    if action < act.PENG:
        first = int(act.chi_first(action))
        return CHI, called, [k for k in range(first, first + 3) if k != called], None
    if action < act.KONG:
        return PON, called, [called] * 2, None
    if action < act.CONCEALED_KONG:
        return "kan", called, [called] * 3, OPEN_KAN
    if action < act.ADDED_KONG:
        return "kan", action - act.CONCEALED_KONG, [action - act.CONCEALED_KONG] * 4, CONCEALED_KAN
    if action < act.HU:
        return "kan", action - act.ADDED_KONG, [action - act.ADDED_KONG], ADDED_KAN
    return win_or_pass(view, action == act.HU)


def describe_result(table: Any) -> dict[str, Any]:
    """The result of the hand that has just ended."""
    result = table.result
    winners = []
    if result.win is not None:
        win = result.win
        fans = [
            {"name": fan.name, "chinese": fan.chinese, "points": fan.value * count, "count": count}
            for fan, count in win.fans
        ]
        points = result.changes[win.player]
        shown = won(table, win.player, win.loser, win.tile)
        winners = [{**shown, "fan": fans, "total": win.total, "points": points}]
    kind, changes = result_kind(table, result.kind), list(result.changes)
    return {"kind": kind, "winners": winners, "changes": changes, "penalised": result.penalised}


def shown_seats(table: Any) -> tuple[int, ...]:
    """The winner's hand is shown."""
    win = table.result.win
    return () if win is None else (win.player,)


def _get_ready() -> None:
    from janshi.records.botzone.replay import Recorder, replay
    from janshi.rules.guobiao.table import Table

    playing = Recorder(Table(seed=1))
    while not playing.table.hand_over:
        playing.step({seat: playing.table.legal_actions(seat)[0] for seat in playing.table.asked})
    replay(playing.record("own"))


def _reasons() -> Reasons:
    from janshi.rules.guobiao.hand import Hand
    from janshi.web.review.why.fan import worth_in_reach

    return Reasons(Hand, worth_in_reach)


FAMILY: Final = WebFamily(
    traits=Traits(yardstick="search"),
    hides_kans=True,
    reader=GuobiaoReader,
    read_action=read_action,
    describe_result=describe_result,
    shown_seats=shown_seats,
    results={"self-drawn": TSUMO, "discard": RON, "robbed kong": RON, "draw": EXHAUSTIVE},
    warmed=("search", "rvr"),
    warmed_last=("janshi.agents.search.reach:compile_kernels",),
    review=ReviewFamily(
        "rvr",
        ("botzone", "botzone_log"),
        _get_ready,
        _reasons,
        silent=("search",),
        threats=GuobiaoThreats,
        luck=True,
    ),
)
