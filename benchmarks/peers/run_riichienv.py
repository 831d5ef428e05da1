"""RiichiEnv (Rust) from Python: random-legal games, shanten, scores, reading records."""

from __future__ import annotations

import random
from typing import Any

from _work import Work, main


def play(_: Any) -> Work:
    """One random-legal South game with red fives; units are decisions. Its event log, which costs time, is off."""
    from riichienv import RiichiEnv

    env = RiichiEnv(game_mode="4p-red-half", skip_mjai_logging=True, seed=1)
    rng = random.Random(1)

    def once() -> int:
        decisions = 0
        observations = env.reset()
        while not env.done():
            actions = {player: rng.choice(seen.legal_actions()) for player, seen in observations.items()}
            decisions += len(actions)
            observations = env.step(actions)
        return decisions

    return Work(once, [])


def games(_: Any) -> Work:
    """One South game of four of its own random agents, as its documentation plays them; units are games."""
    from riichienv import RiichiEnv
    from riichienv.agents import RandomAgent

    env, agent = RiichiEnv(game_mode="4p-red-half", skip_mjai_logging=True, seed=1), RandomAgent(1)

    def once() -> int:
        observations = env.reset()
        while not env.done():
            observations = env.step({player: agent.act(seen) for player, seen in observations.items()})
        return 1

    return Work(once, [])


def shanten(data: Any) -> Work:
    """Shanten of all hands, given as lists of tile ids."""
    from riichienv import calculate_shanten

    hands = [_ids(counts) for counts in data["hands"]]

    def once() -> int:
        for hand in hands:
            calculate_shanten(hand)
        return len(hands)

    return Work(once, [calculate_shanten(hand) for hand in hands])


def scores(data: Any) -> Work:
    """Scores of all wins, with melds and circumstances prepared."""
    from riichienv import _riichienv as core

    wins = [
        (win["concealed"], _melds(core, win), win["tile"], win["indicators"], _conditions(core, win))
        for win in data["wins"]
    ]
    evaluate = core.HandEvaluator

    def once() -> int:
        for tiles, melds, tile, indicators, conditions in wins:
            evaluate(tiles, melds).calc(tile, indicators, [], conditions)
        return len(wins)

    found = [evaluate(tiles, melds).calc(tile, seen, [], conditions) for tiles, melds, tile, seen, conditions in wins]
    return Work(once, [r.tsumo_agari_ko if win["tsumo"] else r.ron_agari for r, win in zip(found, data["wins"])])


def read(data: Any) -> Work:
    """Read mjai files; units are games."""
    from riichienv import MjaiReplay

    files = data["files"]

    def once() -> int:
        for file in files:
            MjaiReplay.from_jsonl(file)
        return len(files)

    return Work(once, [MjaiReplay.from_jsonl(file).num_rounds() for file in files])


def rebuild(data: Any) -> Work:
    """Step through the hands of mjai files that were read: an observation for each action; units are actions."""
    from riichienv import MjaiReplay

    hands = [hand for file in data["files"] for hand in MjaiReplay.from_jsonl(file).take_kyokus()]

    def once() -> int:
        return sum(1 for hand in hands for _ in hand.steps())

    return Work(once, [])


def _ids(counts: list[int]) -> list[int]:
    return [4 * kind + copy for kind, held in enumerate(counts) for copy in range(held)]


def _melds(core: Any, win: dict[str, Any]) -> list[Any]:
    kinds = {"chi": core.MeldType.Chi, "pon": core.MeldType.Pon}
    return [core.Meld(kinds[name], ids, True, 3) for name, ids in win["melds"]]


def _conditions(core: Any, win: dict[str, Any]) -> Any:
    winds = [core.Wind.East, core.Wind.South, core.Wind.West, core.Wind.North]
    return core.Conditions(
        tsumo=win["tsumo"],
        riichi=win["riichi"],
        player_wind=winds[win["seat_wind"]],
        round_wind=winds[win["round_wind"]],
    )


if __name__ == "__main__":
    works = {"play": play, "games": games, "shanten": shanten, "scores": scores, "read": read, "rebuild": rebuild}
    main("riichienv", works)
