"""Learning to play by self-play: networks, PPO, and the variance reductions of paper 4."""
