"""Fitting one-player mahjong to experts' discards and calls, and measuring how often it agrees with them."""
