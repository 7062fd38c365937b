"""The round of each game as a table of transitions."""
