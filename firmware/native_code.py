"""`native`: on the board a function's machine code in place of its bytecode; elsewhere just the function."""

try:
    from micropython import native
except ImportError:  # CPython

    def native(function):
        return function
