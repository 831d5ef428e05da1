"""Fitting the network of opponents, with PyTorch."""
