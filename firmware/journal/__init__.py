"""The append-only record in its own flash area, and its recovery."""
