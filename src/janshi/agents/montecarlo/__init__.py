"""The Monte Carlo player of Mizukami & Tsuruoka (2015): candidate actions are judged by simulated hands.

- `agent`: the player;
- `search`: shares simulated hands among the candidates and repeatedly drops the worse half;
- `candidates`: the actions to compare, each with its ways to continue;
- `scene`: what a decision knows before it simulates hands;
- `rollout`, `moves`: one simulated hand, and the moves of the player in it;
- `worth`: what a win in a simulated hand is worth;
- `dtypes`: the records that these kernels share.
"""
