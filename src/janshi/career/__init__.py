"""A player's own games, stored on this machine: import, statistics, luck, habits, export. Needs no web server."""
