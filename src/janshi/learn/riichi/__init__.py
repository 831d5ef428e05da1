"""Self-play for riichi: returns without luck, and the cost of choices (`docs/selfplay.md`)."""
