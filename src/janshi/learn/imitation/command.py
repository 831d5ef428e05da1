"""Imitation for any rules: riichi with its network of tokens, others with a network over planes."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from janshi.learn.config import trainable
from janshi.rules.registry import make_game
from janshi.rules.riichi.family import FAMILY as RIICHI


def imitate_any(data: Path, folder: Path, rules: str, settings: list[str], **options: Any) -> str:
    """Begin or resume a run in a folder; returns a message with the network's file, or with how to continue.

    settings: changes such as `rate=1e-3`. options: those of `learn.imitation.run.imitate` and its `Session`.
    """
    family = make_game(rules).family
    if family == RIICHI:
        from janshi.learn.imitation.config import ImitationConfig
        from janshi.learn.imitation.run import NETWORK, imitate
        from janshi.learn.imitation.session import settings_from

        finished = imitate(data, folder, settings_from(folder, settings, ImitationConfig()), **options)
        agent, file = "apprentice", folder / NETWORK
    elif family.name in trainable():
        from janshi.learn.imitation.planes.config import PlanesConfig
        from janshi.learn.imitation.planes.run import POLICY
        from janshi.learn.imitation.planes.run import imitate as imitate_planes
        from janshi.learn.imitation.session import settings_from

        config = settings_from(folder, [f"rules={rules}", *settings], PlanesConfig())
        finished = imitate_planes(data, folder, config, **options)
        agent, file = "policy", folder / POLICY
    else:
        raise ValueError(f"--rules: {rules} cannot be learned from records: expected riichi, {', '.join(trainable())}")
    if not finished:
        return "stopped; run the same command again to continue"
    return f"the network is in {file}: play it as {agent}:file={file}"
