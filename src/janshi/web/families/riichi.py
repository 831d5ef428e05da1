"""Riichi for the page: dora, riichi and red fives in positions, its 120 actions, yaku and payments of wins."""

from __future__ import annotations

from typing import Any, Final

from janshi.core.tiles import FIRST_RED, RANKS, kind_of
from janshi.rules.game import Game
from janshi.rules.riichi import actions as act
from janshi.rules.riichi.result import indicators
from janshi.rules.riichi.state import CALLED_FLAG, PLAYERS, RIICHI_FLAG, TSUMOGIRI_FLAG
from janshi.rules.riichi.yaku import DORA, YAKU
from janshi.web.families import Read, Reasons, ReviewFamily, Traits, WebFamily
from janshi.web.outcome import won
from janshi.web.reader import PositionReader
from janshi.web.review.threats import RiichiThreats
from janshi.web.tiles import ADDED_KAN, CHI, CONCEALED_KAN, FIVES, NONE, OPEN_KAN, PON, tile_text

# --- positions


class RiichiReader(PositionReader):
    """Reads a riichi position."""

    def round(self) -> dict[str, Any]:
        """Round, counters, tiles left and dealer."""
        v = self.view
        return {
            **super().round(),
            "round": int(v["kyoku"]),
            "honba": int(v["honba"]),
            "sticks": int(v["sticks"]),
        }

    def dora(self) -> list[str]:
        """Dora indicators."""
        return [self.text(tile) for tile in self.view["indicators"].tolist() if tile >= 0]

    def ura(self) -> list[str]:
        """Ura indicators, if a winner in riichi has turned them."""
        table = self.table
        if not self.ended or not table.rules.ura_dora:
            return []
        turned = any(table.in_riichi(win.player) for win in table.result.wins)
        return ura_texts(table) if turned else []

    def reds(self, place: int) -> int:
        """Bit set of the red fives in a visible hand."""
        return int(self.view["all_reds"][place] if self.open else self.view["reds"])

    def meld_reds(self) -> list[list[int]] | None:
        """For each meld, whether it holds a red five."""
        return self.rows("meld_red")

    def in_riichi(self, place: int) -> bool:
        """Whether a player has declared riichi."""
        return bool(self.view["riichi"][place])

    def discard(self, tile: int, flag: int) -> dict[str, Any]:
        """A discard in a river."""
        marks = {"tsumogiri": bool(flag & TSUMOGIRI_FLAG), "riichi": bool(flag & RIICHI_FLAG)}
        return {"tile": self.game.tile_texts[tile], **marks, "called": self.was_called(flag)}

    def was_called(self, flag: int) -> bool:
        """Whether the flags of a discard say that it was called."""
        return bool(flag & CALLED_FLAG)


# --- actions


def read_action(game: Game, view: Any, action: int) -> Read:
    """An action of the player of a view."""
    if action < act.TSUMOGIRI:
        return "discard", action, [action], None
    if action == act.TSUMOGIRI:
        drawn = int(view["drawn"])
        return "tsumogiri", drawn, [drawn], None
    if act.CHI <= action <= act.OPEN_KAN:
        return _read_call(view, action)
    if act.CONCEALED_KAN <= action < act.ADDED_KAN:
        kind = action - act.CONCEALED_KAN
        return "kan", kind, _held(view, kind, 4), CONCEALED_KAN
    if act.ADDED_KAN <= action < act.TSUMO:
        tiles = _held(view, action - act.ADDED_KAN, 1)
        return "kan", tiles[0], tiles, ADDED_KAN
    names = {act.RIICHI: "riichi", act.TSUMO: "tsumo", act.RON: "ron", act.NINE_TERMINALS: "nine_terminals"}
    tile = int(view["drawn"]) if action == act.TSUMO else int(view["tile"]) if action == act.RON else NONE
    return names.get(action, "pass"), tile, [], None


def _read_call(view: Any, action: int) -> Read:
    called = int(view["tile"])
    kind = kind_of(called)
    if action == act.OPEN_KAN:
        return "kan", called, _held(view, kind, 3), OPEN_KAN
    if action in (act.PON, act.PON_RED):
        own = [kind, kind] if action == act.PON else [FIRST_RED + kind // RANKS, kind]
        return PON, called, own, None
    low = kind - (action - act.CHI) % 3
    own = [k for k in range(low, low + 3) if k != kind]
    if action >= act.CHI_RED:
        own = [FIRST_RED + FIVES.index(k) if k in FIVES else k for k in own]
    return CHI, called, own, None


def _held(view: Any, kind: int, count: int) -> list[int]:
    """Tiles of a kind from a hand: red five first."""
    reds = int(view["reds"])
    tiles = [kind] * count
    if kind in FIVES and reds >> FIVES.index(kind) & 1:
        tiles[0] = FIRST_RED + FIVES.index(kind)
    return tiles


# --- results


def describe_result(table: Any) -> dict[str, Any]:
    """The result of the hand that has just ended."""
    result = table.result
    shown = {
        "kind": result.kind,
        "winners": [_win(table, win) for win in result.wins],
        "changes": list(result.changes),
        "tenpai": [seat in result.tenpai for seat in range(PLAYERS)],
    }
    if result.nagashi:
        shown["nagashi"] = list(result.nagashi)
    return shown


def _win(table: Any, win: Any) -> dict[str, Any]:
    report = win.report
    riichi = table.in_riichi(win.player) and table.rules.ura_dora
    return {
        **won(table, win.player, win.loser, int(table.state["drawn" if win.loser is None else "tile"])),
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
        "dora": [tile_text(table.game.tile_texts, tile) for tile in table.dora_indicators],
        "ura": ura_texts(table) if riichi else [],
    }


def ura_texts(table: Any) -> list[str]:
    """The ura indicators."""
    return [tile_text(table.game.tile_texts, kind) for kind in indicators(table.state, ura=True)]


def _yaku(report: Any) -> list[dict[str, Any]]:
    """Yaku and dora with the han of each (of a yakuman: how many yakuman)."""
    rows = [(line.yaku, line.han) for line in report.yaku]
    if not report.yakuman:
        rows += [(yaku, n) for yaku, n in zip(YAKU[DORA:], (report.dora, report.ura, report.red)) if n]
    return [{"name": yaku.name, "romaji": yaku.romaji, "kanji": yaku.kanji, "han": han} for yaku, han in rows]


def shown_seats(table: Any) -> tuple[int, ...]:
    """Whose hands are shown: those of winners, or of players who must show them at a draw."""
    result = table.result
    if result.wins:
        return tuple(win.player for win in result.wins)
    if result.kind == "nine terminals":
        return (table.actor,)
    if result.kind == "triple ron":
        return tuple(seat for seat in range(PLAYERS) if seat != table.actor)
    return tuple(range(PLAYERS)) if result.kind == "four riichi" else tuple(result.tenpai)


def _get_ready() -> None:
    from janshi.records.recorder import Recorder
    from janshi.records.replay import replay_game
    from janshi.rules.riichi.table import Table

    recorder = Recorder(Table(seed=1, one_hand=True))
    while not recorder.table.over:
        recorder.step({seat: recorder.table.legal_actions(seat)[0] for seat in recorder.table.asked})
    replay_game(recorder.record())


def _reasons() -> Reasons:
    from janshi.rules.riichi.hand import Hand
    from janshi.web.review.why.situation import situation_of
    from janshi.web.review.why.value import worth_in_reach

    return Reasons(Hand, worth_in_reach, situation_of)


def _ladder() -> list[dict[str, Any]]:
    from janshi.arena.ladder import figures

    rows: list[dict[str, Any]] = figures()["players"]
    return rows


MDP_MODELS: Final = (
    "janshi.agents.mdp.kernels:compile_opponents",
    "janshi.agents.mdp.kernels:compile_deal_in",
    "janshi.agents.mdp.kernels:compile_rest",
)
MDP_CHOICE: Final = "janshi.agents.mdp.kernels:compile_choice"
APPRENTICE: Final = "janshi.agents.learned.apprentice:compile_kernels"
FIRST_START: Final = (
    ("janshi.web.warmup:warm_rules riichi", *MDP_MODELS),
    (APPRENTICE, MDP_CHOICE, "janshi.web.warmup:warm_agent riichi mdp"),
)
"""What the strongest players need, split between two processes: the apprentice is ready as soon as the rules are."""
FIRST_AGENTS: Final = {"apprentice": (APPRENTICE,), "mdp": (*MDP_MODELS, MDP_CHOICE)}
ENTRIES: Final = ("janshi.rules.riichi.stepping:step_tables", "janshi.agents.mdp.decide:judge_views")

REVIEWED: Final = ("mjlog", "tenhou6", "mjai", "majsoul", "majiang")
"""Formats of records that can be reviewed."""
TRAITS: Final = Traits(
    terms="riichi",
    honba=True,
    tenpai_shown=True,
    rounds=True,
    value="points",
    kinds=("discard", "call", "riichi", "fold", "win"),
    least_chance=0.015,
    yardstick="careful",
    agreement=True,
)
FAMILY: Final = WebFamily(
    traits=TRAITS,
    reader=RiichiReader,
    read_action=read_action,
    describe_result=describe_result,
    shown_seats=shown_seats,
    preset="tenhou_east",
    warmed=("mdp", "apprentice", "greedy", "careful", "montecarlo:rollouts=1000"),
    entries=ENTRIES,
    first_start=FIRST_START,
    first_agents=FIRST_AGENTS,
    levels=(0.42, 0.53, 0.60, 0.64),
    ladder=_ladder,
    review=ReviewFamily(
        "apprentice",
        REVIEWED,
        _get_ready,
        _reasons,
        calls=range(act.CHI, act.OPEN_KAN),
        threats=RiichiThreats,
        luck=True,
        chances="mdp:hands=12500",
    ),
)
