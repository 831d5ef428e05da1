"""Compile what the tests need before they start, each kernel once.

Two test processes and the servers they start would each compile the same.

    python tests/warm.py          # both halves side by side
    python tests/warm.py riichi   # one of them
"""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Callable

HALVES = ("riichi", "others")


def warm_riichi() -> None:
    """The engine, a game of every agent, and what explains them."""
    from janshi.web.warming import warm_agent, warm_rules

    warm_rules("riichi")
    for label in ("greedy", "careful", "one_player", "montecarlo:rollouts=200", "mdp:hands=2000"):
        warm_agent("riichi", label)


def warm_others() -> None:
    """The other rule sets and their agents, then what stands on riichi's engine: matches, records and luck."""
    from janshi.web.warming import warm_agent, warm_rules

    for family in ("guobiao", "simplified"):
        warm_rules(family)
        for label in ("search", "rvr"):
            warm_agent(family, label)
    from janshi.luck.scoring import score_games
    from janshi.luck.self_play import self_play
    from janshi.luck.value import AGENTS, shipped

    score_games(self_play("riichi/tenhou_east", 8, 1), shipped(AGENTS))


def main() -> None:
    """Warm one half, or both in processes of their own."""
    jobs: dict[str, Callable[[], None]] = dict(zip(HALVES, (warm_riichi, warm_others)))
    if len(sys.argv) > 1:
        jobs[sys.argv[1]]()
        return
    started = time.monotonic()
    env = {**os.environ, "OMP_NUM_THREADS": "1"}
    parts = [subprocess.Popen([sys.executable, __file__, half], env=env) for half in HALVES]
    failed = [half for half, part in zip(HALVES, parts) if part.wait()]
    print(f"kernels ready after {time.monotonic() - started:.0f} s" + "".join(f"; {half} failed" for half in failed))
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
