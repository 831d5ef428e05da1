"""Practice: problems from one's own mistakes and from expert play, a daily problem, drills, and progress over time."""
