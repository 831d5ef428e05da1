"""Paper 4's simplified three-player game."""
