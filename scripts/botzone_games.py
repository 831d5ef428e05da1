"""Play games over Botzone's protocol and write the results into docs/botzone.md (`make botzone`).

    python scripts/botzone_games.py                  # 1,000 games of each agent under the judge, 10 of processes
    python scripts/botzone_games.py --games 100 --agents greedy

First, an agent plays all four seats in this process under the strict judge, which ends the game at any illegal answer.
Then bundles of an agent, without Numba, play as four subprocesses, with every form of input and output. The exit
status is 1 if any answer was illegal.
"""

from __future__ import annotations

import argparse
import os
import platform
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn

from _page import stamp, table, write_between
from janshi.agents.registry import agent_names
from janshi.protocols.bot import BotFault
from janshi.protocols.botzone.bundle import write_bundle
from janshi.protocols.botzone.judge import PlayError, Seat, play_hand
from janshi.protocols.botzone.player import make_player
from janshi.protocols.botzone.process import BotzoneProcess
from janshi.rules.guobiao.table import Table

PAGE = Path(__file__).resolve().parent.parent / "docs" / "botzone.md"
BEGIN, END = "<!-- games: begin -->", "<!-- games: end -->"
SECONDS = 60.0
"""Time limit for an answer of a subprocess: generous, because speed is not tested here."""
MANY_SECONDS = 10
"""From here on, seconds are printed without decimals."""
HEAD = ("players", "games", "won", "drawn", "error penalties", "turns", "slowest answer", "seconds a game")


class Timed:
    """A seat whose answers are timed."""

    def __init__(self, seat: Seat) -> None:
        self.seat, self.slowest = seat, 0.0

    def answer(self, request: str) -> str:
        """Answer for the seat, and time it."""
        started = time.perf_counter()
        answer = self.seat.answer(request)
        self.slowest = max(self.slowest, time.perf_counter() - started)
        return answer


@dataclass
class Tally:
    """The results of the games of one kind of players."""

    name: str
    ends: Counter[str] = field(default_factory=Counter)
    errors: list[PlayError | BotFault] = field(default_factory=list)
    turns: int = 0
    slowest: float = 0.0
    seconds: float = 0.0

    def play(self, seats: Sequence[Seat], seed: int) -> None:
        """Play a game and count it."""
        timed, started = [Timed(seat) for seat in seats], time.perf_counter()
        try:
            hand = play_hand(timed, Table(seed=seed))
        except BotFault as fault:
            self.errors.append(fault)
            self.ends["fault"] += 1
            return
        self.seconds += time.perf_counter() - started
        self.slowest = max(self.slowest, *(seat.slowest for seat in timed))
        self.turns += len(hand.turns)
        result = hand.table.result
        self.ends["penalty" if hand.error else "draw" if result is None or result.is_draw else "win"] += 1
        if hand.error is not None:
            self.errors.append(hand.error)

    def row(self) -> list[str]:
        """Its row of the table."""
        games = self.ends.total()
        ends = [f"{self.ends[end]:,}" for end in ("win", "draw")]
        mean = self.seconds / max(games, 1)
        errors, each = f"{len(self.errors):,}", f"{mean:.0f}" if mean >= MANY_SECONDS else f"{mean:.2g}"
        return [self.name, f"{games:,}", *ends, errors, f"{self.turns:,}", f"{1000 * self.slowest:,.0f} ms", each]


def play_agents(agents: Sequence[str], games: int, bar: Progress) -> list[Tally]:
    """Games of four seats of the same agent, in this process."""
    tallies = []
    for agent in agents:
        tally, players = Tally(f"4 × {agent}"), [make_player(agent, seed) for seed in range(4)]
        Tally("").play(players, games)
        for seed in bar.track(range(games), description=agent):
            tally.play(players, seed)
        tallies.append(tally)
    return tallies


def play_processes(agent: str, games: int, restarted: int, bar: Progress) -> list[Tally]:
    """Games of four subprocesses that run the agent's bundle, in every mode."""
    os.environ["JANSHI_BUNDLE_NUMBA"] = "never"
    tallies = []
    with tempfile.TemporaryDirectory() as folder:
        for form in ("json", "simple"):
            for keep in (True, False):
                bot, count = Path(folder) / f"{form}-{keep}.py", games if keep else restarted
                write_bundle(agent, bot, io=form, keep_running=keep)
                mode = f"{form}, {'kept running' if keep else 'restarted every turn'}"
                tallies.append(Tally(f"4 processes of {agent}, {mode}"))
                for seed in bar.track(range(count), description=mode):
                    play_processes_once(tallies[-1], bot, form, keep, seed)
    return tallies


def play_processes_once(tally: Tally, bot: Path, form: str, keep: bool, seed: int) -> None:
    """One game of four fresh subprocesses."""
    command = [sys.executable, "-I", str(bot)]
    seats = [BotzoneProcess(command, io=form, keep_running=keep, seconds=SECONDS) for _ in range(4)]
    try:
        tally.play(seats, seed)
    finally:
        for seat in seats:
            seat.stop()


def write_page(tallies: Sequence[Tally], command: str) -> None:
    """Write the table between its marks."""
    machine = (
        f"{os.cpu_count()} cores, load {os.getloadavg()[0]:.1f} at the end; Python {platform.python_version()}, "
        f"NumPy {numpy.__version__}, {sys.platform}"
    )
    figures = table(HEAD, [tally.row() for tally in tallies])
    write_between(PAGE, BEGIN, END, f"\n{stamp(command, machine)}\n\n{figures}\n")


def read_options() -> argparse.Namespace:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    known = [name for name in ("random", "greedy", "search") if name in agent_names("guobiao")]
    parser.add_argument(
        "--agents", default=",".join(known), help="agents that play in this process, separated by commas"
    )
    parser.add_argument("--games", type=int, default=1000, help="games of each agent in this process")
    parser.add_argument("--bundled", default="greedy", help="the agent that plays as subprocesses")
    parser.add_argument("--processes", type=int, default=10, help="games of four subprocesses that keep running")
    parser.add_argument("--restarted", type=int, default=1, help="games of subprocesses restarted for every turn")
    parser.add_argument("--page", action="store_true", help="write the table into docs/botzone.md")
    return parser.parse_args()


def main() -> int:
    """Play all games, show them, and write the page."""
    options, say = read_options(), Console(stderr=True)
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn())
    with Progress(*columns, TimeElapsedColumn(), TimeRemainingColumn(), console=say) as bar:
        tallies = play_agents(options.agents.split(","), options.games, bar)
        tallies += play_processes(options.bundled, options.processes, options.restarted, bar)
    for row in (HEAD, *(tally.row() for tally in tallies)):
        print(" | ".join(row))
    errors = [error for tally in tallies for error in tally.errors]
    for error in errors[:20]:
        say.print(f"not allowed: {error}")
    if options.page:
        write_page(tallies, f"python {' '.join(['scripts/botzone_games.py', *sys.argv[1:]])}")
    return 1 if errors else 0


if __name__ == "__main__":
    sys.exit(main())
