"""The rates at which the other players win, call and discard, while a player thinks about the own hand.

- `model`: all the rates;
- `discards`: which kinds opponents discard next.
"""
