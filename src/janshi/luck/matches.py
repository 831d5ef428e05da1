"""The games of a match, ready for scoring: every hand's wall, situation and answers, from a plan and its results.

A game's number determines its walls. Its answers are stored or, for agents but not for bots, come from replaying the
game.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import numpy as np

from janshi.agents.registry import make_agent
from janshi.arena.answers import MatchError, Report, match_answers
from janshi.arena.contestants import is_bot, shown_name
from janshi.arena.plan import Plan
from janshi.arena.results import Results
from janshi.core._jit import kernel
from janshi.core.tables import tables_array
from janshi.luck.choices import Mixes, luck_of_choices
from janshi.luck.games import PlayedGames
from janshi.luck.measure import Watching, score_games
from janshi.luck.types import Array, ScoredGames
from janshi.luck.value import AGENTS, ValueFunction, shipped
from janshi.records.rebuild import STORED_DTYPE
from janshi.rules.registry import make_game
from janshi.rules.riichi.apply import answer
from janshi.rules.riichi.ending import next_hand, start_game
from janshi.rules.riichi.legal import is_legal
from janshi.rules.riichi.state import FRAME_DTYPE, GAME_OVER, HAND_OVER, PLAYERS, STATE_DTYPE, Context

FAMILY: Final = "riichi/"
MOST_HANDS: Final = 64
"""Initial space for the hands of a game."""


def games_of_match(plan: Plan, results: Results, report: Report = lambda done, total: None) -> PlayedGames:
    """All games of a match's results, in order; games without stored answers are replayed."""
    if not plan.rules.startswith(FAMILY):
        raise MatchError(f"luck is measured in riichi games only, not in {plan.rules}")
    answers = match_answers(plan, results, report)
    games = [plan.game(int(number)) for number in results.game]
    names = [tuple(shown_name(plan.contestants[who]) for who in game.seats) for game in games]
    sources = [f"game {game.number}" for game in games]
    return unrolled(plan.rules, [game.seed for game in games], answers, results.scores, results.ranks, names, sources)


def score_match(
    plan: Plan,
    played: PlayedGames,
    value: ValueFunction | None = None,
    *,
    threads: int = 1,
    watch: Watching | None = None,
) -> tuple[ScoredGames, Array]:
    """Measure the luck of a match's games: by chance event, and by game and seat, including agents' random choices.

    The second is float64[games, 2, 4]. The default value function is the one trained on our agents.
    """
    value = value or shipped(AGENTS)
    scored = score_games(played, value, threads=threads, watch=watch)
    mixing = _mixing(plan)
    luck = scored.luck_of_games()
    if mixing:
        number = {shown_name(label): who for who, label in enumerate(plan.contestants)}
        seats = np.array([[number[name] for name in names] for names in played.names])
        luck = luck + luck_of_choices(played, mixing, seats, value)
    return scored, luck


def _mixing(plan: Plan) -> dict[int, Mixes]:
    """The contestants that publish the probability of each action."""
    game = make_game(plan.rules)
    found: dict[int, Mixes] = {}
    for who, label in enumerate(plan.contestants):
        if not is_bot(label):
            agent = make_agent(label, game)
            if isinstance(agent, Mixes):
                found[who] = agent
    return found


# --- from seeds and answers to hands


def unrolled(
    rules_name: str,
    seeds: Sequence[int],
    answers: Sequence[Array],
    scores: Array,
    ranks: Array,
    names: Sequence[tuple[str, ...]],
    sources: Sequence[str],
) -> PlayedGames:
    """Make riichi games from the seeds of their walls and all answers."""
    rules = make_game(rules_name).rules
    frame = np.zeros(1, FRAME_DTYPE)
    frame["rules"] = rules.record()[0]
    flat = np.concatenate([np.zeros(0, np.uint8), *answers]).astype(np.uint8)
    first = np.concatenate([[0], np.cumsum([len(given) for given in answers])]).astype(np.int64)
    state, tables = np.zeros(1, STATE_DTYPE), tables_array()
    ends = np.zeros((len(seeds), PLAYERS), np.int32)
    room = np.zeros(MOST_HANDS, STORED_DTYPE)
    parts, sizes = [np.zeros(0, STORED_DTYPE)], []
    for i, seed in enumerate(seeds):
        count = unroll(room, flat, int(first[i]), int(first[i + 1]), np.uint64(seed), ends[i], state, frame, tables)
        while count > len(room):
            room = np.zeros(2 * len(room), STORED_DTYPE)
            count = unroll(room, flat, int(first[i]), int(first[i + 1]), np.uint64(seed), ends[i], state, frame, tables)
        if count < 0 or not np.array_equal(ends[i], scores[i]):
            raise MatchError(f"{sources[i]}: its answers do not lead to its result")
        parts.append(room[:count].copy())
        sizes.append(count)
    hands = np.concatenate(parts)
    hands["row"] = np.arange(len(hands))
    game = np.repeat(np.arange(len(seeds)), sizes).astype(np.int32)
    return PlayedGames(hands, flat, game, ranks.astype(np.float32), ends, [rules], list(names), list(sources))


@kernel
def unroll(
    hands: Any, answers: Any, at: int, end: int, seed: Any, scores: Any, states: Any, frame: Any, tables: Any
) -> int:
    """Write the hands of one game, STORED_DTYPE, and its final scores; returns the number of hands.

    Hands beyond the available space are counted but not written. Returns -1 if the answers are not a complete game.
    """
    c, s = Context(frame[0].rules, tables[0], frame[0].win, frame[0].score), states[0]
    start_game(s, seed, c)
    count = 0
    while s.phase != GAME_OVER:
        if count < len(hands):
            h = hands[count]
            h.first = at
            h.kyoku = s.kyoku
            h.honba = s.honba
            h.sticks = s.sticks
            h.scores[:] = s.scores
            h.wall[:] = s.wall
            h.rules = 0
            h.seats = (1 << PLAYERS) - 1
        begun = at
        while s.phase != HAND_OVER:
            asked = int(s.asked)
            for player in range(PLAYERS):
                if (asked >> player) & 1:
                    if at >= end or not is_legal(s, player, int(answers[at])):
                        return -1
                    answer(s, player, int(answers[at]), c)
                    at += 1
        if count < len(hands):
            hands[count].decisions = at - begun
        count += 1
        next_hand(s, c)
    scores[:] = s.scores
    return count if at == end else -1
