"""Review of recorded games: what each choice was worth, in an agent's opinion."""
