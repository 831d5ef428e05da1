"""Imitation with networks over planes: Guobiao and the simplified game, from recorded or self-played hands."""
