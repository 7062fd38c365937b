"""Where the console script begins: quiet on Ctrl-C even while the command line is still being loaded."""

import os
import sys

INTERRUPTED = 130


def main() -> None:
    try:
        from host_tools.cli import main as command_line
    except KeyboardInterrupt:
        os._exit(INTERRUPTED)
    if sys.stdout is None:  # it was closed by whoever started us: there is nobody to tell
        sys.stdout = open(os.devnull, "w")  # noqa: SIM115, PTH123
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):  # a terminal that cannot show a sign gets a ? in its place
            stream.reconfigure(errors="replace")
    command_line()
