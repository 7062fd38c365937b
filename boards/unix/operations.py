"""What the fixture can do to the board, one function an operation: (request, client) -> its answer.

A bad request is a ValueError with the sentence that is answered, and changes nothing. An operation
that answers None (run) is answered later. Called by fixture.py, while the firmware waits.
"""

import json

import edges
import noise
import parts
import pins
from bench import WIRING
from clock import board_clock

LONGEST_RUN_US = 1 << 50
LARGEST_SEED = (1 << 32) - 1


def find(name):
    if type(name) is not str or name not in OPERATIONS:
        raise ValueError(f"there is no op {json.dumps(name)}")
    return OPERATIONS[name]


def _pin(name):
    if type(name) is not str or name not in pins.by_name:
        raise ValueError(f"this board has no pin {json.dumps(name)}")
    return pins.by_name[name]


def _input(name):
    pin = _pin(name)
    if name in pins.outputs:
        raise ValueError(f"pin {name} is an output of the board")
    return pin


def _whole(request, field, most, default=None):
    value = request.get(field, default)
    if type(value) is not int or not 0 <= value <= most:
        raise ValueError(f"{field} must be a whole number from 0 to {most}")
    return value


def _level(value):
    if (type(value) is not int and value is not None) or value not in (0, 1, None):
        raise ValueError("level must be 0, 1 or null")
    return value


def _set(request, client):
    pin = _input(request.get("pin"))
    board_clock.catch_up()
    pins.drive(pin, _level(request.get("level", "")))
    board_clock.interrupt()
    return {}


def _schedule(request, client):
    asked = request.get("edges")
    if type(asked) is not list:
        raise ValueError("edges must be a list of [t_us, pin, level]")
    now_us = board_clock.now_us()
    for edge in asked:
        _check_edge(edge, now_us)
    edges.schedule(asked)
    return {"count": len(asked)}


def _check_edge(edge, now_us):
    if type(edge) is not list or len(edge) != 3 or type(edge[0]) is not int:
        raise ValueError("an edge must be [t_us, pin, level]")
    if edge[0] < now_us:
        raise ValueError(f"t_us {edge[0]} is in the past: it is {now_us} now")
    _input(edge[1])
    _level(edge[2])


def _read(request, client):
    board_clock.catch_up()
    return {"level": _pin(request.get("pin")).level}


def _part(name):
    if name not in parts.fitted:
        raise ValueError(f"this board has no {name}")
    return parts.fitted[name]


def _lamps(request, client):
    lamps = _part("lamps")
    answer = {"lamps": parts.lamps_seen()}
    if hasattr(lamps, "colours"):
        answer["rgb"] = lamps.colours()
    return answer


def _display(request, client):
    return {"text": _part("display").text()}


def _lamp_fails(request, client):
    how = request.get("how", "dark")
    if how not in ("dark", "lit"):
        raise ValueError("how must be dark or lit")
    parts.broken.lamps[_area(request)] = how
    pins.tell()
    return {}


def _lamp_works(request, client):
    parts.broken.lamps.pop(_area(request), None)
    pins.tell()
    return {}


def _area(request):
    if request.get("area") not in WIRING.get("lamps", []):
        raise ValueError(f"there is no lamp {json.dumps(request.get('area'))}")
    return request["area"]


def _motor(request, client):
    return _part("motor").told()


def _line(request, client):
    return _part("results").told()


def _adc(request, client):
    pin = _input(request.get("pin"))
    if not pin.has_adc:
        raise ValueError(f"pin {request['pin']} has no ADC")
    value, noise = _whole(request, "value", 65535), _whole(request, "noise", 65535, 0)
    seed = _whole(request, "seed", LARGEST_SEED, 1)
    pins.apply_voltage(pin, [value, noise, seed] if noise else value)
    return {}


def _share(request, field, default):
    value = request.get(field, default)
    if type(value) not in (int, float) or not 0 <= value <= 1:
        raise ValueError(f"{field} must be from 0 to 1")
    return value


def _rosc(request, client):
    """The noise source: healthy, stuck, biased, sticky, or read from a file."""
    mode = request.get("mode")
    if mode not in noise.System.MODES:
        raise ValueError(f"mode must be one of {', '.join(noise.System.MODES)}")
    told = {"mode": mode, "level": _level(request.get("level", 1)), "seed": request.get("seed")}
    if told["level"] is None:
        raise ValueError("level must be 0 or 1")
    told["ones"], told["stays"] = _share(request, "ones", 0.75), _share(request, "stays", 0.9)
    told["file"] = request.get("file")
    try:
        noise.world.set(told)
    except (OSError, TypeError):
        noise.world.set({"mode": "healthy"})
        raise ValueError(f"file {json.dumps(request.get('file'))} cannot be read")
    pins.tell()
    return {}


def _now(request, client):
    board_clock.catch_up()
    return {"us": board_clock.now_us()}


def _run(request, client):
    board_clock.run_until(board_clock.now_us() + _whole(request, "us", LONGEST_RUN_US), client)


def _cut_at(request, client):
    import flash

    operation = _whole(request, "operation", 1 << 30)
    if not operation:
        raise ValueError("operation must be 1 or more")
    flash.tear.arm(operation, _whole(request, "bytes", 1 << 30), _whole(request, "seed", LARGEST_SEED, 1))
    return {}


OPERATIONS = {
    "set": _set,
    "schedule": _schedule,
    "read": _read,
    "lamps": _lamps,
    "lamp_fails": _lamp_fails,
    "lamp_works": _lamp_works,
    "display": _display,
    "motor": _motor,
    "line": _line,
    "adc": _adc,
    "rosc": _rosc,
    "now": _now,
    "run": _run,
    "cut_at": _cut_at,
}
