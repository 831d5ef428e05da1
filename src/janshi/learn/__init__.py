"""Learning to play by self-play and by imitation: networks, PPO, and the variance reductions of paper 4."""
