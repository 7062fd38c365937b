"""What a table's configuration may say, and whether one is good. PURE: the host checks with it too.

A configuration is a dict of sections (TOML on the host, JSON on the board). `problem` names the
first thing wrong by its key's path and, where a rule sets it, the clause. Nothing unknown is
let through and nothing missing is made up but the defaults listed here.
"""

from rules_min import draws, floors
from rules_min import limits as table_limits
from rules_min.games import GAMES

from . import fit

# section: {key: (type, least, most, default)}; for text the bounds are lengths.
TABLE = {
    "game": (str, 1, 20, None),
    "edition": (str, 1, 20, None),
    "variant": (str, 0, 20, ""),
    "casino": (str, 0, 40, ""),
    "name": (str, 0, 40, ""),
}
TIMING = {
    "turns": (int, 1, 50, 4),  # the motor runs until the tumbler has turned over so often
    "stall_ms": (int, 100, 60000, 3000),  # no turn for so long: it is stuck
    "rest_ms": (int, 50, 60000, 500),  # no shaking for so long: the dice are at rest
    "settle_most_ms": (int, 1000, 120000, 15000),
    "press_ms": (int, 1, 50, 2),
    "release_ms": (int, 1, 100, 12),
}
# Which part is fitted (fit.py); empty: the one the board comes with.
LAMPS = {
    "kind": (str, 0, 20, ""),
    "brightness": (int, 0, 7, 7),  # of the display, and of lamps that can be dimmed
    "sense": (str, 0, 20, "off"),  # "shunt": their current is watched, so that one that fails is noticed
    "lamp_ma": (int, 0, 2000, 0),  # what a lit lamp draws, and the shunt; 0: as board.json has it
    "shunt_mohm": (int, 0, 60000, 0),  # times the gain of an amplifier behind it
    "idle_ma": (int, 0, 2000, 0),  # what all of them draw while dark
    "sense_ms": (int, 1, 500, 10),  # the current has settled after so long
}
DISPLAY = {"kind": (str, 0, 20, "")}
KEYS = {"kind": (str, 0, 20, "")}
MOTOR = {
    "drive": (str, 0, 20, ""),
    "most_ms": (int, 1000, 300000, 60000),  # it is never on for longer, whatever the sensor says
    "brake_ms": (int, 0, 5000, 300),  # an H-bridge holds the brake for so long
    "both_ways": (int, 0, 1, 0),  # 1: with an H-bridge every other spin goes the other way round
}
RESULTS = {"line": (str, 0, 20, "off"), "baud": (int, 300, 115200, 9600)}
NOISE = {"circuit": (str, 0, 20, "off")}  # "adc": a noise circuit is wired, a source beside the board's own
JOURNAL = {"retention_games": (int, 100, 100000, 100)}  # the newest games, kept until they are pulled
SECTIONS = {
    "table": TABLE,
    "timing": TIMING,
    "lamps": LAMPS,
    "display": DISPLAY,
    "keys": KEYS,
    "motor": MOTOR,
    "results": RESULTS,
    "noise": NOISE,
    "journal": JOURNAL,
}
FREE_SECTIONS = ("limits", "pins")  # their keys are checked by what they name
# tables this firmware can run; the rules know more
EDITIONS_BUILT = {
    "sic_bo": ("qld1985", "qld2004", "act1999"),
    "keno": ("qld1985", "act1999"),
    "tri_chro": ("qld1985",),
}


def problem(config, pins, parts=None):
    """Why this is no configuration for a board with these pins and parts ({name: …}), or None."""
    if not isinstance(config, dict):
        return "a configuration is a table of sections"
    for section in config:
        if section not in SECTIONS and section not in FREE_SECTIONS:
            return "%s: no such section" % section
        if not isinstance(config[section], dict):
            return "%s: a section is a table of keys" % section
    for section in SECTIONS:
        why = _bad_section(section, config.get(section, {}))
        if why:
            return why
    parts = parts or {}
    return _bad_table(config) or fit.problem(config, parts) or _bad_pins(config, pins, parts)


def _bad_section(section, given):
    keys = SECTIONS[section]
    for key, value in given.items():
        if key not in keys:
            return "%s.%s: no such key" % (section, key)
        kind, least, most, _ = keys[key]
        if type(value) is not kind:
            return "%s.%s: must be %s" % (section, key, "text" if kind is str else "a whole number")
        size = len(value.encode()) if kind is str else value
        if not least <= size <= most:
            unit = " bytes long" if kind is str else ""
            return "%s.%s: must be %d to %d%s" % (section, key, least, most, unit)
    for key in keys:
        if keys[key][3] is None and key not in given:
            return "%s.%s: is missing" % (section, key)
    return None


def _bad_table(config):
    game, edition = config["table"]["game"], config["table"]["edition"]
    if game not in GAMES:
        return "table.game: no such game; known: " + ", ".join(sorted(GAMES))
    rules = GAMES[game]
    if edition not in rules.EDITIONS:
        return "table.edition: %s has no edition %s" % (game, edition)
    built = EDITIONS_BUILT.get(game, ())
    if not built:
        return "table.game: this firmware has no %s table yet" % game
    if edition not in built:
        return "table.edition: this firmware runs %s only in %s" % (game, ", ".join(built))
    drawn = draws.SIZES.get(game)
    variant = config["table"].get("variant", "")
    known = sorted(drawn) if drawn else rules.VARIANTS[edition]
    if variant and variant not in known:
        return "table.variant: %s of %s is %s" % (game, edition, " or ".join(known))
    limits = config.get("limits", {})
    if drawn:
        return table_limits.bad_limits(limits, rules.KINDS, getattr(rules, "AREA_INDEX", ()))
    turns, clause = rules.EDITIONS[edition][2:4]
    if value(config, "timing", "turns") < turns:
        return "timing.turns: at least %d (%s)" % (turns, clause)
    why = table_limits.bad_limits(limits, rules.KINDS, rules.AREA_INDEX)
    return why or floors.bad_floor(game, edition, config["table"].get("variant") or None, limits)


def _bad_pins(config, pins, parts):
    """Two parts on one pin are wrong if both are fitted: what stands in another's place may have its pins."""
    given, idle = config.get("pins", {}), fit.idle_pins(parts, config)
    used = {}
    for name in pins:
        number = given.get(name, pins[name]["gpio"])
        if type(number) is not int or not 0 <= number <= 63:
            return "pins.%s: a pin is a GPIO number, 0 to 63" % name
        if name in idle:
            continue
        if number in used:
            return "pins.%s: pin %d is %s already" % (name, number, used[number])
        used[number] = name
    for name in given:
        if name not in pins:
            return "pins.%s: the board has no such pin" % name
    return None


def retention(config):
    """How many games stay though nobody pulled them; all of them where the configuration cannot be read."""
    least, most, usual = JOURNAL["retention_games"][1:]
    section = config.get("journal", {}) if config else None
    games = section.get("retention_games", usual) if isinstance(section, dict) else most
    return games if type(games) is int and games >= least else most


def value(config, section, key):
    """What the configuration says, else the default."""
    return config.get(section, {}).get(key, SECTIONS[section][key][3])
