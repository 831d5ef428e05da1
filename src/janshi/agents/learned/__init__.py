"""Agents that play with a trained policy network and need no learning library.

- `agent`: the agents `policy` and `rvr`;
- `network`: the network in NumPy.
"""
