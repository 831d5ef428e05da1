"""Compile what the tests need before they start, each kernel once.

Two test processes and the servers they start would each compile the same. And a kernel that stands on a whole engine
takes half a minute in a process that has compiled nothing else, but seconds in one that has just compiled the engine:
so tests that call such kernels are run here once, whatever comes of them.

    python tests/warm.py          # both halves side by side, unless all is compiled
    python tests/warm.py riichi   # one of them
"""

from __future__ import annotations

import gc
import hashlib
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path

HALVES = ("riichi", "others")
TESTS = Path(__file__).resolve().parent
ON_RIICHI = (
    "records/test_replay.py::test_games_played_here_agree",
    "agents/mdp/test_mdp_fitting.py::test_numbers_are_chances_and_shanten",
    "models/test_deal_in.py::test_probabilities",
    "models/test_deal_in.py::test_one_opponent_as_among_three",
    "models/test_deal_in_enumeration.py::test_as_by_brute_force",
    "models/test_scenario_data.py::test_views_before_and_after",
    "models/test_one_player_model.py",
    "arena/test_matches.py::test_lockstep_plays_what_the_kernels_alone_play",
    "selfplay/test_riichi_learning.py::test_advantages_are_what_is_left_without_luck",
    "models/test_table_rates_data.py::test_ends_are_what_the_records_tell",
    "models/test_network_training.py::test_what_is_encoded_agrees_with_the_data_set",
    "imitation/test_compact.py::test_every_decision_comes_back",
    "imitation/test_riichi_suits.py",
    "features/test_feature_lists.py",
    "protocols/test_mjai_views.py",
    "agents/mdp/test_mdp_worth.py::test_wins_of_a_closed_hand",
    "agents/mdp/test_mdp_solve.py::test_all_turns_are_solved",
)
ON_OTHERS = (
    "protocols/test_botzone_tracker.py",
    "rules/guobiao/test_gb_fuzz.py::test_greedy_hands_end_and_pay",
    "features/test_plans.py::test_lacks_equal_a_slow_search",
    "learn/test_races.py",
    "learn/test_measure_races.py::test_who_knows_the_draws_wins_more_than_a_fourth",
    "learn/test_action_prospects.py",
    "learn/test_prospects.py",
    "learn/test_self_play_tables.py",
    "luck/test_choices.py",
    "luck/test_error_rate.py::test_error_rate_of_recorded_games",
    "rules/riichi/test_playout.py::test_whole_games_end_fairly",
    "rules/riichi/test_modes.py::test_bounds_checked_agrees",
    "features/test_plans.py",
    "agents/test_search_reach.py",
    "agents/test_search_guobiao.py::test_values_agree_with_a_slow_search",
)


def warm_riichi() -> None:
    """The engine, a game of every agent, and what explains them."""
    from janshi.web.warmup import warm_agent, warm_rules

    warm_rules("riichi")
    for label in ("greedy", "careful", "one_player", "montecarlo:rollouts=200", "mdp:hands=2000", "apprentice"):
        warm_agent("riichi", label)
    run_tests(ON_RIICHI)


def warm_others() -> None:
    """The other rule sets and their agents, then what uses riichi's engine: matches, records and luck."""
    from janshi.web.warmup import warm_agent, warm_rules

    for family in ("guobiao", "simplified"):
        warm_rules(family)
        for label in ("search", "rvr"):
            warm_agent(family, label)
    from janshi.luck.fitting.self_play import self_play
    from janshi.luck.measure import score_games
    from janshi.luck.value import AGENTS, shipped

    score_games(self_play("riichi/tenhou_east", 8, 1), shipped(AGENTS))
    run_tests(ON_OTHERS)


def run_tests(names: tuple[str, ...]) -> None:
    """Run some tests in this process, quietly: a failure will show again in the real run."""
    import pytest

    with open(os.devnull, "w") as nowhere, redirect_stdout(nowhere), redirect_stderr(nowhere):
        pytest.main(["-q", "-p", "no:cacheprovider", *(str(TESTS / name) for name in names)])


def stamp() -> Path:
    """A file that says that everything was compiled: named by the kernels' sources and what is run here."""
    from janshi.core._kernel_cache import PACKAGE, cache_folder, cache_root

    files = [path for path in sorted(PACKAGE.rglob("*.py")) if b"@kernel" in path.read_bytes()]
    folders = "".join(cache_folder(str(path)).name for path in files)
    digest = hashlib.sha256(folders.encode() + Path(__file__).read_bytes()).hexdigest()
    return cache_root() / f"tests-{digest[:16]}"


def main() -> None:
    """Warm one half, or both in processes of their own."""
    jobs: dict[str, Callable[[], None]] = dict(zip(HALVES, (warm_riichi, warm_others)))
    if len(sys.argv) > 1:
        gc.set_threshold(50_000, 50, 100)  # compiling leaves much to look through and little to collect
        begun = time.monotonic()
        jobs[sys.argv[1]]()
        print(f"kernels of {sys.argv[1]}: {time.monotonic() - begun:.0f} s")
        return
    if stamp().exists():
        print("kernels are compiled already")
        return
    started = time.monotonic()
    env = {**os.environ, "OMP_NUM_THREADS": "1"}
    parts = [subprocess.Popen([sys.executable, __file__, half], env=env) for half in HALVES]
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))  # so that the halves end with this process
    try:
        failed = [half for half, part in zip(HALVES, parts) if part.wait()]
    finally:
        for part in parts:
            part.terminate()
    if not failed:
        stamp().touch()
    print(f"kernels ready after {time.monotonic() - started:.0f} s" + "".join(f"; {half} failed" for half in failed))
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
