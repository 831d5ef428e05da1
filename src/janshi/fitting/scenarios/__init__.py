"""Fitting the scenario model of the MDP player.

- `data`: positions after a discard, and the scenario in which the hand ended;
- `features`: what the processes of the MDP player say about these positions;
- `training`: the regressions.
"""
