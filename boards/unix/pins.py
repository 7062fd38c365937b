"""Pins a test can move. One object a GPIO, as on the rp2 port: Pin(2) is Pin(2).

A pin's level is what the board drives, else what the fixture or a part on the wire drives, else
its pull. A change raises its interrupt and tells the part that listens. Writes are the hot path:
a lamp chain is 170 of them.
"""

import interrupts
from board_data import BOARD, PARTS
from noise import Voltage

FIRST_ADC_GPIO = 26


class Pin:
    IN = 0
    OUT = 1
    OPEN_DRAIN = 2
    PULL_UP = 1
    PULL_DOWN = 2
    IRQ_FALLING = 4
    IRQ_RISING = 8

    _made = {}  # one object a GPIO

    def __new__(cls, id, *args, **kwargs):
        if isinstance(id, Pin):
            return id
        if id not in cls._made:
            pin = super().__new__(cls)
            pin._power_on(id)
            cls._made[id] = pin
        return cls._made[id]

    def __init__(self, id, mode=-1, pull=-1, *, value=None):
        self.init(mode, pull, value=value)

    def _power_on(self, id):
        if type(id) is not int or not 0 <= id <= 29:
            raise ValueError("invalid pin")
        self.id = id
        self._mode = Pin.IN
        self._pull = None
        self._out = 0
        self._irq = None
        self.outside = None  # what the fixture drives: 0, 1, or None for nothing
        self.voltage = None  # what the fixture puts on an ADC input: 0 to 65535, or [value, noise, seed]
        self.noisy = None  # where the samples then come from
        self.held_low = False  # a part pulls the wire low
        self.pulled_up = False  # a part has a resistor on the wire
        self.listener = None  # called with the new level
        self.has_adc = id >= FIRST_ADC_GPIO
        self.level = 0

    def __repr__(self):
        return f"Pin({self.id})"

    def init(self, mode=-1, pull=-1, *, value=None, alt=-1):
        if value is not None:
            self._out = 1 if value else 0
        if mode != -1:
            self._mode = mode
        if pull != -1:
            self._pull = pull
        self.settle()

    def value(self, x=None):
        if x is None:
            return self.level
        self._out = x = 1 if x else 0
        if self._mode != 1:
            self.settle()
        elif x != self.level:
            self._change(x)

    __call__ = value

    def on(self):
        self.value(1)

    def off(self):
        self.value(0)

    high = on
    low = off

    def toggle(self):
        self.value(1 - self._out)

    def mode(self):
        return self._mode

    def irq(self, handler=None, trigger=IRQ_FALLING | IRQ_RISING, *, hard=False):
        if self._irq is None:
            self._irq = interrupts.Irq(self, handler, trigger, hard)
        self._irq.handler = handler
        self._irq.hard = hard
        self._irq.trigger(trigger)
        self._irq.forget()  # an edge from before is acknowledged, as the chip does
        return self._irq

    def settle(self):
        """Works the level out again after any of its causes changed."""
        level = self._wired_level()
        if level != self.level:
            self._change(level)

    def _wired_level(self):
        if self._mode == Pin.OUT:
            return self._out
        if self.held_low or (self._mode == Pin.OPEN_DRAIN and not self._out):
            return 0
        if self.outside is not None:
            return self.outside
        return 1 if self.pulled_up or self._pull == Pin.PULL_UP else 0

    def _change(self, level):
        self.level = level
        if self._irq:
            self._irq.raise_flag(Pin.IRQ_RISING if level else Pin.IRQ_FALLING)
        if self.listener:
            self.listener(level)


class KeySwitch:
    """A key of a matrix: no pin of the chip, but the fixture moves it like one. Low is closed."""

    has_adc = False
    voltage = noisy = outside = listener = None
    level = 1

    def settle(self):
        level = 1 if self.outside is None else self.outside
        if level != self.level:
            self.level = level
            if self.listener:
                self.listener(level)


def _named_pins():
    pulls = {"up": Pin.PULL_UP, "down": Pin.PULL_DOWN}
    found = {}
    for name, wire in BOARD["pins"].items():
        # Until the firmware has set a pin up, the pull of its wiring decides.
        found[name] = Pin(wire["gpio"], pull=pulls.get(wire.get("pull"), -1))
    keys = PARTS.get("keys", {})
    if keys.get("kind") == "matrix":
        for name in keys["keys"]:
            found[name] = KeySwitch()
    return found


by_name = _named_pins()
outputs = [name for name, wire in BOARD["pins"].items() if wire["direction"] == "out"]


class _News:
    def __init__(self):
        self.there_is = False


_news = _News()


def drive(pin, level):
    """The fixture moves a wire, or lets go of it with None. Handlers run when the clock says."""
    pin.outside = level
    pin.settle()
    _news.there_is = True


def apply_voltage(pin, value):
    """None, a value, or [value, noise, seed]; a part on the wire has no say any more."""
    if value is None:
        return
    pin.voltage = value
    pin.noisy = Voltage(*value) if type(value) is list else None
    _news.there_is = True


def tell():
    """Something else has changed that outlives the power."""
    _news.there_is = True


def wires():
    """What the fixture drives, by name: [level, voltage]."""
    held = {name: [pin.outside, pin.voltage] for name, pin in by_name.items()}
    return {name: wire for name, wire in held.items() if wire != [None, None]}


def take_news():
    """Whether a wire was moved since this was last asked."""
    there_was, _news.there_is = _news.there_is, False
    return there_was
