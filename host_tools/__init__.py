"""The bench tool: CPython only. Talks to boards, builds images, runs conformance.

For programs: `connect` (live.py) and `connect_async` (aio.py). They are loaded when they are asked
for, so that the command line starts quickly.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .aio import AsyncBoard, connect_async
    from .live import Board, connect

__version__ = "0.1.0"
__all__ = ["AsyncBoard", "Board", "connect", "connect_async"]

_PLACES = {"connect": "live", "Board": "live", "connect_async": "aio", "AsyncBoard": "aio"}


def __getattr__(name: str) -> Any:
    if name not in _PLACES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(f".{_PLACES[name]}", __name__), name)
