"""Recorded Guobiao hands, in the two forms that Botzone publishes.

- `model`: a hand, whatever form it came in;
- `log`, `text`: the JSON match log, and the text of the human-level data set;
- `replay`: hands played again on a table, and hands written down while they are played.
"""
