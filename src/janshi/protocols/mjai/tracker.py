"""One seat's view of a riichi game, rebuilt from the mjai events that the seat receives.

There is no table here, because the other hands and the wall are unknown. The tracker keeps an engine state with only
what the seat may know, applies the events to it as the rules do (`rules/riichi/apply.py`, `melding.py`), and uses the
rules' own kernels to find the seat's legal actions and waits. The other hands stay empty, so those kernels find
nothing for them.

A discard or a kan is open to reactions until an event shows that it went through; only then does the state advance
(furiten after a passed tile, the end of ippatsu by a kan, the kan's meld).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import numpy as np

from janshi.core._jit import kernel
from janshi.core.tiles import COPIES, FIRST_RED, NUM_IDS, kind_of, tile_from_name, tile_to_ids
from janshi.protocols.mjai.events import UNKNOWN, Message
from janshi.rules.riichi.apply import four_kans_are_due
from janshi.rules.riichi.concealed import settle
from janshi.rules.riichi.deal import DEAD_WALL, FIRST_INDICATOR
from janshi.rules.riichi.game import RiichiGame
from janshi.rules.riichi.legal import (
    ask_discard_reactions,
    ask_kan_reactions,
    ask_riichi_discard,
    ask_turn,
    chi_ban,
    swap_ban,
)
from janshi.rules.riichi.ruleset import STICK
from janshi.rules.riichi.state import (
    CALLED_FLAG,
    INDICATORS,
    KAN_REACTION,
    NONE,
    PLAYERS,
    REACTION,
    RIICHI_FLAG,
    TSUMOGIRI_FLAG,
    TURN,
    Context,
)
from janshi.rules.riichi.win import ADDED_KAN, CHI, CONCEALED_KAN, DOUBLE_RIICHI, OPEN_KAN, PON, RIICHI

SETTLE, ASK_TURN, ASK_RIICHI_DISCARD, ASK_DISCARD, ASK_KAN = range(5)
WINDS: Final = "ESWN"
HAND_TILES: Final = 13
CALLS: Final = {"chi": (CHI, 2), "pon": (PON, 2), "daiminkan": (OPEN_KAN, 3)}


@kernel
def consult(states: Any, seat: int, question: int, frame: Any, tables: Any) -> None:
    """Let the rules update a seat's waits, or ask it."""
    c = Context(frame[0].rules, tables[0], frame[0].win, frame[0].score)
    s = states[0]
    if question == SETTLE:
        settle(s, seat, c)
    elif question == ASK_TURN:
        ask_turn(s, c)
    elif question == ASK_RIICHI_DISCARD:
        ask_riichi_discard(s, c)
    elif question == ASK_DISCARD:
        ask_discard_reactions(s, four_kans_are_due(s, c), c)
    else:
        ask_kan_reactions(s, c)


@kernel
def ban_of(meld_type: int, kind: int, place: int, frame: Any, tables: Any) -> int:
    """Kinds that may not be discarded after a call."""
    c = Context(frame[0].rules, tables[0], frame[0].win, frame[0].score)
    return chi_ban(kind, place, c) if meld_type == CHI else swap_ban(kind, -1, c)


class EventError(ValueError):
    """An event that cannot be applied: says which, and what was expected."""


class Tracker:
    """What one seat knows, kept up to date by `see`."""

    def __init__(self, game: RiichiGame) -> None:
        self.game = game
        self.seat = NONE
        """Our seat, from `start_game`, or from the one hand of `start_kyoku` that is not hidden."""
        self._context = game.new_context()
        self._states = game.new_states(1)
        self._s = self._states[0]
        self._views = np.zeros(1, game.view_dtype)
        self._scores = [game.rules.starting_points] * PLAYERS
        self._in_hand = False

    # --- what is known

    @property
    def asked(self) -> bool:
        """Whether the last event asks our seat for an action."""
        return self._in_hand and bool(int(self._s["asked"]) >> self.seat & 1)

    def view(self) -> Any:
        """Our seat's view, a record of `VIEW_DTYPE`, as the engine would show it."""
        self.game.views(self._states, np.zeros(1, np.int64), np.array([self.seat]), self._views)
        return self._views[0]

    # --- following events

    def see(self, event: Message) -> bool:
        """Apply an event; returns whether its type is known. Raises `EventError` if it cannot be applied."""
        kind = event.get("type")
        follow = _FOLLOWERS.get(kind) if isinstance(kind, str) else None
        if follow is None:
            return kind in _IDLE
        if kind in _PLAY and not self._in_hand:
            raise EventError(f"{kind} came outside a hand: expected start_kyoku first")
        try:
            follow(self, event)
        except (KeyError, TypeError, ValueError, IndexError) as error:
            raise EventError(f"cannot follow {str(event)[:300]}: {type(error).__name__}: {error}") from error
        return True

    def _start_game(self, event: Message) -> None:
        self.seat = _player(event, "id") if event.get("id") is not None else NONE
        self._scores = [self.game.rules.starting_points] * PLAYERS
        self._in_hand = False
        self._s["kyoku"] = 0

    def _start_hand(self, event: Message) -> None:
        open_hands = [player for player, hand in enumerate(event["tehais"]) if UNKNOWN not in hand]
        if len(open_hands) == 1:  # some servers send no seat, or another number
            self.seat = open_hands[0]
        if self.seat == NONE:
            raise ValueError("our seat is unknown: expected start_game with an id")
        s, dealer, before = self._s, _player(event, "oya"), int(self._s["kyoku"])
        wind = WINDS.index(event["bakaze"]) if "bakaze" in event else before // PLAYERS + (before % PLAYERS > dealer)
        self._states[:] = np.zeros(1, self._states.dtype)
        s["kyoku"], s["honba"], s["sticks"] = PLAYERS * wind + dealer, event.get("honba", 0), event.get("kyotaku", 0)
        s["scores"] = self._scores = list(event.get("scores") or self._scores)
        s["drawn"] = s["tile"] = NONE
        s["liable"] = NONE
        s["first_turn"] = 1
        s["left"] = NUM_IDS - DEAD_WALL - HAND_TILES * PLAYERS
        s["actor"] = dealer
        self._in_hand, self._after_kan = True, False
        self._open: Callable[[], None] | None = None
        self._turn_indicator(event)
        for name in event["tehais"][self.seat]:
            self._take(_tile(name))
        self._consult(SETTLE)

    def _turn_indicator(self, event: Message) -> None:
        s, tile = self._s, _tile(event["dora_marker"])
        if int(s["indicators"]) < INDICATORS:
            s["wall"][FIRST_INDICATOR + 2 * int(s["indicators"])] = tile_to_ids(tile)[-1]
            s["indicators"] += 1
            s["seen"][kind_of(tile)] += 1

    def _consult(self, question: int) -> None:
        consult(self._states, self.seat, question, *self._context)

    def _take(self, tile: int) -> None:
        self._s["hand"][self.seat, kind_of(tile)] += 1
        if tile >= FIRST_RED:
            self._s["reds"][self.seat] |= 1 << (tile - FIRST_RED)

    def _drop(self, tile: int) -> None:
        hand = self._s["hand"][self.seat]
        if hand[kind_of(tile)] == 0:
            raise ValueError("we do not hold that tile")
        hand[kind_of(tile)] -= 1
        if tile >= FIRST_RED:
            self._s["reds"][self.seat] &= 7 ^ 1 << (tile - FIRST_RED)

    def _go_on(self) -> None:
        """The last discard or kan went through: nobody won on it."""
        self._s["asked"] = 0
        if self._open is not None:
            self._open()
            self._open = None

    def _draw(self, event: Message) -> None:
        self._go_on()
        s, player = self._s, _player(event)
        s["actor"], s["phase"], s["drawn"] = player, TURN, NONE
        s["left"] -= 1
        s["from_dead_wall"], self._after_kan = self._after_kan, False
        if player == self.seat:
            s["passed"][player] &= 2
            s["drawn"] = _tile(event["pai"])
            self._take(int(s["drawn"]))
            self._consult(ASK_TURN)

    def _declare(self, event: Message) -> None:
        self._s["declaring"] = 1
        self._s["asked"] = 0
        if _player(event) == self.seat:
            self._consult(ASK_RIICHI_DISCARD)

    def _discard(self, event: Message) -> None:
        s, player, tile = self._s, _player(event), _tile(event["pai"])
        flag = TSUMOGIRI_FLAG if event.get("tsumogiri", tile == int(s["drawn"])) else 0
        s["asked"] = s["banned"] = 0
        s["actor"], s["drawn"] = player, NONE
        s["ippatsu"][player] = 0
        if s["declaring"]:
            flag |= RIICHI_FLAG
            s["riichi"][player] = DOUBLE_RIICHI if s["first_turn"][player] else RIICHI
            s["ippatsu"][player] = 1
            s["declaring"] = 0
        s["first_turn"][player] = 0
        self._put_in_river(player, tile, flag)
        s["tile"], s["phase"] = tile, REACTION
        self._open = self._let_go
        if player == self.seat:
            self._drop(tile)
            s["passed"][player] &= 2
            self._consult(SETTLE)
        else:
            self._consult(ASK_DISCARD)

    def _put_in_river(self, player: int, tile: int, flag: int) -> None:
        s, i = self._s, int(self._s["discards"][player])
        s["river"][player, i], s["river_flags"][player, i], s["river_order"][player, i] = tile, flag, s["turns"]
        s["discards"][player] += 1
        s["turns"] += 1
        s["discarded"][player] |= 1 << kind_of(tile)
        s["seen"][kind_of(tile)] += 1

    def _let_go(self) -> None:
        """If we wait for this tile, we become temporarily furiten."""
        s = self._s
        if int(s["actor"]) != self.seat and int(s["waits"][self.seat]) >> kind_of(int(s["tile"])) & 1:
            self._pass_by()

    def _pass_by(self) -> None:
        self._s["passed"][self.seat] |= 2 if self._s["riichi"][self.seat] else 1

    def _pay(self, event: Message) -> None:
        self._go_on()
        player = _player(event)
        self._s["scores"][player] -= STICK
        self._scores[player] -= STICK
        self._s["sticks"] += 1

    def _interrupt(self) -> None:
        self._s["ippatsu"] = 0
        self._s["first_turn"] = 0

    def _call(self, event: Message) -> None:
        self._go_on()
        s, player, source = self._s, _player(event), int(self._s["actor"])
        (meld_type, count), tile = CALLS[event["type"]], int(self._s["tile"])
        used = [_tile(name) for name in event["consumed"]]
        if len(used) != count:
            raise ValueError(f"expected {count} tiles in consumed")
        s["river_flags"][source, int(s["discards"][source]) - 1] |= CALLED_FLAG
        self._interrupt()
        s["actor"], s["phase"], s["drawn"] = player, TURN, NONE
        self._give(player, used)
        low = min(kind_of(t) for t in (tile, *used))
        red = int(any(t >= FIRST_RED for t in (tile, *used)))
        self._meld(player, meld_type, low, tile, source, red)
        self._after_kan = meld_type == OPEN_KAN
        if player == self.seat and meld_type == OPEN_KAN:
            self._consult(SETTLE)
        elif player == self.seat:
            s["banned"] = ban_of(meld_type, kind_of(tile), kind_of(tile) - low, *self._context)
            self._consult(ASK_TURN)

    def _give(self, player: int, tiles: list[int]) -> None:
        """Move tiles from a hand to a meld, where everybody sees them."""
        for tile in tiles:
            self._s["seen"][kind_of(tile)] += 1
            if player == self.seat:
                self._drop(tile)

    def _meld(self, player: int, meld_type: int, kind: int, tile: int, source: int, red: int) -> None:
        s, i = self._s, int(self._s["melds"][player])
        s["meld_type"][player, i], s["meld_kind"][player, i], s["meld_tile"][player, i] = meld_type, kind, tile
        s["meld_from"][player, i], s["meld_red"][player, i], s["meld_order"][player, i] = source, red, s["turns"]
        s["melds"][player] += 1
        s["open_melds"][player] += meld_type != CONCEALED_KAN
        s["kans"][player] += meld_type >= OPEN_KAN

    def _concealed_kan(self, event: Message) -> None:
        tiles = [_tile(name) for name in event["consumed"]]
        if len(tiles) != COPIES:
            raise ValueError(f"expected {COPIES} tiles in consumed")
        player = _player(event)

        def complete() -> None:
            s = self._s
            if player != self.seat and (s["legal"][self.seat] != 0).any():
                self._pass_by()
            self._interrupt()
            self._give(player, tiles)
            self._meld(player, CONCEALED_KAN, kind_of(tiles[0]), NONE, NONE, int(max(tiles) >= FIRST_RED))
            if not s["riichi"][player]:
                self._settle_own(player)

        self._kan(player, CONCEALED_KAN, kind_of(tiles[0]), complete)

    def _added_kan(self, event: Message) -> None:
        player, tile = _player(event), _tile(event["pai"])

        def complete() -> None:
            s = self._s
            self._let_go()
            self._interrupt()
            self._give(player, [tile])
            pons = (s["meld_type"][player] == PON) & (s["meld_kind"][player] == kind_of(tile))
            i = int(np.flatnonzero(pons)[0])
            s["meld_type"][player, i] = ADDED_KAN
            if tile >= FIRST_RED:
                s["meld_red"][player, i] = 2
            s["kans"][player] += 1
            self._settle_own(player)

        self._kan(player, ADDED_KAN, tile, complete)

    def _kan(self, player: int, kan_type: int, tile: int, complete: Callable[[], None]) -> None:
        """A kan is declared; it may be robbed."""
        self._go_on()
        s = self._s
        s["actor"], s["tile"], s["kan_type"], s["phase"] = player, tile, kan_type, KAN_REACTION
        self._open, self._after_kan = complete, True
        if player != self.seat:
            self._consult(ASK_KAN)

    def _settle_own(self, player: int) -> None:
        self._s["drawn"] = NONE
        if player == self.seat:
            self._consult(SETTLE)

    def _result(self, event: Message) -> None:
        self._s["asked"] = 0
        changes, scores = event.get("deltas"), event.get("scores")
        if isinstance(scores, list) and len(scores) == PLAYERS:
            self._scores = list(scores)
        elif isinstance(changes, list) and len(changes) == PLAYERS:
            self._scores = [score + change for score, change in zip(self._scores, changes)]

    def _end_hand(self, event: Message) -> None:
        self._s["asked"] = 0
        self._in_hand = False


def _player(event: Message, key: str = "actor") -> int:
    player = event[key]
    if type(player) is not int or not 0 <= player < PLAYERS:
        raise ValueError(f"{key} is {player!r}, expected 0 to {PLAYERS - 1}")
    return player


def _tile(name: Any) -> int:
    if name == UNKNOWN:
        raise ValueError("the tile is ?, but it must be visible to us")
    return tile_from_name(name)


_FOLLOWERS: Final[dict[str, Callable[[Tracker, Message], None]]] = {
    "start_game": Tracker._start_game,
    "start_kyoku": Tracker._start_hand,
    "tsumo": Tracker._draw,
    "dahai": Tracker._discard,
    "chi": Tracker._call,
    "pon": Tracker._call,
    "daiminkan": Tracker._call,
    "ankan": Tracker._concealed_kan,
    "kakan": Tracker._added_kan,
    "reach": Tracker._declare,
    "reach_accepted": Tracker._pay,
    "dora": Tracker._turn_indicator,
    "hora": Tracker._result,
    "ryukyoku": Tracker._result,
    "end_kyoku": Tracker._end_hand,
    "end_game": Tracker._end_hand,
}
_IDLE: Final = ("hello", "none", "log", "error")
_PLAY: Final = ("tsumo", "dahai", "chi", "pon", "daiminkan", "ankan", "kakan", "reach", "reach_accepted", "dora")
