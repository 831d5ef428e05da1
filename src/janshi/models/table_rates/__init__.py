"""The rates at which the other players win, call and discard while a player develops a hand.

- `model`: all the rates;
- `discards`: which kinds opponents discard next.
"""
