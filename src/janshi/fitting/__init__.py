"""Fitting the models to recorded games: data preparation, training and evaluation. It is not needed for playing.

- `data`, `examples`: positions of a data set, and examples made from them;
- `opponents`, `final_rank`, `deal_in`, `table_rates`, `scenarios`, `one_player`, `network`: how each model is fitted;
- `evaluation`, `measures`: test positions, and how good a model is.
"""
