"""Reward variance reduction (Li et al. 2022): the value network and the expected reward network of each variant.

| variant | value network sees | predicts | final reward |
| --- | --- | --- | --- |
| basic | own view | own value | the score |
| global | everything, walls included | own value | the score |
| rl1 | everything | all players' values, summing to zero (eq. 1) | the score |
| rl2 | own view | own value | expected score before the last round (eq. 2) |
| rl2p | own view | own value | expected score by a network that does not see the wall |
| rl3 | everything | all players' values | expected score |
| rl3p | everything | all players' values | expected score by a network that does not see the wall |
| rl4 | everything, and how the wall ended elsewhere | all players' values | the score |
| rl5 | everything | all players' values | the score without the luck of draws (`luckless.py`) |
| rl5a | everything | all players' values | the score without the luck of draws and of actions |
| rl5d | everything, and other tables' results | all players' values | the score without the luck of draws |
| alone | everything, and how the wall ended elsewhere | own value | the score |
| race | everything, and how the wall ended elsewhere | own value | the race's result (`race.py`) |

RL-2 and RL-3 follow the paper literally: the expected reward network sees the order of the wall, so a perfect one
would predict the score itself, with nothing left to average. In RL-2' and RL-3' (rl2p, rl3p) it sees all hands but no
wall.

The last six are ours. In alone and race, one seat of a table learns, and an earlier policy plays the others; in races,
a simple policy that cannot win does. In rl4, rl5d, alone and race, groups of tables play the same wall, and the value
network receives each player's mean result at the group's *other* tables, to which its output is added. These results
do not depend on the play at this table, so as part of a baseline they leave the policy's gradient unbiased; but they
reflect the luck of the deal and of the draws to come, which the paper identifies as the remaining variance.
"""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor, nn

from janshi.features.planes import Encoder
from janshi.learn.config import VARIANTS, TrainConfig
from janshi.learn.network import ValueNet


def zero_sum(outputs: Tensor) -> Tensor:
    """Outputs minus their mean, so that they sum to zero."""
    return outputs - outputs.mean(1, keepdim=True)


class Critic(nn.Module):
    """A variant's value network: maps packed inputs to values float32[m, parts], the deciding player's first."""

    def __init__(self, config: TrainConfig, encoder: Encoder, players: int) -> None:
        super().__init__()
        variant = VARIANTS[config.variant]
        self.hidden, self.relative, self.duplicate = variant.hidden, variant.relative, variant.duplicate
        self.parts = players if variant.relative else 1
        self.net = make_value_net(
            config, encoder, variant.hidden, self.parts, extra=players if variant.duplicate else 0
        )

    def forward(self, private: Tensor, hidden: Tensor | None, elsewhere: Tensor | None) -> Tensor:
        """Values of positions; `elsewhere`, float32[m, players], starts with the asked player.

        The network predicts the difference from the wall's mean result at other tables.
        """
        outputs = self.net(private, hidden if self.hidden else None, elsewhere if self.duplicate else None).float()
        if self.duplicate and elsewhere is not None:
            outputs = outputs + elsewhere[:, : self.parts]
        return zero_sum(outputs) if self.relative else outputs


class ExpectedReward(nn.Module):
    """The expected reward network f of eq. 2: all players' expected rewards from the state before the last round."""

    def __init__(self, config: TrainConfig, encoder: Encoder, players: int) -> None:
        super().__init__()
        self.players = players
        self.net = make_value_net(config, encoder, True, players, wall=VARIANTS[config.variant].expected_wall)

    def forward(self, private: Tensor, hidden: Tensor) -> Tensor:
        """Expected rewards float32[m, players], summing to zero, starting with the asked player."""
        return zero_sum(self.net(private, hidden, None).float())


def make_value_net(
    config: TrainConfig, encoder: Encoder, hidden: bool, outputs: int, extra: int = 0, wall: bool = True
) -> Any:
    """A value network of the run's sizes."""
    return ValueNet(
        encoder,
        outputs,
        hidden=hidden,
        wall=wall,
        extra=extra,
        blocks=config.value_blocks or config.blocks,
        channels=config.value_channels or config.channels,
        width=config.width,
    )


def value_loss(values: Tensor, old: Tensor, targets: Tensor, clip: float) -> Tensor:
    """Squared error summed over all predicted players (eq. 1), clipped around the old values as PPO does."""
    loss = (values - targets).square()
    if clip > 0:
        near = old + (values - old).clamp(-clip, clip)
        loss = torch.maximum(loss, (near - targets).square())
    return loss.sum(1).mean()


def expected_loss(outputs: Tensor, rewards: Tensor) -> Tensor:
    """Squared error of expected rewards (eq. 2), summed over players."""
    return (outputs - rewards).square().sum(1).mean()
