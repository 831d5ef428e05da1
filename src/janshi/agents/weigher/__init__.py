"""An experiment: the search's view of a decision, weighed by what choices turned out to be worth."""
