"""Which parts a table is fitted with: the board's own, unless the configuration says otherwise. PURE.

A row of `parts` in board.json says which part a board comes with and, under "or", which others can
stand in its place, on which pins. What stands in another's place may have its pins. Asked by
config.py, parts.py and the host's benches; it touches no pin.
"""

# part: the section and key of the configuration that choose its kind
CHOSEN_BY = {
    "lamps": ("lamps", "kind"),
    "display": ("display", "kind"),
    "keys": ("keys", "kind"),
    "motor": ("motor", "drive"),
    "current": ("lamps", "sense"),
    "results": ("results", "line"),
    "noise": ("noise", "circuit"),
}
# part: what that key may say, and the kind it stands for
VALUES = {
    "lamps": {"74hc595": "74hc595", "ws2812": "ws2812"},
    "display": {"tm1637": "tm1637", "ht16k33": "ht16k33"},
    "keys": {"single": "single", "matrix": "matrix"},
    "motor": {"switch": "switch", "h_bridge": "h_bridge"},
    "current": {"off": "none", "shunt": "shunt"},
    "results": {"off": "none", "ascii": "uart", "checked": "uart"},
    "noise": {"off": "none", "adc": "noise_circuit"},
}
# kind: the fields of its row that name a pin, or a list of pins
WIRES = {
    "74hc595": ("data", "clock", "latch"),
    "ws2812": ("data",),
    "tm1637": ("clk", "dio"),
    "ht16k33": ("sda", "scl"),
    "single": ("keys",),
    "matrix": ("rows", "columns"),
    "switch": ("gate",),
    "h_bridge": ("forward", "back"),
    "shunt": ("sense",),
    "uart": ("tx",),
    "noise_circuit": ("sense",),
    "none": (),
}

# mV at the pin of one lamp: above the converter's noise, and ten of them within its 3.3 V
LEAST_LAMP_MV, MOST_LAMP_MV = 5, 330


def rows(row):
    """A part's row and those that can stand in its place."""
    return [row] + row.get("or", [])


def chosen(parts, config):
    """{part: its row}: the board's own, or the one the configuration names."""
    found = {}
    for part, row in parts.items():
        kind = _kind(part, config) or row["kind"]
        for other in rows(row):
            if other["kind"] == kind:
                found[part] = other
    return found


def _kind(part, config):
    section, key = CHOSEN_BY.get(part, ("", ""))
    value = config.get(section, {}).get(key, "")
    return VALUES[part][value] if value else ""


def problem(config, parts):
    """Why the configuration asks for parts this board ({part: row}) cannot have, or None."""
    for part, (section, key) in CHOSEN_BY.items():
        value = config.get(section, {}).get(key, "")
        if value and value not in VALUES[part]:
            return "%s.%s: must be one of %s" % (section, key, ", ".join(sorted(VALUES[part])))
        if value and part in parts and part not in chosen({part: parts[part]}, config):
            return "%s.%s: the board has no pins for %s" % (section, key, value)
    return _bad_shunt(config, parts)


def _bad_shunt(config, parts):
    """Why the current of a lamp cannot be measured as configured, or None."""
    row = chosen(parts, config).get("current", {})
    if row.get("kind") != "shunt":
        return None
    section = config.get("lamps", {})
    lamp_ma, shunt_mohm = [section.get(key) or row[key] for key in ("lamp_ma", "shunt_mohm")]
    mv = lamp_ma * shunt_mohm // 1000
    if LEAST_LAMP_MV <= mv <= MOST_LAMP_MV:
        return None
    limits = LEAST_LAMP_MV, MOST_LAMP_MV
    return "lamps.shunt_mohm: a lamp makes %d mV at the pin; %d to %d can be told apart" % ((mv,) + limits)


def pins_of(row):
    """The names of the pins that a part is wired to."""
    names = []
    for field in WIRES[row["kind"]]:
        names += row[field] if isinstance(row[field], list) else [row[field]]
    return names


def idle_pins(parts, config):
    """The names of pins that serve only parts which are not fitted."""
    fitted = chosen(parts, config)
    used = [name for row in fitted.values() for name in pins_of(row)]
    known = [name for part in parts.values() for row in rows(part) for name in pins_of(row)]
    return set(known) - set(used)
