"""Settings of a run that learns from records."""

from __future__ import annotations

from dataclasses import asdict, dataclass, fields, replace
from typing import Any, Final

_YES_NO: Final = {"yes": True, "no": False}


@dataclass(frozen=True)
class ImitationConfig:
    """Every setting, with the defaults of the shipped network."""

    width: int = 160
    """Numbers a token carries from block to block."""
    blocks: int = 6
    heads: int = 5
    hidden: int = 384
    """Units of the network inside each block."""
    batch: int = 8192
    """Decisions in a step."""
    steps: int = 9000
    """Steps in all; the learning rate falls to zero at the last."""
    warmup: int = 500
    """Steps over which the learning rate rises."""
    rate: float = 1.5e-3
    """Highest learning rate."""
    decay: float = 0.3
    """Weight decay of matrices: with little of it, a network that sees its games twenty times learns them by heart."""
    dropout: float = 0.1
    """Share of what each block adds that is left out at random while learning."""
    input_dropout: float = 0.0
    """Share of the active inputs that are left out at random while learning."""
    smoothing: float = 0.0
    """Probability that is spread evenly over the legal actions in what the policy learns."""
    teachers: str = ""
    """Checkpoints of finished runs, separated by commas, whose average policy is learned beside what experts did."""
    teaching: float = 0.5
    """Weight of the teachers' policy; the rest is what experts did."""
    clip: float = 1.0
    """Longest gradient."""
    hidden_weight: float = 0.1
    """Weight of the loss of what the opponents hide: tenpai, waits, wins and their value."""
    outcome_weight: float = 0.1
    """Weight of the loss of how the hand and the game end."""
    suits: bool = True
    """Exchange the suits of each example at random."""
    without: str = ""
    """Topics of inputs to leave out, separated by commas."""
    share: float = 1.0
    """Share of the training games."""
    splits: str = "train"
    """Splits of the data set to learn from, separated by commas."""
    packs: str = ""
    """Packs to learn from, separated by commas; all if empty."""
    whole_moments: bool = False
    """Keep the optimiser's moments in float32: a checkpoint of twice the size, from which a run goes on exactly."""
    seed: int = 0

    def to_json(self) -> dict[str, Any]:
        """As a dictionary."""
        return asdict(self)

    @classmethod
    def from_json(cls, found: dict[str, Any]) -> ImitationConfig:
        """From a dictionary; an unknown setting is an error."""
        known = {field.name for field in fields(cls)}
        for name in found:
            if name not in known:
                raise ValueError(f"no setting is called {name!r}; there are {', '.join(sorted(known))}")
        return cls(**found)

    def changed(self, settings: list[str]) -> ImitationConfig:
        """With settings given as `name=value`."""
        kinds = {field.name: type(getattr(self, field.name)) for field in fields(self)}
        changes: dict[str, Any] = {}
        for setting in settings:
            name, _, text = setting.partition("=")
            if name not in kinds:
                raise ValueError(f"no setting is called {name!r}; there are {', '.join(kinds)}")
            try:
                changes[name] = _YES_NO[text] if kinds[name] is bool else kinds[name](text)
            except (ValueError, KeyError):
                wanted = "yes or no" if kinds[name] is bool else f"a value of type {kinds[name].__name__}"
                raise ValueError(f"{name} needs {wanted}, not {text!r}") from None
        return replace(self, **changes)
