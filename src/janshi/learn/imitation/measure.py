"""How well a network predicts held-out experts' actions, and what it knows about hidden hands."""

from __future__ import annotations

from typing import Any, Final

import numpy as np
import numpy.typing as npt
import torch

from janshi.agents.learned.choice import most_probable
from janshi.core.tiles import NUM_KINDS, NUM_TILES
from janshi.learn.imitation.batches import DeviceExamples, row_batches
from janshi.learn.imitation.network import RiichiNet
from janshi.learn.imitation.training import FORBIDDEN
from janshi.rules.riichi import actions as act

Array = npt.NDArray[Any]

SIZE: Final = 16384


def answers(net: RiichiNet, examples: DeviceExamples, device: torch.device) -> dict[str, Array]:
    """The network's outputs for all examples: its action, probabilities and guesses, as NumPy arrays."""
    found: dict[str, list[Array]] = {}
    net.eval()
    with torch.inference_mode(), torch.autocast(device.type, torch.bfloat16, enabled=device.type == "cuda"):
        for rows in row_batches(len(examples), SIZE, device):
            batch = examples.batch(rows)
            out = net(batch.inputs, batch.drawn)
            logits = out.policy.masked_fill(~batch.legal, FORBIDDEN)
            log_chances = logits.log_softmax(1)
            parts = {
                "action": torch.from_numpy(most_probable(log_chances.exp().cpu().numpy(), batch.drawn.cpu().numpy())),
                "log_chance": log_chances.gather(1, batch.action[:, None])[:, 0],
                "second": logits.topk(2, 1).indices[:, 1],
                "tenpai": out.tenpai.sigmoid(),
                "value": out.value.gather(2, batch.value_kind[..., None])[..., 0],
                "rank": out.ranks[:, 0].softmax(1),
                "end_chance": out.end.log_softmax(1).gather(1, batch.end[:, None])[:, 0],
            }
            for name, value in parts.items():
                found.setdefault(name, []).append(value.float().cpu().numpy())
            for name, value in _hidden(out, batch).items():
                found.setdefault(name, []).append(value)
    net.train()
    return {name: np.concatenate(values) for name, values in found.items()}


def _hidden(out: Any, batch: Any) -> dict[str, Array]:
    """Per-example measures of hidden hands, whose inputs would be too large to keep."""
    order = out.waits.argsort(-1, descending=True)
    waiting = batch.waits.sum(-1) > 0
    ranked = batch.waits.gather(-1, order)  # (B, 3, 34), most likely first
    pairs_right = ((1 - ranked) * ranked.cumsum(-1)).sum(-1)
    waits = batch.waits.sum(-1)
    chance = out.rons.float().sigmoid() * out.tenpai.float().sigmoid()[..., None]
    chance = chance.clamp(1e-7, 1 - 1e-6)
    auc = pairs_right / (waits * (NUM_KINDS - waits)).clamp(min=1)
    return {
        "wait_auc": torch.where(waiting, auc, -1).cpu().numpy(),
        "ron_loss": -torch.where(batch.rons > 0, chance.log(), (-chance).log1p()).mean((1, 2)).cpu().numpy(),
    }


def tile_of_discard(actions: Array, drawn: Array) -> Array:
    """The tile an action discards, or -1. Discards of the drawn tile and of an equal tile count as the same."""
    tile = np.where(actions < NUM_TILES, actions, -1)
    return np.where(actions == act.TSUMOGIRI, drawn, tile)


def agreement_table(said: dict[str, Array], examples: DeviceExamples) -> dict[str, dict[str, float]]:
    """Agreement with the experts by kind of decision and by situation: share, and number of decisions.

    Discards of the drawn tile and of an equal tile from the hand count as the same, except in "as actions".
    """
    facts = examples.facts
    done, ours = facts["action"].astype(np.int64), said["action"].astype(np.int64)
    drawn = examples.drawn.cpu().numpy().astype(np.int64)
    legal = _legal(examples)
    same = done == ours
    same_tile = same | (
        (tile_of_discard(done, drawn) >= 0) & (tile_of_discard(done, drawn) == tile_of_discard(ours, drawn))
    )
    free = facts["forced"] == 0
    is_discard = done <= act.TSUMOGIRI
    chi = legal[:, act.CHI : act.PON].any(1)
    pon = legal[:, act.PON : act.OPEN_KAN].any(1)
    kan = legal[:, act.OPEN_KAN] | legal[:, act.CONCEALED_KAN : act.TSUMO].any(1)
    kinds = {
        "all decisions": free,
        "all decisions as actions": free,
        "discards": free & is_discard,
        "discards as actions": free & is_discard,
        "discards, forced ones too": is_discard,
        "riichi possible": free & legal[:, act.RIICHI],
        "chi possible": free & chi,
        "pon possible": free & pon,
        "kan possible": free & kan,
        "win possible": free & (legal[:, act.TSUMO] | legal[:, act.RON]),
        "discards, no threat": free & is_discard & (facts["riichi"] == 0) & (facts["opened"] < 2),
        "discards after a riichi": free & is_discard & (facts["riichi"] > 0),
        "all, last hand": free & (facts["last_hand"] == 1),
        "all, held-out players": free & (facts["held_out"] == 1),
        "discards, held-out players": free & is_discard & (facts["held_out"] == 1),
    }
    table = {}
    for name, chosen in kinds.items():
        if chosen.any():
            right = same if name.endswith("as actions") else same_tile
            table[name] = {"share": float(right[chosen].mean()), "decisions": int(chosen.sum())}
    table["riichi, yes or no"] = _binary(done, ours, free & legal[:, act.RIICHI], [act.RIICHI])
    table["chi, yes or no"] = _binary(done, ours, free & chi, range(act.CHI, act.PON))
    table["pon, yes or no"] = _binary(done, ours, free & pon, range(act.PON, act.OPEN_KAN))
    table["perplexity"] = {"share": float(np.exp(-said["log_chance"][free].mean())), "decisions": int(free.sum())}
    return table


def _binary(done: Array, ours: Array, chosen: Array, actions: Any) -> dict[str, float]:
    wanted = list(actions)
    same = np.isin(done[chosen], wanted) == np.isin(ours[chosen], wanted)
    return {"share": float(same.mean()) if chosen.any() else float("nan"), "decisions": int(chosen.sum())}


def _legal(examples: DeviceExamples) -> Array:
    from janshi.learn.imitation.batches import unpack_legal

    return np.concatenate(
        [
            unpack_legal(examples.legal[rows]).cpu().numpy()
            for rows in row_batches(len(examples), 1 << 18, examples.legal.device)
        ]
    )


def hidden_table(said: dict[str, Array], examples: DeviceExamples) -> dict[str, float]:
    """What the network knows about the opponents' hands, measured on decisions on the player's own turn."""
    facts = examples.facts
    waits = facts["waits"]
    tenpai = (waits != 0).ravel()
    auc = said["wait_auc"]
    value_known = facts["value"] > 0
    error = said["value"] - np.log(np.maximum(facts["value"], 1000) / 8000.0)
    return {
        "tenpai AUC": _auc(said["tenpai"].ravel(), tenpai),
        "tenpai share": float(tenpai.mean()),
        "waits AUC": float(auc[auc >= 0].mean()),
        "hand value MSE (log)": float((error[value_known] ** 2).mean()),
        "ron log loss per kind": float(said["ron_loss"].mean()),
        "end log loss": float(-said["end_chance"].mean()),
        "own rank log loss": _rank_loss(said["rank"], facts["ranks"][:, 0]),
    }


def _rank_loss(chances: Array, ranks: Array) -> float:
    known = ranks < 4
    return float(-np.log(np.maximum(chances[known, ranks[known].astype(np.int64)], 1e-9)).mean())


def _auc(scores: Array, labels: Array) -> float:
    """Area under the ROC curve, computed from ranks."""
    order = scores.argsort()
    ranks = np.empty(len(scores))
    ranks[order] = np.arange(1, len(scores) + 1)
    positive = labels.sum()
    return float((ranks[labels].sum() - positive * (positive + 1) / 2) / (positive * (len(labels) - positive)))
