"""Train the deal-in model from a data set of recorded games.

    janshi records import PACKS... --out DATA
    python -m janshi.fitting.deal_in.training DATA --work WORK

Cases are collected once in WORK, slice by slice; the result of each step is stored there too, so that an interrupted
run can be continued. Weights are written to the package (`--out` chooses another folder). Train the linear models that
the mixed method needs beforehand (`scripts/train_models.py`).
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from datetime import date
from functools import partial
from hashlib import sha256
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from janshi.core.files import replacing
from janshi.fitting.data import TRAINING, Source
from janshi.fitting.deal_in.cases import CASE_KINDS, Cases, Store
from janshi.fitting.deal_in.mixture import both, fit_mix
from janshi.fitting.deal_in.parameters import fit_hands, fit_histograms, fit_kept
from janshi.fitting.roles import add_roles, chosen_roles
from janshi.models.deal_in.histogram import HISTOGRAMS_DTYPE
from janshi.models.deal_in.model import METHODS, NAME, VERSION, DealInModel, pack
from janshi.models.deal_in.scene import GROUPS_OF_MELDS, PRIOR_DTYPE, plain_prior
from janshi.models.store import FOLDER, save
from janshi.records.dataset import Dataset

Report = Callable[[str], None]


@dataclass(frozen=True)
class DealInConfig:
    """Settings for training the deal-in model."""

    seed: int = 1
    """Seed for the choice of cases."""
    shares: tuple[float, ...] = (0.12, 0.08, 0.12, 0.25)
    """Share of the cases to collect: closed, one meld, two melds, more."""
    slices: int = 16
    """Number of slices of the data set; cases are collected slice by slice."""
    rounds: int = 5
    """Rounds of proportional fitting for histograms and tiles kept."""
    hands: int = 6_000
    """Number of hands with each number of melds for fitting the prior weights of hands."""
    hand_rounds: int = 6
    """Rounds of proportional fitting for hands."""
    mixed: tuple[int, ...] = (60_000, 15_000, 15_000, 15_000)
    """Number of cases for fitting the mixture: closed, one meld, two melds, more."""

    def describe(self) -> dict[str, Any]:
        """The fields by name."""
        return asdict(self)

    def key(self, *names: str) -> str:
        """A short hash of these fields."""
        chosen = {name: self.describe()[name] for name in ("seed", "shares", "slices", *names)}
        return sha256(json.dumps(chosen).encode()).hexdigest()[:8]


def choose(cases: Cases, counts: tuple[int, ...], seed: int) -> Cases:
    """Choose `counts` cases of each kind at random."""
    rng = np.random.default_rng(seed)
    kinds = cases.kinds
    chosen = [rng.permutation(np.nonzero(kinds == kind)[0])[: counts[kind]] for kind in range(CASE_KINDS)]
    return cases.take(np.concatenate(chosen))


def kept(path: Path, dtype: np.dtype[Any], make: Callable[[], Any], report: Report) -> Any:
    """The result of a step, records of a dtype, read from disk if already computed."""
    if path.exists():
        report(f"{path.stem}: made before")
    else:
        with replacing(path) as temporary:
            np.save(temporary, make().view(np.uint8))
    return np.load(path).view(dtype)


def fit_prior(cases: Cases, config: DealInConfig, work: Path, report: Report) -> Any:
    """The prior weights of the enumeration: of tiles, then of hands with one meld, two and more."""

    def tiles() -> Any:
        prior = plain_prior()
        fit_kept(cases, config.rounds, prior)
        report("tiles kept: fitted")
        return prior

    def hands(group: int, prior: Any) -> Any:
        fit_hands(some, group, config.hand_rounds, prior, report)
        return prior

    prior = kept(work / f"tiles-{config.key('rounds')}.npy", PRIOR_DTYPE, tiles, report)
    some = choose(cases, (0, config.hands, config.hands, config.hands), config.seed)
    for group in range(GROUPS_OF_MELDS):
        path = work / f"hands-{group + 1}-{config.key('rounds', 'hands', 'hand_rounds')}.npy"
        prior = kept(path, PRIOR_DTYPE, partial(hands, group, prior), report)
    return prior


def train(source: Source, config: DealInConfig, work: Path, report: Report) -> npt.NDArray[Any]:
    """Fit everything; returns weights, WEIGHTS_DTYPE[1]."""
    store = Store(work / f"cases-{config.key()}", TRAINING, config.slices)
    store.fill(source, np.array(config.shares), config.seed, report)
    cases = store.read()
    report(f"{len(cases.rows):,} cases")
    model = DealInModel.unfitted(METHODS[-1])
    path = work / f"histograms-{config.key('rounds')}.npy"
    model.weights["histograms"] = kept(
        path, HISTOGRAMS_DTYPE, lambda: fit_histograms(cases, config.rounds, report), report
    )
    model.weights["prior"] = fit_prior(cases, config, work, report)
    some = choose(cases, config.mixed, config.seed + 1)
    for name, fitted in fit_mix(some, *both(model, some)).items():
        model.weights["mix"][name][0] = fitted
    report("mixture: fitted")
    return model.weights


def main() -> None:
    """Read arguments and train."""
    defaults = DealInConfig()
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", type=Path, help="folder of the data set")
    parser.add_argument("--work", type=Path, required=True, help="folder for cases and steps, outside the repository")
    parser.add_argument("--out", type=Path, default=FOLDER, help="folder for the model")
    parser.add_argument("--seed", type=int, default=defaults.seed)
    parser.add_argument("--hands", type=int, default=defaults.hands, help="hands that prior weights are fitted on")
    add_roles(parser)
    args = parser.parse_args()
    roles = chosen_roles(args)
    args.work.mkdir(parents=True, exist_ok=True)
    args.out.mkdir(parents=True, exist_ok=True)
    start = time.monotonic()

    def report(text: str) -> None:
        print(f"{time.monotonic() - start:6.0f} s  {text}", flush=True)

    config = DealInConfig(seed=args.seed, hands=args.hands)
    spent = time.process_time()
    weights = train(Source(Dataset(args.data), roles), config, args.work, report)
    card = {
        "model": NAME,
        "feature version": VERSION,
        "rules": "riichi/tenhou",
        "training data": roles.card(),
        "trained": date.today().isoformat(),
        "seconds": round(time.process_time() - spent),
        "command": "python -m janshi.fitting.deal_in.training DATA --work WORK",
        "config": config.describe(),
    }
    save(args.out / f"{NAME}.npz", pack(weights), card)
    report(f"written: {args.out / NAME}.npz")


if __name__ == "__main__":
    main()
