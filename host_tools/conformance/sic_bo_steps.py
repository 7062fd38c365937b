"""Every step a sic-bo case may have: the words on the left, what is done or expected below them.

The first half acts (hands at the table and the dealer's commands), the second half expects.
"""

from __future__ import annotations

from firmware import faults
from host_tools.conformance import tumbler
from host_tools.conformance.patterns import Failed, Table
from host_tools.conformance.play import Play
from rules_min import sic_bo

KEYS = {
    "OPEN": "key_open",
    "ACTIVATE": "key_spin",
    "NO-MORE-BETS": "key_no_more_bets",
    "NO-SPIN": "key_no_spin",
    "ENTRY": "key_entry",
    **{str(number): f"key{number}" for number in range(1, 7)},
}
ROUND_ENDS = ("result", "settled", "voided")
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


@step("the table is set to {key:word} {ms:number}")
def timing(play: Play, key: str, ms: int) -> None:
    kept = play.bench.config
    play.bench.configure({**kept, "timing": {**kept.get("timing", {}), key: ms}})


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


# -- what is refused

REFUSED = {
    "opening a round": "open",
    "activating the tumbler": "activate",
    "calling no more bets": "no_more_bets",
    "clearing the fault": "clear_fault",
}


@step(
    "betting {cents:number} on {code:word} is refused as {why:word} citing {clause:words}",
    "betting {cents:number} on {code:word} is refused as {why:word}",
)
def bet_refused(play: Play, cents: int, code: str, why: str, clause: str | None = None) -> None:
    play.refused(why, clause, "wager", ref=999, code=code, stake=cents, player="")


def _add_refusal(words: str, command: str) -> None:
    @step(
        f"{words} is refused as {{why:word}} citing {{clause:words}}", f"{words} is refused as {{why:word}}"
    )
    def act_refused(play: Play, why: str, clause: str | None = None) -> None:
        play.refused(why, clause, command)


for _words, _command in REFUSED.items():
    _add_refusal(_words, _command)


@step("the key is refused as {act:word} citing {clause:words}")
def key_refused(play: Play, act: str, clause: str) -> None:
    play.event("refused", act=act, rule=clause)


# -- what the table tells


@step("the round is open")
def opened(play: Play) -> None:
    play.event("opened")


@step("the tumbler was activated")
def activated(play: Play) -> None:
    play.event("activated")


@step("no more bets was called, citing {clause:words}")
def called(play: Play, clause: str) -> None:
    play.event("called", rule=clause)


@step("the dice are uncovered")
def uncovered(play: Play) -> None:
    play.event("uncovered")


@step("the result is {dice:dice}, called {words:quoted}, citing {clause:words}")
def result(play: Play, dice: list[int], words: str, clause: str) -> None:
    play.event("result", dice=dice, call=words, rule=clause)
    play.same("the call", sic_bo.call(dice), words)
    play.dice = dice


@step(
    "the round is settled: {wagers:wagers}, {staked:number} staked, {pays:number} won, {returned:number} back"
)
def settled(play: Play, wagers: int, staked: int, pays: int, returned: int) -> None:
    play.event("settled", wagers=wagers, staked=staked, pays=pays, returned=returned)


@step("the round is void, {cause:word}, citing {clause:words}")
def void(play: Play, cause: str, clause: str) -> None:
    stakes = sum(stake for _, stake in play.bench.wagers.values())
    play.event("voided", cause=cause, rule=clause, wagers=len(play.bench.wagers), returned=stakes)


@step("the table reports the fault {code:fault}")
def fault(play: Play, code: int) -> None:
    play.event("fault", code=code)
    play.faults_expected += 1


@step("nothing is decided")
def undecided(play: Play) -> None:
    play.no_event(*ROUND_ENDS)


# -- what the table shows


@step("no lamp is lit")
def dark(play: Play) -> None:
    play.same("lamps lit:", [], sorted(play.bench.fixture.lamps()))


@step("lamps are lit on exactly {areas:areas}")
def lit(play: Play, areas: list[str]) -> None:
    if play.dice:
        play.same("by the rules, the winning areas", sorted(sic_bo.winners(play.dice)), areas)
    play.same("lamps lit:", areas, sorted(play.bench.fixture.lamps()))


@step("display shows {digits:digits}")
def shows(play: Play, digits: str) -> None:
    play.same("the display shows", digits, play.bench.fixture.display())


@step("display is blank")
def blank(play: Play) -> None:
    play.same("the display shows", " " * 4, play.bench.fixture.display())


@step("motor is {on:on_off}")
def motor(play: Play, on: bool) -> None:
    play.same("the motor's pin is", int(on), play.bench.fixture.read("motor"))


@step("betting is {betting:word} and the device is {device:word}")
def states(play: Play, betting: str, device: str) -> None:
    status = play.do("status")
    play.same("betting and device", [betting, device], [status["betting"], status["device"]])


# -- what becomes of a wager


@step("wager {ref:number} wins {pays:number} and gets {returned:number} back, citing {clause:words}")
def wins(play: Play, ref: int, pays: int, returned: int, clause: str) -> None:
    _payout(play, ref, ["win", pays, returned, clause])


@step("wager {ref:number} loses, citing {clause:words}")
def loses(play: Play, ref: int, clause: str) -> None:
    _payout(play, ref, ["lose", 0, 0, clause])


@step("wager {ref:number} is void and gets {returned:number} back, citing {clause:words}")
def voided(play: Play, ref: int, returned: int, clause: str) -> None:
    _payout(play, ref, ["void", 0, returned, clause])


@step("wager {ref:number} stays")
def stays(play: Play, ref: int) -> None:
    _payout(play, ref, ["stays", 0, 0, ""])


def _payout(play: Play, ref: int, expected: list[object]) -> None:
    seen = play.do("payout", ref=ref)
    code, stake = play.bench.wagers.get(ref, ("", 0))
    play.same(f"wager {ref}:", [code, stake], [seen["code"], seen["stake"]])
    play.same(f"wager {ref}:", expected, [seen[key] for key in ("outcome", "pays", "returned", "rule")])
