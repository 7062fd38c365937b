"""Conformance: cases an inspector can read, run step by step on a board, and reported on."""
