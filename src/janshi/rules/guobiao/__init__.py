"""Chinese standard mahjong (Guobiao): `guobiao.Hand` and its fan."""
