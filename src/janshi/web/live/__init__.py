"""Games that are played now: people and agents at a table, and whoever watches."""
