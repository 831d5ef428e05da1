"""Running games: people and agents at a table, and their viewers."""
