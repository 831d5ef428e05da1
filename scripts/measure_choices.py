"""Record the apprentice's output for every decision of recorded games, and the decision's luck-free results.

python scripts/measure_choices.py --out DATA PATH ...         # games: files, folders or archives
python scripts/measure_choices.py --out DATA --games 500 PATH # 500 of them, chosen by a hash of their names
python scripts/measure_choices.py --out DATA --skip 500 PATH  # all but these
python scripts/measure_choices.py --out DATA --held-out PATH  # only decisions held out of training

`fit_losses.py` uses this to fit what a choice costs, and `calibrate_review.py` checks it. Every game is a separate
file under DATA, so an interrupted run can be continued. Needs PyTorch, which is faster for many positions.
"""

from __future__ import annotations

import argparse
import hashlib
import io
from collections.abc import Sequence
from pathlib import Path
from typing import Final

import numpy as np
import torch

from janshi.agents.learned.apprentice import ApprenticeAgent
from janshi.agents.learned.tokens import read_network
from janshi.core.files import write_whole
from janshi.learn.imitation.export import restored
from janshi.learn.imitation.network import RiichiNet
from janshi.luck.afterwards import STEPS, Followed, follow
from janshi.luck.error_rate import RULES, Decisions, decisions, kind_of_decision
from janshi.luck.games import games_of_records
from janshi.luck.value import shipped
from janshi.records.formats import read_record
from janshi.records.old_rules import date_of
from janshi.records.sources import SourceFile, Sources
from janshi.records.splits import TRAIN, is_held_out, split_of
from janshi.rules.game import Array
from janshi.rules.registry import make_game
from janshi.rules.riichi.actions import NUM_ACTIONS
from janshi.rules.riichi.ruleset import Ruleset
from janshi.rules.riichi.state import PLAYERS
from janshi.rules.riichi.view import VIEW_DTYPE

BATCH: Final = 64
VIEW: Final = ("legal", "scores", "kyoku", "honba", "sticks", "left", "turns", "hand", "drawn", "riichi", "melds")
"""Fields of the view to store."""

CHOICE_DTYPE: Final = np.dtype(
    [
        ("number", np.int16),  # of the hand in the game
        ("seat", np.int8),
        ("kind", np.int8),  # place in `error_rate.KINDS`
        ("action", np.uint8),  # what was played
        ("policy", np.float16, (NUM_ACTIONS,)),  # logits
        ("danger", np.float16, (34,)),  # chance that somebody can win on a kind
        ("tenpai", np.float16, (PLAYERS - 1,)),
        ("ranks", np.float16, (PLAYERS, PLAYERS)),
        ("ends", np.float16, (20,)),
        ("value", np.float32),  # as in `luck.afterwards.Followed`
        ("result", np.float32),
        ("soon", np.float32, (len(STEPS),)),
        *[(name, *VIEW_DTYPE.fields[name][:1]) for name in VIEW],
    ]
)


def main() -> None:
    """Measure the missing games."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("paths", nargs="+", help="games: files, folders or archives")
    parser.add_argument("--out", type=Path, required=True, help="folder for the measurements, one file per game")
    parser.add_argument("--games", type=int, default=None, help="only this many games")
    parser.add_argument("--skip", type=int, default=0, help="leave out as many games as an earlier run had chosen")
    parser.add_argument("--held-out", action="store_true", help="only games and players held out of training")
    given = parser.parse_args()
    given.out.mkdir(parents=True, exist_ok=True)
    torch.set_num_threads(1)
    files = sorted(Sources(given.paths), key=lambda file: hashlib.sha256(file.game.encode()).digest())
    chosen = files[given.skip :][: given.games]
    work = [file for file in chosen if not file.problem and not (given.out / f"{file.game}.npz").exists()]
    asking = Asking()
    for number, file in enumerate(work):
        line = measure(file, asking, given.out / f"{file.game}.npz", given.held_out)
        print(f"{number + 1} of {len(work)}: {line}", flush=True)


class Asking:
    """The apprentice in PyTorch."""

    def __init__(self) -> None:
        self.agent = ApprenticeAgent(make_game(RULES))
        self.net: RiichiNet = restored(*read_network(self.agent.file))

    def __call__(self, views: Array, rules: Ruleset) -> dict[str, Array]:
        """Computes the network's outputs for positions under some rules."""
        packed = self.agent.network.pack(views, rules.record())
        parts = [self._ask(packed[first : first + BATCH]) for first in range(0, len(packed), BATCH)]
        return {name: np.concatenate([part[name] for part in parts]) for name in parts[0]}

    def _ask(self, packed: Array) -> dict[str, Array]:
        inputs, drawn = (torch.from_numpy(packed[name].astype(np.int64)) for name in ("inputs", "drawn"))
        with torch.inference_mode(), torch.autocast("cpu", torch.bfloat16):
            out = self.net(inputs, drawn)
        danger = 1 - (1 - out.rons.float().sigmoid() * out.tenpai.float().sigmoid()[..., None]).prod(1)
        found = {
            "policy": out.policy,
            "danger": danger,
            "tenpai": out.tenpai.float().sigmoid(),
            "ranks": out.ranks.float().softmax(-1),
            "ends": out.end.float().softmax(-1),
        }
        return {name: value.float().numpy() for name, value in found.items()}


def measure(file: SourceFile, asking: Asking, out: Path, held_out: bool = False) -> str:
    """Measure and store a game; returns a line about it. With `held_out`, only seats held out of training."""
    try:
        record = read_record(file.content, file.name)
    except ValueError as wrong:
        return str(wrong)
    split = split_of(file.game, date_of(record))
    seats = seats_of(split, record.names) if held_out else np.ones(PLAYERS, np.bool_)
    if not seats.any():
        return f"{file.name} was learned from"
    played = games_of_records([record])
    if not len(played) or any(name is None for name in record.names):
        return f"{file.name} is left out: {' '.join(played.problems)}"
    (some,) = decisions(played, seats[None])
    followed = follow(played, some.views, some.infos)
    content = io.BytesIO()
    np.savez(
        content,
        choices=choices(some, asking(some.views, some.rules), followed),
        ranks=played.ranks[0],
        adjusted=played.ranks[0] + followed.luck[0],
        dans=np.array(record.dans or (0,) * PLAYERS, np.int16),
        names=np.array(record.names),
        split=split,
        seats=seats,
        known=shipped().knows(played)[0],  # the value function was trained on this game
        rounds=played.rules[0].rounds,
    )
    write_whole(out, content.getvalue())
    return f"{file.name}: {len(some.views)} decisions"


def seats_of(split: str, names: Sequence[str | None]) -> Array:
    """The seats held out of training, bool[4]: all, or in a training game those of held-out players."""
    return np.array([split != TRAIN or is_held_out(name or "") for name in names])


def choices(some: Decisions, said: dict[str, Array], followed: Followed) -> Array:
    """The decisions of a game, as records to store."""
    out = np.zeros(len(some.views), CHOICE_DTYPE)
    for name in VIEW:
        out[name] = some.views[name]
    out["number"], out["seat"], out["action"] = some.infos["hand"], some.infos["player"], some.actions
    out["kind"] = [kind_of_decision(legal) for legal in some.legal]
    for name, values in (*said.items(), *list(followed._asdict().items())[:3]):
        out[name] = values
    return out


if __name__ == "__main__":
    main()
