"""The deal-in model of Kurita & Hoki (2021): how likely a discard is to deal in, and for how much.

- `model`: the model that players use;
- `histogram`: opponents without melds, by histograms of recorded games;
- `enumeration`, `scene`, `blocks`, `signatures`: opponents with melds, by enumerating their possible tenpai hands.
"""
