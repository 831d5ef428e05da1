"""Fair matches between players, and what their results say."""
