"""The line between host and board: what goes wrong on it costs a sentence, never a wager."""

import os
import threading
import tty
from collections.abc import Iterator

import pytest

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
    with pytest.raises(CannotRun):
        open_port("nonsense://x")


def test_a_port_that_is_held_is_said_to_be(table: Session) -> None:
    with pytest.raises(NoBoard, match="another program holds it"):
        open_serial(table.port)


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
