"""Mini mahjong: two players, one suit, a set and a pair. A family of rules for Janshi."""
