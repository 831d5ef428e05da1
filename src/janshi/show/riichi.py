"""A riichi game between agents, as pictures: boards, results, the final standing."""

from __future__ import annotations

from dataclasses import replace

from janshi.agents.seat import SeatedAgent, read_labels
from janshi.core.melds import ACROSS, LEFT, Meld
from janshi.rules.events import Answer, EventStream
from janshi.rules.registry import make_game, spoken_name
from janshi.rules.riichi import actions as act
from janshi.rules.riichi.hand import Hand
from janshi.rules.riichi.result import HandResult, Win, indicators
from janshi.rules.riichi.state import PLAYERS
from janshi.rules.riichi.table import WIND_NAMES, Table
from janshi.show.answers import effective_answers
from janshi.show.picture import (
    BoardPicture,
    MeldPicture,
    ResultPicture,
    RiverTile,
    SeatPicture,
    StandingPicture,
    WinPicture,
)
from janshi.show.tiles import KANJI, TileStyle


class RiichiShow:
    """One game, advanced answer by answer. Raises `ValueError` for unknown rules or players."""

    def __init__(
        self,
        rules: str,
        players: str,
        seed: int,
        *,
        south: bool = False,
        open_hands: bool = True,
        style: TileStyle = KANJI,
    ) -> None:
        ruleset = replace(make_game(spoken_name(rules)).rules, rounds=2 if south else 1)
        labels = read_labels(players, PLAYERS)
        self.names = seat_names(labels)
        self.title = f"{ruleset.name} rules, seed {seed}: {', '.join(self.names)}"
        self.open_hands = open_hands
        self.style = style
        self.table = Table(seed, ruleset)
        self.last_action = ""
        self._stream = EventStream(self.table)
        self._notes: list[Answer] = []
        self._drawn: int | None = None
        self._players = [SeatedAgent(label, self.table.game, seat, seed) for seat, label in enumerate(labels)]

    @property
    def over(self) -> bool:
        """Whether the game is over."""
        return self.table.over

    def advance(self) -> None:
        """Let the asked players answer, or deal the next hand."""
        answers = {player: self._choose(player) for player in self.table.asked}
        self._drawn = self.table.drawn
        self._notes = effective_answers(self._stream.step(answers or None))
        self.last_action = "; ".join(map(self._in_words, self._notes))

    def _choose(self, player: int) -> int:
        """An agent's answer."""
        return self._players[player](self.table, player)

    def _in_words(self, said: Answer) -> str:
        """Say what a player does: "greedy 1 discards 5m as drawn"."""
        name, tile = self.names[said.seat], self._tile(said.action)
        if tile is None:
            return f"{name}: {act.action_name(said.action)}"
        return f"{name} discards {self.style.label(tile)}{' as drawn' if said.action == act.TSUMOGIRI else ''}"

    def _tile(self, action: int) -> int | None:
        """The tile an action discards, if it does."""
        if action == act.TSUMOGIRI:
            return self._drawn
        return action if action < act.TSUMOGIRI else None

    # --- pictures

    def picture(self) -> BoardPicture:
        """The table now."""
        table = self.table
        return BoardPicture(
            round_name=table.round_name,
            honba=table.honba,
            sticks=table.sticks,
            tiles_left=table.tiles_left,
            dora_indicators=tuple(table.dora_indicators),
            seats=tuple(self._seat(player) for player in range(PLAYERS)),
            last_action=self.last_action,
        )

    def _seat(self, player: int) -> SeatPicture:
        """One player's side of the table."""
        table = self.table
        hand = table.hand(player)
        drawn = table.drawn if player == table.actor else None
        if drawn is not None:
            hand.remove(drawn)
        return SeatPicture(
            name=self.names[player],
            wind=self._wind(player),
            score=table.scores[player],
            hand=tuple(hand),
            drawn=drawn,
            melds=tuple(map(meld_picture, table.melds(player))),
            river=tuple(RiverTile(*discard) for discard in table.river(player)),
            riichi=table.in_riichi(player),
            active=player == table.actor,
            face_down=not self.open_hands,
        )

    def _wind(self, player: int) -> str:
        """A player's seat wind."""
        return WIND_NAMES[(player - self.table.dealer) % PLAYERS]

    def results(self) -> list[ResultPicture]:
        """The result of the hand that has just ended, or nothing."""
        result = self.table.result if self.table.hand_over else None
        return [] if result is None else [self._result(result)]

    def _result(self, result: HandResult) -> ResultPicture:
        """The end of a hand."""
        paid = f"nagashi mangan: {', '.join(self.names[p] for p in result.nagashi)}"
        return ResultPicture(
            title=self.hand_name,
            names=self.names,
            changes=result.changes,
            scores=tuple(self.table.scores),
            wins=tuple(self._win(win) for win in result.wins),
            draw="" if result.wins else paid if result.nagashi else result.kind,
            tenpai=result.tenpai,
        )

    def _win(self, win: Win) -> WinPicture:
        """One win, as shown and as paid."""
        table, report = self.table, win.report
        tile = table.drawn if win.loser is None else table.last_tile
        assert tile is not None, "a hand is won on a tile"
        hand = table.hand(win.player)
        if win.loser is None:
            hand.remove(tile)
        return WinPicture(
            player=win.player,
            source=win.player if win.loser is None else win.loser,
            hand=tuple(hand),
            win_tile=tile,
            melds=tuple(map(meld_picture, table.melds(win.player))),
            yaku=yaku_rows(win),
            value=f"{report.worth}: {win.points:,} points",
            ura_indicators=tuple(indicators(table.state, ura=True)) if table.in_riichi(win.player) else (),
        )

    def standing(self) -> StandingPicture:
        """The players by rank."""
        table = self.table
        rows = zip(table.ranks(), self.names, table.scores, table.final_points().tolist())
        return StandingPicture(tuple(sorted(rows)))

    # --- plain lines

    @property
    def hand_name(self) -> str:
        """Such as "East 1, honba 2"."""
        return f"{self.table.round_name}, honba {self.table.honba}"

    def hand_title(self) -> str:
        """The line a hand begins with."""
        dora = " ".join(map(self.style.label, self.table.dora_indicators))
        return f"{self.hand_name}, sticks {self.table.sticks}, dora indicators {dora}"

    def notes(self) -> list[str]:
        """The last action in a few characters: "E:5m*" is East's discard of the tile just drawn."""
        return [f"{self._wind(said.seat)[0]}:{self._short(said.action)}" for said in self._notes]

    def _short(self, action: int) -> str:
        """An action in a few characters, without spaces."""
        if action == act.TSUMOGIRI and self._drawn is not None:
            return f"{self.style.label(self._drawn)}*"
        return self.style.label(action) if action < act.TSUMOGIRI else act.action_name(action).replace(" ", "-")


def warm_up(players: str) -> None:
    """Compile, or load from the cache, every kernel a game needs, so that no move has to wait for it."""
    RiichiShow("tenhou", players, seed=0).advance()
    Hand("123m456p789s11122z").score(tsumo=True)


def seat_names(labels: list[str]) -> tuple[str, ...]:
    """Number players of the same kind: "greedy 1", "greedy 2"."""
    names = []
    for seat, label in enumerate(labels):
        number = labels[: seat + 1].count(label)
        names.append(label if labels.count(label) == 1 else f"{label} {number}")
    return tuple(names)


def meld_picture(meld: Meld) -> MeldPicture:
    """A meld with the called tile where it came from: left, middle or right."""
    if meld.called is None:
        return MeldPicture(meld.tiles)
    rest = list(meld.tiles)
    rest.remove(meld.called)
    place = {LEFT: 0, ACROSS: 1}.get(meld.source or 0, len(rest))
    return MeldPicture((*rest[:place], meld.called, *rest[place:]), place)


def yaku_rows(win: Win) -> tuple[tuple[str, str], ...]:
    """Yaku and dora of a win with the han of each."""
    report = win.report
    rows = [(str(line), "yakuman" if report.yakuman else f"{line.han} han") for line in report.yaku]
    extras = (("dora", report.dora), ("ura dora", report.ura), ("red fives", report.red))
    if not report.yakuman:
        rows += [(name, f"{count} han") for name, count in extras if count]
    return tuple(rows)
