"""A seat's view, rebuilt from Botzone's request lines alone: the same as the engine's.

>>> from janshi.protocols.botzone.tracker import Tracker
>>> tracker = Tracker()
>>> for line in ("0 2 1", "1 0 0 0 0 W1 W1 W2 W3 W4 W5 W6 W7 W8 W9 F1 F1 F2", "3 0 DRAW", "3 0 PLAY F1"):
...     tracker.hear(line)
>>> tracker.asked, tracker.legal_names()
(True, ['peng 1z', 'pass'])
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from janshi.core._jit import kernel
from janshi.core.melds import ADDED_KAN, CONCEALED_KAN, OPEN_KAN, PON
from janshi.core.tiles import COPIES, NUM_KINDS
from janshi.protocols.botzone.lines import KINDS, TILES, parse_reply
from janshi.rules.guobiao import actions as act
from janshi.rules.guobiao.apply import add_meld, lay_equal, lay_sequence
from janshi.rules.guobiao.concealed import settle
from janshi.rules.guobiao.deal import clear_hand, set_walls, wall_of
from janshi.rules.guobiao.game import GuobiaoGame
from janshi.rules.guobiao.legal import allow, allow_calls, ask, ask_turn, forbid_all
from janshi.rules.guobiao.ruleset import BOTZONE, Ruleset
from janshi.rules.guobiao.state import (
    CALLED_FLAG,
    HAND_TILES,
    KONG_REACTION,
    NONE,
    PLAYERS,
    REACTION,
    TURN,
    Context,
)
from janshi.rules.guobiao.winning import may_win

DEAL, DRAW, FLOWER, PLAY, PENG, CHI, KONG, ADDED_KONG = range(8)
"""What can be heard."""
_WORDS: Final = {"DRAW": DRAW, "PLAY": PLAY, "PENG": PENG, "CHI": CHI, "GANG": KONG, "BUGANG": ADDED_KONG}
_ONLY: Final = np.zeros(1, np.int64)


class RequestError(ValueError):
    """A line that is not a request of the protocol, or comes at the wrong time."""


class Tracker:
    """One seat's knowledge of one hand. Report its own answers with `said`: the judge does not repeat all of them.

    It holds an engine state in which only what the seat knows is filled in; the engine's own kernels find the seat's
    legal actions.
    """

    def __init__(self, rules: Ruleset = BOTZONE) -> None:
        self.game = GuobiaoGame(rules)
        self._context = self.game.new_context()
        self._states = self.game.new_states(1)
        self.state = self._states[0]
        self.seat = NONE
        self.heard = 0
        """Requests taken so far."""
        self._kong = NONE

    # --- requests

    def hear(self, line: str) -> None:
        """Take a request; raises `RequestError`."""
        words = line.split()
        try:
            self._hear(words)
        except (IndexError, KeyError, ValueError) as wrong:
            raise RequestError(f"request {self.heard + 1}, {line[:120]!r}, cannot be read ({wrong})") from wrong
        self.heard += 1

    def _hear(self, words: list[str]) -> None:
        if words[0] == "0":
            self.seat = _number(words[1])
            self.state["wind"] = _number(words[2])
        elif self.seat == NONE:
            raise ValueError("expected first the request 0 with the seat and the prevalent wind")
        elif words[0] == "1":
            self._deal(words[1 : 1 + PLAYERS], words[1 + PLAYERS :])
        elif words[0] == "2":
            self._take(DRAW, self.seat, KINDS[words[1]])
        elif words[0] == "3":
            self._happened(_number(words[1]), words[2], words[3:])
        else:
            raise ValueError("a request begins with 0, 1, 2 or 3")

    def _deal(self, counts: list[str], tiles: list[str]) -> None:
        s, hand, flowers = self.state, tiles[:HAND_TILES], tiles[HAND_TILES:]
        self._take(DEAL, self.seat, NONE)
        np.add.at(s["hand"][self.seat], [KINDS[name] for name in hand], 1)
        for seat, count in enumerate(map(int, counts)):
            own, flowers = flowers[:count], flowers[count:]
            for name in own:
                s["flowers"][seat] |= 1 << (TILES[name] - NUM_KINDS)
            s["left"][seat if s["own_walls"] else 0] -= HAND_TILES + count
        settle_hand(self._states, self.seat, *self._context)

    def _happened(self, player: int, word: str, tiles: list[str]) -> None:
        claims = word in ("PENG", "CHI") or (word == "GANG" and self.state["phase"] != TURN)
        if claims and (self.state["phase"] != REACTION or self.state["actor"] == player):
            raise ValueError("there is no tile to claim")
        if word == "BUHUA":
            self._take(FLOWER, player, TILES[tiles[0]] - NUM_KINDS)
        elif word in ("PENG", "CHI"):
            self._take(_WORDS[word], player, KINDS[tiles[0]] if word == "CHI" else NONE)
            self._take(PLAY, player, KINDS[tiles[-1]])
        elif word == "GANG":
            self._take(KONG, player, NONE if claims or player != self.seat else self._own_kong())
        else:
            self._take(_WORDS[word], player, KINDS[tiles[0]] if word != "DRAW" else NONE)
        self._kong = NONE

    def _own_kong(self) -> int:
        """The kind of the seat's concealed kong: the one it named, otherwise the only possible one."""
        full = np.flatnonzero(self.state["hand"][self.seat] == COPIES).tolist()
        if self._kong in full:
            return self._kong
        if len(full) != 1:
            raise ValueError("the seat's own concealed kong is not known: pass its answers to `said`")
        return int(full[0])

    def _take(self, what: int, player: int, tile: int) -> None:
        hear_event(self._states, self.seat, what, player, tile, *self._context)

    def said(self, answer: str) -> None:
        """Note the seat's own answer: nothing else names the tile of its concealed kong."""
        words = answer.split()
        self._kong = KINDS[words[1]] if len(words) == 2 and words[0] == "GANG" and words[1] in KINDS else NONE

    # --- what is known

    @property
    def asked(self) -> bool:
        """Whether there is anything to decide; otherwise the answer is PASS."""
        return self.seat != NONE and bool(int(self.state["asked"]) >> self.seat & 1)

    def view(self) -> Any:
        """The seat's view of the game, a record of `VIEW_DTYPE`."""
        out = np.zeros(1, self.game.view_dtype)
        self.game.views(self._states, _ONLY, np.array([self.seat]), out)
        return out[0]

    def legal_names(self) -> list[str]:
        """Names of the actions the seat may take."""
        return [act.action_name(int(a)) for a in np.flatnonzero(self.game.masks_of_views(self.view().reshape(1))[0])]

    def view_after(self, action: int) -> Any:
        """The view in which the seat must play a tile, after its chi or peng."""
        kept = self._states.copy()
        middle = int(act.chi_first(action)) + 1 if action < act.PENG else NONE
        self._take(CHI if action < act.PENG else PENG, self.seat, middle)
        after = self.view()
        self._states[:] = kept
        return after

    def action_of(self, answer: str) -> int:
        """The action of an answer to the last request."""
        return parse_reply(answer, int(self.state["tile"])).action


def _number(word: str) -> int:
    number = int(word)
    if not 0 <= number < PLAYERS:
        raise ValueError(f"{word!r} is neither a seat nor a wind: expected 0 to {PLAYERS - 1}")
    return number


# --- kernels: the engine's rules for a seat that does not see the other hands


@kernel
def settle_hand(states: Any, me: int, frame: Any, tables: Any) -> None:
    """Renew the waits of the seat's hand after the deal."""
    c = Context(frame[0].rules, tables[0], frame[0].win, frame[0].score)
    states[0].distance[me] = 0
    settle(states[0], me, c)


@kernel
def hear_event(states: Any, me: int, what: int, player: int, tile: int, frame: Any, tables: Any) -> None:
    """Carry out a request; `tile` is a kind, the middle of a chi, a flower's number, or NONE."""
    c = Context(frame[0].rules, tables[0], frame[0].win, frame[0].score)
    s = states[0]
    if what == DEAL:
        clear_hand(s)
        set_walls(s, c)
    elif what in (DRAW, FLOWER):
        conclude(s, me, c)
        hear_draw(s, me, what, player, tile, c)
    elif what == PLAY:
        hear_play(s, me, player, tile, c)
    elif what == ADDED_KONG:
        hear_added_kong(s, me, player, tile, c)
    elif what == KONG and s.phase == TURN:
        hear_concealed_kong(s, me, player, tile, c)
    else:
        hear_call(s, me, what, player, tile, c)


@kernel
def conclude(s: Any, me: int, c: Context) -> None:
    """Nobody took the last tile: the discard is passed, or the added kong complete."""
    if s.phase == REACTION:
        s.seen[int(s.tile)] += 1
    elif s.phase == KONG_REACTION:
        player, kind = int(s.actor), int(s.tile)
        s.seen[kind] += 1
        for i in range(int(s.melds[player])):
            if s.meld_type[player, i] == PON and s.meld_kind[player, i] == kind:
                s.meld_type[player, i] = ADDED_KAN
        if player == me:
            s.hand[me, kind] -= 1
            settle(s, me, c)
        s.after_kong = 1
    s.phase = TURN
    s.tile = NONE
    s.asked = 0


@kernel
def hear_draw(s: Any, me: int, what: int, player: int, tile: int, c: Context) -> None:
    """A player draws; a flower is set aside and replaced, by the next draw."""
    s.actor = player
    s.drawn = NONE
    s.left[wall_of(s, player)] -= 1
    if what == FLOWER:
        s.flowers[player] |= 1 << tile
        s.after_kong = 0
    elif player == me:
        s.drawn = tile
        s.hand[me, tile] += 1
        ask_turn(s, c)


@kernel
def hear_play(s: Any, me: int, player: int, kind: int, c: Context) -> None:
    """A player discards; the seat may react to another player's discard."""
    i = int(s.discards[player])
    s.river[player, i] = kind
    s.river_flags[player, i] = 0
    s.river_order[player, i] = s.turns
    s.discards[player] += 1
    s.turns += 1
    s.drawn = NONE
    s.after_kong = 0
    s.tile = kind
    s.phase = REACTION
    s.asked = 0
    if player == me:
        s.hand[me, kind] -= 1
        settle(s, me, c)
        return
    forbid_all(s, me)
    able = False
    if s.left[wall_of(s, (player + 1) % PLAYERS)] > 0:
        able = allow_calls(s, me, kind, (player + 1) % PLAYERS == me)
    if may_win(s, me, kind, False, c):
        allow(s, me, act.HU)
        able = True
    if able:
        ask(s, me)


@kernel
def hear_call(s: Any, me: int, what: int, player: int, middle: int, c: Context) -> None:
    """A player melds the discard; the seat itself, after a chi or peng, is asked what to play."""
    discarder, kind = int(s.actor), int(s.tile)
    s.river_flags[discarder, int(s.discards[discarder]) - 1] |= CALLED_FLAG
    if what == CHI:
        lay_sequence(s, player, middle - 1, kind, discarder)
    else:
        lay_equal(s, player, PON if what == PENG else OPEN_KAN, kind, discarder)
    if player != me:
        s.hand[player, :] = 0
    s.actor = player
    s.phase = TURN
    s.tile = NONE
    s.asked = 0
    if what == KONG:
        s.after_kong = 1
        if player == me:
            settle(s, me, c)
    elif player == me:
        ask_turn(s, c)


@kernel
def hear_concealed_kong(s: Any, me: int, player: int, kind: int, c: Context) -> None:
    """A player lays four tiles face down."""
    add_meld(s, player, CONCEALED_KAN, kind, NONE, NONE)
    s.asked = 0
    s.after_kong = 1
    if player == me:
        s.hand[me, kind] = 0
        settle(s, me, c)


@kernel
def hear_added_kong(s: Any, me: int, player: int, kind: int, c: Context) -> None:
    """A player adds the fourth tile to a peng; the seat may rob another player's kong."""
    s.actor = player
    s.tile = kind
    s.phase = KONG_REACTION
    s.asked = 0
    if player != me:
        forbid_all(s, me)
        if may_win(s, me, kind, True, c):
            allow(s, me, act.HU)
            ask(s, me)
