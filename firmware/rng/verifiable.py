"""A draw that anyone with its record can check. PURE: the host replays with these same functions.

Before the first ticket the board makes a seed and publishes C = SHA-256(tag, board, game, seed). The
numbers come from HMAC_DRBG(seed, nonce = game number, personalisation = digest of the tickets and the
host's nonce, both received after C) and from nothing else. The record holds all of it, and the
digest of the record before. Proven: nobody chose the numbers once the tickets were known, and the host
alone could not. Not proven: that the seed was random, or that nobody read it in the board.
"""

import hashlib

from .draws import Draws
from .drbg import HmacDrbg

SEED_BYTES = DIGEST_BYTES = NONCE_BYTES = 32
FIRST = bytes(DIGEST_BYTES)  # the digest before the first record
COMMITMENT_TAG = b"pitkit draw commitment 1\0"
RECORD_TAG = b"pitkit draw record 1\0"
GUARDED = 1 << 40  # so many possible draws or more: the same twice in a row is no chance


def _game_bytes(game):
    return game.to_bytes(8, "big")


def _board_bytes(board):
    name = board.encode()
    return bytes([len(name)]) + name


def commitment(board, game, seed):
    return hashlib.sha256(COMMITMENT_TAG + _board_bytes(board) + _game_bytes(game) + seed).digest()


def numbers(seed, game, pool, nonce, count, of):
    """The draw itself."""
    return Draws(HmacDrbg(seed, _game_bytes(game), pool + nonce)).sample(count, of)


def digest(board, game, of, seed, pool, nonce, drawn, last):
    """Of a record: all that it says, and the digest of the one before."""
    said = _board_bytes(board) + _game_bytes(game) + bytes([of, len(drawn)]) + bytes(drawn)
    return hashlib.sha256(RECORD_TAG + said + seed + pool + nonce + last).digest()


def is_guarded(count, of):
    """Whether the same numbers twice in a row mean that the generator is stuck; two balls of 54 do not."""
    ways = 1
    for left in range(of, of - count, -1):
        ways *= left
    return ways >= GUARDED
