"""Views for tests of the MDP player: positions written down, and positions of games among simple players."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

from janshi.agents.base import Asked
from janshi.agents.registry import make_agent
from janshi.core.melds import Meld
from janshi.core.tiles import FIRST_RED, kind_of, parse_tiles
from janshi.rules.batch import Batch
from janshi.rules.game import Array
from janshi.rules.registry import make_game
from janshi.rules.riichi import actions as act
from janshi.rules.riichi.state import REACTION, RIICHI_FLAG, TURN
from janshi.rules.riichi.view import VIEW_DTYPE

GAME = make_game("riichi/tenhou_east")
EVEN = (25_000,) * 4
LAST = 3
"""The kyoku of East 4, the last hand of the game."""


def set_legal(view: Any, actions: list[int]) -> None:
    view["legal"][:] = 0
    for action in actions:
        view["legal"][action // act.HALF] |= 1 << (action % act.HALF)


def hold(view: Any, tiles: list[int], by: int = 1) -> None:
    for tile in tiles:
        view["hand"][kind_of(tile)] += by
        if tile >= FIRST_RED:
            view["reds"] |= 1 << tile - FIRST_RED


def own_turn(
    hand: str,
    rivers: tuple[str, str, str] = ("1z9m", "9s2z", "1p3z"),
    riichi: tuple[int, ...] = (),
    more: tuple[int, ...] = (),
    own: str = "",
    melds: str = "",
    indicator: str = "6z",
    scores: tuple[int, ...] = EVEN,
    kyoku: int = 0,
    seat: int = 0,
) -> Any:
    """A view in turn; the last tile of the hand was drawn. Rivers of the others and all scores go in turn order."""
    view = np.zeros(1, VIEW_DTYPE)[0]
    for name in ("indicators", "river", "meld_kind", "meld_tile", "meld_from"):
        view[name][:] = -1
    tiles = parse_tiles(hand)
    hold(view, tiles)
    view["scores"][:], view["kyoku"], view["seat"], view["dealer"] = scores, kyoku, seat, (kyoku - seat) % 4
    view["phase"], view["drawn"], view["tile"], view["indicators"][0] = TURN, tiles[-1], -1, parse_tiles(indicator)[0]
    view["seen"][kind_of(int(view["indicators"][0]))] += 1
    for player, river in enumerate((own, *rivers)):
        for i, tile in enumerate(parse_tiles(river) if river else []):
            view["river"][player, i], view["river_order"][player, i] = tile, 4 * i + player
            view["seen"][kind_of(tile)] += 1
            view["discards"][player] += 1
        if player in riichi:
            view["riichi"][player] = 1
            view["river_flags"][player, view["discards"][player] - 1] = RIICHI_FLAG
            view["scores"][player] -= 1000
            view["sticks"] += 1
    for i, word in enumerate(melds.split()):
        meld = Meld.parse(word)
        view["melds"][0] += 1
        view["meld_type"][0, i], view["meld_kind"][0, i], view["meld_tile"][0, i] = meld.type, meld.kind, meld.tiles[0]
        view["meld_from"][0, i] = 3
        for tile in meld.tiles:
            view["seen"][kind_of(tile)] += 1
    view["turns"] = view["discards"].sum()
    view["left"] = 70 - view["turns"]
    set_legal(view, [*set(tiles[:-1]), act.TSUMOGIRI, *more])
    return view


def reaction(hand: str, tile: str, actor: int, actions: list[int], **more: Any) -> Any:
    """A view of a player who may react to a tile that `actor` just discarded."""
    view = own_turn(hand, **more)
    view["phase"], view["drawn"], view["actor"] = REACTION, -1, actor
    view["tile"] = parse_tiles(tile)[0]
    place = view["discards"][actor]
    view["river"][actor, place], view["river_order"][actor, place] = view["tile"], 4 * place + actor
    view["discards"][actor] += 1
    view["seen"][kind_of(int(view["tile"]))] += 1
    set_legal(view, [*actions, act.PASS])
    return view


@cache
def played(name: str, tables: int = 6, steps: int = 130, every: int = 10, seed: int = 7) -> Array:
    """Views of decisions in games among an agent's copies, every few steps."""
    batch, player, found = Batch(GAME, tables, seed=seed), make_agent(name, GAME), []
    for step in range(steps):
        views = batch.views()
        if step % every == every - 1:
            found.append(np.array(views))
        words = np.arange(len(views), dtype=np.uint64) * np.uint64(0x9E3779B97F4A7C15) + np.uint64(step)
        batch.step(player.act(Asked(GAME, views, words, batch.tables)))
    return np.concatenate(found)
