"""Tiles, hands and the kernels that count them: what every rule set stands on."""
