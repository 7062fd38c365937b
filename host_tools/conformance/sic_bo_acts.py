"""What a sic-bo case may do: hands at the table, the sign, and the dealer's commands.

The words of a step are its pattern; sic_bo_expectations adds the other half of the table.
"""

from __future__ import annotations

from firmware import faults
from host_tools.conformance import tumbler
from host_tools.conformance.bench import AFTER_MS, HELD_MS, MS
from host_tools.conformance.patterns import Failed, Table
from host_tools.conformance.play import Play

KEYS = {
    "OPEN": "key_open",
    "ACTIVATE": "key_spin",
    "NO-MORE-BETS": "key_no_more_bets",
    "NO-SPIN": "key_no_spin",
    "ENTRY": "key_entry",
    **{str(number): f"key{number}" for number in range(1, 7)},
}
FAULTS = {faults.name(code): code for code in faults.FAULTS}
KEY = "|".join(KEYS)

TABLE = Table(
    {
        "dice": (r"[1-6] [1-6] [1-6]", lambda text: [int(die) for die in text.split()]),
        "keys": (rf"(?:(?:{KEY}) )*(?:{KEY})", lambda text: [KEYS[key] for key in text.split()]),
        "fault": ("|".join(FAULTS), FAULTS.__getitem__),
        "wagers": (r"\d{1,3} wagers?", lambda text: int(text.split()[0])),
        "digits": (r"[1-6]{1,4}", lambda text: text.ljust(4)),
        "areas": (r"[a-z0-9_:, -]+", lambda text: sorted(area.strip() for area in text.split(","))),
    }
)
step = TABLE.step

# -- hands at the table


@step("press {keys:keys}")
def press(play: Play, keys: list[str]) -> None:
    for key in keys:
        play.bench.press(key)


@step("cover is {on:on_off}")
def cover(play: Play, on: bool) -> None:
    play.bench.move("cover", on)


@step("cover comes off {ms:number} ms before the key {keys:keys}")
def cover_before(play: Play, ms: int, keys: list[str]) -> None:
    key = keys[0]
    edges = [(0, "cover", False), (ms * MS, key, True), ((ms + HELD_MS) * MS, key, False)]
    play.bench.play(edges, ms + HELD_MS + AFTER_MS)


@step("seal is broken")
def break_seal(play: Play) -> None:
    play.bench.move("seal", False)


@step("seal is closed again")
def close_seal(play: Play) -> None:
    play.bench.move("seal", True)


@step("tumbler turns {times:number} times")
def turns(play: Play, times: int) -> None:
    for done in range(times):
        if not tumbler.turn(play.bench):
            raise Failed(f"the motor driving turn {done + 1}", "the motor is off")


@step("tumbler turns until the motor stops")
def turns_on(play: Play) -> None:
    if not tumbler.turn_until_the_motor_stops(play.bench):
        raise Failed("the motor driving the tumbler", "the motor is off")


@step("tumbler is stuck")
def stuck(play: Play) -> None:
    play.bench.run_ms(play.bench.timing_ms("stall_ms") + 200)


@step("dice come to rest")
def come_to_rest(play: Play) -> None:
    play.bench.run_ms(play.bench.timing_ms("rest_ms") + 200)
    play.event("rested")


@step("dice never come to rest")
def never_at_rest(play: Play) -> None:
    tumbler.shake(play.bench, play.bench.timing_ms("settle_most_ms") + 500)


@step("the lamp of {area:word} fails")
def lamp_fails(play: Play, area: str) -> None:
    play.bench.break_lamp(area, "dark")


@step("the lamp of {area:word} burns all the time")
def lamp_burns(play: Play, area: str) -> None:
    play.bench.break_lamp(area, "lit")


@step("the lamp of {area:word} is replaced")
def lamp_works(play: Play, area: str) -> None:
    play.bench.fixture.lamp_works(area)


@step("power is cut")
def cut(play: Play) -> None:
    play.bench.cut()


@step("power comes back")
def power(play: Play) -> None:
    play.bench.power()


@step("wait {ms:number} ms")
def wait(play: Play, ms: int) -> None:
    play.bench.run_ms(ms)


@step("the sign says {low:number} to {high:number} cents on {kind:word}")
def limits(play: Play, low: int, high: int, kind: str) -> None:
    kept = play.bench.config
    play.bench.configure({**kept, "limits": {**kept.get("limits", {}), kind: [low, high]}})


@step("a sign announces {low:number} to {high:number} cents on {kind:word}")
def announce(play: Play, low: int, high: int, kind: str) -> None:
    """As `the sign says`, without waiting for it to count."""
    kept = play.bench.config
    play.bench.announce({**kept, "limits": {**kept.get("limits", {}), kind: [low, high]}})


@step("the tumbler has no cover")
def no_cover(play: Play) -> None:
    kept = play.bench.config
    play.bench.configure({**kept, "table": {**kept["table"], "variant": "uncovered"}})


@step("the table is set to {key:word} {ms:number}")
def timing(play: Play, key: str, ms: int) -> None:
    kept = play.bench.config
    play.bench.configure({**kept, "timing": {**kept.get("timing", {}), key: ms}})


@step("the lamps' current is watched")
def watch_lamps(play: Play) -> None:
    _set(play, "lamps", "sense", "shunt")


@step("the results go out as {kind:word} lines")
def result_lines(play: Play, kind: str) -> None:
    _set(play, "results", "line", kind)
    play.said_before = play.bench.fixture.line()


@step("the motor may be on for {ms:number} ms")
def motor_time(play: Play, ms: int) -> None:
    _set(play, "motor", "most_ms", ms)


def _set(play: Play, section: str, key: str, value: str | int) -> None:
    kept = play.bench.config
    play.bench.configure({**kept, section: {**kept.get(section, {}), key: value}})


# -- the dealer's commands


@step("open a round")
def open_round(play: Play) -> None:
    play.do("open")


@step("bet {cents:number} on {code:word} as ref {ref:number}")
def bet(play: Play, cents: int, code: str, ref: int) -> None:
    play.do("wager", ref=ref, code=code, stake=cents, player="")
    play.bench.wagers[ref] = (code, cents)


@step("activate the tumbler")
def activate(play: Play) -> None:
    play.do("activate")


@step("call no more bets")
def call(play: Play) -> None:
    play.do("no_more_bets")


@step("declare no spin because {cause:word}")
def no_spin(play: Play, cause: str) -> None:
    play.do("no_spin", cause=cause)


@step("clear the fault")
def clear_fault(play: Play) -> None:
    play.do("clear_fault")
