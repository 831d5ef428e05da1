"""Random, tsumogiri and greedy: the built-in policies of the rules as agents.

- `agent`: the agents, asked about views;
- `states`: the same policies asked about whole arrays of states, which is quicker.
"""
