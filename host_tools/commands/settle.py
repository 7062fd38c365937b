"""`pitkit settle`: lines of wagers in, lines of settlements out."""

from __future__ import annotations

import sys
from typing import cast

import click

from host_tools.commands.options import json_option, note
from host_tools.errors import CannotRun
from host_tools.settle_stream import Source, settle_stream


@click.command()
@click.argument("file", type=click.Path(dir_okay=False, allow_dash=True), default="-")
@json_option
@click.pass_context
def settle(context: click.Context, file: str, as_json: bool) -> None:
    """Settle wagers: one JSON object a line in FILE (or standard input), one a line out, same order.

    Money is whole cents. A bad line is answered in its place with {"error": …}, the rest is
    settled all the same, and the exit code is 2. Blank lines are ignored. The answer is always
    JSON lines, with --json or without.

    \b
    Example:
      echo '{"edition":"act1999","game":"sic_bo","result":[3,3,4],
             "wagers":[{"code":"small","stake":500}]}' | tr -d '\\n' | pitkit settle
    """
    if file == "-":
        lines, bad = settle_stream(cast(Source, sys.stdin.buffer), sys.stdout.buffer)
    else:
        try:
            with open(file, "rb") as source:  # noqa: PTH123 (a name as the user gave it)
                lines, bad = settle_stream(source, sys.stdout.buffer)
        except (FileNotFoundError, PermissionError, IsADirectoryError) as error:
            raise CannotRun(f"cannot read {file}: {error.strerror}.") from error
    if bad:
        note(f"{bad} of {lines} lines could not be settled; each says why in its place.")
        context.exit(CannotRun.exit_code)
