"""Fitting the scenario model of the MDP player.

- `data`: positions after a discard, and the scenario in which the hand ended;
- `features`: the results of the MDP player's processes for these positions;
- `training`: the regressions.
"""
