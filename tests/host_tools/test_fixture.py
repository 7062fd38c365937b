"""The fixture's client against a server that behaves as badly as a test likes."""

import json
import socket
import threading
from collections.abc import Iterator

import pytest

from host_tools.errors import NoBoard, PitkitError
from host_tools.fixture import Fixture


class Scripted:
    """Answers each request with the next of its replies, and keeps the requests."""

    def __init__(self) -> None:
        self._server = socket.create_server(("127.0.0.1", 0))
        self.address: tuple[str, int] = self._server.getsockname()
        self.replies: list[bytes] = []
        self.asked: list[dict[str, object]] = []
        self._thread = threading.Thread(target=self._serve, daemon=True)
        self._thread.start()

    def _serve(self) -> None:
        connection, _ = self._server.accept()
        with connection, connection.makefile("rb") as lines:
            for line in lines:
                self.asked.append(json.loads(line))
                if not self.replies:
                    return
                connection.sendall(self.replies.pop(0))

    def close(self) -> None:
        self._server.close()
        self._thread.join(5)


@pytest.fixture
def server() -> Iterator[Scripted]:
    scripted = Scripted()
    yield scripted
    scripted.close()


def test_each_operation_is_one_line(server: Scripted) -> None:
    server.replies = [
        b'{"ok":true}\n',
        b'{"ok":true,"count":2}\n',
        b'{"ok":true,"level":1}\n',
        b'{"ok":true,"lamps":["small"]}\n',
        b'{"ok":true,"text":"334 "}\n',
        b'{"ok":true}\n',
        b'{"ok":true,"us":7}\n',
        b'{"ok":true,"us":12}\n',
        b'{"ok":true}\n',
        b'{"ok":true}\n',
    ]
    with Fixture(server.address) as fixture:
        fixture.set("cover", None)
        assert fixture.schedule([(9, "turn", 1), (5, "turn", 0)]) == 2
        assert fixture.read("motor") == 1
        assert fixture.lamps() == ["small"]
        assert fixture.display() == "334 "
        fixture.adc("analog", 65535)
        assert fixture.now() == 7
        assert fixture.run(5) == 12
        fixture.cut()
        fixture.power()
    assert server.asked == [
        {"op": "set", "pin": "cover", "level": None},
        {"op": "schedule", "edges": [[5, "turn", 0], [9, "turn", 1]]},
        {"op": "read", "pin": "motor"},
        {"op": "lamps"},
        {"op": "display"},
        {"op": "adc", "pin": "analog", "value": 65535},
        {"op": "now"},
        {"op": "run", "us": 5, "limit_s": 120.0},
        {"op": "cut"},
        {"op": "power"},
    ]


def test_many_edges_go_in_groups_the_soonest_first(server: Scripted) -> None:
    server.replies = [
        b'{"ok":true,"count":1000}\n',
        b'{"ok":true,"count":1000}\n',
        b'{"ok":true,"count":500}\n',
    ]
    with Fixture(server.address) as fixture:
        assert fixture.schedule((t_us, "turn", t_us & 1) for t_us in range(2500, 0, -1)) == 2500
    times = [edge[0] for request in server.asked for edge in request["edges"]]  # type: ignore[attr-defined]
    assert times == list(range(1, 2501))


def test_a_refusal_is_an_error_with_its_sentence(server: Scripted) -> None:
    server.replies = [b'{"ok":false,"error":"the power is off"}\n', b'{"ok":true,"us":1}\n']
    with Fixture(server.address) as fixture:
        with pytest.raises(PitkitError, match=r"^the power is off$"):
            fixture.lamps()
        assert fixture.now() == 1


def test_a_bench_that_goes_away_is_no_board(server: Scripted) -> None:
    with Fixture(server.address) as fixture:
        for _ in range(2):
            with pytest.raises(NoBoard, match="gone"):
                fixture.now()


@pytest.mark.parametrize("reply", [b'{"ok":tr', b"garbage\n", b"[]\n"])
def test_an_answer_that_is_none_is_no_board(server: Scripted, reply: bytes) -> None:
    server.replies = [reply]
    with Fixture(server.address, limit_s=0.2) as fixture, pytest.raises(NoBoard):
        fixture.now()


def test_silence_has_a_limit_and_ends_the_connection(server: Scripted) -> None:
    server.replies = [b"", b'{"ok":true,"us":1}\n']
    with Fixture(server.address, limit_s=0.1) as fixture:
        with pytest.raises(NoBoard, match=r"did not answer within 0\.1 s"):
            fixture.now()
        with pytest.raises(NoBoard, match="gone"):
            fixture.now()


def test_no_bench_at_all_is_no_board() -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        address = server.getsockname()
    with pytest.raises(NoBoard, match="there is no fixture at"):
        Fixture(address)
