"""Records of real games: one event model, formats that read and write it, replay through the engine, data sets."""
