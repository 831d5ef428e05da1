"""Fitting the models to recorded games: data preparation, training and evaluation. Not needed to play.

- `data`, `examples`: positions of a data set, and examples made from them;
- `opponents`, `final_rank`, `deal_in`, `table_rates`, `scenarios`, `one_player`, `network`: training of each model;
- `evaluation`, `measures`: test positions, and measures of accuracy.
"""
