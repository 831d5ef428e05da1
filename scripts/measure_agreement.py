"""Measure how often players agree with houou players, and write the table of docs/review.md.

python scripts/measure_agreement.py --every 40 houou-2022.tar.xz           # every 40th game, all players
python scripts/measure_agreement.py --every 40 --agents mdp houou-2022...  # one player more; the other rows stay
python scripts/measure_agreement.py --agents greedy,careful --print PATH   # nothing written
python scripts/measure_agreement.py --kept FOLDER PATH                     # an interrupted run can be continued

Afterwards `python scripts/write_players.py` puts the figures on the Players page.
"""

from __future__ import annotations

import argparse
import itertools
import json
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from _page import table, this_machine, today, write_between
from janshi.arena.stats import rate
from janshi.luck.agreement import compare
from janshi.records.formats import read_record
from janshi.records.model import GameRecord
from janshi.records.sources import Sources

PAGE = Path(__file__).resolve().parent.parent / "docs" / "review.md"
BEGIN, END = "<!-- agreement: begin -->", "<!-- agreement: end -->"
AGENTS = "apprentice,mdp:hands=12500,montecarlo:rollouts=1000,one_player,careful,greedy"


def main() -> None:
    """Measure, and write the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("paths", nargs="+", help="held-out games: files, folders or archives")
    parser.add_argument("--agents", default=AGENTS, help="players, separated by commas")
    parser.add_argument("--games", type=int, default=None, help="only the first games, this many")
    parser.add_argument("--every", type=int, default=1, help="only every n-th game of the paths")
    parser.add_argument("--kept", type=Path, default=None, help="folder for each game's result, to continue from")
    parser.add_argument("--print", action="store_true", help="print the table instead of writing it")
    given = parser.parse_args()
    files = itertools.islice(Sources(given.paths), 0, None, given.every)
    games = [read_record(file.content, file.name) for file in itertools.islice(files, given.games)]
    rows = [row(agent, games, given.kept) for agent in given.agents.split(",")]
    rows += [old for old in written(len(games)) if old[0] not in [cells[0] for cells in rows]]
    rows.sort(key=lambda cells: cells[1], reverse=True)
    text = report(rows, len(games))
    if given.print:
        print(text)
    else:
        write_between(PAGE, BEGIN, END, text)


def written(games: int) -> list[list[str]]:
    """The rows already on the page, if they were measured on the same number of games."""
    part = PAGE.read_text(encoding="utf-8").partition(BEGIN)[2].partition(END)[0]
    rows = [[cell.strip() for cell in line.strip("| ").split("|")] for line in part.splitlines() if line[:3] == "| `"]
    return rows if f"- Games: {games} of" in part else []


def row(agent: str, games: Sequence[GameRecord], kept: Path | None) -> list[str]:
    """The agreement of a player, with its interval clustered by game."""
    found = np.array([counts(agent, game, number, kept) for number, game in enumerate(games)], np.float64)
    agreed, decisions, discards, agreed_discards = found.T
    share = rate(agreed, decisions, np.arange(len(games)))
    print(f"{agent}: {share.value:.4f} of {int(decisions.sum()):,}", flush=True)
    alone = 100 * agreed_discards.sum() / discards.sum()
    interval = f"{100 * share.low:.1f} to {100 * share.high:.1f}"
    return [f"`{agent}`", f"{100 * share.value:.1f}", interval, f"{alone:.1f}", f"{int(decisions.sum()):,}"]


def counts(agent: str, game: GameRecord, number: int, kept: Path | None) -> list[int]:
    """Decisions of a game that a player would have made as played, all decisions, and the same for discards."""
    file = None if kept is None else kept / f"{agent.replace(':', '-')}-{number}.json"
    if file is not None and file.exists():
        return [int(count) for count in json.loads(file.read_text(encoding="utf-8"))]
    found = list(compare(game, agent))
    discards = [one.agreed for one in found if one.kind == "discard"]
    answer = [sum(one.agreed for one in found), len(found), len(discards), sum(discards)]
    if file is not None:
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(json.dumps(answer), encoding="utf-8")
        print(f"{agent}: game {number + 1}, {answer[0]} of {answer[1]}", flush=True)
    return answer


def report(rows: Sequence[Sequence[str]], games: int) -> str:
    """The table with its source."""
    head = ["player", "agreement, %", "95 % interval", "discards, %", "decisions"]
    lines = [
        f"- Games: {games} of houou-2022, which no player learned from; all four players; measured {today()}",
        f"- Machine: {this_machine()}",
        "- Command: `python scripts/measure_agreement.py --every N houou-2022.tar.xz`",
        "",
        table(head, rows),
    ]
    return "\n".join(lines)


if __name__ == "__main__":
    main()
