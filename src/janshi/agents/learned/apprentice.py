"""The apprentice: a network that learned riichi by watching experts; it plays what they would most probably play.

It uses the weights of the package, on one core, without a learning library. `docs/apprentice.md` says what it learned
from and how strong it is.
"""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from typing import Any, Final

import numpy as np

from janshi.agents.explain import Choice, Explanation
from janshi.agents.learned.agent import NetworkAgent
from janshi.agents.learned.choice import most_probable
from janshi.agents.learned.network import find_file, shipped
from janshi.agents.learned.sight import parts_of, without
from janshi.agents.learned.tokens import Guess, TokenNetwork, read_network
from janshi.core.tiles import format_tiles, kind_of
from janshi.features.riichi.encode import PACKED_DTYPE
from janshi.rules.game import Array, Game
from janshi.rules.registry import make_game
from janshi.rules.riichi.actions import TSUMOGIRI
from janshi.rules.riichi.view import VIEW_DTYPE

NAME: Final = "apprentice"


class ApprenticeAgent(NetworkAgent):
    """Learned from recorded games of experts.

    Options: `file`, another network that `janshi train imitate` exported; `sample`, whether to draw an action by its
    probability instead of taking the most probable one; `temperature`, by which logits are divided before drawing:
    below 1 the best actions are drawn more often; `floor`, the least probability of an action that is drawn, before the
    temperature, as a share of the most probable one's; `blind`, parts of the table that it does not look at, such as
    `rivers+points` (`agents.learned.sight`); `engine`, what computes the network: `numpy`, `onnx` or `torch`;
    `device`, where PyTorch computes it: `device=cuda` plays thousands of tables at once on a GPU.
    """

    name, version, families = NAME, "2", ("riichi",)

    def __init__(
        self,
        game: Game,
        file: str = "",
        sample: bool = False,
        temperature: float = 1.0,
        floor: float = 0.0,
        blind: str = "",
        engine: str = "",
        device: str = "",
    ) -> None:
        self._computed = (engine, device)
        chosen = find_file(Path(file)) if file else shipped(NAME, "riichi")
        super().__init__(game, chosen, sample, temperature, floor)
        self._blind = parts_of(blind)
        self._rules = game.rules.record()

    def _read_network(self) -> None:
        stamp = self.file.stat().st_mtime_ns if self.file.is_file() else 0
        self.network = TokenNetwork(*_read(self.file, stamp), *self._computed)

    @property
    def card(self) -> dict[str, Any]:
        """What the file says about the network and its training."""
        return self.network.card

    def logits(self, views: Array) -> Array:
        """Logits of all actions, legal or not."""
        return self.guess(views).policy

    def most_probable(self, chances: Array, views: Array) -> Array:
        """The most probable choice; the drawn tile and the same tile from the hand count as one discard."""
        return most_probable(chances, views["drawn"])

    def guess(self, views: Array) -> Guess:
        """All the network's outputs for some positions: actions, the opponents' hands, ranks and ends."""
        return self.network.ask(self.network.pack(without(views, self._blind), self._rules))

    def explain(self, views: Array) -> list[Explanation]:
        """How often experts would choose each action, how dangerous each discard is, and who is tenpai."""
        guess, legal = self.guess(views), self.game.masks_of_views(views)
        chances = self.softmax(guess.policy, legal)
        return [
            Explanation(
                tuple(self._choices(chances[i], legal[i], guess.rons[i], int(views["drawn"][i]))),
                tuple(float(chance) for chance in guess.tenpai[i]),
            )
            for i in range(len(views))
        ]

    def _choices(self, chances: Array, legal: Array, rons: Array, drawn: int) -> list[Choice]:
        """The legal actions, most probable first."""
        danger = 1 - (1 - rons).prod(0)  # by kind: chance that somebody can win on it
        found = []
        for action in sorted(np.flatnonzero(legal).tolist(), key=lambda action: -chances[action]):
            tile = drawn if action == TSUMOGIRI else action
            discards = action <= TSUMOGIRI and tile >= 0
            numbers = {
                "probability": float(chances[action]),
                "danger": float(danger[kind_of(tile)]) if discards else float("nan"),
            }
            found.append(Choice(action, self._name(action, tile), numbers, experts=float(chances[action])))
        return found

    def _name(self, action: int, tile: int) -> str:
        if action == TSUMOGIRI and tile >= 0:
            return f"tsumogiri {format_tiles([tile])}"
        return self.game.action_names[action]


def compile_kernels() -> None:
    """Compile what a decision needs, and play nothing."""
    agent = ApprenticeAgent(make_game("riichi"))
    agent.network.pack(np.zeros(0, VIEW_DTYPE), agent.game.rules.record())
    agent.network.ask(np.zeros(1, PACKED_DTYPE).view(np.recarray))


@lru_cache(maxsize=4)
def _read(path: Path, stamp: int) -> tuple[dict[str, Array], dict[str, Any]]:
    """A file's content, read again only after it has changed."""
    return read_network(path)
