"""Exact house edges, worked out from rules_min over every outcome; never typed in.

Each family has `rows()`: objects of the shape that `pitkit rules --json` prints. The edge is
the house's expected share of the stake, before rounding.
"""

from __future__ import annotations

import importlib
from collections.abc import Iterator
from typing import Any

FAMILIES = ("one_shot", "draws", "chains")  # modules of this package


def rows() -> Iterator[dict[str, Any]]:
    for family in FAMILIES:
        yield from importlib.import_module(f"host_tools.edges.{family}").rows()
