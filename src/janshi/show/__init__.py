"""Tables drawn in the terminal with rich: tiles, the board, results, and a whole game to watch."""
