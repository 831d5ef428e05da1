"""Compile the kernels for self-play, prospects and matches against search, each in a process of its own."""

import multiprocessing
import sys
import time

import numpy as np


def self_play(rules: str, variant: str) -> None:
    """Play some hands with the inputs of a variant."""
    from janshi.features.planes import encoder
    from janshi.features.prospects import WithProspects
    from janshi.learn.config import VARIANTS, TrainConfig
    from janshi.learn.self_play import SelfPlay
    from janshi.learn.slots import Slots

    c = TrainConfig(rules=rules, variant=variant, tables=64, rollout=4096, batch=64, plans=rules == "guobiao")
    game, seen, chance = c.game(), encoder(c.planes), VARIANTS[variant].chance
    packer = WithProspects(seen, game) if chance else seen
    slots = Slots(c.slots, game.players, chance)
    tables = SelfPlay(game, packer, slots, 32, seed=1, duplicates=c.group)
    for _ in range(200 if rules == "simplified" else 400):
        n = tables.count
        private, hidden = np.zeros((n, packer.private_bytes), np.uint8), np.zeros((n, packer.hidden_bytes), np.uint8)
        tables.pack(private, hidden)
        import torch

        masks = seen.masks(torch.from_numpy(private)).numpy()
        tables.step((masks * np.random.default_rng(n).random(masks.shape, np.float32)).argmax(1).astype(np.int64))
        if slots.hands > 20:
            slots.take(4096)
            return


def search(rules: str) -> None:
    """Play a match against search."""
    import torch

    from janshi.features.planes import encoder
    from janshi.learn.evaluation import results_by_wall
    from janshi.rules.registry import make_game

    seen = encoder(rules)
    results_by_wall(lambda x: seen.masks(torch.from_numpy(x)).numpy().argmax(1), make_game(rules), "search", 2, 1)


def main() -> None:
    """Compile everything side by side."""
    began = time.perf_counter()
    rules = sys.argv[1]
    work = [(self_play, (rules, "rl1")), (self_play, (rules, "rl5d")), (search, (rules,))]
    started = [multiprocessing.Process(target=function, args=words) for function, words in work]
    for one in started:
        one.start()
    for one in started:
        one.join()
    print(f"kernels compiled in {time.perf_counter() - began:.1f} s: {[one.exitcode for one in started]}", flush=True)


if __name__ == "__main__":
    multiprocessing.set_start_method("spawn")
    main()
