"""A player's own games, kept on this machine: importing, counting, luck, habits, export. Needs no web server."""
