"""Fuzz the riichi engine: millions of decisions by players with mixed habits, with checks throughout (`make fuzz`).

Half of the hands are dealt as in a game, half from rigged walls in random situations, which produce yakuman, kans and
ends of games. For every preset in turn it checks that: states pass the audit of `rules/riichi/audit.py` (tiles,
points, waits, the bound on shanten, seen tiles), after each hand and at random tables in play; masks agree with what
`apply` accepts, for random legal and illegal actions; views do not change when hidden tiles are shuffled; and the same
games give the same states compiled, compiled with bounds checks, and in plain Python. A finding prints how to
reproduce it, and the exit status is 1.

"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import subprocess
import sys
import time
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn
from rich.table import Table as Grid

from _page import replace_page, table, today
from janshi.core import rng
from janshi.rules.batch import Batch
from janshi.rules.check import GameCheckError, check_view
from janshi.rules.riichi import yaku
from janshi.rules.riichi.audit import FINDINGS, audit_all
from janshi.rules.riichi.game import RiichiGame
from janshi.rules.riichi.mixed import HABITS, choose_mixed, rigged_walls
from janshi.rules.riichi.policies import new_mind
from janshi.rules.riichi.result import RESULT_NAMES
from janshi.rules.riichi.ruleset import PRESETS, get_ruleset
from janshi.rules.riichi.state import HAND_OVER, NEW, RON_WIN, TSUMO_WIN

PAGE = Path(__file__).resolve().parent.parent / "docs" / "fuzz.md"
TABLES = 1024
AUDITED = 32
"""Tables in play audited after each step."""
LOOKED_AT = 8
"""Steps between checks of views and refusals."""
CHUNK = 250_000
"""Decisions on one preset before moving on to the next."""
MODES = {
    "compiled": {},
    "bounds-checked": {"NUMBA_BOUNDSCHECK": "1"},
    "plain Python": {"NUMBA_DISABLE_JIT": "1"},
}
MODE_STEPS = 150
MODE_TABLES = 3


@dataclass
class Tally:
    """What happened, for the summary."""

    decisions: int = 0
    hands: int = 0
    games: int = 0
    audits: int = 0
    refusals: int = 0
    looks: int = 0
    events: Counter[str] = field(default_factory=Counter)


class Finding(Exception):
    """A violation, and how to reproduce it."""


# --- playing


class Fuzz:
    """One batch of one preset, played and checked."""

    def __init__(self, rules: str, seed: int, threads: int, tables: int = TABLES, rigged: bool = False) -> None:
        self.rules, self.seed, self.rigged = rules, seed, rigged
        self.game = RiichiGame(get_ruleset(rules))
        self.batch = Batch(self.game, tables=tables, seed=seed, threads=threads)
        self.context, self.mind = self.game.new_context(), new_mind()
        self.random = np.random.default_rng(seed)
        self.habits = self._new_habits(tables)
        self.actions = np.zeros(tables * self.game.players, np.int64)
        self.step_number = 0

    def _new_habits(self, n: int) -> Any:
        """Habits of the four players at `n` tables; at a third of the tables, all four are the same."""
        habits = self.random.integers(0, len(HABITS), (n, self.game.players)).astype(np.int8)
        habits[::3] = habits[::3, :1]
        return habits

    def choose(self) -> Any:
        """An action for every open decision."""
        base = np.uint64(rng.key(self.seed, self.step_number, 3))
        batch, actions = self.batch, self.actions[: len(self.batch)]
        choose_mixed(
            batch.stepper.states, batch.tables, batch.players, self.habits, base, actions, self.mind, *self.context
        )
        return actions

    def step(self, tally: Tally) -> None:
        """Answer every decision, then check the result."""
        tally.decisions += len(self.batch)
        actions = self.choose()
        self.try_illegal(actions, tally)
        if self.step_number % LOOKED_AT == 0:
            self.try_views(tally)
        try:
            self.batch.step(actions)
        except ValueError as error:
            raise self.finding(f"a player chose what is not legal: {error}") from error
        self.step_number += 1
        self.look_at_ends(tally)
        self.audit(tally)
        if self.rigged:
            self.rig()

    def rig(self) -> None:
        """Give half of the tables between hands a rigged wall and a random situation."""
        states = self.batch.states
        between = self.batch.over | ((states["phase"] == HAND_OVER) & (self.random.random(len(states)) < 0.5))
        where = np.flatnonzero(between)
        fresh = self.game.new_states(len(where))
        self.game.start(fresh, self.random.integers(0, 2**63, len(where)).astype(np.uint64), self.context)
        fresh["wall"] = rigged_walls(self.random, len(where))
        fresh["kyoku"] = self.random.integers(0, 4 * self.game.rules.rounds + 4, len(where))
        fresh["honba"] = self.random.integers(0, 4, len(where))
        fresh["sticks"] = self.random.integers(0, 4, len(where))
        fresh["scores"] = random_scores(self.random, fresh["sticks"], self.game.rules.starting_points)
        fresh["phase"], fresh["asked"] = NEW, 0
        states[where] = fresh

    def finding(self, what: str) -> Finding:
        """A finding, with instructions to reproduce it."""
        again = f"--rules {self.rules} --seed {self.seed}{' --rigged' if self.rigged else ''}"
        return Finding(f"{self.rules}: {what} (step {self.step_number}; again with {again})")

    # --- checking

    def audit(self, tally: Tally) -> None:
        """Audit tables whose hand has just ended and some in play."""
        states = self.batch.states
        ended = np.flatnonzero(states["phase"] == HAND_OVER)
        chosen = np.concatenate([ended, self.random.integers(0, len(states), AUDITED)])
        findings = audit_all(states[chosen], self.game.rules)
        for at in np.flatnonzero(findings)[:1]:
            raise self.finding(f"{FINDINGS[int(findings[at])]} at table {chosen[at]}")
        tally.audits += len(chosen)

    def try_illegal(self, actions: Any, tally: Tally) -> None:
        """A random action at a random decision is accepted if and only if the mask allows it."""
        batch = self.batch
        if not len(batch):
            return
        at = int(self.random.integers(len(batch)))
        action = int(self.random.integers(-2, self.game.num_actions + 2))
        legal = 0 <= action < self.game.num_actions and bool(batch.legal_masks()[at, action])
        tried = actions.copy()
        tried[at] = action
        before = batch.states.tobytes()
        refused = self.game.first_illegal(batch.states, batch.stepper.first, tried) == at
        if refused == legal:
            raise self.finding(
                f"action {action} is {'refused' if refused else 'taken'} against its mask, decision {at}"
            )
        if not legal:
            self._expect_refusal(tried, before)
            tally.refusals += 1

    def _expect_refusal(self, tried: Any, before: bytes) -> None:
        try:
            self.batch.step(tried)
        except ValueError:
            if self.batch.states.tobytes() != before:
                raise self.finding("a refused action changed a state") from None
            return
        raise self.finding("an illegal action was taken")

    def try_views(self, tally: Tally) -> None:
        """A view does not change when hidden tiles do."""
        table = int(self.random.integers(len(self.batch.states)))
        player = int(self.random.integers(self.game.players))
        try:
            check_view(self.game, self.batch.states[table : table + 1], player, f"player {player}, table {table}")
        except GameCheckError as error:
            raise self.finding(str(error)) from error
        tally.looks += 1

    def look_at_ends(self, tally: Tally) -> None:
        """Count finished hands and games, and seat new players at finished games."""
        states = self.batch.states
        ended = states[states["phase"] == HAND_OVER]
        tally.hands += len(ended)
        count_results(ended, tally.events)
        over = self.batch.over
        tally.games += int(over.sum())
        self.habits[over] = self._new_habits(int(over.sum()))
        rewards = self.game.rewards(states)
        if not np.allclose(rewards.sum(axis=1), 0, atol=1e-3):
            raise self.finding("rewards do not sum to zero")


def random_scores(random: np.random.Generator, sticks: Any, starting: int) -> Any:
    """Random scores, from rich to bust; together with the sticks, they sum to the points of a table."""
    hundreds = (4 * starting - 1000 * sticks.astype(np.int64)) // 100
    shares = random.dirichlet(np.ones(4), len(sticks))
    scores = (shares * hundreds[:, None]).astype(np.int64)
    scores[:, 0] += hundreds - scores.sum(axis=1)
    return scores * 100


def count_results(ended: Any, events: Counter[str]) -> None:
    """Count results, riichi, kans and yaku of hands that have just ended."""
    if not len(ended):
        return
    for number, many in zip(*np.unique(ended["result"], return_counts=True)):
        events[RESULT_NAMES[int(number)]] += int(many)
    won = ended[(ended["result"] == RON_WIN) | (ended["result"] == TSUMO_WIN)]
    winners = (won["winners"][:, None] >> np.arange(4)) & 1 == 1
    several = winners.sum(axis=1)
    events["double ron"] += int((several == 2).sum())
    events["triple ron paid"] += int((several == 3).sum())
    events["riichi declared"] += int((ended["riichi"] > 0).sum())
    events["kans"] += int(ended["kans"].sum())
    events["liable players"] += int((ended["liable"] >= 0).any(axis=2).sum())
    events["yakuman"] += int(((won["win_yakuman"] > 0) & winners).sum())
    bits = won["win_yaku"][winners]
    for one in yaku.YAKU[: yaku.DORA]:
        events[f"yaku {one.romaji}"] += int(((bits >> one.number) & 1).sum())


# --- the same games in three ways


def play_and_hash(rules: str, seed: int, tables: int, steps: int) -> str:
    """Play a few steps and hash all states, and the views at the end."""
    fuzz, digest = Fuzz(rules, seed, 1, tables), hashlib.sha256()
    for _ in range(steps):
        fuzz.batch.step(fuzz.choose())
        fuzz.step_number += 1
        digest.update(fuzz.batch.states.tobytes())
    digest.update(fuzz.batch.views().tobytes() + fuzz.batch.oracle_views().tobytes())
    fuzz.audit(Tally())
    return digest.hexdigest()[:16]


def compare_modes(presets: list[str], seed: int, say: Console) -> list[str]:
    """Play the same games compiled, with bounds checks, and in plain Python; returns the differences."""
    program = [sys.executable, __file__, "--hash", *presets, "--seed", str(seed)]
    answers = {}
    for mode, settings in MODES.items():
        started = time.perf_counter()
        done = subprocess.run(program, env={**os.environ, **settings}, capture_output=True, text=True, check=False)
        answers[mode] = done.stdout.strip() if done.returncode == 0 else f"failed: {done.stderr.strip()[-800:]}"
        say.print(f"  {mode:<15} {time.perf_counter() - started:5.1f} s  {answers[mode].splitlines()[:1]}")
    expected = answers["compiled"]
    return [
        f"{mode} and compiled runs differ (seed {seed}):\n{expected}\n{answer}"
        for mode, answer in answers.items()
        if answer != expected or answer.startswith("failed")
    ]


# --- the program


def fuzz_all(options: argparse.Namespace, tally: Tally, say: Console) -> list[str]:
    """Play all presets in turn until there are enough decisions; returns the findings."""
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with Progress(*columns, TimeRemainingColumn(), console=say, transient=True) as progress:
        bar = progress.add_task("fuzzing", total=options.decisions)
        turn = 0
        while tally.decisions < options.decisions:
            rules = options.rules[turn % len(options.rules)]
            goal = min(options.decisions, tally.decisions + CHUNK)
            round_ = turn // len(options.rules)
            rigged = options.rigged or round_ % 2 == 1
            fuzz = Fuzz(rules, options.seed + round_ // 2, options.threads, rigged=rigged)
            while tally.decisions < goal:
                try:
                    fuzz.step(tally)
                except Finding as finding:
                    return [str(finding)]
                progress.update(bar, completed=min(tally.decisions, options.decisions), description=rules)
            turn += 1
    return []


def show(tally: Tally, seconds: float, say: Console) -> None:
    """Print the summary."""
    say.print(
        f"{tally.decisions:,} decisions, {tally.hands:,} hands, {tally.games:,} games in {seconds:.0f} s; "
        f"{tally.audits:,} audits, {tally.refusals:,} refusals, {tally.looks:,} views"
    )
    grid = Grid("happened", "times", "yaku", "times ", box=None)
    rows = [(name, times) for name, times in tally.events.most_common() if not name.startswith("yaku ")]
    won = [(name[5:], times) for name, times in tally.events.most_common() if name.startswith("yaku ")]
    for i in range(max(len(rows), len(won))):
        cells = [*(rows[i] if i < len(rows) else ("", "")), *(won[i] if i < len(won) else ("", ""))]
        grid.add_row(*(f"{cell:,}" if isinstance(cell, int) else cell for cell in cells))
    say.print(grid)


def write_page(options: argparse.Namespace, tally: Tally, seconds: float, findings: list[str]) -> None:
    """Write the summary of a run to the documentation."""
    rows = [(name, f"{times:,}") for name, times in tally.events.most_common() if not name.startswith("yaku ")]
    lines = [
        "# Fuzzing the riichi engine",
        "",
        "Random and half-random players play on normal and rigged walls, under all presets. After every hand, and at",
        "a sample of decisions, tiles and points must be conserved and the state must be consistent; illegal actions",
        "must be refused and change nothing; views must not depend on hidden tiles; the games must be the same",
        "compiled, compiled with bounds checks, and in plain Python.",
        "",
        f"- Date: {today()}",
        f"- Command: `python scripts/fuzz.py --decisions {options.decisions} --seed {options.seed} --page`",
        f"- {tally.decisions:,} decisions, {tally.hands:,} hands, {tally.games:,} games in {seconds:.0f} s",
        f"- {tally.audits:,} audits, {tally.refusals:,} illegal actions refused, {tally.looks:,} views compared",
        f"- Findings: {len(findings) or 'none'}",
        *(f"    - {finding}" for finding in findings),
        "",
        table(["happened", "times"], rows),
    ]
    replace_page(PAGE, "\n".join(lines) + "\n")


def read_options() -> argparse.Namespace:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--decisions", type=int, default=10_000_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--rules", nargs="+", choices=list(PRESETS), default=list(PRESETS), metavar="PRESET")
    parser.add_argument("--rigged", action="store_true", help="rigged walls and random situations only (else half)")
    parser.add_argument("--no-modes", action="store_true", help="leave out plain Python and bounds-checked runs")
    parser.add_argument("--page", action="store_true", help="write the summary to docs/fuzz.md")
    parser.add_argument("--json", action="store_true", help="print the summary as JSON")
    parser.add_argument(
        "--hash", nargs="+", metavar="PRESET", help="only play a few steps and print hashes of the states"
    )
    return parser.parse_args()


def main() -> int:
    """Run; 0 if nothing was found."""
    options = read_options()
    if options.hash:
        for rules in options.hash:
            print(rules, play_and_hash(rules, options.seed, MODE_TABLES, MODE_STEPS))
        return 0
    say, tally, started = Console(stderr=options.json), Tally(), time.perf_counter()
    findings = fuzz_all(options, tally, say)
    seconds = time.perf_counter() - started
    if not options.no_modes:
        say.print("the same games in three ways")
        findings += compare_modes(options.rules, options.seed, say)
    if options.json:
        print(json.dumps({**vars(tally), "seconds": seconds, "findings": findings}))
    else:
        show(tally, seconds, say)
    if options.page:
        write_page(options, tally, seconds, findings)
    for finding in findings:
        say.print(f"[bold red]finding:[/] {finding}")
    say.print("nothing found" if not findings else f"{len(findings)} findings")
    return 1 if findings else 0


if __name__ == "__main__":
    sys.exit(main())
