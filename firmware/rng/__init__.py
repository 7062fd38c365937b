"""Noise, its health tests, the generator and what is drawn from it. Knows no game.

sources -> health -> conditioning -> generator (drbg) -> the seed of a draw
seed, game number, digest of the tickets, host's nonce -> verifiable (drbg, draws) -> numbers
"""
