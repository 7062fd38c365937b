"""The console script `pitkit`: finds the command, and is the one place that turns errors into words.

Every PitkitError becomes one sentence on standard error and its exit code; a traceback is
shown only with PITKIT_DEBUG=1. Commands are imported when they are called, so that a quick
one starts quickly.
"""

from __future__ import annotations

import importlib
import os
import signal
import sys
import traceback
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any, NoReturn

import click

from host_tools import __version__
from host_tools.errors import CannotRun, PitkitError

# command: the module of host_tools.commands that has it, under the command's own name
COMMANDS = {
    "boards": "boards",
    "config": "config",
    "conform": "conform",
    "demo": "demo",
    "draw": "draw",
    "emu": "stand",
    "image": "image",
    "io": "io",
    "journal": "swap",  # which adds its two to those of journal.py
    "latency": "latency",
    "link": "link",
    "monitor": "monitor",
    "rng": "rng",
    "rules": "rules",
    "settle": "settle",
    "sim": "stand",
    "test": "test",
    "time": "time",
    "trace": "trace",
}
INTERRUPTED, TERMINATED = 130, 143
POLITE = (signal.SIGTERM, signal.SIGHUP)  # asked to end, or its terminal was closed


class Pitkit(click.Group):
    def list_commands(self, ctx: click.Context) -> list[str]:
        return sorted(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        module = importlib.import_module(f"host_tools.commands.{COMMANDS[cmd_name]}")
        command: click.Command = getattr(module, cmd_name)
        return command

    def main(self, *args: Any, **kwargs: Any) -> NoReturn:
        """Runs the command and ends the process, with the exit code INTERFACES promises."""
        kwargs["standalone_mode"] = False
        kwargs["prog_name"] = "pitkit"  # however it was started
        with _terminable():
            sys.exit(self._run(*args, **kwargs))

    def _run(self, *args: Any, **kwargs: Any) -> int:
        try:
            code = super().main(*args, **kwargs)
            sys.stdout.flush()
            return code if isinstance(code, int) else 0
        except Exception as error:
            if os.environ.get("PITKIT_DEBUG") == "1":
                traceback.print_exc()
            return _told(error)
        except KeyboardInterrupt:
            return INTERRUPTED


def _told(error: Exception) -> int:
    """Says what went wrong, and returns the exit code for it."""
    if isinstance(error, click.Abort):
        return INTERRUPTED
    if isinstance(error, BrokenPipeError):
        _close_quietly()
        return PitkitError.exit_code
    if isinstance(error, click.ClickException):
        error.show()
        return CannotRun.exit_code
    if isinstance(error, PitkitError):
        _say(str(error))
        return error.exit_code
    if isinstance(error, OSError) and error.strerror:
        named = f"{error.filename}: " if error.filename else ""
        _say(f"{named}{error.strerror}")
        return CannotRun.exit_code
    _say(f"a defect of pitkit's own stopped it ({type(error).__name__}); PITKIT_DEBUG=1 shows where")
    return PitkitError.exit_code


def _say(sentence: str) -> None:
    from host_tools.commands.options import plain

    words = plain(" ".join(sentence.split()))
    click.echo(f"pitkit: {words}" + ("" if words.endswith((".", "!", "?")) else "."), err=True)


def _close_quietly() -> None:
    """The reader has gone: nothing more is written, not even by the interpreter as it ends."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, sys.stdout.fileno())


@contextmanager
def _terminable() -> Iterator[None]:
    """A polite kill unwinds like Ctrl-C, so that a board started for this command is stopped too."""

    def leave(number: int, frame: FrameType | None) -> NoReturn:
        raise SystemExit(TERMINATED)

    try:
        before = {number: signal.signal(number, leave) for number in POLITE}
    except ValueError:  # not the main thread: somebody embeds us and minds signals himself
        yield
        return
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


@click.command(cls=Pitkit, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, message="pitkit %(version)s")
def main() -> None:
    """Bench tool for table-game boards: configure them, play them, prove them against the rulebook.

    \b
    Exit codes: 0 done and passed, 1 something failed, 2 could not run, 3 no board or link lost,
    4 the board refused, 5 the board has a fault, 130 interrupted. PITKIT_DEBUG=1 shows tracebacks.

    \b
    Example:
      pitkit conform --port sim:sic_bo@act1999
    """


if __name__ == "__main__":
    main()
