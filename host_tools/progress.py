"""How long jobs tell a person where they are: one line at a time, on standard error.

Functions that may take more than a second take a `say`; this is the one they get when nobody
gives them another. It must never write to standard output: that belongs to --json.
"""

from collections.abc import Callable

from rich.console import Console

Say = Callable[[str], None]


def say(line: str) -> None:
    Console(stderr=True, highlight=False).print(line, style="dim", markup=False, soft_wrap=True)
