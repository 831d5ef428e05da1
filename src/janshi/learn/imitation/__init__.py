"""Learning to play riichi from recorded games: examples, network, training and measuring."""
