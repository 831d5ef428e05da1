"""How much of the variance of a hand's result remains with each method that reduces it (RL-5, docs/luckfree.md).

Without options: measure, print a table, write docs/benchmarks/luckfree.md. Search players, which are deterministic,
play both games against themselves, and so does the shipped policy of the simplified game, which samples its actions.
The shipped values remove luck from hands that they were not trained on. Critics need training on a GPU: their shares
come from `scripts/train_luckfree.py`.
"""

from __future__ import annotations

import json
import tempfile
from pathlib import Path
from typing import Any

from _command import command_line, report
from _report import PAGES, Figure

TARGETS = {"simplified": 0.45, "guobiao": 0.50}
"""Remaining share with chance and action terms together."""
HANDS = {True: 600, False: 10_000}
"""Number of hands of the shipped policy to measure, in a quick and in a full run."""
SEARCH_HANDS = {"simplified": {True: 3000, False: 20_000}, "guobiao": {True: 240, False: 1000}}
"""Hands of search players."""
SEARCH_SEED = 78
RECORDED = PAGES.parent / "luckfree"
INTRO = (
    "The share of the variance of a hand's result that is left: of hands, when the luck of everything after the deal "
    "is taken out; of decisions, when a critic's value is subtracted from their return. Less is better."
)
CRITICS = {
    ("basic", "critic, decisions"): "own-view critic, decisions",
    ("rl1", "critic, decisions"): "oracle critic, decisions",
    ("rl4", "critic, decisions"): "oracle critic and 4 duplicate tables, decisions",
    ("rl5a", "critic, decisions"): "chance and action terms and an oracle critic, decisions",
}
"""What the script's figures are."""
SETTINGS = ["tables=128", "rollout=4096", "batch=512", "threads=1", "device=cpu", "gamma=1", "lam=1"]
SAMPLED, SEARCH = "policy, actions drawn at random", "search players"


def of_search_players(rules: str, hands: int) -> list[Figure]:
    """Shares in hands of search players, which have only chance terms because they never randomise."""
    from janshi.learn.warm_start import record_hands
    from janshi.luck.points.evaluation import variance_left
    from janshi.luck.points.measure import shipped_values
    from janshi.rules.registry import make_game

    game = make_game(rules)
    with tempfile.TemporaryDirectory() as folder:
        recorded = record_hands(game, "search", hands, SEARCH_SEED, Path(folder) / "hands.npz")
    left = variance_left(game, recorded, shipped_values(rules))
    names = {
        "draws": f"chance and action terms, hands of {SEARCH}",
        "draws and deal": f"and the deal, hands of {SEARCH}",
    }
    return [
        _figure(rules, what, left[name].value, left[name].error, f"{hands:,} hands", name == "draws")
        for name, what in names.items()
    ]


def run_with_shipped_values(rules: str) -> Any:
    """A run that plays with the shipped policy, and the shipped values of draws and actions."""
    from janshi.agents.learned.network import shipped
    from janshi.learn.network import read_policy
    from janshi.learn.variance import frozen

    return frozen(read_policy(shipped("rvr", rules)), rules, "rl5a", 2026, SETTINGS)


def of_the_policy(rules: str, hands: int) -> list[Figure]:
    """Shares in fresh hands of the shipped policy."""
    from janshi.learn.variance import measure

    found = measure(run_with_shipped_values(rules), hands)
    return [
        _figure(rules, f"{what} {SAMPLED}", found[name].value, found[name].error, f"{hands:,} hands", target)
        for name, what, target in (
            ("draws, hands", "chance terms, hands of the", False),
            ("draws and actions, hands", "chance and action terms, hands of the", True),
            ("draws, decisions", "chance terms, decisions of the", False),
            ("draws and actions, decisions", "chance and action terms, decisions of the", False),
            (
                "draws and actions, their value as critic, decisions",
                "chance and action terms and their value as critic, decisions of the",
                False,
            ),
        )
    ]


def recorded(rules: str) -> list[Figure]:
    """Shares of critics, which the script measured on a GPU."""
    file: Path = RECORDED / f"variance-{rules}.json"
    if not file.is_file():
        return []
    shares = json.loads(file.read_text(encoding="utf-8"))["shares"]
    found = []
    for (variant, name), what in CRITICS.items():
        if variant in shares:
            share = shares[variant][name]
            note = f"after {shares[variant]['decisions'] / 1e6:.0f} million decisions, by `scripts/train_luckfree.py`"
            found.append(_figure(rules, what, share["value"], share["error"], note))
    return found


def _figure(rules: str, what: str, value: float, error: float, note: str, wanted: bool = False) -> Figure:
    target = TARGETS[rules] if wanted else None
    return Figure(f"{rules}: {what}", "of the variance", value, target, False, {}, f"± {error:.3f}, {note}")


def main() -> None:
    """Measure and report."""
    args = command_line(__doc__).parse_args()
    figures = [figure for rules in TARGETS for figure in of_search_players(rules, SEARCH_HANDS[rules][args.quick])]
    figures += of_the_policy("simplified", HANDS[args.quick])
    report(
        args,
        "luckfree",
        "Variance left by each device",
        "Returns without luck",
        INTRO,
        figures,
        only_on_page=[figure for rules in TARGETS for figure in recorded(rules)],
    )


if __name__ == "__main__":
    main()
