"""Compare the losses that a reviewer predicts with results without luck, and write docs/review_calibration.md.

python scripts/calibrate_review.py --out DATA houou-2022.tar.xz              # all games, one process
python scripts/calibrate_review.py --out DATA -j 16 --games 2000 PATH ...    # 16 processes, the first 2,000 games
python scripts/calibrate_review.py --out DATA                                # only the page, from what is measured

Every game is a separate file under DATA, so an interrupted run can be continued.
"""

from __future__ import annotations

import argparse
import os
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import dataclass
from functools import cache
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import numpy as np

from _calibration_page import page
from _page import replace_page
from janshi.agents.loss import ActionValues, values_of
from janshi.agents.registry import make_agent
from janshi.luck.error_rate import RULES, decisions, kind_of_decision, loss_of
from janshi.luck.games import games_of_records
from janshi.luck.measure import score_games
from janshi.luck.types import DEAL, DORA, PLACES, URA, ScoredGames
from janshi.records.formats import read_record
from janshi.records.model import GameRecord
from janshi.records.sources import Sources
from janshi.rules.game import Array
from janshi.rules.registry import make_game
from janshi.rules.riichi.state import PLAYERS

PAGE = Path(__file__).resolve().parent.parent / "docs" / "review_calibration.md"
AGENT = "mdp:hands=12500"
AVERAGE_RANK = 2.5

DECISION_DTYPE = np.dtype(
    [
        ("hand", np.int16),
        ("seat", np.int8),
        ("turn", np.int8),  # discards made by all before it
        ("kind", np.int8),  # place in `error_rate.KINDS`
        ("alike", np.bool_),  # all considered actions have the same value
        ("loss", np.float32),  # NaN: no value for the action played
        ("best", np.float32),  # the highest value: minus the expected final rank
        ("experts", np.float32),  # how often experts choose the action played
        ("result", np.float32),  # minus the expected final rank after the hand, less the luck until then
        ("stake", np.float32),  # what a random choice would lose on average
    ]
)


@dataclass(frozen=True, slots=True)
class Work:
    """A game to measure."""

    name: str
    content: bytes
    agent: str
    out: Path


def main() -> None:
    """Measure the missing games, and write the page."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("paths", nargs="*", help="held-out games: files, folders or archives")
    parser.add_argument("--out", type=Path, required=True, help="folder for the measurements, one file per game")
    parser.add_argument("--games", type=int, default=None, help="measure only the first games, this many")
    parser.add_argument("--every", type=int, default=1, help="measure only every n-th game of the paths")
    parser.add_argument("--agent", default=AGENT, help="the reviewer")
    parser.add_argument("-j", "--workers", type=int, default=1, help="processes")
    parser.add_argument("--print", action="store_true", help="print the page instead of writing it")
    given = parser.parse_args()
    given.out.mkdir(parents=True, exist_ok=True)
    measure_all(list(missing(given.paths, given.agent, given.out, given.games, given.every)), given.workers)
    text = page(given.out, given.agent)
    if given.print:
        print(text)
    else:
        replace_page(PAGE, text)


# --- measuring


def missing(paths: Sequence[str], agent: str, out: Path, games: int | None, every: int) -> Iterator[Work]:
    """The games that are not measured yet."""
    chosen = (file for number, file in enumerate(Sources(paths) if paths else ()) if number % every == 0)
    for number, file in enumerate(chosen):
        if games is not None and number >= games:
            return
        if not file.problem and not (out / f"{file.game}.npz").exists():
            yield Work(file.name, file.content, agent, out / f"{file.game}.npz")


def measure_all(work: Sequence[Work], workers: int) -> None:
    """Measure games, in several processes if requested."""
    if workers == 1:
        for number, one in enumerate(work):
            print(f"{number + 1} of {len(work)}: {measure(one)}", flush=True)
        return
    with ProcessPoolExecutor(workers, mp_context=get_context("spawn")) as pool:
        for number, done in enumerate(as_completed([pool.submit(measure, one) for one in work])):
            print(f"{number + 1} of {len(work)}: {done.result()}", flush=True)


@cache
def reviewer(agent: str) -> Any:
    """The reviewer of this process."""
    return make_agent(agent, make_game(RULES))


def measure(work: Work) -> str:
    """Measure a game and keep it; returns a line about it."""
    try:
        record = read_record(work.content, work.name)
    except ValueError as wrong:
        return str(wrong)
    played = games_of_records([record])
    if not len(played) or any(name is None for name in record.names):
        return f"{work.name} is left out: {' '.join(played.problems)}"
    scored = score_games(played)
    (some,) = decisions(played, everybody())
    found = [judged(some, i, scored, work.agent) for i in range(len(some.views))]
    new = work.out.with_suffix(f".{os.getpid()}.tmp")
    with new.open("wb") as file:
        np.savez_compressed(file, decisions=np.array(found, DECISION_DTYPE), **of_players(record, scored))
    new.replace(work.out)
    return f"{work.name}: {len(found)} decisions"


def everybody() -> Array:
    """All seats of one game."""
    return np.ones((1, PLAYERS), np.bool_)


def of_players(record: GameRecord, scored: ScoredGames) -> dict[str, Any]:
    """The four players and their results."""
    luck = scored.luck_of_games()[0, PLACES]
    return {
        "ranks": scored.ranks[0],
        "adjusted": scored.ranks[0] + luck,
        "dans": np.array(record.dans or (0,) * PLAYERS, np.int16),
        "names": np.array(record.names),
    }


def judged(some: Any, i: int, scored: ScoredGames, agent: str) -> tuple[Any, ...]:
    """One decision as a stored record."""
    view, info, action = some.views[i], some.infos[i], int(some.actions[i])
    (found,) = values_of(reviewer(agent), some.views[i : i + 1])
    hand, seat = int(info["hand"]), int(info["player"])
    best = max(found.values.values()) if found.values else np.nan
    return (
        *(hand, seat, int(info["turn"]), kind_of_decision(some.legal[i]), found.alike),
        *(loss_of(found, action, int(view["drawn"])), best, experts_of(found, action, int(view["drawn"]))),
        *(result_without_luck(scored, hand, seat, int(view["left"])), found.stake),
    )


def experts_of(found: ActionValues, action: int, drawn: int) -> float:
    """How often experts choose the action played; NaN if that is not known."""
    by_experts = ActionValues(found.unit, found.experts)
    return max(found.experts.values(), default=np.nan) - loss_of(by_experts, action, drawn)


def result_without_luck(scored: ScoredGames, hand: int, seat: int, left: int) -> float:
    """Minus the expected final rank after a hand, less the luck that came after a decision in it."""
    after = AVERAGE_RANK - scored.gains[: hand + 1, PLACES, seat].sum()
    events = scored.events[scored.first[hand] : scored.first[hand + 1]]
    later = (events["kind"] == URA) | ((events["left"] <= left) & ~np.isin(events["kind"], (DEAL, DORA)))
    return float(-after - events["luck"][later, PLACES, seat].astype(np.float64).sum())


if __name__ == "__main__":
    main()
