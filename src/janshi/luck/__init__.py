"""Luck and skill: chance events, a value function that sees all hands, and results with the luck removed."""
