"""The devices of a table, made from board.json's parts and the configuration. Knows no rule.

Which kind of a part is fitted, fit.py says; here each kind has its maker. main.py calls it when a
table is set up; tables see lamps, display, panel and tumbler, and not what they are made of.
"""

from . import config, fit
from .devices.lamp_watch import LampWatch
from .devices.motor import HBridge, Motor, Switch
from .devices.panel import Panel
from .devices.result_line import ResultLine
from .devices.tumbler import Tumbler

FULL_SCALE_MV = 3300
SAMPLES = 8


class Parts:
    """.lamps .display .panel .ring .tumbler .motor .line (None: nobody listens)"""

    def __init__(self, board, settings, inputs, quick, lamp_count):
        self.board = board
        self.settings = settings
        self.lamp_count = lamp_count  # a chain has outputs to spare
        self.pins = settings.get("pins", {})
        self.rows = fit.chosen(board.parts, settings)
        self.motor = self._motor(self.rows["motor"])  # off before anything else can go wrong
        self.lamps = self._watched(self._lamps(self.rows["lamps"]), self.rows["current"])
        self.display = self._display(self.rows["display"])
        self.panel = self._panel(self.rows["keys"], inputs, quick)
        self.ring = self.panel.ring
        times = [self._value("timing", key) for key in ("turns", "stall_ms", "rest_ms", "settle_most_ms")]
        self.tumbler = Tumbler(self.motor, *times)
        self.line = self._line(self.rows["results"])

    def _value(self, section, key):
        return config.value(self.settings, section, key)

    def _outputs(self, row):
        return [self.board.output(name, self.pins) for name in fit.pins_of(row)]

    # -- one maker a part; a kind's module is loaded only where it is fitted

    def _lamps(self, row):
        if row["kind"] == "ws2812":
            from .devices.lamps_ws2812 import PixelLamps

            line = self.board.pixel_line(row["data"], self.pins)
            return PixelLamps(line, row["count"], self._value("lamps", "brightness"))
        from .devices.lamps_74hc595 import ShiftLamps

        return ShiftLamps(*self._outputs(row), outputs=row["outputs"])

    def _watched(self, lamps, row):
        if row["kind"] == "none":
            return lamps
        lamp_ma = self._value("lamps", "lamp_ma") or row["lamp_ma"]
        shunt_mohm = self._value("lamps", "shunt_mohm") or row["shunt_mohm"]
        read = self.board.analog(row["sense"], self.pins)

        def read_ma():
            found = sum([read() for _ in range(SAMPLES)])
            return found * FULL_SCALE_MV * 1000 // (65535 * SAMPLES * shunt_mohm)

        rest = [self._value("lamps", key) for key in ("idle_ma", "sense_ms")]
        return LampWatch(lamps, self.lamp_count, read_ma, lamp_ma, *rest, now_us=self.board.now_us)

    def _display(self, row):
        brightness = self._value("lamps", "brightness")
        if row["kind"] == "ht16k33":
            from .devices.display_ht16k33 import Ht16k33

            bus = self.board.i2c(row["scl"], row["sda"], self.pins)
            return Ht16k33(bus, row["digits"], brightness)
        from .devices.display_tm1637 import Tm1637

        return Tm1637(*self._outputs(row), digits=row["digits"], brightness=brightness)

    def _motor(self, row):
        outputs = self._outputs(row)
        rest = [self._value("motor", key) for key in ("most_ms", "brake_ms", "both_ways")]
        if row["kind"] == "h_bridge":
            return Motor(HBridge(*outputs), self.board.now_us, *rest)
        return Motor(
            Switch(*outputs, active=self.board.pins[row["gate"]]["active"]), self.board.now_us, rest[0]
        )

    def _panel(self, row, inputs, quick):
        times = [self._value("timing", key) * 1000 for key in ("press_ms", "release_ms")]
        if row["kind"] == "single":
            return Panel(self.board, inputs, self.pins, *times, quick=quick)
        single = [name for name in inputs if name not in row["keys"]]
        panel = Panel(self.board, single, self.pins, *times, quick=quick)
        rows = [self.board.open_drain(name, self.pins) for name in row["rows"]]
        columns = [self.board.input(name, self.pins) for name in row["columns"]]
        panel.add_matrix(rows, columns, row["keys"], times)
        return panel

    def _line(self, row):
        if row["kind"] == "none":
            return None
        uart = self.board.uart(row["uart"], row["tx"], self.pins, self._value("results", "baud"))
        return ResultLine(uart, self._value("results", "line") == "checked", self.board.now_us)
