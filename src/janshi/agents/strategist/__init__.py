"""The strategist: what every option is worth in points, learned from its own games without the luck of draws.

`options.py` says what it sees of a decision, `simplified.py` writes that for the simplified game, `values.py` is the
network that puts a worth on each option, and `agent.py` is the player.
"""
