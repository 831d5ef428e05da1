"""Learning what options are worth, for the strategist: policy iteration on luck-free returns, on a CPU in minutes."""
