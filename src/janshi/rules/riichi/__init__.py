"""Japanese riichi mahjong."""
