"""The line between host and board: what goes wrong on it costs a sentence, never a wager."""

import contextlib
import os
import subprocess
import sys
import threading
import tty
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from firmware.config_store import text_hash
from firmware.protocol import frames, messages
from host_tools.errors import CannotRun, NoBoard, Refused
from host_tools.link import Link, open_serial
from host_tools.ports import Session, open_port

SIC_BO = "sim:sic_bo@act1999"
NUMBER = messages.numbers(messages.COMMANDS)


@pytest.fixture
def table() -> Iterator[Session]:
    with open_port(SIC_BO) as session:
        yield session


def test_identify_says_who_it_is(table: Session) -> None:
    identity = table.link.identity
    assert (identity["board"], identity["table"], identity["edition"]) == ("unix", "sic_bo", "act1999")
    assert len(identity["rules_hash"]) == len(identity["config_hash"]) == len(identity["unique_id"]) == 16
    assert identity["major"] == messages.MAJOR and identity["fault"] == 0
    assert any("not provisioned" in notice for notice in table.notices)


def test_garbage_on_the_line_costs_nothing(table: Session) -> None:
    link = table.link
    link.follow()
    for garbage in (b"\0" * 50, os.urandom(3000), b"\x03\x04\x01raw\r\n>>> ", b"\xff" * 5000):
        link.port.write(garbage)
        assert link.command("status")["betting"] == "closed"
    assert link.command("open") == {"round": 1}
    assert [event["event"] for event in link.events(0.3)] == ["opened"]


def test_a_host_that_stops_in_the_middle_of_a_frame_does_not_stall_the_table(table: Session) -> None:
    table.link.command("open")
    half = frames.encode(frames.COMMAND, 99, NUMBER["no_more_bets"], b"")[:7]
    table.link.port.write(half)
    assert table.fixture
    table.fixture.run(50_000)
    table.fixture.set("key_spin", 0)
    table.fixture.run(50_000)
    assert table.fixture.read("motor") == 1
    table.fixture.set("key_spin", 1)
    assert table.link.command("status")["device"] == "running"


def test_a_command_that_arrives_three_times_is_applied_once(table: Session) -> None:
    link = table.link
    link.command("open")
    link.number += 1
    body = {"ref": 1, "code": "small", "stake": 500, "player": ""}
    packed = messages.pack(messages.COMMANDS[NUMBER["wager"]][2], body)
    link.port.write(frames.encode(frames.COMMAND, link.number, NUMBER["wager"], packed) * 3)
    status = link.command("status")
    assert (status["wagers"], status["staked"]) == (1, 500)


@pytest.mark.parametrize(
    ("order", "fields", "said"),
    [
        ("wager", {"ref": 2, "code": "big", "stake": 100, "player": "x" * 200}, "name is at most"),
        ("wager", {"ref": 2, "code": "y" * 200, "stake": 100}, "no such wager"),
        ("wager", {"ref": 2, "code": "\N{DIE FACE-6}" * 70, "stake": 100}, "no such wager"),
        ("wager", {"ref": 1, "code": "big", "stake": 1 << 69}, "another one"),
        ("payout", {"ref": 1 << 69}, "no wager"),
        ("config_read", {"offset": 1 << 69}, None),
        ("follow", {"event": 1 << 69}, None),
    ],
)
def test_an_absurd_order_costs_a_sentence_never_the_round(
    table: Session, order: str, fields: dict[str, Any], said: str | None
) -> None:
    link = table.link
    link.command("open")
    link.command("wager", ref=1, code="small", stake=500, player="Ada")
    if said:
        with pytest.raises(Refused, match=said):
            link.command(order, **fields)
    else:
        link.command(order, **fields)
    status = link.command("status")
    assert (status["betting"], status["wagers"], status["staked"]) == ("open", 1, 500)


SIC_BO_TABLE = b'"table":{"game":"sic_bo","edition":"act1999"}'


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (b'{%s,"pins":{"motor":63}}' % SIC_BO_TABLE, "pins.motor: the chip has no GPIO 63"),
        (b'{%s,"pins":{"cover":30}}' % SIC_BO_TABLE, "pins.cover: the chip has no GPIO 30"),
        (b'{%s,"%s":{}}' % (SIC_BO_TABLE, b"z" * 300), "zzz"),
        (b'{%s,"limits":{7:[1,2]}}' % SIC_BO_TABLE, "limits.7"),
        (b"[" * 4000, "no configuration"),
    ],
)
def test_a_configuration_that_would_break_the_table_is_refused(
    table: Session, text: bytes, said: str
) -> None:
    with pytest.raises(Refused, match=said):
        table.link.write_config(text)
    assert table.link.command("open") == {"round": 1}


def test_an_order_right_behind_a_new_configuration_is_for_the_new_table(table: Session) -> None:
    link = table.link
    text = b'{%s,"pins":{"motor":26}}' % SIC_BO_TABLE
    link.command("config_part", offset=0, part=text)
    orders = (
        ("config_commit", {"length": len(text), "hash": text_hash(text)}),
        ("open", {}),
        ("activate", {}),
    )
    sent = b""
    for order, fields in orders:
        link.number += 1
        body = messages.pack(messages.COMMANDS[NUMBER[order]][2], fields)
        sent += frames.encode(frames.COMMAND, link.number, NUMBER[order], body)
    link.port.write(sent)
    assert link.command("status")["device"] == "running"
    assert table.fixture and table.fixture.read("motor") == 0, "the motor's old pin was driven"


def test_text_that_no_one_can_read_is_kept_as_bytes(table: Session) -> None:
    link = table.link
    link.command("open")
    link.number += 1
    body = b"\x02\x05small\x64\x03\xed\xa0\x80"  # half a surrogate pair, which MicroPython lets pass
    link.port.write(frames.encode(frames.COMMAND, link.number, NUMBER["wager"], body))
    assert link.command("status")["wagers"] == 1
    link.follow(1)
    last = list(link.events(0.5))[-1]
    assert last["event"] == "event_4" and last["raw"].endswith("eda080")


def test_a_wager_after_the_call_is_refused_with_its_clause(table: Session) -> None:
    link = table.link
    for act in ("open", "activate", "no_more_bets"):
        link.command(act)
    with pytest.raises(Refused) as refused:
        link.command("wager", ref=1, code="big", stake=100, player="")
    assert (refused.value.code, refused.value.rule, refused.value.exit_code) == (
        "too_late",
        "act sicbo 4.5",
        4,
    )
    assert refused.value.rule == "act sicbo 4.5" and "act sicbo 4.5" in str(refused.value)


def test_every_event_comes_once_and_in_order_to_a_second_host_too(table: Session) -> None:
    table.link.command("open")
    for ref in range(30):
        table.link.command("wager", ref=ref, code="small", stake=100, player="")
    with Link(table.link.port, "the same line") as second:
        second.identify()
        second.follow(1)
        seen = [event["seq"] for event in second.events(0.5)]
        assert seen == list(range(1, len(seen) + 1)) and len(seen) >= 31


def test_a_dead_port_is_said_to_be() -> None:
    with pytest.raises(NoBoard, match="cannot open /dev/no-such-port"):
        open_port("/dev/no-such-port")
    with pytest.raises(NoBoard, match="cannot open socket"):
        open_port("socket://127.0.0.1:1")
    for url in ("nonsense://x", "socket://", "socket://127.0.0.1", "socket://127.0.0.1:99999"):
        with pytest.raises(CannotRun):
            open_port(url)


def test_a_port_that_is_held_is_said_to_be(table: Session) -> None:
    with pytest.raises(NoBoard, match="another program holds it"):
        open_serial(table.port)


def test_board_time_goes_on_through_an_idle_night(table: Session) -> None:
    assert table.fixture
    for _ in range(4):
        table.fixture.run(601_000_000)
    table.link.follow()
    table.link.command("open")
    (opened,) = table.link.events(0.5)
    assert opened["at_ms"] >= 4 * 601_000


class Peer:
    """Something on a pty that is no board of ours: answers whatever a function says."""

    def __init__(self, answer) -> None:  # type: ignore[no-untyped-def]
        self.master, slave = os.openpty()
        tty.setraw(slave)
        self.name, self.slave = os.ttyname(slave), slave
        threading.Thread(target=self._serve, args=(answer,), daemon=True).start()

    def _serve(self, answer) -> None:  # type: ignore[no-untyped-def]
        while True:
            try:
                os.write(self.master, answer(os.read(self.master, 4096)))
            except OSError:
                return

    def close(self) -> None:
        os.close(self.slave)
        os.close(self.master)


def connect_to(answer) -> None:  # type: ignore[no-untyped-def]
    peer = Peer(answer)
    try:
        Link.connect(peer.name, patience_s=1).close()
    finally:
        peer.close()


@pytest.mark.parametrize(
    "answer", [lambda data: data, lambda data: b"AT\r\nOK\r\n", lambda data: os.urandom(64)]
)
def test_a_port_that_is_not_ours_is_told_from_a_board(answer) -> None:  # type: ignore[no-untyped-def]
    with pytest.raises(NoBoard, match="no pitkit board answered"):
        connect_to(answer)


def test_a_board_of_another_major_is_refused() -> None:
    def newer(data: bytes) -> bytes:
        return frames.encode(frames.REPLY, 1, NUMBER["identify"], b"\0" + bytes([messages.MAJOR + 1, 7, 99]))

    with pytest.raises(CannotRun, match=r"speaks protocol 2\.7, this pitkit 1\."):
        connect_to(newer)


@pytest.mark.parametrize("answer", [b"", b"\0", b"\0\1", b"\0\1\0\5abc"])
def test_an_answer_that_cannot_be_read_is_said_to_be(answer: bytes) -> None:
    with pytest.raises((CannotRun, NoBoard), match=r"cannot read|speaks protocol 0|no pitkit board"):
        connect_to(lambda data: frames.encode(frames.REPLY, 1, NUMBER["identify"], answer))


def test_a_board_that_restarts_in_mid_round_is_noticed_and_its_round_is_accounted_for(table: Session) -> None:
    link = table.link
    link.command("open")
    link.command("wager", ref=1, code="small", stake=500, player="Ada")
    assert table.fixture
    table.fixture.cut()
    table.fixture.power()
    with pytest.raises(NoBoard, match="restarted"):
        link.command("activate")
    link.follow(1)
    voided = [event for event in link.events(0.5) if event["event"] == "voided"]
    assert [(v["round"], v["cause"], v["rule"], v["returned"]) for v in voided] == [
        (1, "power_lost", "act sicbo 10.4", 500)
    ]


def test_a_board_that_is_gone_is_a_lost_link(table: Session, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("host_tools.link.ANSWER_S", 0.3)
    monkeypatch.setattr("host_tools.link.IDENTIFY_S", 0.3)
    assert table.fixture
    table.fixture.cut()
    with pytest.raises(NoBoard):
        table.link.command("status")


def test_what_became_of_a_round_is_told_of_the_round_that_was_cut_and_no_other(tmp_path: Path) -> None:
    kept = f"{SIC_BO}?state={tmp_path}"
    with open_port(kept) as table:
        table.link.command("open")
    with open_port(kept) as table:
        assert len([notice for notice in table.notices if "round 1 was cut short" in notice]) == 1
        for _ in range(3):
            for act in ("open", "activate"):
                table.link.command(act)
            table.link.command("no_spin", cause="not_flat")
        table.link.close()
        with open_port(table.port) as again:
            assert not [notice for notice in again.notices if "cut short" in notice]


def test_mpremote_on_the_boards_port_disturbs_nothing(table: Session) -> None:
    """It sends Ctrl-C, Ctrl-D and raw-REPL bytes; a board that plays has no REPL to give it."""
    table.link.command("open")
    table.link.command("wager", ref=1, code="small", stake=500, player="Ada")
    table.link.port.close()
    command = [sys.executable, "-m", "mpremote", "connect", table.port, "exec", "print(1)"]
    with contextlib.suppress(subprocess.TimeoutExpired):
        done = subprocess.run(command, capture_output=True, text=True, timeout=4)
        assert done.returncode != 0 and "1\n" not in done.stdout
    table.reconnect()
    status = table.link.command("status")
    assert (status["betting"], status["wagers"], status["staked"]) == ("open", 1, 500)
