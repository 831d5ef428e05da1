"""Games to measure: hands as walls and answers, from data sets, records or our own games."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final

import numpy as np

from janshi.core.tables import tables_array
from janshi.luck.types import Array
from janshi.records.dataset import Dataset, DatasetError, arrow, binary_column, to_numpy
from janshi.records.follow import AGREED
from janshi.records.model import GameRecord, RecordError
from janshi.records.rebuild import STORED_DTYPE
from janshi.records.replay import follow_game, rules_of
from janshi.records.splits import SPLITS
from janshi.rules.riichi.final import ranks
from janshi.rules.riichi.ruleset import Ruleset, get_ruleset
from janshi.rules.riichi.state import FRAME_DTYPE

_HAND: Final = ("wall", "decisions", "scores", "kyoku", "honba", "sticks")
_GAME: Final = ("game", "hand", "hands", "preset", "rounds", "red_fives", "open_tanyao")


@dataclass(slots=True)
class PlayedGames:
    """Whole games, hand by hand."""

    hands: Array
    """STORED_DTYPE[h], in order; `rules` is an index into `rules` below, `first` one into `answers`."""
    answers: Array
    game: Array
    """The game of each hand, int32[h], from 0 and in order."""
    ranks: Array
    """Final ranks from 1, float32[g, 4]."""
    scores: Array
    """Final scores, int32[g, 4]."""
    rules: list[Ruleset]
    names: list[tuple[str, ...]]
    sources: list[str]
    """File names or other origins."""
    problems: list[str] = field(default_factory=list)
    """Games left out, and why."""

    def __len__(self) -> int:
        return len(self.ranks)

    @property
    def starts(self) -> Array:
        """The first hand of each game, int64[games]."""
        return np.searchsorted(self.game, np.arange(len(self)))

    def frame(self) -> tuple[Any, Any]:
        """A frame for each rule set, and the engine's tables, as kernels take them."""
        frames = np.zeros(len(self.rules), FRAME_DTYPE)
        for i, rules in enumerate(self.rules):
            frames["rules"][i] = rules.record()[0]
        return frames, tables_array()

    def select(self, first: int, end: int) -> PlayedGames:
        """Games `first` to `end` (not included)."""
        chosen = slice(*np.searchsorted(self.game, [first, end]))
        return PlayedGames(
            self.hands[chosen],
            self.answers,
            self.game[chosen] - first,
            self.ranks[first:end],
            self.scores[first:end],
            self.rules,
            self.names[first:end],
            self.sources[first:end],
        )


def games_of_dataset(
    dataset: Dataset,
    split: str | None = None,
    pack: str | Sequence[str] | None = None,
    skip_disconnects: bool = True,
) -> PlayedGames:
    """The finished games of a data set: all, those of one split, or those of packs chosen by part of their name."""
    columns = (*_HAND, *_GAME, "answers", "names", "ranks", "final_scores", "disconnect", "source", "split")
    table = dataset.hands(*columns)
    keep = _chosen(table, split, pack)
    if skip_disconnects:
        keep &= ~to_numpy(table.column("disconnect"))
    table = table.filter(arrow().array(keep))
    hands = np.zeros(table.num_rows, STORED_DTYPE)
    for name in _HAND:
        hands[name] = to_numpy(table.column(name))
    answers, offsets = binary_column(table.column("answers"))
    hands["first"], hands["row"] = offsets[:-1], np.arange(len(hands))
    names = table.column("game").to_pylist()
    starts = np.flatnonzero(to_numpy(table.column("hand")) == 0)
    game = np.searchsorted(starts, np.arange(len(hands)), "right") - 1
    first = table.take(arrow().array(starts))
    rules, numbers = _rules_of_games(first)
    hands["rules"] = numbers[game]
    return PlayedGames(
        hands,
        answers,
        game.astype(np.int32),
        np.array(first.column("ranks").to_pylist(), np.float32).reshape(-1, 4),
        np.array(first.column("final_scores").to_pylist(), np.int32).reshape(-1, 4),
        rules,
        [tuple(row) for row in first.column("names").to_pylist()],
        [names[start] for start in starts],
    )


def disconnected_games(dataset: Dataset, split: str | None = None, pack: str | Sequence[str] | None = None) -> int:
    """Number of finished games that `games_of_dataset` skips because a player lost the connection."""
    table = dataset.hands("hand", "ranks", "disconnect", "source", "split")
    first = to_numpy(table.column("hand")) == 0
    return int((_chosen(table, split, pack) & to_numpy(table.column("disconnect")) & first).sum())


def _chosen(table: Any, split: str | None, pack: str | Sequence[str] | None) -> Array:
    """The hands of finished games of a split, from some packs."""
    keep = np.array([row is not None for row in table.column("ranks").to_pylist()], bool)
    if split is not None:
        if split not in SPLITS:
            raise DatasetError(f"no split is called {split!r}; there are {', '.join(SPLITS)}")
        keep &= table.column("split").cast("string").to_numpy() == split
    packs = [pack] if isinstance(pack, str) else list(pack or ())
    if packs:
        sources = table.column("source").cast("string").to_numpy().astype(str)
        keep &= np.any([np.char.find(sources, name) >= 0 for name in packs], axis=0)
    return keep


def _rules_of_games(first: Any) -> tuple[list[Ruleset], Array]:
    """The distinct rules of games given by their first rows, and the index of each game's rules."""
    keys = list(zip(*(first.column(name).to_pylist() for name in ("preset", "rounds", "red_fives", "open_tanyao"))))
    known = list(dict.fromkeys(keys))
    rules = [
        replace(get_ruleset(preset), rounds=rounds, red_fives=red_fives, open_tanyao=open_tanyao)
        for preset, rounds, red_fives, open_tanyao in known
    ]
    return rules, np.array([known.index(key) for key in keys], np.int8)


def games_of_records(records: Sequence[GameRecord]) -> PlayedGames:
    """Recorded games. `problems` lists those left out because they are incomplete or the engine cannot follow them."""
    hands: list[Array] = []
    answers: list[Array] = []
    kept: list[GameRecord] = []
    final: list[tuple[int, ...]] = []
    rules: list[Ruleset] = []
    problems: list[str] = []
    at = 0
    for record in records:
        try:
            some, given, scores = _played(record)
        except RecordError as error:
            problems.append(str(error))
            continue
        if rules_of(record) not in rules:
            rules.append(rules_of(record))
        some["rules"] = rules.index(rules_of(record))
        some["first"] += at
        at += len(given)
        hands.append(some)
        answers.append(given)
        final.append(scores)
        kept.append(record)
    sizes = [len(some) for some in hands]
    points = np.array(final, np.int32).reshape(-1, 4)
    return PlayedGames(
        np.concatenate(hands) if hands else np.zeros(0, STORED_DTYPE),
        np.concatenate(answers) if answers else np.zeros(0, np.uint8),
        np.repeat(np.arange(len(kept)), sizes).astype(np.int32),
        (ranks(points) + 1).astype(np.float32),
        points,
        rules,
        [record.names for record in kept],
        [record.source for record in kept],
        problems,
    )


def _played(record: GameRecord) -> tuple[Array, Array, tuple[int, ...]]:
    """The hands of one record, their answers and the final scores."""
    if not record.hands:
        raise RecordError(record.source, "", "has no hand")
    followed = follow_game(record)
    codes = followed.outcomes["code"]
    if (codes != AGREED).any():
        hand = int(np.flatnonzero(codes != AGREED)[0])
        raise RecordError(record.source, f"hand {hand + 1}", "breaks off, or the engine cannot follow it")
    last = followed.outcomes[-1]
    if record.final_scores is None and not last["over"]:
        raise RecordError(record.source, "", "the game is unfinished, so nobody has a rank")
    scores = tuple(record.final_scores or last["scores"].tolist())
    hands = np.zeros(len(record.hands), STORED_DTYPE)
    given = [followed.answers(i) for i in range(len(hands))]
    hands["wall"] = followed.hands["wall"]
    for name, values in (
        ("scores", [hand.scores for hand in record.hands]),
        ("kyoku", [hand.round for hand in record.hands]),
        ("honba", [hand.honba for hand in record.hands]),
        ("sticks", [hand.sticks for hand in record.hands]),
        ("decisions", [len(some) for some in given]),
        ("row", list(range(len(hands)))),
    ):
        hands[name] = values
    hands["first"] = np.concatenate([[0], np.cumsum(hands["decisions"])[:-1]])
    return hands, np.concatenate(given), scores


def join_played(parts: Sequence[PlayedGames]) -> PlayedGames:
    """Join games from several sources."""
    rules = list(dict.fromkeys(rules for part in parts for rules in part.rules))
    hands, game, games, answers = [np.zeros(0, STORED_DTYPE)], [np.zeros(0, np.int32)], 0, 0
    for part in parts:
        some = part.hands.copy()
        numbers = np.array([rules.index(one) for one in part.rules], np.int8)
        some["rules"] = numbers[some["rules"]] if len(some) else 0
        some["first"] += answers
        hands.append(some)
        game.append(part.game + np.int32(games))
        games, answers = games + len(part), answers + len(part.answers)
    whole = np.concatenate(hands)
    whole["row"] = np.arange(len(whole))
    return PlayedGames(
        whole,
        np.concatenate([np.zeros(0, np.uint8), *(part.answers for part in parts)]),
        np.concatenate(game),
        np.concatenate([np.zeros((0, 4), np.float32), *(part.ranks for part in parts)]),
        np.concatenate([np.zeros((0, 4), np.int32), *(part.scores for part in parts)]),
        rules,
        [names for part in parts for names in part.names],
        [source for part in parts for source in part.sources],
        [problem for part in parts for problem in part.problems],
    )


def pick_games(games: PlayedGames, numbers: Sequence[int]) -> PlayedGames:
    """Some of the games; the numbers must be in ascending order."""
    wanted = np.asarray(numbers, np.int64)
    chosen = np.isin(games.game, wanted)
    return PlayedGames(
        games.hands[chosen],
        games.answers,
        np.searchsorted(wanted, games.game[chosen]).astype(np.int32),
        games.ranks[wanted],
        games.scores[wanted],
        games.rules,
        [games.names[i] for i in wanted],
        [games.sources[i] for i in wanted],
        games.problems,
    )
