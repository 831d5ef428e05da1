"""Why one choice is better than another: facts about the hand, its value, its dangers and the scores."""
