"""The simplified game in training."""

from __future__ import annotations

from typing import Final

from janshi.learn.families import LearnFamily

FAMILY: Final = LearnFamily(reward_scale=0.1, decisions_of_hand=32)
