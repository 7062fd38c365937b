"""The fixture's end on the board: JSON lines from the supervisor, served while the firmware waits.

A line is the client's number, a space and its request; the answer goes back the same way. Number 0
is the supervisor itself: it keeps the wires as they are over resets and power cuts. The firmware
never sees any of this. A bad request is answered with one sentence and changes nothing.
"""

import json

import bench
import interrupts
import parts
import pins
import uselect
from clock import board_clock

SUPERVISOR = b"0"
LONGEST_RUN_US = 1 << 50

stream = open(bench.FIXTURE_FD, "r+b")  # noqa: SIM115 (open as long as the board is)
_listening = uselect.poll()
_listening.register(stream, uselect.POLLIN)


class _Desk:
    def __init__(self):
        self.unread = b""
        self.handed_over = False
        self.wires_reported = {}


_desk = _Desk()


def look(ms):
    """Serves the fixture for up to ms; there is no stream of the firmware's to see."""
    for _ in _listening.ipoll(ms):
        serve()
    return False


def serve():
    chunk = stream.read(65536)
    if chunk == b"":  # the supervisor is gone, and the bench with it
        bench.vanish(0)
    lines = (_desk.unread + (chunk or b"")).split(b"\n")
    _desk.unread = lines.pop()
    for line in lines:
        client, request = line.split(b" ", 1)
        if client == SUPERVISOR:
            _take_over(json.loads(request))
        else:
            _serve_request(client, json.loads(request))


def _serve_request(client, request):
    try:
        answer = _operation(request)(request, client)
    except ValueError as e:
        _send(client, {"ok": False, "error": e.args[0]})
        return
    if answer is not None:
        _accept(client, answer)


def _operation(request):
    name = request.get("op")
    if type(name) is not str or name not in OPERATIONS:
        raise ValueError(f"there is no fixture operation {json.dumps(name)}")
    return OPERATIONS[name]


def _accept(client, answer):
    _report_wires()
    answer["ok"] = True
    _send(client, answer)


def _send(client, answer):
    left = client + b" " + json.dumps(answer).encode() + b"\n"
    while left:
        left = left[stream.write(left) or 0 :]


# -- over resets and power cuts


def power_on():
    """Waits for the wires as they were before: a key held down over a reset is still down."""
    while not _desk.handed_over:
        look(-1)


def _take_over(world):
    for name, wire in world.get("wires", {}).items():
        pins.by_name[name].outside, pins.by_name[name].voltage = wire
        pins.by_name[name].settle()
    for t_us, name, level in world.get("edges", []):
        board_clock.at(t_us, _move, (name, level))
    for end_us, client in world.get("runs", []):
        board_clock.run_until(end_us, str(client).encode())
    _desk.wires_reported = _wires()
    _desk.handed_over = True


def _wires():
    moved = [(name, pin.outside, pin.voltage) for name, pin in pins.by_name.items()]
    return {
        name: [outside, voltage] for name, outside, voltage in moved if (outside, voltage) != (None, None)
    }


def _report_wires():
    wires = _wires()
    if wires != _desk.wires_reported:
        _desk.wires_reported = wires
        _send(SUPERVISOR, {"wires": wires})


def leave(exit_code):
    """The chip resets: what the bench goes on with is handed over first."""
    interrupts.unlock_heap()
    world = {
        "us": board_clock.now_us(),
        "wires": _wires(),
        "edges": [[t_us, name, level] for t_us, (name, level) in board_clock.pending(_move)],
        "runs": [[end_us, int(client)] for end_us, client in board_clock.runs()],
    }
    _send(SUPERVISOR, world)
    bench.vanish(exit_code)


# -- the operations


def _pin(name):
    if type(name) is not str or name not in pins.by_name:
        raise ValueError(f"this board has no pin {json.dumps(name)}")
    return pins.by_name[name]


def _input(name):
    pin = _pin(name)
    if name in pins.outputs:
        raise ValueError(f"{name} is an output of the board")
    return pin


def _whole(request, field, most):
    value = request.get(field)
    if type(value) is not int or not 0 <= value <= most:
        raise ValueError(f"{field} must be a whole number from 0 to {most}")
    return value


def _set(request, client):
    pin = _input(request.get("pin"))
    pin.outside = None if request.get("level", 0) is None else _whole(request, "level", 1)
    pin.settle()
    board_clock.interrupt()
    return {}


def _schedule(request, client):
    edges = request.get("edges")
    if type(edges) is not list:
        raise ValueError("edges must be a list of [t_us, pin, level]")
    now_us = board_clock.now_us()
    for edge in edges:
        _check_edge(edge, now_us)
    for t_us, name, level in edges:
        board_clock.at(t_us, _move, (name, level))
    return {"count": len(edges)}


def _check_edge(edge, now_us):
    if type(edge) is not list or len(edge) != 3 or type(edge[0]) is not int or edge[2] not in (0, 1):
        raise ValueError(f"{json.dumps(edge)} is not an edge: [t_us, pin, level]")
    _input(edge[1])
    if edge[0] < now_us:
        raise ValueError(f"an edge at {edge[0]} lies in the past: board time is {now_us}")


def _move(edge):
    pin = pins.by_name[edge[0]]
    pin.outside = edge[1]
    pin.settle()


def _read(request, client):
    board_clock.catch_up()
    return {"level": _pin(request.get("pin")).level}


def _lamps(request, client):
    if parts.lamps is None:
        raise ValueError("this board has no lamps")
    return {"lamps": parts.lamps.lit()}


def _display(request, client):
    if parts.display is None:
        raise ValueError("this board has no display")
    return {"text": parts.display.text()}


def _adc(request, client):
    _input(request.get("pin")).voltage = _whole(request, "value", 65535)
    return {}


def _now(request, client):
    board_clock.catch_up()
    return {"us": board_clock.now_us()}


def _run(request, client):
    board_clock.run_until(board_clock.now_us() + _whole(request, "us", LONGEST_RUN_US), client)


def _run_over(client, now_us):
    _accept(client, {"us": now_us})


board_clock.run_over = _run_over

OPERATIONS = {
    "set": _set,
    "schedule": _schedule,
    "read": _read,
    "lamps": _lamps,
    "display": _display,
    "adc": _adc,
    "now": _now,
    "run": _run,
}
