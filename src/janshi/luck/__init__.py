"""Luck and skill: chance events, a value function that sees all hands, and what is left of results without luck."""
