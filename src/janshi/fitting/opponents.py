"""Training the models of opponents together, in one pass over a data set.

Every model is trained together with its *variants*, which have fewer inputs: no discards, no melds, or only the turn.
They learn from the same examples in the same order, so the inputs are the only difference.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from janshi.features import hand_score as score_features
from janshi.features import waiting as waiting_features
from janshi.features import winning_tile as winning_features
from janshi.fitting.data import TRAINING, Positions, Source
from janshi.fitting.examples import Examples, score_examples, waiting_examples, winning_examples
from janshi.models.hand_score import CLASSES, class_of
from janshi.models.linear import START, learn, learn_classes

FULL: Final = "full"
Maps = Mapping[str, npt.NDArray[np.int32]]
Report = Callable[[str], None]


@dataclass(frozen=True)
class TrainingConfig:
    """How models are trained."""

    seed: int = 1
    """Seed for the order of hands and positions."""
    rates: tuple[float, ...] = (0.2, 0.2, 0.1, 0.05)
    """Adagrad's rate for each pass over the games."""
    share: float = 0.5
    """Share of the positions to learn from in each pass, with a new sample each time."""
    decay: float = 1e-6
    """Weight decay."""
    part: tuple[int, int] = (0, 1)
    """(i, n): every n-th shard of the data set."""

    def describe(self) -> dict[str, Any]:
        """The fields by name."""
        return asdict(self)


class Learner:
    """One linear model and its variants: logistic regression (`chance`) or least squares."""

    def __init__(self, maps: Maps, chance: bool) -> None:
        self.maps, self.chance = maps, chance
        self.weights = {name: np.zeros(len(map), np.float32) for name, map in maps.items()}
        self.squares = {name: np.full(len(map), START, np.float32) for name, map in maps.items()}
        self.means = {name: np.zeros(len(map)) for name, map in maps.items()}
        self.losses: list[float] = []
        self.examples = 0

    def add_to_means(self, batches: int) -> None:
        """Fold the current weights into their running means, as the last of `batches`."""
        for name, mean in self.means.items():
            mean += (self.weights[name] - mean) / batches

    def learn(self, examples: Examples, labels: npt.NDArray[np.float32], rate: float, decay: float) -> None:
        """Learn from some examples."""
        lists = (examples.features, examples.counts, labels)
        for name, map in self.maps.items():
            loss = learn(*lists, map, self.chance, rate, decay, self.weights[name], self.squares[name])
            if name == FULL:
                self.losses.append(loss)
        self.examples += len(labels)


class ClassLearner:
    """Multi-class logistic regression of payments, and the mean payment of each class."""

    def __init__(self, size: int) -> None:
        self.map = np.arange(size, dtype=np.int32)
        self.weights = np.zeros((size, CLASSES), np.float32)
        self.squares = np.full((size, CLASSES), START, np.float32)
        self.mean = np.zeros((size, CLASSES))
        self.losses: list[float] = []
        self._totals, self._counts = np.zeros((2, CLASSES)), np.zeros((2, CLASSES))

    def learn(self, examples: Examples, dealer: npt.NDArray[np.bool_], rate: float, decay: float) -> None:
        """Learn from examples whose labels are payments."""
        classes = class_of(examples.labels, dealer)
        np.add.at(self._totals, (dealer.astype(int), classes), examples.labels)
        np.add.at(self._counts, (dealer.astype(int), classes), 1)
        lists = (examples.features, examples.counts, classes)
        self.losses.append(learn_classes(*lists, self.map, rate, decay, self.weights, self.squares))

    def add_to_means(self, batches: int) -> None:
        """Fold the current weights into their running mean, as the last of `batches`."""
        self.mean += (self.weights - self.mean) / batches

    @property
    def worth(self) -> npt.NDArray[np.float32]:
        """Mean payment of each class to a non-dealer and a dealer."""
        return (self._totals / np.maximum(self._counts, 1)).astype(np.float32)


class Trainer:
    """All models of opponents, learning from the same positions."""

    def __init__(self, config: TrainingConfig) -> None:
        self.config = config
        self.waiting = Learner(waiting_maps(), True)
        self.winning = Learner(winning_maps(), True)
        self.score = Learner(score_maps(), False)
        self.classes = ClassLearner(score_features.LAYOUT.size)
        self.positions = 0

    def run(self, source: Source, report: Report) -> None:
        """Go through the training games once per rate; the result is the mean of the last pass's weights."""
        for number, rate in enumerate(self.config.rates):
            seed = 1000 * self.config.seed + number
            for i, positions in enumerate(source.positions(TRAINING, seed, self.config.share, self.config.part)):
                self.learn(positions, rate)
                if number == len(self.config.rates) - 1:
                    for learner in (self.waiting, self.winning, self.score, self.classes):
                        learner.add_to_means(i + 1)
                if i % 50 == 49:
                    report(f"pass {number + 1}: {self.positions:,} positions; loss {self.recent_losses()}")

    def learn(self, positions: Positions, rate: float) -> None:
        """Learn from some positions, without held-out opponents."""
        views, decay, wanted = positions.views, self.config.decay, ~positions.unseen
        waiting = waiting_examples(views, positions.tenpai, wanted)
        self.waiting.learn(waiting, waiting.labels, rate, decay)
        winning = winning_examples(views, positions.payments, wanted & positions.tenpai)
        self.winning.learn(winning, winning.labels, rate, decay)
        scores = score_examples(views, positions.payments, wanted)
        self.score.learn(scores, np.log(scores.labels), rate, decay)
        dealer = views["dealer"][scores.places[:, 0]] == scores.places[:, 1] + 1
        self.classes.learn(scores, dealer, rate, decay)
        self.positions += len(views)

    def recent_losses(self, batches: int = 50) -> str:
        """Mean losses over the last batches."""
        losses = {
            "waiting": self.waiting.losses,
            "winning tile": self.winning.losses,
            "score": self.score.losses,
            "classes": self.classes.losses,
        }
        return ", ".join(f"{name} {np.mean(some[-batches:]):.4f}" for name, some in losses.items())


NO_MELDS: Final = {"melds": [0] * 5, "openness": [0] * 4}


def waiting_maps() -> Maps:
    """The waiting model and its variants."""
    layout = waiting_features.LAYOUT
    return {
        FULL: layout.map(),
        "without discards": layout.map(without=["discards", "dora"]),
        "without melds": layout.map(without=["melds"], alike=NO_MELDS),
        "turn only": layout.map(only=["bias", "turn"]),
        "turn and number of melds": layout.map(only=["bias", "turn", "open melds and turn"]),
    }


def winning_maps() -> Maps:
    """The winning tile model and its variants."""
    layout = winning_features.LAYOUT
    return {
        FULL: layout.map(),
        "without discards": layout.map(without=["discards", "suji"], alike={"suji": [0, 0]}),
        "without melds": layout.map(without=["melds"], alike={"stance": [0, 1, 1, 1, 1, 1], "rough": [0, 1, 1]}),
        "genbutsu and suji": layout.map(only=["role", "safe three ranks away"]),
    }


def score_maps() -> Maps:
    """The hand score model and its variants."""
    layout = score_features.LAYOUT
    return {
        FULL: layout.map(),
        "without melds": layout.map(without=["melds", "fan"], alike={"stance": [0, 1, 1, 1, 1, 1], "rough": [0, 1, 1]}),
        "without revealed han": layout.map(without=["fan", "dora in melds"]),
        "average": layout.map(only=["stance and dealer"], alike={"stance": [0] * 6, "dealer": [0, 0]}),
    }
