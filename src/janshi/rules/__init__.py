"""Rule sets on one contract (`janshi.rules.game`)."""
