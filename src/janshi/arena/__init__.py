"""Fair matches between players, and the analysis of their results."""
