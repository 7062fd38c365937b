"""Large things over the line: packed, windowed, gone on with after a break, and never half there."""

import hashlib
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from host_tools import bulk
from host_tools.dictionary import Dictionary
from host_tools.errors import NoBoard, Refused
from host_tools.link import Link, messages
from host_tools.ports import Session, open_port

SIC_BO = "sim:sic_bo@act1999"
NOISE = random.Random(4).randbytes(20_000)
TEXT = Path(__file__).read_bytes() * 4


@pytest.fixture
def table() -> Iterator[Session]:
    with open_port(SIC_BO, role="supervisor") as session:
        yield session


@pytest.mark.parametrize("data", [b"", b"x", NOISE[:4096], NOISE, TEXT, bytes(9000), b"\xff" * 8192])
def test_what_is_put_is_what_is_got(table: Session, data: bytes) -> None:
    bulk.put(table.link, "file/a.bin", data)
    assert bulk.get(table.link, "file/a.bin") == data
    assert table.link.retries == 0


def test_text_goes_packed_and_noise_as_it_is() -> None:
    assert len(bulk.pack_block(TEXT[:4096])) < 2200
    assert bulk.pack_block(NOISE[:4096]) == (4096).to_bytes(2, "little") + NOISE[:4096]


class Flaky(Link):
    """A cable that comes loose after so many commands."""

    left = 10**9

    def submit(self, name: str, /, **fields: Any) -> Any:
        self.left -= 1
        if self.left < 0:
            raise NoBoard("the link was lost.")
        return super().submit(name, **fields)


def break_off(link: Link, data: bytes, commands: int) -> None:
    link.__class__ = Flaky
    link.left = commands  # type: ignore[attr-defined]
    with pytest.raises(NoBoard):
        bulk.put(link, "file/a.bin", data)
    link.__class__ = Link


def have(link: Link, data: bytes) -> int:
    fields = {"name": "file/a.bin", "length": len(data), "hash": hashlib.sha256(data).digest()}
    return int(link.command("put_begin", **fields)["have"])


def test_a_transfer_that_broke_off_goes_on_behind_its_last_block(table: Session) -> None:
    bulk.put(table.link, "file/a.bin", b"the old one")
    break_off(table.link, NOISE, 60)
    assert bulk.get(table.link, "file/a.bin") == b"the old one"
    table.reconnect()
    assert have(table.link, NOISE) == 12288
    assert have(table.link, NOISE[1:]) == 0, "another file's blocks were taken for this one's"
    bulk.put(table.link, "file/a.bin", NOISE)
    assert bulk.get(table.link, "file/a.bin") == NOISE


def test_it_goes_on_after_a_power_cut_too(table: Session) -> None:
    long = NOISE * 2
    break_off(table.link, long, 130)
    assert table.fixture
    table.fixture.cut()
    table.fixture.power()
    table.reconnect()
    assert have(table.link, long) in range(16384, 28673, 4096)
    bulk.put(table.link, "file/a.bin", long)
    assert bulk.get(table.link, "file/a.bin") == long


def test_what_is_not_what_was_meant_is_thrown_away(table: Session) -> None:
    link = table.link
    link.command("put_begin", name="file/a.bin", length=5, hash=hashlib.sha256(b"right").digest())
    link.command("put_part", offset=0, part=b"\x05\0wrong")
    with pytest.raises(Refused, match="not what was sent"):
        link.command("put_end")
    with pytest.raises(Refused, match="no file of that name"):
        bulk.get(link, "file/a.bin")


@pytest.mark.parametrize(
    "name", ["file/", "file/../x", "file/.x", "file/a/b", "file/" + "x" * 33, "config", "x"]
)
def test_names_that_lead_elsewhere_are_refused(table: Session, name: str) -> None:
    with pytest.raises(Refused):
        table.link.command("put_begin", name=name, length=1, hash=bytes(32))
    with pytest.raises(Refused):
        bulk.get(table.link, name)


@pytest.mark.parametrize("part", [b"\x03\x80abc", b"\xff\xff", b""])
def test_parts_that_make_no_sense_stop_nobody(table: Session, part: bytes) -> None:
    link = table.link
    link.command("put_begin", name="file/a.bin", length=5, hash=bytes(32))
    for offset in (0, 7):
        try:
            link.command("put_part", offset=offset, part=part)
        except Refused as refused:
            assert refused.code in ("bad_part", "no_file", "not_begun")
    assert link.command("open") == {"round": 1}


def test_no_file_is_written_while_a_round_is_under_way(table: Session) -> None:
    table.link.command("open")
    with pytest.raises(Refused, match="a round is under way"):
        bulk.put(table.link, "file/a.bin", b"x")


def test_the_dictionary_is_the_tables(table: Session) -> None:
    found = Dictionary.read(bulk.get(table.link, "dictionary"))
    assert found.events == messages.EVENTS and found.commands == messages.COMMANDS
    newer = Dictionary.read(
        b"P 1 9\nE 99 jackpot : round:u sum:u new:z more:u\nX of tomorrow\nC 99 ring dealer :  > "
    )
    assert newer.events == {99: ("jackpot", (("round", "u"), ("sum", "u")))}
    assert newer.commands == {99: ("ring", "dealer", (), ())}
