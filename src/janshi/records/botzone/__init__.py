"""Recorded Guobiao hands, in the two forms that Botzone publishes.

- `model`: a hand, from either form;
- `log`, `text`: the JSON match log, and the text of the human-level data set;
- `replay`: replaying hands on a table, and recording hands while they are played.
"""
