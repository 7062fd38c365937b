"""A board as a program sees it: reconnects by itself, says so, logs each event once; sync and asyncio."""

import asyncio
import contextlib
import json
import logging
import os
import select
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import host_tools
from firmware.protocol import frames, messages
from host_tools import live
from host_tools.errors import CannotRun, NoBoard, Refused
from host_tools.event_log import EventLog
from host_tools.fixture import Fixture
from host_tools.link import Link
from host_tools.ports import open_port
from host_tools.simulator import Simulator
from host_tools.targets import parse_target, wiring

SIC_BO = "sim:sic_bo@act1999"


def rows_of(path: Path) -> list[dict[str, Any]]:
    return [row for row in map(json.loads, path.read_text().splitlines()) if "seq" in row]


def wait_for(condition: Callable[[], bool]) -> None:
    deadline = time.monotonic() + 10
    while not condition() and time.monotonic() < deadline:
        time.sleep(0.05)


def test_a_round_in_typed_calls_and_its_events() -> None:
    with host_tools.connect(SIC_BO) as board:
        assert board.status().betting == "closed"
        assert board.open() == 1 and board.wager(1, "small", 500, "Ada") == 1
        assert board.status().staked == 500
        with pytest.raises(Refused, match="no such wager"):
            board.wager(2, "nonsense", 500)
        assert board.activate() == 1 and board.no_spin("malfunction") == 1
        assert board.payout(1).outcome == "void"
        told = [event["event"] for event in board.events(timeout_s=0.5)]
        assert told == ["opened", "wager", "refused", "activated", "voided"] or told[:2] == [
            "opened",
            "wager",
        ]
        assert board.meters()["voided"] == 1 and board.identity["table"] == "sic_bo"
    with pytest.raises(NoBoard, match="closed"):
        board.status()


def test_many_orders_from_many_threads_are_each_carried_out_once() -> None:
    with host_tools.connect(SIC_BO) as board:
        board.open()
        threads = [
            threading.Thread(target=lambda k=k: [board.wager(100 * k + i, "small", 100) for i in range(10)])
            for k in range(5)
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        status = board.status()
        assert (status.wagers, status.staked) == (50, 5000)


def test_a_power_cut_of_the_board_is_said_and_orders_go_on(tmp_path: Path) -> None:
    said: list[str] = []
    log = tmp_path / "events.jsonl"
    with host_tools.connect(SIC_BO, log=log, on_change=said.append) as board:
        board.open()
        board.wager(1, "small", 500)
        fixture = board._owned.fixture
        fixture.cut()
        orders = [board.submit("open"), board.submit("wager", ref=2, code="big", stake=300, player="")]
        fixture.power()
        assert [order.result(20)["round"] for order in orders] == [2, 2]
        assert any("restarted" in words for words in said)
        assert board.status().wagers == 1
        wait_for(lambda: any(row.get("ref") == 2 for row in rows_of(log)))
    seen = [row["seq"] for row in rows_of(log)]
    assert seen == list(range(1, len(seen) + 1))
    wagers = [row["ref"] for row in rows_of(log) if row["event"] == "wager"]
    assert wagers == [1, 2]


class Relay:
    """A port on a socket that can be pulled: stands before a simulated board's pty."""

    def __init__(self, device: str) -> None:
        self.server = socket.create_server(("127.0.0.1", 0))
        self.url = f"socket://127.0.0.1:{self.server.getsockname()[1]}"
        self.device = os.open(device, os.O_RDWR | os.O_NOCTTY | os.O_NONBLOCK)
        self.client: Any = None
        self.stopped = self.pulled = False
        self.thread = threading.Thread(target=self._serve, daemon=True)
        self.thread.start()

    def _serve(self) -> None:
        while not self.stopped:
            if self.pulled:
                self._drop()
            watched = [self.server, self.device] + ([self.client] if self.client else [])
            for ready in select.select(watched, [], [], 0.02)[0]:
                if ready is self.server:
                    self.client = self.server.accept()[0]
                elif ready == self.device:
                    data = os.read(self.device, 4096)
                    with contextlib.suppress(OSError, AttributeError):
                        self.client.sendall(data)
                else:
                    self._carry()
        self._drop()

    def _carry(self) -> None:
        data = b""
        with contextlib.suppress(OSError):
            data = self.client.recv(4096)
        if data:
            os.write(self.device, data)
        else:
            self._drop()

    def _drop(self) -> None:
        self.pulled = False
        if self.client:
            self.client.close()
        self.client = None

    def pull(self) -> None:
        self.pulled = True

    def close(self) -> None:
        self.stopped = True
        self.thread.join()
        self.server.close()
        os.close(self.device)


def test_a_cable_that_is_pulled_again_and_again_costs_nothing_but_time(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    log = tmp_path / "events.jsonl"
    with open_port(SIC_BO) as session:
        session.link.close()
        relay = Relay(session.port)
        with caplog.at_level(logging.WARNING, "pitkit"), host_tools.connect(relay.url, log=log) as board:
            board.open()
            orders = []
            for ref in range(60):
                orders.append(board.submit("wager", ref=ref, code="small", stake=100, player=""))
                if ref % 15 == 14:
                    relay.pull()
                    time.sleep(0.1)
            for order in orders:
                assert order.result(20) == {"round": 1}
            assert board.status().wagers == 60
            wait_for(lambda: len(rows_of(log)) >= 62)
            assert board.line()["reconnects"] >= 2
        relay.close()
    assert "was lost" in caplog.text and "is back" in caplog.text
    assert [row["ref"] for row in rows_of(log) if row["event"] == "wager"] == list(range(60))


def test_a_process_that_takes_over_goes_on_behind_the_log(tmp_path: Path) -> None:
    log = tmp_path / "events.jsonl"
    with open_port(SIC_BO) as session:
        session.link.close()
        with host_tools.connect(session.port, log=log) as board:
            board.open()
            last = board._talk.end.number
            time.sleep(0.2)
        with log.open("ab") as file:
            file.write(b'{"event": "half a li')
        with host_tools.connect(session.port, log=log) as board:
            assert board.identity["previous"] >= last - 1
            board.wager(1, "small", 500)
            time.sleep(0.2)
    seen = [row["seq"] for row in rows_of(log)]
    assert seen == list(range(1, len(seen) + 1)) and rows_of(log)[-1]["event"] == "wager"


def test_a_log_of_another_board_or_no_log_at_all_is_left_alone(tmp_path: Path) -> None:
    log = tmp_path / "events.jsonl"
    with host_tools.connect(SIC_BO, log=log):
        pass
    before = log.read_bytes()
    with pytest.raises(CannotRun, match="is the log of board"):
        host_tools.connect(SIC_BO, log=log)
    assert log.read_bytes() == before
    log.write_text("no log\n")
    with pytest.raises(CannotRun, match="no event log"):
        EventLog(log)


def test_who_holds_the_port_is_told() -> None:
    with open_port(SIC_BO) as session:
        with pytest.raises(
            NoBoard, match=f"another program holds it, this one itself .process {os.getpid()}."
        ):
            host_tools.connect(session.port)
        session.link.close()
        code = f"import host_tools, time\nboard = host_tools.connect({session.port!r})\n"
        code += "print('up', flush=True)\ntime.sleep(60)"
        holder = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True)
        try:
            assert holder.stdout and holder.stdout.readline() == "up\n"
            with pytest.raises(NoBoard, match=rf"import host_tools.*process {holder.pid}"):
                host_tools.connect(session.port)
        finally:
            holder.kill()
            holder.wait()


def test_asyncio_several_boards_in_one_process() -> None:
    async def play() -> list[int]:
        boards = await asyncio.gather(*(host_tools.connect_async(SIC_BO) for _ in range(3)))
        for board in boards:
            await board.open()
        await asyncio.gather(*(b.wager(ref, "small", 100) for b in boards for ref in range(10)))
        counts = []
        for board in boards:
            seen = []
            async for event in board.events():
                seen.append(event["event"])
                if len(seen) == 11:
                    break
            counts.append(seen.count("wager"))
            await board.close()
        return counts

    assert asyncio.run(play()) == [10, 10, 10]


def test_a_newer_boards_events_are_named_by_its_own_dictionary(monkeypatch: pytest.MonkeyPatch) -> None:
    with open_port(SIC_BO) as session:
        session.link.close()
        monkeypatch.setattr(messages, "MINOR", 0)  # this host is of yesterday, and knows no such event
        known = {number: row for number, row in messages.EVENTS.items() if row[0] != "opened"}
        monkeypatch.setattr(messages, "EVENTS", known)
        with host_tools.connect(session.port) as board:
            board.open()
            (event,) = board.events(timeout_s=0.5)
            assert (event["event"], event["edition"]) == ("opened", "act1999")
        with Link.connect(session.port) as link:
            link.follow(event["seq"])
            assert [told["event"] for told in link.events(0.3)] == ["opened"]


def test_a_host_that_stops_reading_stops_no_table() -> None:
    """The pty is full of events that nobody takes; keys still work, and then every event comes, once."""
    target = parse_target(SIC_BO)
    with Simulator(wiring("unix", target.table, target.parts)) as simulator:
        link = Link.connect(simulator.port)
        text = json.dumps(target.config, sort_keys=True, separators=(",", ":")).encode()
        link.write_config(text)
        link.follow(1)
        for _ in range(3):  # asks and asks, and never reads an answer
            for number in range(200):
                frame = frames.encode(frames.COMMAND, link.number + 1 + number % 8, 2, b"")
                os.write(link.port.fileno(), frame)
        with Fixture(simulator.fixture_address) as fixture:
            for key in ("key_open", "key_spin"):
                fixture.set(key, 0)
                fixture.run(50_000)
                fixture.set(key, 1)
                fixture.run(50_000)
            assert fixture.read("motor") == 1, "the table waited for the host"
            fixture.run(60_000_000)
            link.number += 8
            seen = [event["seq"] for event in link.events(1.0)]
        assert seen == list(range(1, len(seen) + 1)) and len(seen) >= 4
        assert link.command("status")["round"] == 1
        link.close()


def test_the_logger_is_the_only_thing_it_writes_to() -> None:
    assert live.LOGGER.name == "pitkit"
