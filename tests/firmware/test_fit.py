"""Which parts are fitted: the board's own unless the configuration says otherwise; when pins are shared."""

from firmware import config, fit

PINS = {
    "lamp_data": {"gpio": 1},
    "lamp_clock": {"gpio": 2},
    "lamp_latch": {"gpio": 3},
    "key1": {"gpio": 4},
    "key2": {"gpio": 5},
    "row": {"gpio": 4},
    "column": {"gpio": 6},
    "cover": {"gpio": 7},
    "sense": {"gpio": 8},
}
PARTS = {
    "lamps": {
        "kind": "74hc595",
        "data": "lamp_data",
        "clock": "lamp_clock",
        "latch": "lamp_latch",
        "or": [{"kind": "ws2812", "data": "lamp_data"}],
    },
    "keys": {
        "kind": "single",
        "keys": ["key1", "key2"],
        "or": [{"kind": "matrix", "rows": ["row"], "columns": ["column"], "keys": ["key1"]}],
    },
    "current": {
        "kind": "none",
        "or": [{"kind": "shunt", "sense": "sense", "lamp_ma": 20, "shunt_mohm": 1000}],
    },
}


def wrong(**sections):
    sections["table"] = {"game": "sic_bo", "edition": "act1999"}
    return config.problem(sections, PINS, PARTS)


def kinds(**sections):
    return {part: row["kind"] for part, row in fit.chosen(PARTS, sections).items()}


def test_the_boards_own_unless_it_is_said():
    assert kinds() == {"lamps": "74hc595", "keys": "single", "current": "none"}
    assert kinds(lamps={"kind": "ws2812", "sense": "shunt"}, keys={"kind": "matrix"}) == {
        "lamps": "ws2812",
        "keys": "matrix",
        "current": "shunt",
    }
    assert kinds(lamps={"kind": "", "sense": "off"})["lamps"] == "74hc595"


def clash(words):
    """ "pins.A: pin N is B already" as (A, N, B), the names in their order: a dict has none everywhere."""
    path, pin = words.split(": ")
    _, number, _, other, _ = pin.split()
    first, second = sorted((path.split(".")[1], other))
    return first, int(number), second


def test_what_stands_in_anothers_place_may_have_its_pins():
    assert wrong() is None and wrong(keys={"kind": "matrix"}) is None
    assert clash(wrong(pins={"cover": 4})) == ("cover", 4, "key1")
    assert wrong(pins={"cover": 5}, keys={"kind": "matrix"}) is None, "key2 has no pin of its own then"
    assert clash(wrong(pins={"cover": 6}, keys={"kind": "matrix"})) == ("column", 6, "cover")
    assert wrong(pins={"cover": 2}, lamps={"kind": "ws2812"}) is None
    assert wrong(pins={"cover": 8}) is None
    assert clash(wrong(pins={"cover": 8}, lamps={"sense": "shunt"})) == ("cover", 8, "sense")
    assert wrong(pins={"row": 99}).startswith("pins.row:"), "nor may a pin that is not used be nonsense"


def test_what_is_wrong_is_named_with_what_there_is():
    assert wrong(lamps={"kind": "neon"}) == "lamps.kind: must be one of 74hc595, ws2812"
    assert wrong(display={"kind": "lcd"}) == "display.kind: must be one of ht16k33, tm1637"
    assert wrong(keys={"kind": 3}) == "keys.kind: must be text"
    assert wrong(motor={"drive": "steam"}) == "motor.drive: must be one of h_bridge, switch"
    assert wrong(results={"line": "morse"}) == "results.line: must be one of ascii, checked, off"
    assert wrong(results={"baud": 50}) == "results.baud: must be 300 to 115200"
    assert wrong(motor={"most_ms": 0}) == "motor.most_ms: must be 1000 to 300000"
    parts = dict(PARTS)
    parts["lamps"] = {"kind": "ws2812", "data": "lamp_data"}
    asked = {"table": {"game": "sic_bo", "edition": "act1999"}, "lamps": {"kind": "74hc595"}}
    assert config.problem(asked, PINS, parts) == "lamps.kind: the board has no pins for 74hc595"


def test_a_shunt_that_cannot_tell_one_lamp_from_two_is_refused():
    assert wrong(lamps={"sense": "shunt", "lamp_ma": 5, "shunt_mohm": 1000}) is None
    small = wrong(lamps={"sense": "shunt", "lamp_ma": 4})
    assert small == "lamps.shunt_mohm: a lamp makes 4 mV at the pin; 5 to 330 can be told apart"
    assert wrong(lamps={"sense": "shunt", "lamp_ma": 331}).startswith("lamps.shunt_mohm:")
    assert wrong(lamps={"lamp_ma": 331}) is None, "nobody measures it"
