"""Luck in points, for Guobiao and the simplified game: events, games, matches, summaries."""
