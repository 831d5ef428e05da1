"""Fitting the scenario model of the MDP player.

- `data`: positions after a discard, and which scenario the hand came to;
- `features`: what the processes of the MDP player say about these positions;
- `training`: the regressions.
"""
