"""What every command shares: --json, --port, --as, and how an answer leaves the program.

Standard output carries the answer and nothing else; whatever is said beside it goes to
standard error.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, TypeVar

import click

from firmware.protocol.messages import ROLES

if TYPE_CHECKING:
    from host_tools.ports import Session

Function = TypeVar("Function", bound=Callable[..., Any])

json_option = click.option("--json", "as_json", is_flag=True, help="Answer in JSON on standard output.")
for_option = click.option(
    "--for", "seconds", type=click.FloatRange(min=0, min_open=True), help="Stop after so many seconds."
)


def board_options(role: str) -> Callable[[Function], Function]:
    """--port and --as, for a command that talks to a board; `role` is what it needs by itself."""
    port = click.option(
        "--port",
        envvar="PITKIT_PORT",
        default="auto",
        show_default=True,
        show_envvar=True,
        help="Device, serial URL, auto, sim:TABLE[@EDITION][?state=DIR] or emu:….",
    )
    as_role = click.option(
        "--as",
        "role",
        type=click.Choice(ROLES),
        default=role,
        show_default=True,
        help="In whose name; keys come from the file named by PITKIT_KEYS.",
    )

    def add(function: Function) -> Function:
        return port(as_role(function))

    return add


@contextmanager
def opened(port: str, role: str, realtime: bool = False) -> Iterator[Session]:
    """The board on this port; what there is to say about it is said on standard error."""
    from host_tools.ports import open_port

    with open_port(port, role=role, realtime=realtime) as session:
        for notice in session.notices:
            note(notice)
        yield session


def emit(document: Any) -> None:
    """One JSON document, or one line of a stream of them, out at once; bytes as hexadecimal digits."""
    text = json.dumps(document, ensure_ascii=False, default=bytes.hex)
    click.echo(text.encode("utf-8", "backslashreplace"))


def note(sentence: str) -> None:
    click.echo(plain(sentence), err=True)


def plain(text: str) -> str:
    """Text from a board or a file as it may be shown: nothing in it moves a cursor."""
    return "".join(c if c.isprintable() else repr(c)[1:-1] for c in text)
