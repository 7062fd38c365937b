"""What happens at a board's pins, as a trace: through the board's own edges, while its table plays on.

The same way on a real board, sim: and emu:. The trace begins with every named pin as it stands, so
that it can be played anywhere; a pin without a name cannot be in it.
"""

from __future__ import annotations

import json
from typing import Any, TextIO

from .board_io import LISTEN, BoardIo
from .errors import PitkitError
from .link import Link
from .trace import header


def record(link: Link, out: TextIO, seconds: float | None = None) -> int:
    """Edges onto `out` as they come, for so long or until interrupted; how many there were."""
    identity = link.identity
    count = 0
    with BoardIo(link, LISTEN) as board:
        _line(out, header(identity["table"], identity["edition"], {}))
        start_us: int | None = None
        for pin, closed in zip(board.pins, board.closed(), strict=True):
            _line(out, {"t_us": 0, "pin": pin.name, "level": pin.level(closed)})
        for edges in board.edges(seconds):
            for edge in sorted(edges, key=lambda edge: edge.at_us):
                start_us = edge.at_us if start_us is None else start_us
                _line(out, {"t_us": edge.at_us - start_us, "pin": edge.pin.name, "level": edge.level})
                count += 1
            if board.lost:
                raise PitkitError("edges came faster than the board could tell them: the trace has a gap.")
    return count


def _line(out: TextIO, row: dict[str, Any]) -> None:
    out.write(json.dumps(row, separators=(",", ":")) + "\n")
    out.flush()
