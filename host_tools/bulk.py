"""Large things between the host and a board: files there, files, journal and dictionary back.

Blocks and parts are firmware/bulk.py's; here they are packed where that helps, sent several at a
time, and checked: each block by its crc, a file by its hash. A transfer that broke off goes on
behind the last whole block that the board has.
"""

from __future__ import annotations

import binascii
import hashlib
import zlib
from collections.abc import Callable, Iterable, Iterator
from typing import Any, Protocol

from .errors import PitkitError

BLOCK_BYTES = 4096
PART_BYTES = 216
WINDOW_BITS = 12
DEFLATED = 32768
AS_IT_IS, IS_DEFLATED, BLANK_BEHIND = range(3)
Progress = Callable[[int, int], None]
Orders = Iterable[tuple[str, dict[str, Any]]]


class Line(Protocol):
    """What a transfer needs: link.Link has it, and live.Board."""

    def command(self, name: str, /, **fields: Any) -> dict[str, Any]: ...
    def pipelined(self, orders: Orders) -> Iterator[dict[str, Any]]: ...
    def submit(self, name: str, /, **fields: Any) -> Any: ...
    def answer(self, ticket: Any, /) -> dict[str, Any]: ...


def deflated(data: bytes) -> list[bytes]:
    """Block after block."""
    found = []
    for at in range(0, len(data), BLOCK_BYTES):
        squeezer = zlib.compressobj(9, zlib.DEFLATED, -WINDOW_BITS)
        found.append(squeezer.compress(data[at : at + BLOCK_BYTES]) + squeezer.flush())
    return found


def pack_block(data: bytes) -> bytes:
    """As it goes to the board: deflated if that is shorter."""
    (packed,) = deflated(data)
    if len(packed) < len(data):
        return (DEFLATED + len(packed)).to_bytes(2, "little") + packed
    return len(data).to_bytes(2, "little") + data


def unpack_block(how: int, data: bytes, length: int) -> bytes:
    if how == IS_DEFLATED:
        return zlib.decompressobj(-WINDOW_BITS).decompress(data)
    return data.ljust(length, b"\xff") if how == BLANK_BEHIND else data


def put(link: Line, name: str, data: bytes, progress: Progress = lambda done, total: None) -> None:
    """The data onto the board as file/NAME, in place of what was there, once it is whole."""
    digest = hashlib.sha256(data).digest()
    have = link.command("put_begin", name=name, length=len(data), hash=digest)["have"]
    orders = list(_stream(data, have))
    for done, _ in enumerate(link.pipelined(orders), 1):
        progress(done, len(orders))
    if link.command("put_end")["hash"] != digest:
        raise PitkitError(f"{name} did not arrive on the board as it was sent.")


def _stream(data: bytes, have: int) -> Iterator[tuple[str, dict[str, Any]]]:
    """Parts across blocks: only the last of all is short."""
    buffer, sent = b"", 0
    for at in range(have, len(data), BLOCK_BYTES):
        buffer += pack_block(data[at : at + BLOCK_BYTES])
        while len(buffer) >= PART_BYTES:
            yield "put_part", {"offset": sent, "part": buffer[:PART_BYTES]}
            buffer, sent = buffer[PART_BYTES:], sent + PART_BYTES
    if buffer:
        yield "put_part", {"offset": sent, "part": buffer}


def get(link: Line, name: str, progress: Progress = lambda done, total: None) -> bytes:
    """All of what the board has under this name."""
    return b"".join(blocks(link, name, progress))


def blocks(link: Line, name: str, progress: Progress = lambda done, total: None) -> Iterator[bytes]:
    """Block after block; the next one is asked for while the parts of this one come."""
    row = link.command("get_block", name=name, block=0)
    total = -(-row["length"] // BLOCK_BYTES)
    for block in range(total):
        places = range(len(row["part"]), row["packed"], PART_BYTES)
        parts = [link.submit("get_part", offset=at) for at in places]
        after = link.submit("get_block", name=name, block=block + 1) if block + 1 < total else None
        data = row["part"] + b"".join(link.answer(part)["part"] for part in parts)
        if binascii.crc32(data) != row["crc"]:
            raise PitkitError(f"{name} did not come from the board as it is there.")
        yield unpack_block(row["how"], data, min(BLOCK_BYTES, row["length"] - block * BLOCK_BYTES))
        progress(block + 1, total)
        row = link.answer(after) if after else row
