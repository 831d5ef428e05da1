"""Fitting the deal-in model.

- `cases`: turns of recorded games with an opponent in tenpai;
- `parameters`: histograms and prior weights, fitted on cases;
- `mixture`: regressions that combine the two methods;
- `training`: all of it in order.
"""
