"""The sic-bo layout in a terminal, its lit areas bright: what a player sees on the glass."""

from __future__ import annotations

from collections.abc import Collection

from rich import box
from rich.console import Group
from rich.table import Table
from rich.text import Text

from rules_min import sic_bo

LIT = "bold black on bright_yellow"
DARK = "dim"
WIDTH = 79

# the glass from top to bottom, as qld diagram 2 groups it: (wager codes, how many to a row)
ROWS = (
    (("small", "any_triple", "big"), 3),
    (tuple(f"double:{n}" for n in range(1, 7)), 6),
    (tuple(f"triple:{n}" for n in range(1, 7)), 6),
    (tuple(f"total:{n}" for n in range(4, 18)), 7),
    (tuple(area for area in sic_bo.AREAS if area.startswith("pair:")), 5),
    (tuple(f"single:{n}" for n in range(1, 7)), 6),
)


def _cell(area: str, lit: Collection[str], width: int) -> Text:
    name, _, number = area.partition(":")
    words = f"{name.replace('_', ' ')} {number}".strip().upper()
    if area in lit:
        return Text(f"●{words.center(width - 2)}●", style=LIT)
    return Text(words.center(width), style=DARK)


def _widths(across: int) -> list[int]:
    """Cells of a row, with their borders just WIDTH wide: the first ones take what is left over."""
    each, over = divmod(WIDTH - across - 1, across)
    return [each + (index < over) for index in range(across)]


def draw_layout(lit: Collection[str]) -> Group:
    """All fifty areas; those in `lit` stand out (with a dot too, for terminals without colour)."""
    grids = []
    for areas, across in ROWS:
        widths = _widths(across)
        grid = Table(box=box.SQUARE, show_header=False, padding=0, show_lines=True)
        for at in range(0, len(areas), across):
            row = areas[at : at + across]
            grid.add_row(*(_cell(area, lit, width) for area, width in zip(row, widths, strict=True)))
        grids.append(grid)
    return Group(*grids)
