"""Kernels that list the inputs of the game token and the question token."""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from janshi.core._jit import kernel
from janshi.core.melds import CONCEALED_KAN
from janshi.core.tiles import NUM_KINDS
from janshi.features.riichi import layout as at
from janshi.features.riichi.channels import question, table
from janshi.features.riichi.notes import may
from janshi.rules.riichi import actions as act
from janshi.rules.riichi.concealed import held_in_melds, kind_of
from janshi.rules.riichi.state import INDICATORS, KAN_REACTION, NONE, PLAYERS, REACTION, TURN

QUESTION_ACTIONS: Final = np.array(
    [
        act.RIICHI,
        *range(act.CHI, act.OPEN_KAN + 1),
        act.TSUMO,
        act.RON,
        act.NINE_TERMINALS,
        act.PASS,
    ],
    np.int64,
)
"""Actions that have a channel of the question token; concealed and added kans follow."""
CONCEALED_KAN_CHANNEL: Final = at.LEGAL + len(QUESTION_ACTIONS)
ADDED_KAN_CHANNEL: Final = CONCEALED_KAN_CHANNEL + 1


@kernel
def list_game(v: Any, rules: Any, out: Any, n: int) -> int:
    """Round, honba, sticks, tiles left and the rules."""
    n = table(out, n, at.ROUND + min(int(v.kyoku), 11))
    left = max(int(rules.rounds) * PLAYERS - 1 - int(v.kyoku), 0)
    n = table(out, n, at.HANDS_LEFT + min(left, 7))
    n = table(out, n, at.HONBA + min(int(v.honba), 5))
    n = table(out, n, at.STICKS + min(int(v.sticks), 4))
    n = table(out, n, at.TILES_LEFT + min(int(v.left) // 4, 18))
    if v.left < 8:
        n = table(out, n, at.LAST_TILES + max(int(v.left), 0))
    shown, riichi = 0, 0
    for i in range(INDICATORS):
        shown += int(v.indicators[i] != NONE)
    for player in range(1, PLAYERS):
        riichi += int(v.riichi[player] != 0)
    n = table(out, n, at.INDICATORS + max(shown, 1) - 1)
    n = table(out, n, at.IN_RIICHI + riichi)
    return list_rules(rules, out, n)


@kernel
def list_rules(rules: Any, out: Any, n: int) -> int:
    """Flags of the rules."""
    n = table(out, n, at.LENGTH + min(int(rules.rounds), 2) - 1)
    if rules.red_fives:
        n = table(out, n, at.RED_FIVES)
    if rules.open_tanyao:
        n = table(out, n, at.OPEN_TANYAO)
    if rules.extra_round:
        n = table(out, n, at.EXTRA_ROUND)
    if rules.bust_ends:
        n = table(out, n, at.BUST_ENDS)
    if rules.multiple_ron == 1:
        n = table(out, n, at.HEAD_BUMP)
    return n


@kernel
def list_question(v: Any, notes: Any, out: Any, n: int) -> int:
    """The question, and the viewer's hand in numbers."""
    phase = 0 if v.phase == TURN else 1 if v.phase == REACTION else 2
    n = question(out, n, at.PHASE + phase)
    if (v.phase == REACTION or v.phase == KAN_REACTION) and v.tile != NONE:
        n = question(out, n, at.SOURCE + int(v.actor))
        n = question(out, n, at.ASKED_KIND + kind_of(int(v.tile)))
    if v.drawn != NONE:
        n = question(out, n, at.DRAWN_KIND + kind_of(int(v.drawn)))
    n = list_legal(v, out, n)
    if v.declaring:
        n = question(out, n, at.DECLARING)
    opened, dora = 0, 0
    for i in range(int(v.melds[0])):
        opened += int(v.meld_type[0, i] != CONCEALED_KAN)
        dora += int(v.meld_red[0, i] != 0)
    if opened == 0:
        n = question(out, n, at.CLOSED)
    reds = (int(v.reds) & 1) + ((int(v.reds) >> 1) & 1) + ((int(v.reds) >> 2) & 1)
    n = question(out, n, at.REDS + reds)
    dora += reds
    for kind in range(NUM_KINDS):
        if notes.dora[kind]:
            dora += int(notes.dora[kind]) * (int(v.hand[kind]) + held_in_melds(v, 0, kind))
    n = question(out, n, at.DORA_HELD + min(dora, 5))
    if v.furiten:
        n = question(out, n, at.FURITEN)
    if v.first_turn:
        n = question(out, n, at.FIRST_TURN)
    return n


@kernel
def list_legal(v: Any, out: Any, n: int) -> int:
    """The legal actions other than discards."""
    for i in range(len(QUESTION_ACTIONS)):
        if may(v, int(QUESTION_ACTIONS[i])):
            n = question(out, n, at.LEGAL + i)
    concealed, added = False, False
    for kind in range(NUM_KINDS):
        concealed = concealed or may(v, act.CONCEALED_KAN + kind)
        added = added or may(v, act.ADDED_KAN + kind)
    if concealed:
        n = question(out, n, CONCEALED_KAN_CHANNEL)
    if added:
        n = question(out, n, ADDED_KAN_CHANNEL)
    return n
