"""The apprentice: a network that learned riichi from experts' games and plays the move they are most likely to make.

It uses the shipped weights on one core and needs no learning library. `docs/apprentice.md` describes its training data
and strength.
"""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from typing import Any, Final

import numpy as np

from janshi.agents.explain import Choice, Explanation
from janshi.agents.learned.agent import NetworkAgent, digest_of
from janshi.agents.learned.choice import most_probable
from janshi.agents.learned.ends import ENDS, OTHER, ChoiceEnds, races_of
from janshi.agents.learned.ends import shipped as shipped_ends
from janshi.agents.learned.losses import ChoiceLosses, Position
from janshi.agents.learned.losses import shipped as shipped_losses
from janshi.agents.learned.network import find_file, shipped
from janshi.agents.learned.opinions import Opinions, opinions, position_of
from janshi.agents.learned.sight import parts_of, without
from janshi.agents.learned.stakes import chances_of_ends
from janshi.agents.learned.tokens import Guess, TokenNetwork, read_network
from janshi.agents.loss import RANK, ActionValues
from janshi.core.tiles import format_tiles
from janshi.features.riichi.packed import PACKED_DTYPE
from janshi.rules.game import Array, Game
from janshi.rules.registry import make_game
from janshi.rules.riichi.actions import TSUMOGIRI
from janshi.rules.riichi.view import VIEW_DTYPE

NAME: Final = "apprentice"


class ApprenticeAgent(NetworkAgent):
    """Learned from recorded games of experts.

    Options: `file`, another network exported by `janshi train imitate`; `sample`, whether to sample from the
    probabilities instead of taking the most probable action; `temperature`, which divides logits before sampling:
    below 1, likely actions become more likely; `floor`: actions less probable than this share of the most probable one
    (before the temperature) are never sampled; `blind`, parts of the table to ignore, such as `rivers+points`
    (`agents.learned.sight`); `engine`, which library computes the network: `numpy`, `onnx` or `torch`; `device`, where
    PyTorch computes it: `device=cuda` plays thousands of tables at once on a GPU.
    """

    name, version, families = NAME, "2", ("riichi",)
    gives_values = True

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
        self.losses, self.ends = _losses_of(self.file), _ends_of(self.file)
        self.gives_values = self.losses is not None  # type: ignore[misc]  # none by other weights

    def _read_network(self) -> None:
        self.network = TokenNetwork(*read_cached(self.file), *self._computed)

    @property
    def card(self) -> dict[str, Any]:
        """The file's metadata: the network and its training."""
        return self.network.card

    def logits(self, views: Array) -> Array:
        """Logits of all actions, legal or not."""
        return self.guess(views).policy

    def most_probable(self, chances: Array, views: Array) -> Array:
        """The most probable choice; discarding the drawn tile and an equal tile from the hand count as one."""
        return most_probable(chances, views["drawn"])

    def guess(self, views: Array) -> Guess:
        """All the network's outputs for some positions: actions, the opponents' hands, ranks and ends."""
        return self.network.ask(self.network.pack(without(views, self._blind), self._rules))

    def opinions(self, views: Array) -> tuple[Opinions, Guess]:
        """The worth of choices, how often experts make them and their danger; and the network's outputs."""
        guess = self.guess(views)
        at = position_of(views, guess, self.game.masks_of_views(views), self.game.rules)
        return opinions(at, guess, self.losses.losses(at) if self.losses else None), guess

    def values(self, views: Array) -> list[ActionValues]:
        """The value of each legal action, and how often experts choose it."""
        found, out = self.opinions(views)[0], []
        for i in range(len(views)):
            actions = np.flatnonzero(found.legal[i]).tolist()
            experts = {action: float(found.chances[i, action]) for action in actions}
            worths = {action: float(found.worths[i, action]) for action in actions} if self.gives_values else {}
            out.append(ActionValues(RANK if self.gives_values else "", worths, experts))
        return out

    def explain(self, views: Array) -> list[Explanation]:
        """Explain each view: worth, experts' frequency and danger of each action, who is tenpai, how the hand ends."""
        found, guess = self.opinions(views)
        ends = chances_of_ends(guess.ends)
        after = self._ends_after(views, guess, found.at)
        return [
            Explanation(
                tuple(self._choices(found, i, int(views["drawn"][i]), after[i])),
                tuple(float(chance) for chance in found.tenpai[i]),
                unit=RANK if self.gives_values else "",
                ends=ends[i],
            )
            for i in range(len(views))
        ]

    def _ends_after(self, views: Array, guess: Guess, at: Position) -> Array:
        """How the hand ends after each action, float64[m, 120, ENDS]; unknown if not fitted to these weights."""
        if self.ends is None:
            return np.full((*at.legal.shape, len(ENDS)), np.nan)
        return self.ends.chances(at, guess.ends, races_of(views))

    def _choices(self, found: Opinions, i: int, drawn: int, ends: Array) -> list[Choice]:
        """The legal actions of a decision in the order of explanations."""
        chances, out = found.chances[i], []
        for action in self.order(found, i):
            tile, worth = drawn if action == TSUMOGIRI else action, float(found.worths[i, action])
            numbers = {"rank": -worth} if self.gives_values else {}
            if self.ends:
                numbers |= {name: float(chance) for name, chance in zip(ENDS[:OTHER], ends[action])}
            numbers["danger"] = float(found.danger[i, action])
            out.append(Choice(action, self._name(action, tile), numbers, worth=worth, experts=float(chances[action])))
        return out

    def order(self, found: Opinions, i: int) -> list[int]:
        """The legal actions of a decision in the order of explanations: most probable first."""
        chances, actions = found.chances[i], found.actions[i]
        return sorted(np.flatnonzero(found.legal[i]).tolist(), key=lambda a: (-chances[a], -actions[a]))

    def _name(self, action: int, tile: int) -> str:
        if action == TSUMOGIRI and tile >= 0:
            return f"tsumogiri {format_tiles([tile])}"
        return self.game.action_names[action]


def compile_kernels() -> None:
    """Compile everything a decision needs, without playing."""
    agent = ApprenticeAgent(make_game("riichi"))
    agent.network.pack(np.zeros(0, VIEW_DTYPE), agent.game.rules.record())
    agent.network.ask(np.zeros(1, PACKED_DTYPE).view(np.recarray))


def _losses_of(file: Path) -> ChoiceLosses | None:
    """The model of what choices cost, if one was fitted to this file's network."""
    losses = shipped_losses()
    return losses if losses.card.get("network") == digest_of(file) else None


def _ends_of(file: Path) -> ChoiceEnds | None:
    """The model of how hands end after choices, if one was fitted to this file's network."""
    ends = shipped_ends()
    return ends if ends.card.get("network") == digest_of(file) else None


def read_cached(path: Path) -> tuple[dict[str, Array], dict[str, Any]]:
    """A file's arrays and card, read again only if the file has changed."""
    return _read(path, path.stat().st_mtime_ns if path.is_file() else 0)


@lru_cache(maxsize=4)
def _read(path: Path, stamp: int) -> tuple[dict[str, Array], dict[str, Any]]:
    """A file's content, cached until the file changes."""
    return read_network(path)
