"""Guobiao in training."""

from __future__ import annotations

from typing import Final

from janshi.learn.families import LearnFamily

FAMILY: Final = LearnFamily(reward_scale=0.03, decisions_of_hand=80, races=True, plans=True, minimum_fan=True)
