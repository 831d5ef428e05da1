"""Sparse features of riichi positions: what a view shows of an opponent, as lists of integers.

A linear model is a table of weights, and an example is a list of indices into it. The kernels here write such lists
from views (never from hidden hands); `janshi.models` sums the weights.
"""
