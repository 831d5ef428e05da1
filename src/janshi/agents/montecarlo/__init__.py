"""The Monte Carlo player of Mizukami & Tsuruoka (2015): candidate actions are judged by simulated hands.

- `agent`: the player;
- `search`: simulated hands are shared out among the candidates, and the worse half drops out again and again;
- `candidates`: the actions to compare, each with its ways to go on;
- `scene`: what a decision knows before hands are simulated;
- `rollout`, `moves`: one simulated hand, and the moves of the player in it;
- `worth`: what a win in a simulated hand is worth;
- `dtypes`: the records that these kernels share.
"""
