"""Fitting one-player mahjong to discards and calls of experts, and counting how often it agrees with them."""
