"""The legal actions of RiichiEnv (PyPI `riichienv`) beside ours, at every decision of recorded hands.

RiichiEnv's live engine is dealt the same wall in the same situation and given the same answers. At each question the
players asked and the set of each one's legal actions must be equal; RiichiEnv's actions by tile id are read as ours.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from riichienv import Action, ActionType, GameRule, RiichiEnv

from janshi.core.tiles import COPIES, FIRST_RED, id_to_tile
from janshi.records.invariants import hand_name
from janshi.records.model import GameRecord, HandRecord
from janshi.records.replay import Followed, Moment, follow_game, moments, rules_of
from janshi.rules.riichi import actions as act
from janshi.rules.riichi.state import KAN_REACTION
from janshi.rules.riichi.table import Table

__all__ = ["Action", "ActionType", "as_ours", "compare_game", "differences"]

DEAD_WALL = 14
SIMPLE = {
    int(ActionType.RIICHI): act.RIICHI,
    int(ActionType.DAIMINKAN): act.OPEN_KAN,
    int(ActionType.TSUMO): act.TSUMO,
    int(ActionType.RON): act.RON,
    int(ActionType.KYUSHU_KYUHAI): act.NINE_TERMINALS,
    int(ActionType.PASS): act.PASS,
}
FAMILIES = ("riichi", "chi", "pon", "kan", "concealed kan", "added kan", "tsumo", "ron", "nine terminals")
DISCARD, CHI, PON = int(ActionType.DISCARD), int(ActionType.CHI), int(ActionType.PON)
CONCEALED_KAN, ADDED_KAN = int(ActionType.ANKAN), int(ActionType.KAKAN)


@dataclass
class MenuDifference:
    """A question at which the menus differ; `player` is -1 if it is the players asked that differ."""

    source: str
    hand: int
    name: str
    question: int
    player: int
    only_ours: list[str]
    only_theirs: list[str]
    table: Table

    def __str__(self) -> str:
        who = "players asked" if self.player < 0 else f"player {self.player}"
        return (
            f"{self.source}: hand {self.hand} ({self.name}), question {self.question}, {who}: "
            f"only ours {self.only_ours}, only RiichiEnv's {self.only_theirs}"
        )


def peer_wall(wall: list[int]) -> list[int]:
    """Our wall as RiichiEnv takes walls: it deals forward, and the pairs of the dead wall lie the other way round."""
    dead = [wall[place ^ 1] for place in range(DEAD_WALL)]
    return [*dead, *wall[DEAD_WALL:]][::-1]


def as_ours(action: Any, drawn: int | None) -> int:
    """The number we give to an action of RiichiEnv's."""
    kind, tile, used = int(action.action_type), action.tile, list(action.consume_tiles)
    if kind == DISCARD:
        return act.TSUMOGIRI if tile == drawn else id_to_tile(tile)
    if kind == CONCEALED_KAN:
        return act.CONCEALED_KAN + tile // COPIES
    if kind == ADDED_KAN:
        return act.ADDED_KAN + tile // COPIES
    if kind in (CHI, PON):
        red = any(id_to_tile(tile_id) >= FIRST_RED for tile_id in used)
        if kind == PON:
            return act.PON_RED if red else act.PON
        return (act.CHI_RED if red else act.CHI) + sum(tile_id // COPIES < tile // COPIES for tile_id in used)
    return SIMPLE[kind]


def start(hand: HandRecord, wall: list[int]) -> tuple[Any, Any]:
    """RiichiEnv at the first question of a hand: the environment and its observations."""
    env = RiichiEnv(game_mode="4p-red-half", rule=GameRule.default_tenhou(), skip_mjai_logging=True)
    observations = env.reset(
        oya=hand.dealer,
        wall=peer_wall(wall),
        round_wind=hand.round // 4,
        scores=list(hand.scores),
        honba=hand.honba,
        kyotaku=hand.sticks,
    )
    return env, observations


def compare_game(record: GameRecord, offered: Counter[str]) -> Iterator[MenuDifference]:
    """Compare all menus of a game: yields every difference, and counts in `offered` what the menus held."""
    rules = rules_of(record)
    followed = follow_game(record, rules)
    for i in range(len(record.hands)):
        if followed.outcomes["code"][i] == 0:
            yield from compare_hand(record, i, followed, offered)


def compare_hand(record: GameRecord, i: int, followed: Followed, offered: Counter[str]) -> Iterator[MenuDifference]:
    """Compare the menus of one hand, until the engines part."""
    hand, wall = record.hands[i], followed.hands["wall"][i].tolist()
    env, observations = start(hand, wall)
    for question, moment in enumerate(moments(hand, rules_of(record), wall, followed.answers(i).tolist())):
        theirs = {player: menu(observation, env) for player, observation in observations.items()}
        for player, ours, other in differences(moment, theirs):
            place = (record.source, i, hand_name(hand), question, player)
            yield MenuDifference(*place, names(ours - other), names(other - ours), moment.table.copy())
        count_offers(moment, offered)
        if not all(moment.answers[player] in theirs.get(player, {}) for player in moment.answers):
            break
        step = {player: theirs[player][action] for player, action in moment.answers.items()}
        step |= {player: theirs[player][act.PASS] for player in theirs if player not in step}
        observations = env.step(step)


def count_offers(moment: Moment, offered: Counter[str]) -> None:
    """Count the decisions of a question, and those that offered each family of actions."""
    for player in moment.answers:
        names = moment.table.legal_names(player)
        offered["decision"] += 1
        offered.update({family for family in FAMILIES for name in names if is_of(name, family)})
        offered["riichi discard"] += bool(moment.table.state["declaring"])
        offered["robbing a kan"] += int(moment.table.state["phase"]) == KAN_REACTION


def is_of(name: str, family: str) -> bool:
    """Whether an action is of a family."""
    return name == family or (name.startswith(f"{family} ") and family != "kan")


def menu(observation: Any, env: Any) -> dict[int, Any]:
    """RiichiEnv's legal actions by our numbers."""
    drawn = env.drawn_tile
    return {as_ours(action, drawn): action for action in observation.legal_actions()}


def differences(moment: Moment, theirs: dict[int, dict[int, Any]]) -> Iterator[tuple[int, set[int], set[int]]]:
    """(player, our actions, their actions) wherever they differ; a player not asked has none."""
    for player in range(4):
        ours = set(moment.table.legal_actions(player))
        other = set(theirs.get(player, {}))
        if ours != other and not (not ours and other == {act.PASS}):
            yield player, ours, other


def names(actions: set[int]) -> list[str]:
    """Names of actions."""
    return [act.action_name(action) for action in sorted(actions)]
