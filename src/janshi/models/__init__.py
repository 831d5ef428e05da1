"""Models of opponents and of the game's end, learned from recorded games: linear models over sparse features.

`waiting`, `winning_tile` and `hand_score` follow Mizukami & Tsuruoka (2015), `final_rank` the value of a situation
between hands of Kurita & Hoki (2021). `opponents` evaluates the first three together, also inside kernels.
`docs/models.md` says how good they are.
"""
