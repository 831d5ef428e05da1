"""How often a policy agrees with the players of hands, by kind of decision."""

from __future__ import annotations

from typing import Any, Final

import numpy as np
import torch

from janshi.learn.imitation.batches import row_batches
from janshi.learn.imitation.planes.examples import PlanesExamples
from janshi.learn.imitation.training import FORBIDDEN
from janshi.learn.network import PolicyNet
from janshi.rules.game import Array, Game

SIZE: Final = 4096
Table = dict[str, dict[str, float]]


def answers(net: PolicyNet, examples: PlanesExamples) -> tuple[Array, Array, Array]:
    """The policy's most probable actions, int64[n], its log probabilities of the actions taken, and legal actions."""
    device = examples.private.device
    found: list[tuple[Any, ...]] = []
    net.eval()
    with torch.inference_mode(), torch.autocast(device.type, torch.bfloat16, enabled=device.type == "cuda"):
        for rows in row_batches(len(examples), SIZE, device):
            batch = examples.batch(rows)
            chances = net(batch.private).masked_fill(~batch.legal, FORBIDDEN).log_softmax(1)
            said = chances.gather(1, batch.action[:, None])[:, 0]
            found.append(tuple(part.cpu().numpy() for part in (chances.argmax(1), said.float(), batch.legal)))
    net.train()
    ours, said, legal = (np.concatenate(part) for part in zip(*found))
    return ours, said, legal


def agreement_table(net: PolicyNet, examples: PlanesExamples, game: Game) -> Table:
    """Agreement by kind of decision: share, and number of decisions. Forced decisions are left out.

    "chi: yes or no" is how often policy and player agree whether to make a chi when one is possible.
    """
    ours, said, legal = answers(net, examples)
    done = examples.actions.cpu().numpy().astype(np.int64)
    same, own_turn = ours == done, ~legal[:, -1]
    rows = {
        "all decisions": same,
        "discards": same[own_turn & (done < game.discards)],
        "answers to discards": same[~own_turn],
    }
    for kind, actions in kinds_of_actions(game).items():
        possible = legal[:, actions].any(1)
        rows[f"{kind}: yes or no"] = (np.isin(ours, actions) == np.isin(done, actions))[possible]
    table = {name: {"share": float(row.mean()), "decisions": len(row)} for name, row in rows.items() if len(row)}
    return {**table, "perplexity": {"share": float(np.exp(-said.mean())), "decisions": len(said)}}


def kinds_of_actions(game: Game) -> dict[str, list[int]]:
    """The actions that are neither discards nor passing, by kind, such as `concealed kong`."""
    kinds: dict[str, list[int]] = {}
    for action in range(game.discards, game.num_actions - 1):
        first, *rest = game.action_names[action].split()
        kinds.setdefault(f"{first} kong" if rest[:1] == ["kong"] else first, []).append(action)
    return kinds
