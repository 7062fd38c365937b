"""Under CPython the pure rooms lack two things MicroPython has: its ticks and its decorators."""

import sys
import time
import types


def _micropython_names() -> None:
    module = types.ModuleType("micropython")
    module.native = module.viper = lambda function: function  # type: ignore[attr-defined]
    module.heap_lock = module.heap_unlock = lambda: None  # type: ignore[attr-defined]
    sys.modules.setdefault("micropython", module)
    time.ticks_us = lambda: time.monotonic_ns() // 1000 & 0x3FFFFFFF  # type: ignore[attr-defined]
    time.sleep_us = lambda us: None  # type: ignore[attr-defined]


_micropython_names()
