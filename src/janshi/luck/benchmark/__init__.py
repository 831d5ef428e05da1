"""A bot's rating on the ladder: games until it is known well enough, and a report.

- `rating`: from average rank without luck to Elo points, given the opponents' ratings;
- `run`: plays, measures luck, and stops when the rating is known;
- `report`: the HTML page.
"""
