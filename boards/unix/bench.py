"""The bench the simulated board lies on: what its supervisor handed over at power-on.

Read once from the command line that host_tools/simulator.py composes; nothing here changes
afterwards. `vanish` is the only way out of the process: a chip that resets runs no `finally`.
"""

# ruff: noqa: PTH123
# (MicroPython has no pathlib)

import json
import sys

import ffi

# How the board process ends; the supervisor restarts it after the first two.
EXIT_RESET = 64
EXIT_WATCHDOG = 65
EXIT_HANDLER_FAILED = 66
EXIT_POWER_CUT = 67


def _read_options(words):
    options = {"clock": "wall", "start-us": "0", "cause": "1", "fd": "3", "script": None}
    for i in range(0, len(words), 2):
        options[words[i][2:]] = words[i + 1]
    return options


_options = _read_options(sys.argv[3:])

ROOT = sys.argv[0].rsplit("/", 3)[0]
STATE_DIR = sys.argv[2]
CLOCK = _options["clock"]
START_US = int(_options["start-us"])
RESET_CAUSE = int(_options["cause"])
FIXTURE_FD = int(_options["fd"])
SCRIPT = _options["script"]

with open(sys.argv[1]) as _file:
    WIRING = json.load(_file)

_libc = ffi.open(None)
vanish = _libc.func("v", "_exit", "i")
set_timer = _libc.func("i", "setitimer", "ipp")
