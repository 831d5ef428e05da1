"""Review of recorded games: what each choice was worth, as an agent sees it."""
