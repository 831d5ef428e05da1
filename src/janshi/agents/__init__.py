"""Players: each answers a batch of views with actions."""
