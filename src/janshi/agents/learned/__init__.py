"""Agents that play by a trained policy network, without a learning library.

- `agent`: the agents `policy` and `rvr`;
- `network`: the network in NumPy.
"""
