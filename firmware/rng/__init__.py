"""Noise, its health tests, and what is drawn from it. Knows no game."""
