"""Models of opponents and of the game's end, learned from recorded games: linear models over sparse features.

`waiting`, `winning_tile` and `hand_score` follow Mizukami & Tsuruoka (2015); `final_rank` is Kurita & Hoki's (2021)
value of a situation between hands. `opponents` evaluates the first three together, also inside kernels.
`docs/models.md` shows how accurate they are.
"""
