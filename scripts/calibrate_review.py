"""Compare the losses that a reviewer predicts with results without luck, and write docs/review_calibration.md.

python scripts/calibrate_review.py --out DATA houou-2022.tar.xz              # all games, one process
python scripts/calibrate_review.py --out DATA -j 16 --games 2000 PATH ...    # 16 processes, the first 2,000 games
python scripts/calibrate_review.py --out DATA                                # only the page, from stored measurements
python scripts/calibrate_review.py --out DATA --choices TEST                 # from measurements of measure_choices.py
python scripts/calibrate_review.py --out DATA --choices TEST --held-out MORE # and games or players held out
python scripts/calibrate_review.py --out DATA --choices TEST --learned SEEN  # and games that were learned from

Every game is a separate file under DATA, so an interrupted run can be continued. Each reviewer has its own part of the
page; those of others stay as they are.
"""

from __future__ import annotations

import argparse
import io
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import dataclass
from functools import cache
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import numpy as np

from _calibration_page import HELD_OUT, LEARNED, part
from _choices import GROUPS, decisions_of_file
from _page import write_between
from janshi.agents.learned.losses import shipped
from janshi.agents.loss import ActionValues, values_of
from janshi.agents.registry import make_agent
from janshi.core.files import write_whole
from janshi.luck.afterwards import STEPS, follow
from janshi.luck.error_rate import decisions, kind_of_decision, loss_of
from janshi.luck.games import games_of_records
from janshi.records.formats import read_record
from janshi.records.sources import Sources
from janshi.rules.game import Array
from janshi.rules.riichi.game import RiichiGame
from janshi.rules.riichi.ruleset import Ruleset
from janshi.rules.riichi.state import PLAYERS

PAGE = Path(__file__).resolve().parent.parent / "docs" / "review_calibration.md"
AGENT = "apprentice"
AVERAGE_RANK = 2.5
SOON = STEPS.index(8)

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
        ("usual", np.float32),  # what experts lose on average in this position; NaN if that is not known
        ("before", np.float32),  # minus the expected final rank before it, by the value function that knows all hands
        ("soon", np.float32),  # the same eight draws later, less the luck until then
        ("threat", np.bool_),  # an opponent is in riichi, or tenpai as likely as not if the reviewer says so
        ("spread", np.float32),  # what is at stake in the hand; NaN if the reviewer does not say
        ("shares", np.float32, (len(GROUPS) - 1,)),  # how often experts make a choice of each group by predicted loss
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
    parser.add_argument("--choices", type=Path, nargs="+", default=(), help="folders of measure_choices.py")
    parser.add_argument("--held-out", type=Path, nargs="+", default=(), help="folders of measure_choices.py --held-out")
    parser.add_argument(
        "--learned", type=Path, nargs="+", default=(), help="folders of measure_choices.py, of games learned from"
    )
    parser.add_argument("-j", "--workers", type=int, default=1, help="processes")
    parser.add_argument("--print", action="store_true", help="print the page instead of writing it")
    given = parser.parse_args()
    given.out.mkdir(parents=True, exist_ok=True)
    measure_all(list(missing(given.paths, given.agent, given.out, given.games, given.every)), given.workers)
    convert(given.choices, given.out)
    convert(given.held_out, given.out / HELD_OUT)
    convert(given.learned, given.out / LEARNED)
    text, name = part(given.out, given.agent), given.agent.partition(":")[0]
    if given.print:
        print(text)
    else:
        write_between(PAGE, f"<!-- {name}: begin -->", f"<!-- {name}: end -->", text)


# --- measuring


def missing(paths: Sequence[str], agent: str, out: Path, games: int | None, every: int) -> Iterator[Work]:
    """The games that have not been measured yet."""
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
def reviewer(agent: str, rules: Ruleset) -> Any:
    """The reviewer of this process, under the rules of a game."""
    return make_agent(agent, RiichiGame(rules))


def measure(work: Work) -> str:
    """Measure and store a game; returns a line about it."""
    try:
        record = read_record(work.content, work.name)
    except ValueError as wrong:
        return str(wrong)
    played = games_of_records([record])
    if not len(played) or any(name is None for name in record.names):
        return f"{work.name} is left out: {' '.join(played.problems)}"
    (some,) = decisions(played, everybody())
    followed = follow(played, some.views, some.infos)
    found = np.array([judged(some, i, work.agent) for i in range(len(some.views))], DECISION_DTYPE)
    note_results(found, followed.value, followed.result, followed.soon)
    adjusted = played.ranks[0] + followed.luck[0]
    keep(work.out, found, played.ranks[0], adjusted, record.dans or (0,) * PLAYERS, record.names)
    return f"{work.name}: {len(found)} decisions"


def keep(out: Path, found: Array, ranks: Array, adjusted: Array, dans: Any, names: Any, **more: Any) -> None:
    """Write a measured game."""
    content = io.BytesIO()
    players = {"ranks": ranks, "adjusted": adjusted, "dans": np.array(dans, np.int16), "names": np.array(names)}
    np.savez_compressed(content, decisions=found, **players, **more)
    write_whole(out, content.getvalue())


def note_results(found: Array, value: Array, result: Array, soon: Array) -> None:
    """Write the results of decisions, as minus expected final ranks."""
    found["before"], found["result"] = value - AVERAGE_RANK, result - AVERAGE_RANK
    found["soon"] = value + soon[:, SOON] - AVERAGE_RANK


def convert(folders: Sequence[Path], out: Path) -> None:
    """Convert the apprentice's measured games to the form of every reviewer, with its current losses."""
    for path in sorted(path for folder in folders for path in folder.glob("*.npz")):
        out.mkdir(parents=True, exist_ok=True)
        with np.load(path) as stored:
            kept = decisions_of_file(stored, shipped())
            found = np.zeros(len(kept["seat"]), DECISION_DTYPE)
            for name in ("seat", "kind", "loss", "best", "experts", "stake", "usual", "threat", "spread", "shares"):
                found[name] = kept[name]
            found["hand"], found["turn"] = kept["number"], kept["turns"]
            note_results(found, kept["before"], kept["result"], kept["soon"])
            more = {name: stored[name] for name in ("seats", "split", "known")}
            keep(out / path.name, found, *(stored[name] for name in ("ranks", "adjusted", "dans", "names")), **more)


def everybody() -> Array:
    """All seats of one game."""
    return np.ones((1, PLAYERS), np.bool_)


def judged(some: Any, i: int, agent: str) -> tuple[Any, ...]:
    """One decision as a record to store, without its results."""
    view, info, action = some.views[i], some.infos[i], int(some.actions[i])
    (found,) = values_of(reviewer(agent, some.rules), some.views[i : i + 1])
    hand, seat = int(info["hand"]), int(info["player"])
    best = max(found.values.values()) if found.values else np.nan
    riichi = bool(view["riichi"][1:].any())
    return (
        *(hand, seat, int(info["turn"]), kind_of_decision(some.legal[i]), found.alike),
        *(loss_of(found, action, int(view["drawn"])), best, experts_of(found, action, int(view["drawn"]))),
        *(np.nan, found.stake, usual_loss(found), np.nan, np.nan, riichi, np.nan, shares_of_groups(found)),
    )


def usual_loss(found: ActionValues) -> float:
    """Average loss of experts; NaN if the reviewer does not model them."""
    known = [action for action in found.experts if action in found.values]
    total = sum(found.experts[action] for action in known)
    return sum(found.experts[action] * found.loss(action) for action in known) / total if total > 0 else np.nan


def shares_of_groups(found: ActionValues) -> Array:
    """How often experts make a choice of each group by predicted loss, float64[groups]."""
    out = np.zeros(len(GROUPS) - 1)
    for action, chance in found.experts.items():
        if action in found.values:
            out[np.searchsorted(GROUPS, found.loss(action), "right") - 1] += chance
    return out / max(out.sum(), 1e-12)


def experts_of(found: ActionValues, action: int, drawn: int) -> float:
    """How often experts choose the action played; NaN if that is not known."""
    by_experts = ActionValues(found.unit, found.experts)
    return max(found.experts.values(), default=np.nan) - loss_of(by_experts, action, drawn)


if __name__ == "__main__":
    main()
