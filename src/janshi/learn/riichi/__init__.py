"""Riichi by self-play: returns without luck, and what a choice costs (`docs/selfplay.md`)."""
