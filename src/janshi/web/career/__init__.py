"""My games: a person's career on the page, with its import, luck and reviews in the background."""
