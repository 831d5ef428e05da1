"""The networks of a run: the policy, its values, the expected rewards of some variants, and the players."""

from __future__ import annotations

from typing import Any

import torch

from janshi.features.planes import Encoder
from janshi.learn.config import VARIANTS, TrainConfig
from janshi.learn.device import Device, adam, forget_moments, set_rates
from janshi.learn.expected import ExpectedRewards
from janshi.learn.luck_terms import LuckTerms, fresh_networks
from janshi.learn.network import PolicyNet
from janshi.learn.players import Players
from janshi.learn.rvr import Critic, ExpectedReward


class Networks:
    """All networks of a run and their optimisers, made from the seed."""

    def __init__(self, config: TrainConfig, encoder: Encoder, players: int, device: Device, most: int) -> None:
        """`players` is the number at a table; `most` the maximum number of decisions in a batch."""
        self.config, self.encoder, self.device = config, encoder, device
        self._seats = players
        fresh = {name: net.to(device.torch) for name, net in self._fresh(config.seed).items()}
        self.policy: PolicyNet = fresh["policy"]
        self.critic: Critic = fresh["critic"]
        self.players = Players(config, device, self._fresh_policy)
        self.players.newest.load_state_dict(self.policy.state_dict())
        self.optimiser = adam(device, (self.policy, config.rate), (self.critic, config.value_rate or config.rate))
        self.expected: ExpectedRewards | None = None
        if "expected" in fresh:
            self.expected = ExpectedRewards(config, device, encoder, fresh["expected"], most)
        self.luck: LuckTerms | None = None
        if "draws" in fresh:
            self.luck = LuckTerms(config, device, fresh, most)

    def _fresh(self, seed: int) -> dict[str, Any]:
        """New networks to be trained, by name."""
        torch.manual_seed(seed)
        found = {"policy": self._fresh_policy(), "critic": Critic(self.config, self.encoder, self._seats)}
        if VARIANTS[self.config.variant].expected:
            found["expected"] = ExpectedReward(self.config, self.encoder, self._seats)
        return found | fresh_networks(self.config, self._seats)

    def _fresh_policy(self) -> PolicyNet:
        c = self.config
        return PolicyNet(self.encoder, blocks=c.blocks, channels=c.channels, width=c.width)

    def named(self) -> dict[str, Any]:
        """The networks being trained, by name."""
        found: dict[str, Any] = {"policy": self.policy, "critic": self.critic}
        if self.expected is not None:
            found["expected"] = self.expected.network
        return found | {name: part.network for name, part in self._luck_parts().items()}

    def _luck_parts(self) -> dict[str, Any]:
        return {} if self.luck is None else self.luck.parts

    def optimisers(self) -> list[torch.optim.Optimizer]:
        """The optimisers: of the policy and the values, and of the expected rewards and luck terms, if any."""
        found = [self.optimiser] if self.expected is None else [self.optimiser, self.expected.optimiser]
        return found + [part.optimiser for part in self._luck_parts().values()]

    def set_rates(self, policy: float, values: float) -> None:
        """Set Adam's rates for the policy, and for all other networks, from now on."""
        set_rates(self.device, self.optimiser, (policy, values))
        for optimiser in self.optimisers()[1:]:
            set_rates(self.device, optimiser, (values,))

    def forget_moments(self) -> None:
        """Reset Adam."""
        for optimiser in self.optimisers():
            forget_moments(optimiser)

    def begin_with(self, policy: PolicyNet) -> None:
        """Start from another policy's weights, at the run's temperature; its inputs and sizes must match the run's."""
        mine, its = ({"planes": net.encoder.version, **net.sizes} for net in (self.policy, policy))
        if mine != its:
            raise ValueError(f"the run's policy has {mine}; it cannot start from one that has {its}")
        self.policy.load_state_dict(policy.state_dict())
        with torch.no_grad():
            for weights in self.policy.last.parameters():
                weights.div_(self.config.temperature)
        self.players.begin_with(self.policy)
        if self.luck is not None:
            self.luck.begin_with_shipped()
        self.device.synchronize()

    def restart(self, seed: int) -> None:
        """Restart from another seed, in the same tensors, so that nothing is recompiled."""
        fresh = self._fresh(seed)
        self.device.synchronize()
        for name, net in self.named().items():
            net.load_state_dict(fresh[name].state_dict())
        self.players.newest.load_state_dict(self.policy.state_dict())
        self.players.past_selves = []
        self.forget_moments()
        if self.expected is not None:
            self.expected.error, self.expected.spread = -1.0, 0.0
        if self.luck is not None:
            self.luck.left = -1.0
        self.device.synchronize()
