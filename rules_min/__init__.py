"""PURE. What wins, what it pays and what makes a spin invalid: one module a game.

No clock, no I/O, no floats. Runs unchanged on CPython and on the chip; the table on the
board and `pitkit settle` on the host both call it.
"""
