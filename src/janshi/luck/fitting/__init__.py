"""Fitting the value function with PyTorch, on recorded games or on games played for the purpose."""
