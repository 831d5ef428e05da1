"""Inputs of networks that play simplified mahjong."""
