"""Fitting the rates at which the other players win, call and discard."""
