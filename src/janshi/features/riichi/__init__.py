"""The riichi encoder: everything a player may know, as inputs of a network with a token for each kind of tile."""
