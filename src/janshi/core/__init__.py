"""Tiles, hands and the kernels that count them: the base of every rule set."""
