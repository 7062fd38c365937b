"""Where the simulated board powers on: micropython start.py WIRING STATE_DIR [--option value]...

Standard input and output are the board's USB port, standard error is its log. Started and
restarted by host_tools/simulator.py. `--script FILE` runs a test's script in place of the firmware.
"""

# ruff: noqa: PTH123
# (MicroPython has no pathlib)

import sys

_HERE = sys.argv[0].rsplit("/", 1)[0]
sys.path[:] = [_HERE, _HERE.rsplit("/", 2)[0], ".frozen"]

import bench  # noqa: E402
import fixture  # noqa: E402
import micropython  # noqa: E402
import virtual_tasks  # noqa: E402


def power_on():
    micropython.kbd_intr(-1)  # a 0x03 in a frame is no interrupt
    sys.modules["_asyncio"] = virtual_tasks
    fixture.power_on()
    if bench.SCRIPT:
        with open(bench.SCRIPT) as file:
            exec(compile(file.read(), bench.SCRIPT, "exec"), {"__name__": "__main__"})
    else:
        from firmware import main

        main.run()


power_on()
