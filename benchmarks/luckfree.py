"""How much of the variance of a hand's result is left by each device that reduces it (RL-5, docs/luckfree.md).

Without options: measure, print a table, write docs/benchmarks/luckfree.md. The shipped policy of the simplified game
plays against itself; the shipped values of draws and actions take luck out of hands that they have not learned from.
Critics need training on a GPU: their shares, and those of Guobiao, come from `scripts/train_luckfree.py`.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from _command import command_line, report
from _report import PAGES, Figure

TARGETS = {"simplified": 0.45, "guobiao": 0.50}
"""Share left by chance and action terms together."""
HANDS = {True: 600, False: 12_000}
"""Hands that are measured, in haste or not."""
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
    ("rl5a", "draws, hands"): "chance terms, hands",
    ("rl5a", "draws and actions, hands"): "chance and action terms, hands",
}
"""What the script's figures are."""
SETTINGS = ["tables=128", "rollout=4096", "batch=512", "threads=1", "device=cpu", "gamma=1", "lam=1"]


def run_with_shipped_values(rules: str) -> Any:
    """A run that plays by the shipped policy, with the shipped values of draws and actions."""
    from janshi.agents.learned.network import shipped
    from janshi.learn import outcome_values
    from janshi.learn.network import read_policy
    from janshi.learn.variance import frozen
    from janshi.models.store import FOLDER

    read = {name: outcome_values.read(FOLDER / f"luckfree-{name}-{rules}.npz")[0] for name in ("draws", "actions")}
    sizes = read["draws"].net.sizes
    changes = {"value_blocks": sizes["blocks"], "value_channels": sizes["channels"]}
    trainer = frozen(read_policy(shipped("rvr", rules)), rules, "rl5a", 2026, SETTINGS, **changes)
    assert trainer.luck is not None
    for name, part in trainer.luck.parts.items():
        part.network.load_state_dict(read[name].state_dict())
    return trainer


def measured(rules: str, hands: int) -> list[Figure]:
    """Shares on fresh hands."""
    from janshi.learn.variance import measure

    found = measure(run_with_shipped_values(rules), hands)
    return [
        _figure(rules, what, found[name].value, found[name].error, f"{hands:,} hands")
        for name, what in (
            ("draws, hands", "chance terms, hands"),
            ("draws and actions, hands", "chance and action terms, hands"),
        )
    ]


def recorded(rules: str, but: list[str]) -> list[Figure]:
    """Shares that the script measured on a GPU, but for those named."""
    file: Path = RECORDED / f"variance-{rules}.json"
    if not file.is_file():
        return []
    shares = json.loads(file.read_text(encoding="utf-8"))["shares"]
    found = []
    for (variant, name), what in CRITICS.items():
        if variant in shares and f"{rules}: {what}" not in but:
            share = shares[variant][name]
            note = f"after {shares[variant]['decisions'] / 1e6:.0f} million decisions, by `scripts/train_luckfree.py`"
            found.append(_figure(rules, what, share["value"], share["error"], note))
    return found


def _figure(rules: str, what: str, value: float, error: float, note: str) -> Figure:
    target = TARGETS[rules] if what == "chance and action terms, hands" else None
    return Figure(f"{rules}: {what}", "of the variance", value, target, False, {}, f"± {error:.3f}, {note}")


def main() -> None:
    """Measure and report."""
    args = command_line(__doc__).parse_args()
    figures = measured("simplified", HANDS[args.quick])
    known = [figure.metric for figure in figures]
    others = [figure for rules in TARGETS for figure in recorded(rules, known)]
    report(
        args,
        "luckfree",
        "Variance left by each device",
        "Returns without luck",
        INTRO,
        figures,
        only_on_page=others,
    )


if __name__ == "__main__":
    main()
