"""A bot's rating on the ladder: play games until the rating is precise enough, then write a report.

- `rating`: from average rank without luck to Elo points, given the opponents' ratings;
- `run`: plays, measures luck, and stops when the rating is precise enough;
- `report`: the HTML page.
"""
