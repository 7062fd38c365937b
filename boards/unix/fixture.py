"""The fixture's end on the board: JSON lines from the supervisor, served while the firmware waits.

A line is the client's number, a space and its request; the answer goes back the same way. Number 0
is the supervisor itself: it keeps the wires as they are over resets and power cuts. The firmware
never sees any of this. A bad request is answered with one sentence and changes nothing.
"""

# ruff: noqa: PTH123
# (MicroPython has no pathlib)

import json

import bench
import edges
import interrupts
import noise
import operations
import parts
import pins
import uselect
from clock import board_clock

SUPERVISOR = b"0"

stream = open(bench.FIXTURE_FD, "r+b")  # noqa: SIM115 (open as long as the board is)
_listening = uselect.poll()
_listening.register(stream, uselect.POLLIN)


class _Desk:
    def __init__(self):
        self.chunk = bytearray(4096)
        self.unread = bytearray()
        self.handed_over = False


_desk = _Desk()


def look(ms):
    """Serves the fixture for up to ms; there is no stream of the firmware's to see."""
    if ms:
        report_wires()
    for _ in _listening.ipoll(ms):
        serve()
    return False


def serve():
    count = stream.readinto(_desk.chunk)
    if count == 0:  # the supervisor is gone, and the bench with it
        bench.vanish(0)
    chunk = memoryview(_desk.chunk)[: count or 0]
    _desk.unread.extend(chunk)
    if _desk.unread.endswith(b"\n"):
        lines = bytes(_desk.unread).split(b"\n")
        _desk.unread = bytearray()
        for line in lines[:-1]:
            _serve_line(*line.split(b" ", 1))


def _serve_line(client, line):
    if client == SUPERVISOR:
        _take_over(json.loads(line))
        return
    try:
        request = json.loads(line)
        answer = operations.find(request.get("op"))(request, client)
    except ValueError as e:
        _send(client, {"ok": False, "error": e.args[0]})
    except MemoryError:
        _send(client, {"ok": False, "error": "that is more than the board's memory holds at once"})
    else:
        if answer is not None:
            _accept(client, answer)


def _accept(client, answer):
    report_wires()
    answer["ok"] = True
    _send(client, answer)


def _send(client, answer):
    left = client + b" " + json.dumps(answer).encode() + b"\n"
    while left:
        left = left[stream.write(left) or 0 :]


def power_on():
    """Waits for the wires as they were before: a key held down over a reset is still down."""
    while not _desk.handed_over:
        look(-1)


def _take_over(world):
    for name, (level, voltage) in world.get("wires", {}).items():
        pins.drive(pins.by_name[name], level)
        pins.apply_voltage(pins.by_name[name], voltage)
    for name, state in world.get("parts", {}).items():
        parts.fitted[name].restore(state)
    parts.broken.lamps = world.get("broken", {})
    noise.world.set(world.get("noise", {"mode": "healthy"}))
    edges.schedule(world.get("edges", []))
    for end_us, client in world.get("runs", []):
        board_clock.run_until(end_us, str(client).encode())
    _desk.handed_over = True


def report_wires():
    """Tells the supervisor, when there is news: the power may be cut at any moment."""
    if pins.take_news():
        _send(SUPERVISOR, {"wires": pins.wires(), "broken": parts.broken.lamps, "noise": noise.world.told})


def leave(exit_code):
    """The chip resets: what the bench goes on with is handed over first."""
    interrupts.unlock_heap()
    world = {
        "us": board_clock.now_us(),
        "wires": pins.wires(),
        "broken": parts.broken.lamps,
        "noise": noise.world.told,
        "parts": {name: part.state() for name, part in parts.fitted.items()},
        "edges": edges.to_come(),
        "runs": [[end_us, int(client)] for end_us, client in board_clock.runs()],
    }
    _send(SUPERVISOR, world)
    bench.vanish(exit_code)


def _run_over(client, now_us):
    _accept(client, {"us": now_us})


board_clock.run_over = _run_over
