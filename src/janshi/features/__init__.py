"""Sparse features of riichi positions: what a view says about an opponent, as lists of integers.

A linear model is a table of weights and a list of places in it. The kernels here write such lists from views (never
from hidden hands); `janshi.models` sums the weights.
"""
